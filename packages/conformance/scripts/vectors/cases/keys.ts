/** `wire.md` section 5. */
import type { JsonObject, KeyVectors } from "../../../src/vectors/file.ts";
import { actorFence, actorRef, coordinator, relocation, session } from "./parts.ts";

type AuthorityKey = KeyVectors["authorityKeys"][number];
type IdentityKey = KeyVectors["identityKeys"][number];
type OperationKey = KeyVectors["operationKeys"][number];

const authority = (id: string, note: string, kind: "actor" | "spot", objectId: string, key: string): AuthorityKey => ({
  id: `authority-${id}`,
  note,
  kind,
  objectId,
  key,
});

const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
const reservedAscii = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1)).filter(
  (character) => !unreserved.includes(character),
);
const escaped = (code: number): string => `%${code.toString(16).toUpperCase().padStart(2, "0")}`;

export const authorityKeys: readonly AuthorityKey[] = [
  authority("example", "The example of the page: a colon is escaped.", "actor", "user:42", "zla1:a:7:user%3A42"),
  authority("example-composed", "U+00E9 is two bytes.", "actor", "é", "zla1:a:2:%C3%A9"),
  authority(
    "example-decomposed",
    "e and U+0301 is another id: nothing is normalized.",
    "actor",
    "e\u0301",
    "zla1:a:3:e%CC%81",
  ),
  authority("spot", "A spot's key has another letter.", "spot", "user:42", "zla1:s:7:user%3A42"),
  authority("one-byte", "The shortest id.", "actor", "a", "zla1:a:1:a"),
  authority("unreserved", "Every unreserved character stands as it is.", "spot", unreserved, `zla1:s:66:${unreserved}`),
  authority(
    "reserved",
    "Every other ASCII character but NUL is escaped, upper-case.",
    "actor",
    reservedAscii.join(""),
    `zla1:a:${reservedAscii.length}:${reservedAscii.map((character) => escaped(character.charCodeAt(0))).join("")}`,
  ),
  authority(
    "percent",
    "A percent sign is escaped, also where it looks like an escape.",
    "actor",
    "%41",
    "zla1:a:3:%2541",
  ),
  authority("astral", "A character of four bytes.", "spot", "🚢", "zla1:s:4:%F0%9F%9A%A2"),
  authority("bom", "A leading U+FEFF stays.", "actor", "\ufeffx", "zla1:a:4:%EF%BB%BFx"),
  authority("last", "U+10FFFF.", "actor", "\u{10ffff}", "zla1:a:4:%F4%8F%BF%BF"),
  authority("like-a-key", "An id that looks like a key.", "actor", "zla1:a:1:a", "zla1:a:10:zla1%3Aa%3A1%3Aa"),
  authority("slash-and-space", "Neither + nor a path: %20 and %2F.", "spot", "a b/c", "zla1:s:5:a%20b%2Fc"),
  authority("255", "The longest id.", "actor", "x".repeat(255), `zla1:a:255:${"x".repeat(255)}`),
  authority(
    "255-escaped",
    "The longest id, 255 bytes in 128 characters.",
    "actor",
    `${"é".repeat(127)}x`,
    `zla1:a:255:${"%C3%A9".repeat(127)}x`,
  ),
  authority("100", "A count of three digits.", "spot", "y".repeat(100), `zla1:s:100:${"y".repeat(100)}`),
];

export const refusedIds: KeyVectors["refusedIds"] = (["actor", "spot"] as const).flatMap((kind) => [
  { id: `refused-id-${kind}-empty`, note: "An id has a byte at least.", kind, objectId: "", code: "invalid-field" },
  {
    id: `refused-id-${kind}-256`,
    note: "An id has 255 bytes at most.",
    kind,
    objectId: "x".repeat(256),
    code: "invalid-field",
  },
  {
    id: `refused-id-${kind}-256-bytes`,
    note: "Bytes are counted, not characters.",
    kind,
    objectId: "é".repeat(128),
    code: "invalid-field",
  },
  { id: `refused-id-${kind}-nul`, note: "NUL is not in any text.", kind, objectId: "a\0b", code: "invalid-field" },
  ...["a\ud83d", "\udc00a"].map((objectId, index) => ({
    id: `refused-id-${kind}-surrogate-${index}`,
    note: "Half of a surrogate pair has no UTF-8.",
    kind,
    objectId,
    code: "invalid-field" as const,
    needs: "lone-surrogates" as const,
  })),
]);

