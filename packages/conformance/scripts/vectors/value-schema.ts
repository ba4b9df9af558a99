/** A JSON Schema of section 7: the JSON form of every record, along the same table as the bytes. */
import type { Json, JsonObject } from "../../src/vectors/file.ts";
import { commands, durables, replyTails, type CommandLayout } from "./table.ts";
import { composites, extensionFields, frozenBodies, frozenSource } from "./table-composites.ts";
import { gen, type Fields, type Type, type UnionType } from "./types.ts";

/** The properties of one shape that an object can have. */
interface Shape {
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

const nothing: Shape = { properties: {}, required: [] };
const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const oneOf = (schemas: readonly JsonObject[]): JsonObject => (schemas.length === 1 ? schemas[0]! : { oneOf: schemas });

/** Every way to join one of `some` with one of `others`. */
function joined(some: readonly Shape[], others: readonly Shape[]): Shape[] {
  return some.flatMap((one) =>
    others.map((other) => ({
      properties: { ...one.properties, ...other.properties },
      required: [...one.required, ...other.required],
    })),
  );
}

function property(name: string, schema: JsonObject, isRequired = true): Shape {
  return { properties: { [name]: schema }, required: isRequired ? [name] : [] };
}

function objects(shapes: readonly Shape[]): JsonObject {
  return oneOf(
    shapes.map(({ properties, required }) => ({ type: "object", properties, required, additionalProperties: false })),
  );
}

function shapesOf(fields: Fields): Shape[] {
  return fields.reduce<Shape[]>((shapes, field) => joined(shapes, shapesOfField(field)), [nothing]);
}

function shapesOfField(field: Fields[number]): Shape[] {
  if ("behindLength" in field) return shapesOf(field.fields);
  if ("beside" in field) return casesOf(field.beside);
  if ("special" in field) {
    switch (field.special) {
      case "sessionTail":
        return [property("sessionTail", ref("sessionTail"), false)];
      case "replyTail":
        return [property("tail", ref("replyTail"), false)];
      case "extension":
        return extensionShapes();
    }
  }
  const [name, type, optional] = field;
  return [property(name, schemaOf(type), optional === undefined)];
}

function casesOf({ tag, cases }: UnionType): Shape[] {
  return Object.entries(cases).flatMap(([name, { fields }]) =>
    joined([property(tag, { const: name })], shapesOf(fields)),
  );
}

/** 33 and 34 are both there or neither is. */
function extensionShapes(): Shape[] {
  const owner = ["ownerId", "ownerLeaseGeneration"];
  const known = extensionFields.map(({ name, type }) => property(name, schemaOf(type)));
  const always = known.filter(({ required }) => !owner.includes(required[0]!));
  const unknown = {
    type: "array",
    items: {
      type: "array",
      prefixItems: [{ type: "integer", minimum: 0, maximum: 255 }, ref("hex")],
      items: false,
      minItems: 2,
    },
  };
  const bare = always.reduce<Shape[]>(
    (shapes, shape) => joined(shapes, [shape]),
    [property("unknown", unknown, false)],
  );
  const owned = known.filter((shape) => !always.includes(shape));
  return [...bare, ...owned.reduce((shapes, shape) => joined(shapes, [shape]), bare)];
}

function schemaOf(type: Type): JsonObject {
  const composite = Object.entries(composites).find(([, other]) => other === type);
  return composite === undefined ? plainSchema(type) : ref(composite[0]);
}

function plainSchema(type: Type): JsonObject {
  switch (type.is) {
    case "number":
      if (type.width < 8) return { type: "integer", minimum: Number(type.least), maximum: Number(type.most) };
      return type === gen ? ref("gen") : ref("u64");
    case "text":
      return { type: "string", minLength: 1 };
    case "rid":
      return ref("rid");
    case "bool":
      return { type: "boolean" };
    case "names":
      return { enum: Object.keys(type.numbers) };
    case "pair":
      return ref("pair");
    case "blob":
      return ref("hex");
    case "bytes":
      return { type: "string", pattern: `^[0-9a-f]{${2 * type.length}}$` };
    case "list":
      return { type: "array", items: schemaOf(type.item) };
    case "group":
      return objects(shapesOf(type.fields));
    case "union":
      return objects(casesOf(type));
    case "metadata":
      return ref("metadata");
    case "envelope":
      return ref("payload");
    case "frozen":
      return ref("frozenRecord");
  }
}

function commandSchema(name: string, { body, payload, flags }: CommandLayout): JsonObject {
  const metadata = flags ? [property("metadata", ref("metadata"), false)] : [nothing];
  const envelope = payload === "forbidden" ? [nothing] : [property("payload", ref("payload"), payload === "required")];
  const shapes = [[property("command", { const: name })], shapesOf(body), metadata, envelope];
  return objects(shapes.reduce((some, others) => joined(some, others)));
}

function frozenSchema(): JsonObject {
  const shapes = Object.entries(frozenBodies).flatMap(([kind, body]) => {
    const isRequest = kind.endsWith("Request");
    const head = [
      property("recordKind", { const: kind }),
      property("source", ref("frozenSource")),
      property("metadata", ref("metadata"), false),
      property("operation", ref("pair")),
      property("operationKind", { const: isRequest ? kind : "none" }),
      isRequest ? property("replyRouteId", ref("gen")) : nothing,
      property("payload", ref("payload")),
    ];
    return head.reduce<Shape[]>((some, shape) => joined(some, [shape]), shapesOf(body));
  });
  return objects(shapes);
}

/** `test-vectors/schema/value.schema.json`. */
export function valueSchema(): JsonObject {
  const decimal = "^(0|[1-9][0-9]{0,19})$";
  const tails = Object.entries(replyTails).flatMap(([operation, fields]) =>
    joined([property("operation", { const: operation })], shapesOf(fields)),
  );
  const envelopes = Object.entries(durables).flatMap(([magic, fields]) =>
    joined([property("magic", { const: magic })], shapesOf(fields)),
  );
  const definitions: Record<string, Json> = {
    u64: { description: "A decimal string.", type: "string", pattern: decimal },
    gen: { description: "1 to 2^63 - 1 as a decimal string.", type: "string", pattern: "^[1-9][0-9]{0,18}$" },
    pair: objects(joined([property("high", ref("u64"))], [property("low", ref("u64"))])),
    hex: { description: "Bytes, two lower-case digits each.", type: "string", pattern: "^([0-9a-f]{2})*$" },
    rid: {
      description: "A string where the bytes are UTF-8 without control characters, otherwise hex.",
      oneOf: [
        { type: "string", minLength: 1 },
        objects([property("hex", { type: "string", pattern: "^([0-9a-f]{2}){1,255}$" })]),
      ],
    },
    metadata: {
      description: "Pairs of key and value in their order.",
      type: "array",
      items: {
        type: "array",
        prefixItems: [{ type: "string", minLength: 1 }, { type: "string" }],
        items: false,
        minItems: 2,
      },
    },
    payload: objects(
      ["packetName", "contentType"].reduce(
        (shapes, name) => joined(shapes, [property(name, { type: "string", minLength: 1 })]),
        [property("data", ref("hex"))],
      ),
    ),
    ...Object.fromEntries(Object.entries(composites).map(([name, type]) => [name, plainSchema(type)])),
    replyTail: objects(tails),
    frozenSource: plainSchema(frozenSource),
    frozenRecord: frozenSchema(),
    durable: objects(envelopes),
    ...Object.fromEntries(Object.entries(commands).map(([name, layout]) => [name, commandSchema(name, layout)])),
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "value.schema.json",
    title: "The JSON form of a record: wire.md, section 7",
    description: "Made from the same table as the vectors. Rules across fields and counts of bytes are not in it.",
    oneOf: Object.keys(commands).map(ref),
    $defs: definitions,
  };
}
