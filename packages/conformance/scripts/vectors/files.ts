/** Every vector file, put together from the cases. */
import type {
  CommandVectors,
  DerivedCases,
  InvalidFrames,
  Json,
  RefusedValue,
  ValidRecord,
  VectorFile,
} from "../../src/vectors/file.ts";
import { checksums } from "./cases/crc32c.ts";
import { derivedEnvelopes, invalidEnvelopes, refusedEnvelopes, validEnvelopes } from "./cases/durable.ts";
import { handshakeCases, handshakeShapes } from "./cases/handshake.ts";
import { admissionFaults } from "./cases/faults-admission.ts";
import { metadataFaults, payloadFaults } from "./cases/faults-envelopes.ts";
import { frozenFaults } from "./cases/faults-frozen.ts";
import { orderFaults } from "./cases/faults-order.ts";
import { frameFaults, prefixFaults } from "./cases/faults-prefix.ts";
import { replyFaults, routeFaults } from "./cases/faults-route.ts";
import { invalidFrames, type Fault } from "./cases/faults.ts";
import { authorityKeys, identityKeys, operationKeys, refusedIds, refusedKeys } from "./cases/keys.ts";
import { messageCases, messageShapes, replyCases, replyShapes } from "./cases/messages.ts";
import { frozenCases, frozenLimitCases, frozenShapes, moveCases, moveShapes } from "./cases/moves.ts";
import type { Shape } from "./cases/parts.ts";
import { scenarioFiles } from "./scenarios/files.ts";
import { refusedRecords } from "./cases/refused.ts";
import { fixedPoints, sessionCases, sessionShapes } from "./cases/sessions.ts";
import { hexOf, layOut } from "./layout.ts";
import { fieldRules } from "./rules-of-fields.ts";
import { bodyRules, flagRule, frameRules } from "./rules-of-frames.ts";
import { valueRules } from "./rules-of-values.ts";
import { commands } from "./table.ts";
import { transportVectors } from "./transport/files.ts";
import { valueSchema } from "./value-schema.ts";
import { largest, numbersAt, opaqueRoutingIds, smallest, unusualTexts, vary, type Substitute } from "./variants.ts";

interface Variation {
  readonly name: string;
  readonly note: string;
  readonly of: (shape: Shape) => boolean;
  readonly substitute: Substitute;
}

const isFullest = ({ fullest }: Shape): boolean => fullest === true;
const variations: readonly Variation[] = [
  {
    name: "smallest",
    note: "Every length and every number at its least.",
    of: ({ barest }) => barest === true,
    substitute: smallest,
  },
  { name: "largest", note: "Every length and every number at its greatest.", of: isFullest, substitute: largest },
  ...(
    [
      [-1n, "One less than 2^53"],
      [0n, "2^53"],
      [1n, "One more than 2^53, which a double cannot hold"],
    ] as const
  ).map(([more, what]) => ({
    name: `2p53${more === 0n ? "" : more < 0n ? "-less-1" : "-plus-1"}`,
    note: `${what} in every number of 64 bits that has room for it.`,
    of: isFullest,
    substitute: numbersAt(2n ** 53n + more),
  })),
  {
    name: "text",
    note: "Text beyond ASCII, not normalized, with U+FEFF first, with control characters; routing ids in UTF-8.",
    of: isFullest,
    substitute: unusualTexts,
  },
  {
    name: "opaque-rids",
    note: "Routing ids that are not UTF-8, or hold control characters.",
    of: isFullest,
    substitute: opaqueRoutingIds,
  },
];

function validRecord({ id, note, value, operation }: Shape): ValidRecord {
  const told = operation === undefined ? {} : { operation };
  return { id, note, value, frames: hexOf(layOut(value)), ...told };
}

/** The variants of a shape that differ from it and from each other. */
function variantsOf(shape: Shape): Shape[] {
  const seen = new Set([JSON.stringify(shape.value)]);
  return variations
    .filter(({ of }) => of(shape))
    .map(({ name, note, substitute }) => ({
      ...shape,
      id: `${shape.id}-${name}`,
      note,
      value: vary(shape.value, substitute),
    }))
    .filter(({ value }) => {
      const text = JSON.stringify(value);
      return !seen.has(text) && seen.add(text);
    });
}

interface Group {
  readonly name: string;
  readonly about: string;
  /** Records of which variants are made and rules are stated. */
  readonly shapes: readonly Shape[];
  /** Records that only stand for themselves. */
  readonly cases: readonly Shape[];
  readonly faults: readonly Fault[];
  readonly refused: readonly RefusedValue[];
  readonly derived?: readonly DerivedCases[];
}

function commandFile({ name, about, shapes, cases, faults, refused, derived = [] }: Group): CommandVectors {
  const representatives = new Map(shapes.toReversed().map((shape) => [shape.value["command"], shape]));
  const fullest = shapes.filter(isFullest);
  const invalid: InvalidFrames[] = invalidFrames(faults);
  return {
    $schema: "./schema/commands.schema.json",
    format: 1,
    family: "commands",
    about,
    valid: [...shapes.flatMap((shape) => [shape, ...variantsOf(shape)]), ...cases].map(validRecord),
    invalid,
    refused,
    derived: [
      ...frameRules(name, shapes),
      ...[...representatives.values()].map(flagRule),
      ...shapes.flatMap((shape) => [...fieldRules(shape), ...bodyRules(shape)]),
      ...merged(fullest.flatMap(valueRules)),
      ...derived,
    ].map(inOrder),
  };
}

