/**
 * The bytes of a JSON value, laid out field by field along the table, and a note of what lies where. It checks nothing: a
 * value out of range is laid out as it stands, so that cases of refused bytes can be made from refused values.
 */
import type { Json, JsonObject, LengthPlace } from "../../src/vectors/file.ts";
import * as b from "./bytes.ts";
import { admission, extensionFields, frozenBodies, frozenSource, sessionTail } from "./table-composites.ts";
import { commands, durables, replyTails } from "./table.ts";
import { operationKind, recordKind } from "./table-names.ts";
import { gen, twoU64, id128, type Fields, type Type, type UnionType } from "./types.ts";

export type Path = readonly (string | number)[];

/** One field of a frame. */
export interface Piece {
  readonly frame: number;
  readonly at: number;
  readonly length: number;
  /** Of a text, rid or blob: where the bytes behind the length begin. */
  readonly contentAt?: number;
  readonly type: Type | { readonly is: "tag"; readonly of: UnionType } | { readonly is: "version" };
  /** Where the value is in the JSON form. Of a discriminator: where its name is. */
  readonly path: Path;
  /** An extension's field: its length is the field's. */
  readonly bare?: true;
}

/** One delimited body. */
export interface Body extends LengthPlace {
  readonly length: number;
  /** The lengths around it, the innermost first. */
  readonly around: readonly LengthPlace[];
  /** `fields`: exactly these fields. `list`: fields that come one after another until the end. `value`: any bytes.
   * `bare`: a text or rid, as long as the body. */
  readonly holds: "fields" | "list" | "value" | "bare";
  /** The union that it belongs to. */
  readonly of?: UnionType;
  /** Length without an optional last field. */
  readonly lengthWithoutLast?: number;
}

export interface Laid {
  readonly frames: readonly b.Bytes[];
  readonly pieces: readonly Piece[];
  readonly bodies: readonly Body[];
}

export function hexOf(laid: Laid): string[] {
  return laid.frames.map(b.toHex);
}

/** The frames of a command. */
export function layOut(value: JsonObject): Laid {
  const command = commands[value["command"] as string]!;
  const [metadata, payload, tail] = [value["metadata"], value["payload"], value["sessionTail"]];
  const flags = (metadata === undefined ? 0 : 1) + (tail === undefined ? 0 : 2 + 4);
  const first = new FrameLayout(0);
  first.put(b.bytes(0x5a, 0x4d, 1, command.id, flags));
  first.fields(command.body, value, []);
  const frames = [first];
  if (metadata !== undefined) {
    const frame = new FrameLayout(frames.length);
    frame.metadata(metadata, ["metadata"]);
    frames.push(frame);
  }
  if (payload !== undefined) {
    const frame = new FrameLayout(frames.length);
    frame.envelope(payload as JsonObject, ["payload"]);
    frames.push(frame);
  }
  return together(frames);
}

/** A durable envelope, its checksum last: `checksum` computes it over all that is before it. */
export function layOutDurable(value: JsonObject, checksum: (of: b.Bytes) => number): Laid {
  const magic = value["magic"] as string;
  const frame = new FrameLayout(0);
  frame.put(b.utf8(magic));
  frame.put(b.join(b.u8(1), b.u16(0)));
  frame.body({ width: 4, holds: "fields" }, () => frame.fields(durables[magic]!, value, []));
  frame.put(b.u32(checksum(frame.bytes)));
  return together([frame]);
}

function together(frames: readonly FrameLayout[]): Laid {
  return {
    frames: frames.map((frame) => frame.bytes),
    pieces: frames.flatMap((frame) => frame.pieces),
    bodies: frames.flatMap((frame) => frame.bodies),
  };
}

/** An open length: its number is filled in when its body is complete. */
type OpenBody = Pick<Body, "width" | "holds" | "of"> & Partial<Body>;

class FrameLayout {
  readonly frame: number;
  readonly #bytes: number[] = [];
  readonly pieces: Piece[] = [];
  readonly bodies: Body[] = [];
  #around: LengthPlace[] = [];
  /** Where the optional last field of the body at hand begins. */
  #lastAt: number | undefined;

  constructor(frame: number) {
    this.frame = frame;
  }