const badKeys: readonly (readonly [id: string, note: string, key: string])[] = [
  ["empty", "Nothing.", ""],
  ["scheme", "Another scheme.", "zla2:a:1:a"],
  ["scheme-case", "The scheme is lower-case.", "ZLA1:a:1:a"],
  ["scheme-missing", "No scheme.", "a:1:a"],
  ["kind", "Neither a nor s.", "zla1:x:1:a"],
  ["kind-case", "The letter is lower-case.", "zla1:A:1:a"],
  ["kind-missing", "No letter.", "zla1:1:a"],
  ["count-missing", "No count.", "zla1:a::a"],
  ["count-zero", "A count of 0.", "zla1:a:0:"],
  ["count-padded", "A count with a leading zero.", "zla1:a:01:a"],
  ["count-plus", "A count with a sign.", "zla1:a:+1:a"],
  ["count-space", "A count with a space.", "zla1:a: 1:a"],
  ["count-hex", "A count in hex.", "zla1:a:0x1:a"],
  ["count-other-digits", "Digits that are not ASCII.", "zla1:a:\u0661:a"],
  ["count-low", "A count less than the bytes.", "zla1:a:1:ab"],
  ["count-high", "A count more than the bytes.", "zla1:a:3:ab"],
  ["count-of-characters", "A count of characters instead of bytes.", "zla1:a:1:%C3%A9"],
  ["count-of-escaped", "A count of the escaped form.", "zla1:a:10:user%3A42"],
  ["count-256", "256 bytes.", `zla1:a:256:${"x".repeat(256)}`],
  ["id-missing", "No id.", "zla1:a:1:"],
  ["lower-case-hex", "Lower-case hex.", "zla1:a:7:user%3a42"],
  ["mixed-case-hex", "A lower-case digit of two.", "zla1:a:2:%C3%a9"],
  ["escaped-letter", "A letter that need not be escaped.", "zla1:a:7:us%65r%3A42"],
  ["escaped-digit", "A digit that need not be escaped.", "zla1:a:1:%30"],
  ...["-", ".", "_", "~"].map(
    (character) =>
      [
        `escaped-${character.charCodeAt(0)}`,
        `${character} need not be escaped.`,
        `zla1:a:1:${escaped(character.charCodeAt(0))}`,
      ] as const,
  ),
  ["raw-colon", "A colon that is not escaped.", "zla1:a:7:user:42"],
  ["raw-slash", "A slash that is not escaped.", "zla1:a:3:a/b"],
  ["raw-space", "A space that is not escaped.", "zla1:a:3:a b"],
  ["raw-percent", "A percent sign that is not escaped.", "zla1:a:2:a%"],
  ["raw-text", "A character that is not ASCII.", "zla1:a:2:é"],
  ["plus-for-space", "+ is not how a space is written, nor does it stand as it is.", "zla1:a:3:a+b"],
  ["cut-escape", "An escape of one digit.", "zla1:a:1:%4"],
  ["bad-escape", "An escape that is not hex.", "zla1:a:1:%G0"],
  ["double-escape", "Escaped twice: the bytes are more than the count.", "zla1:a:7:user%253A42"],
  ["nul", "NUL.", "zla1:a:1:%00"],
  ["nul-within", "NUL within.", "zla1:a:3:a%00b"],
  ["ill-formed", "Bytes that are not UTF-8.", "zla1:a:1:%FF"],
  ["overlong", "An overlong form.", "zla1:a:2:%C0%AF"],
  ["surrogate", "A surrogate.", "zla1:a:3:%ED%A0%80"],
  ["cut-character", "A character that is cut.", "zla1:a:2:%E2%82"],
  ["space-before", "A space before the key.", " zla1:a:1:a"],
  ["newline-behind", "A line's end behind the key.", "zla1:a:1:a\n"],
  ["colon-behind", "A colon behind the key.", "zla1:a:1:a:"],
];

export const refusedKeys: KeyVectors["refusedKeys"] = badKeys.map(([id, note, key]) => ({
  id: `refused-key-${id}`,
  note,
  key,
  code: "invalid-field",
}));

const seal: JsonObject = {
  command: "sessionRelocationSeal",
  relocation,
  coordinator,
  senderRole: "source",
  actor: actorFence,
  session,
};
const sealed: JsonObject = { command: "sessionRelocationSealed", relocation, coordinator, actor: actorFence, session };
const route: JsonObject = {
  command: "sessionRelocationRoute",
  relocation,
  coordinator,
  senderRole: "source",
  actor: actorRef,
  session,
  route: { action: "abort", currentAuthorityOwnerGeneration: "11" },
};
const identity = (id: string, note: string, value: JsonObject, key: string): IdentityKey => ({
  id: `identity-${id}`,
  note,
  value,
  key,
});
const withIds = (actorId: string, sessionRid: JsonObject | string): JsonObject => ({
  ...seal,
  actor: { ...actorFence, actor: { ...actorRef, actorId } },
  session: { ...session, sessionRid },
});
const maxGeneration = "9223372036854775807";
const maxU64 = "18446744073709551615";