/** Rules that differ in nothing but the case that they are about become one, under the first one's id. */
function merged(rules: readonly DerivedCases[]): DerivedCases[] {
  const byContent = new Map<string, DerivedCases>();
  for (const { id, of, ...content } of rules) {
    const same = byContent.get(JSON.stringify(content));
    const rule = { ...content, id: same?.id ?? id, of: [...(same?.of ?? []), ...of] } as DerivedCases;
    byContent.set(JSON.stringify(content), rule);
  }
  return [...byContent.values()];
}

/** The fields of a rule in the order in which all files have them. */
function inOrder({ id, note, rule, of, ...rest }: DerivedCases): DerivedCases {
  return { id, note, rule, of, ...rest } as DerivedCases;
}

/** Every id that is not in the table of section 3. */
function unknownCommands(): DerivedCases {
  const known = new Set(Object.values(commands).map(({ id }) => id));
  const unknown = Array.from({ length: 256 }, (_, id) => id).filter((id) => !known.has(id));
  return {
    id: "unknown-commands",
    note: "Every command id that section 3 does not give a meaning.",
    rule: "overwrite",
    of: ["livenessProbe-typical"],
    places: [{ frame: 0, at: 3 }],
    with: unknown.map((id) => id.toString(16).padStart(2, "0")),
    code: "unknown-command",
  };
}

const refusedOf = (...names: readonly string[]): RefusedValue[] =>
  refusedRecords.filter(({ value }) => names.includes(value["command"] as string));
const refusedElsewhere = ["hello", "sessionRelocationRoute", "sessionRelocationSeal", "relocationData"];

const handshake = commandFile({
  name: "handshake",
  about: "Records 1 to 6 with their admission, and the prefix of every record.",
  shapes: handshakeShapes,
  cases: handshakeCases,
  faults: [...prefixFaults, ...admissionFaults],
  refused: refusedOf("hello"),
  derived: [unknownCommands()],
});
const messages = commandFile({
  name: "messages",
  about:
    "Messages, requests and replies (20, 24 to 29, 36, 37, 49, 50, 200), metadata, payloads, and which of two faults wins.",
  shapes: [...replyShapes, ...messageShapes],
  cases: [...replyCases, ...messageCases],
  faults: [...orderFaults, ...frameFaults, ...metadataFaults, ...payloadFaults, ...replyFaults],
  refused: refusedRecords.filter(({ value }) => !refusedElsewhere.includes(value["command"] as string)),
});
const sessions = commandFile({
  name: "sessions",
  about: "Sessions and their moves: 38, 42, 43, 44, 51, four fixed points among them.",
  shapes: sessionShapes,
  cases: sessionCases,
  faults: routeFaults,
  refused: refusedOf("sessionRelocationRoute", "sessionRelocationSeal"),
});
const moves = commandFile({
  name: "moves",
  about: "Moves: 30, 33, 34, 40, 46, 52, 53.",
  shapes: moveShapes,
  cases: moveCases,
  faults: [],
  refused: [],
});
const frozen = commandFile({
  name: "frozen",
  about: "31 with frozen records of every kind and source.",
  shapes: frozenShapes,
  cases: [...frozenCases, ...frozenLimitCases],
  faults: frozenFaults,
  refused: refusedOf("relocationData"),
});

for (const { id, frames } of fixedPoints) {
  const laid = sessions.valid.find((record) => record.id === id)?.frames;
  if (laid?.join() !== frames.join()) throw new Error(`${id}: the layout does not give the fixed point`);
}

/** The files of `test-vectors/` by name. */
export const vectorFiles: Readonly<Record<string, VectorFile>> = {
  "commands-handshake.json": handshake,
  "commands-messages.json": messages,
  "commands-sessions.json": sessions,
  "commands-moves.json": moves,
  "commands-frozen.json": frozen,
  "keys.json": {
    $schema: "./schema/keys.schema.json",
    format: 1,
    family: "keys",
    about: "Authority keys, session relocation identity keys, operation keys.",
    authorityKeys,
    refusedIds,
    refusedKeys,
    identityKeys,
    operationKeys,
  },
  "crc32c.json": {
    $schema: "./schema/crc32c.schema.json",
    format: 1,
    family: "crc32c",
    about: "CRC32C, whole and in pieces.",
    checksums,
  },
  "durable.json": {
    $schema: "./schema/durable.schema.json",
    format: 1,
    family: "durable",
    about: "Durable envelopes: state chunks and manifests.",
    valid: validEnvelopes,
    invalid: invalidEnvelopes,
    refused: refusedEnvelopes,
    derived: derivedEnvelopes,
  },
};

/** Everything that `npm run vectors` writes into `test-vectors/`, by path. */
export function writtenFiles(): Readonly<Record<string, Json>> {
  const files = Object.entries(vectorFiles).map(([name, file]) => [name, file as unknown as Json] as const);
  const scenarios = Object.entries(scenarioFiles).map(([name, file]) => [name, file as unknown as Json] as const);
  const made = {
    "schema/value.schema.json": valueSchema(),
    "transport/bytes.json": transportVectors as unknown as Json,
  };
  return { ...Object.fromEntries(files), ...Object.fromEntries(scenarios), ...made };
}