  get bytes(): b.Bytes {
    return Uint8Array.from(this.#bytes);
  }

  put(what: b.Bytes): void {
    this.#bytes.push(...what);
  }

  body(open: OpenBody, fill: () => void): void {
    const [at, around, { width }] = [this.#bytes.length, this.#around, open];
    this.put(b.number(width, 0));
    this.#around = [{ frame: this.frame, at, width }, ...around];
    const before = this.#lastAt;
    this.#lastAt = undefined;
    fill();
    const length = this.#bytes.length - at - width;
    this.#bytes.splice(at, width, ...b.number(width, length));
    const last = this.#lastAt === undefined ? {} : { lengthWithoutLast: this.#lastAt - at - width };
    this.bodies.push({ ...open, ...last, frame: this.frame, at, length, around });
    [this.#around, this.#lastAt] = [around, before];
  }

  fields(fields: Fields, value: JsonObject, path: Path): void {
    for (const field of fields) {
      if ("behindLength" in field) {
        this.body({ width: field.behindLength, holds: "fields" }, () => this.fields(field.fields, value, path));
      } else if ("beside" in field) {
        this.union(field.beside, value, path);
      } else if ("special" in field) {
        this[field.special](value, path);
      } else {
        const [name, type, optional] = field;
        if (optional === undefined) this.one(type, value[name]!, [...path, name]);
        else this.optional(type, optional, value[name], [...path, name]);
      }
    }
  }

  optional(type: Type, how: "unionOnBool" | "emptyText" | "last", value: Json | undefined, path: Path): void {
    switch (how) {
      case "unionOnBool":
        this.note({ is: "bool" }, 1, path);
        this.put(b.u8(value === undefined ? 0 : 1));
        this.body({ width: 2, holds: "fields" }, () => value !== undefined && this.one(type, value, path));
        return;
      case "emptyText":
        if (value === undefined) this.put(b.u8(0));
        else this.one(type, value, path);
        return;
      case "last":
        this.#lastAt = value === undefined ? undefined : this.#bytes.length;
        if (value !== undefined) this.one(type, value, path);
    }
  }

  one(type: Type, value: Json, path: Path): void {
    switch (type.is) {
      case "group":
        return this.fields(type.fields, value as JsonObject, path);
      case "union":
        return this.union(type, value as JsonObject, path);
      case "metadata":
        return this.metadata(value, path);
      case "envelope":
        return this.envelope(value as JsonObject, path);
      case "frozen":
        return this.frozen(value as JsonObject, path);
      case "list": {
        const items = value as readonly Json[];
        this.put(b.number(type.countWidth, items.length));
        for (const [index, item] of items.entries()) this.one(type.item, item, [...path, index]);
        return;
      }
      default:
        return this.leaf(type, value, path);
    }
  }

  leaf(
    type: Exclude<Type, { is: "group" | "union" | "metadata" | "envelope" | "frozen" | "list" }>,
    value: Json,
    path: Path,
  ): void {
    switch (type.is) {
      case "number":
        this.note(type, type.width, path);
        return this.put(b.number(type.width, value as string | number));
      case "names":
        this.note(type, type.width, path);
        return this.put(b.number(type.width, type.numbers[value as string]!));
      case "bool":
        this.note(type, 1, path);
        return this.put(b.u8(value === true ? 1 : 0));
      case "pair": {
        const { high, low } = value as { readonly high: string; readonly low: string };
        this.note(type, 16, path);
        return this.put(b.join(b.u64(high), b.u64(low)));
      }
      case "text":
        return this.behindLength(type, type.width, b.utf8(value as string), path);
      case "rid":
        return this.behindLength(type, 1, ridBytes(value), path);
      case "blob":
        return this.behindLength(type, 4, b.fromHex(value as string), path);
      case "bytes":
        this.note(type, type.length, path);
        return this.put(b.fromHex(value as string));
    }
  }

  union(type: UnionType, value: JsonObject, path: Path): void {
    const { number, fields } = type.cases[value[type.tag] as string]!;
    this.note({ is: "tag", of: type }, type.tagWidth, [...path, type.tag]);
    this.put(b.number(type.tagWidth, number));
    this.body({ width: type.lengthWidth, holds: "fields", of: type }, () => this.fields(fields, value, path));
  }

  /** Section 2, "Metadata frame". */
  metadata(value: Json, path: Path): void {
    const entries = value as readonly (readonly [key: string, value: string])[];
    this.note({ is: "version" }, 1, path);
    this.put(b.join(b.u8(1), b.u8(entries.length)));
    for (const [index, [key, text]] of entries.entries()) {
      this.leaf({ is: "text", width: 1, most: 255 }, key, [...path, index, 0]);
      this.put(b.text16(text));
    }
  }

  /** Section 2, "Payload envelope". */
  envelope(value: JsonObject, path: Path): void {
    this.note({ is: "version" }, 1, path);
    this.put(b.u8(1));
    this.body({ width: 4, holds: "fields" }, () => {
      for (const name of ["packetName", "contentType"]) {
        this.leaf({ is: "text", width: 1, most: 255 }, value[name]!, [...path, name]);
      }
      this.behindLength({ is: "blob", most: 0xffff_ffff }, 4, b.fromHex(value["data"] as string), [...path, "data"]);
    });
  }

  /** Section 2, "Frozen record". */
  frozen(value: JsonObject, path: Path): void {
    const kind = value["recordKind"] as string;
    const isRequest = kind.endsWith("Request");
    this.leaf(recordKind, kind, [...path, "recordKind"]);
    this.union(frozenSource, value["source"] as JsonObject, [...path, "source"]);
    const metadata = value["metadata"];
    this.note({ is: "bool" }, 1, [...path, "metadata"]);
    this.put(b.u8(metadata === undefined ? 0 : 1));
    if (metadata !== undefined) this.metadata(metadata, [...path, "metadata"]);
    this.leaf(isRequest ? id128 : twoU64, value["operation"]!, [...path, "operation"]);
    this.leaf(operationKind, value["operationKind"]!, [...path, "operationKind"]);
    this.body({ width: 2, holds: "fields" }, () => {
      const route = value["replyRouteId"];
      if (route !== undefined) this.one(gen, route, [...path, "replyRouteId"]);
    });
    this.fields(frozenBodies[kind]!, value, path);
    this.envelope(value["payload"] as JsonObject, [...path, "payload"]);
  }

  /** Section 3.1: fields by ascending id, unknown ones among them. */
  extension(value: JsonObject, path: Path): void {
    const unknown = (value["unknown"] ?? []) as readonly (readonly [id: number, hex: string])[];
    const fields = [
      ...extensionFields.filter(({ name }) => value[name] !== undefined),
      ...unknown.map(([id, hex]) => ({ id, hex })),
    ].sort((one, other) => one.id - other.id);
    this.body({ width: 4, holds: "list" }, () => {
      for (const field of fields) {
        this.put(b.u8(field.id));
        if ("hex" in field) {
          this.body({ width: 4, holds: "value" }, () => this.put(b.fromHex(field.hex)));
        } else if (field.bare === true) {
          const text = value[field.name]!;
          this.body({ width: 4, holds: "bare" }, () => {
            const at = this.#bytes.length;
            this.put(field.type.is === "rid" ? ridBytes(text) : b.utf8(text as string));
            const length = this.#bytes.length - at;
            const note = { frame: this.frame, at, length, contentAt: at, bare: true } as const;
            this.pieces.push({ ...note, type: field.type, path: [...path, field.name] });
          });
        } else {
          this.body({ width: 4, holds: "fields" }, () =>
            this.one(field.type, value[field.name]!, [...path, field.name]),
          );
        }
      }
    });
  }

  /** Section 3.2. */
  replyTail(value: JsonObject, path: Path): void {
    const tail = value["tail"] as JsonObject | undefined;
    if (tail !== undefined) this.fields(replyTails[tail["operation"] as string]!, tail, [...path, "tail"]);
  }

  /** 24 and 25. */
  sessionTail(value: JsonObject, path: Path): void {
    const tail = value["sessionTail"];
    if (tail !== undefined) this.one(sessionTail, tail, [...path, "sessionTail"]);
  }

  behindLength(type: Piece["type"], width: number, content: b.Bytes, path: Path): void {
    this.pieces.push({
      frame: this.frame,
      at: this.#bytes.length,
      length: width + content.length,
      contentAt: this.#bytes.length + width,
      type,
      path,
    });
    this.put(b.number(width, content.length));
    this.put(content);
  }

  note(type: Piece["type"], length: number, path: Path): void {
    this.pieces.push({ frame: this.frame, at: this.#bytes.length, length, type, path });
  }
}

/** Section 7: a string, or {`hex`} where the bytes are not plain text. */
export function ridBytes(value: Json): b.Bytes {
  return typeof value === "string" ? b.utf8(value) : b.fromHex((value as { readonly hex: string }).hex);
}

/** The unions that no field of the table leads to directly. */
export const unionsBeside: readonly UnionType[] = [admission, frozenSource];