export const identityKeys: readonly IdentityKey[] = [
  identity("seal", "Of a seal.", seal, "7:9:actor-1:5:session:6"),
  identity("sealed", "Of its sealed reply: the same.", sealed, "7:9:actor-1:5:session:6"),
  identity("route", "Of its route: the same.", route, "7:9:actor-1:5:session:6"),
  identity(
    "route-commit",
    "Of a route that commits: the same.",
    {
      ...route,
      senderRole: "target",
      route: {
        action: "commit",
        previousAuthorityOwnerGeneration: "11",
        targetAuthorityOwnerGeneration: "12",
        targetNodeRid: "target",
        targetNodeGeneration: "4",
      },
    },
    "7:9:actor-1:5:session:6",
  ),
  identity(
    "other-coordinator",
    "The coordinator is not part of it.",
    { ...seal, coordinator: { ...coordinator, ownerId: "another", leaseGeneration: "99" } },
    "7:9:actor-1:5:session:6",
  ),
  identity(
    "other-fence",
    "Nor is the rest of the actor's fence, nor the session's owner.",
    {
      ...seal,
      actor: { ...actorFence, nodeRid: "elsewhere", authorityOwnerGeneration: "98" },
      session: { ...session, ownerId: "another", ownerLeaseGeneration: "97" },
    },
    "7:9:actor-1:5:session:6",
  ),
  identity(
    "colon",
    "A colon in an id is escaped, so that no two identities share a key.",
    withIds("user:42", "a:b"),
    "7:9:user%3A42:5:a%3Ab:6",
  ),
  identity("percent", "So is a percent sign.", withIds("50%", "%3A"), "7:9:50%25:5:%253A:6"),
  identity(
    "nothing-else",
    "Nothing else is: not a space, a slash, a character beyond ASCII.",
    withIds("a b/c é🚢", "東京"),
    "7:9:a b/c é🚢:5:東京:6",
  ),
  identity(
    "not-utf8",
    "A sessionRid that is not UTF-8 stands in hex.",
    withIds("actor-1", { hex: "ff00fe" }),
    "7:9:actor-1:5:%xff00fe:6",
  ),
  identity(
    "looks-like-hex",
    "One that is UTF-8 and looks like that does not collide with it.",
    withIds("actor-1", "%xff00fe"),
    "7:9:actor-1:5:%25xff00fe:6",
  ),
  identity(
    "surrogate-bytes",
    "Surrogates and overlong forms are not UTF-8.",
    withIds("actor-1", { hex: "eda080c080" }),
    "7:9:actor-1:5:%xeda080c080:6",
  ),
  identity(
    "control",
    "UTF-8 with a control character is UTF-8: it stands as it is, though section 7 shows it in hex.",
    withIds("actor-1", { hex: "61013a" }),
    "7:9:actor-1:5:a\u0001%3A:6",
  ),
  identity(
    "nul",
    "NUL is no text of a text8, but a rid may hold it.",
    withIds("actor-1", { hex: "6100" }),
    "7:9:actor-1:5:a\u0000:6",
  ),
  identity(
    "greatest",
    "The greatest numbers, in decimal.",
    {
      ...seal,
      relocation: { high: maxU64, low: maxU64 },
      actor: { ...actorFence, actor: { actorId: "a", objectGeneration: maxGeneration } },
      session: { ...session, sessionRid: "s", bindingGeneration: maxGeneration },
    },
    `${maxU64}:${maxU64}:a:${maxGeneration}:s:${maxGeneration}`,
  ),
  identity(
    "past-2p53",
    "Numbers that a double cannot hold.",
    {
      ...seal,
      relocation: { high: "0", low: "9007199254740993" },
      actor: { ...actorFence, actor: { actorId: "a", objectGeneration: "9007199254740993" } },
      session: { ...session, sessionRid: "s", bindingGeneration: "9007199254740993" },
    },
    "0:9007199254740993:a:9007199254740993:s:9007199254740993",
  ),
];

const operation = (id: string, note: string, high: string, low: string, key: string): OperationKey => ({
  id: `operation-${id}`,
  note,
  value: { high, low },
  key,
});

export const operationKeys: readonly OperationKey[] = [
  operation("small", "Hex without leading zeros.", "7", "9", "7:9"),
  operation("letters", "Lower-case.", "171", "48879", "ab:beef"),
  operation("zero-half", "A half of 0 is 0.", "0", "16", "0:10"),
  operation("zero", "A one-way message's.", "0", "0", "0:0"),
  operation(
    "past-2p53",
    "Numbers that a double cannot hold.",
    "9007199254740993",
    "9007199254740993",
    "20000000000001:20000000000001",
  ),
  operation("greatest", "The greatest.", maxU64, maxU64, "ffffffffffffffff:ffffffffffffffff"),
];
