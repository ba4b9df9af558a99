/** Values that an encoder refuses, beyond what the rules say of every field. */
import type { Json, JsonObject, RefusedValue } from "../../../src/vectors/file.ts";
import { admission } from "./handshake.ts";
import { dataOf, frozen } from "./moves.ts";
import { actorFence, actorRef, coordinator, payload, relocation, session } from "./parts.ts";

const send: JsonObject = {
  command: "actorSend",
  operation: { high: "0", low: "0" },
  hopCount: 0,
  target: actorFence,
  payload,
};
const lookup: JsonObject = { command: "actorLookup", correlation: "65", actorId: "user:42" };
const head = { command: "sessionRelocationRoute", relocation, coordinator, actor: actorRef, session };
const commit = {
  action: "commit",
  previousAuthorityOwnerGeneration: "11",
  targetAuthorityOwnerGeneration: "12",
  targetNodeRid: "target",
  targetNodeGeneration: "4",
};
const abort = { action: "abort", currentAuthorityOwnerGeneration: "11" };

function refused(
  id: string,
  note: string,
  value: JsonObject,
  code: RefusedValue["code"],
  field?: string,
): RefusedValue {
  return { id: `refused-${id}`, note, value, code, ...(field === undefined ? {} : { field }) };
}
const invalid = (id: string, note: string, value: JsonObject, field?: string): RefusedValue =>
  refused(id, note, value, "invalid-field", field);
const hello = (changes: JsonObject): JsonObject => ({ command: "hello", admission: { ...admission, ...changes } });
const metadata = (...entries: readonly (readonly [string, string])[]): JsonObject => ({ ...send, metadata: entries });
function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
}

export const refusedRecords: readonly RefusedValue[] = [
  refused("command-unknown", "A name that is no command's.", { command: "streamOpen" }, "unknown-command"),
  refused("command-inherited", "A name that objects have by birth.", { command: "constructor" }, "unknown-command"),
  refused("metadata-forbidden", "Metadata on a command that has none.", { ...lookup, metadata: [] }, "forbidden-flag"),
  refused("payload-missing", "A message without its payload.", without(send, "payload"), "frame-count"),
  refused("payload-forbidden", "A payload on a command that has none.", { ...lookup, payload }, "frame-count"),
  invalid(
    "commit-from-source",
    "A source does not commit (3.3).",
    { ...head, senderRole: "source", route: commit },
    "senderRole",
  ),
  invalid(
    "abort-from-target",
    "A target does not abort (3.3).",
    { ...head, senderRole: "target", route: abort },
    "senderRole",
  ),
  invalid("commit-same-generation", "A commit's target generation is greater than its previous one (3.3).", {
    ...head,
    senderRole: "target",
    route: { ...commit, targetAuthorityOwnerGeneration: "11" },
  }),
  invalid("commit-text-order", "Generations are compared as numbers: 9 is less than 11, though not as text.", {
    ...head,
    senderRole: "target",
    route: { ...commit, targetAuthorityOwnerGeneration: "9" },
  }),
  invalid(
    "seal-from-target",
    "A target does not seal.",
    { command: "sessionRelocationSeal", relocation, coordinator, senderRole: "target", actor: actorFence, session },
    "senderRole",
  ),
  refused(
    "rule-before-frames",
    "3.3 comes before the frames are counted.",
    {
      ...head,
      senderRole: "source",
      route: commit,
      payload,
    },
    "invalid-field",
    "senderRole",
  ),
  invalid("tail-not-ok", "A tail of a reply that is not ok.", {
    command: "reply",
    correlation: "51",
    terminalResult: "busy",
    failureCode: "none",
    tail: { operation: "streamBind", bindingGeneration: "6", authorityOwnerGeneration: "11" },
  }),
  invalid("tail-of-none", "A tail of an operation that has none.", {
    command: "reply",
    correlation: "51",
    terminalResult: "ok",
    failureCode: "none",
    tail: { operation: "actorDestroy" },
  }),
  invalid("metadata-key-twice", "A metadata key twice.", metadata(["k", "1"], ["k", "2"])),
  invalid("metadata-key-empty", "An empty metadata key.", metadata(["", "1"])),
  invalid("metadata-key-256", "A metadata key of 256 bytes.", metadata(["é".repeat(128), "1"])),
  invalid("metadata-value-1025", "A metadata value of 1,025 bytes.", metadata(["k", "v".repeat(1025)])),
  invalid("metadata-value-nul", "NUL in a metadata value.", metadata(["k", "a\0"])),
  invalid("metadata-1025", "A metadata frame of 1,025 bytes, each entry in range.", metadata(["k", "v".repeat(1019)])),
  invalid(
    "metadata-256-entries",
    "256 entries: the count is one byte.",
    metadata(...Array.from({ length: 256 }, (_, index) => [`${index}`, ""] as const)),
  ),
  invalid(
    "frozen-metadata-1025",
    "The same within a frozen record.",
    dataOf(frozen("actorSend", "actor", { metadata: [["k", "v".repeat(1019)]] })),
  ),
  invalid(
    "frozen-operation-kind",
    "An operation kind that is not its record's.",
    dataOf(frozen("actorRequest", "actor", { operationKind: "spotRequest" })),
    "record.operationKind",
  ),
  invalid(
    "frozen-send-operation-kind",
    "A one-way record with an operation kind.",
    dataOf(frozen("actorSend", "actor", { operationKind: "actorRequest" })),
    "record.operationKind",
  ),
  invalid(
    "frozen-request-zero-operation",
    "A request without an operation.",
    dataOf(frozen("nodeRequest", "node", { operation: { high: "0", low: "0" } })),
    "record.operation",
  ),
  invalid(
    "channels-unsorted",
    "Channels that are not sorted by bytes: U+1F600 before U+FF61.",
    hello({
      channels: ["\u{1f600}", "\uff61"].map((name) => ({ name, weight: 1 })),
    }),
  ),
  invalid("channels-twice", "A channel twice.", hello({ channels: ["a", "a"].map((name) => ({ name, weight: 1 })) })),
  invalid("capabilities-unsorted", "Capabilities that are not sorted.", hello({ protocolCapabilities: ["b", "a"] })),
  invalid("capabilities-twice", "A capability twice.", hello({ protocolCapabilities: ["a", "a"] })),
  invalid("owner-without-lease", "33 without 34.", {
    command: "hello",
    admission: without(admission, "ownerLeaseGeneration"),
  }),
  invalid("lease-without-owner", "34 without 33.", { command: "hello", admission: without(admission, "ownerId") }),
  invalid("unknown-is-known", "An unknown field with the id of a known one.", hello({ unknown: [[8, "00000032"]] })),
  invalid(
    "unknown-twice",
    "An unknown field twice.",
    hello({
      unknown: [
        [40, ""],
        [40, ""],
      ],
    }),
  ),
  ...jsonForm(),
  ...surrogates(),
];

/** Section 7 has one spelling for each value; a reader that takes others loses what the number means. */
function jsonForm(): RefusedValue[] {
  const spellings: readonly (readonly [id: string, note: string, correlation: Json])[] = [
    ["number", "A 64-bit number as a JSON number, which many readers would round.", 65],
    ["leading-zero", "A decimal string with a leading zero.", "065"],
    ["plus", "A decimal string with a sign.", "+65"],
    ["fraction", "A decimal string with a fraction.", "65.0"],
    ["exponent", "A decimal string with an exponent.", "65e0"],
    ["hexadecimal", "A number in hex.", "0x41"],
    ["space", "A decimal string with a space.", " 65"],
    ["empty", "An empty string.", ""],
  ];
  const bytes: readonly (readonly [id: string, note: string, data: string])[] = [
    ["upper-case", "Hex is lower-case.", "FF"],
    ["odd", "Hex has two digits a byte.", "fff"],
    ["not-hex", "Bytes that are not hex.", "zz"],
  ];
  return [
    ...spellings.map(([id, note, correlation]) =>
      invalid(`u64-${id}`, note, { ...lookup, correlation }, "correlation"),
    ),
    ...bytes.map(([id, note, data]) =>
      invalid(`hex-${id}`, note, { ...send, payload: { ...payload, data } }, "payload.data"),
    ),
  ];
}

/** The same at every length, and so on every path that an encoder may have for short and for long text. */
function surrogates(): RefusedValue[] {
  return [64, 65, 66, 255].flatMap((length) =>
    (["hi \ud83d", "\udc00x"] as const).map((half, index) => ({
      ...invalid(
        `surrogate-${length}-${index}`,
        `Half of a surrogate pair in a text of ${length} UTF-16 units.`,
        { ...lookup, actorId: half + "p".repeat(length - half.length) },
        "actorId",
      ),
      needs: "lone-surrogates" as const,
    })),
  );
}
