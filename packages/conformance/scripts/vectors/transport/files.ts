/** The vectors of `docs/transport.md`. */
import type { JsonObject } from "../../../src/vectors/file.ts";
import * as b from "../bytes.ts";
import { conversations } from "./conversations.ts";
import type { Conversation } from "./conversations.ts";
import { ACCEPTOR, DIALLER, LINK_ID, NONCE } from "./nodes.ts";
import {
  acknowledge,
  aboutConnection,
  framesOf,
  kinds,
  measuredFrames,
  openBody,
  preface,
  record,
  unit,
} from "./layout.ts";
import type { OpenFields } from "./layout.ts";

interface UnitCase {
  readonly id: string;
  readonly note: string;
  readonly kind: keyof typeof kinds;
  readonly number?: string;
  readonly fields?: OpenFields;
  readonly frames?: readonly string[];
  readonly body?: string;
  readonly hex: string;
}

/** What a node answers to a stranger's bytes: a reject with this reason, or nothing but the end of the connection. */
interface StrangerCase {
  readonly id: string;
  readonly note: string;
  readonly hex: string;
  readonly answer: string;
}

export interface TransportVectors {
  readonly $schema: string;
  readonly format: 1;
  readonly family: "transport";
  readonly about: string;
  readonly acceptor: JsonObject;
  readonly units: readonly UnitCase[];
  readonly strangers: readonly StrangerCase[];
  readonly conversations: readonly Conversation[];
}

const hello: JsonObject = { command: "hello", admission: DIALLER };
const admit: JsonObject = { command: "admit", admission: ACCEPTOR };
const helloFields: OpenFields = {
  linkId: LINK_ID,
  attempt: "1",
  maxRecordBytes: 2_097_152,
  targetRid: b.toHex(b.utf8("node-b")),
  targetGeneration: "5",
};

function recordCase(id: string, note: string, number: string, ...frames: readonly b.Bytes[]): UnitCase {
  const hex = b.toHex(unit(kinds.record, b.u64(number), measuredFrames(frames)));
  return { id, note, kind: "record", number, frames: frames.map(b.toHex), hex };
}

function numberCase(id: string, note: string, kind: "acknowledge" | "end", number: string): UnitCase {
  return { id, note, kind, number, hex: b.toHex(unit(kinds[kind], b.u64(number))) };
}

function openCase(id: string, note: string, fields: OpenFields, value: JsonObject): UnitCase {
  const frames = framesOf(value);
  return {
    id,
    note,
    kind: "open",
    fields,
    frames: frames.map(b.toHex),
    hex: b.toHex(unit(kinds.open, openBody(fields, frames))),
  };
}

function bytesCase(id: string, note: string, kind: "challenge" | "proof", body: string): UnitCase {
  return { id, note, kind, body, hex: b.toHex(unit(kinds[kind], b.fromHex(body))) };
}

const probe: JsonObject = { command: "livenessProbe", probeId: "36" };
const units: readonly UnitCase[] = [
  openCase("transport-hello-new", "A hello that proposes a new link: no receivedThrough.", helloFields, hello),
  openCase(
    "transport-hello-again",
    "A hello that wants a link to go on, of which nothing has been received.",
    { ...helloFields, receivedThrough: "0", attempt: "2" },
    hello,
  ),
  openCase(
    "transport-hello-nonce",
    "A hello of a node that proves a shared secret.",
    { ...helloFields, nonce: NONCE },
    hello,
  ),
  openCase(
    "transport-admit-again",
    "The answer that lets a link go on.",
    { linkId: LINK_ID, receivedThrough: "9007199254740991", attempt: "0", maxRecordBytes: 2_097_152 },
    admit,
  ),
  openCase("transport-reject", "A refusal: no fields.", {}, { command: "reject", reason: "duplicateConnection" }),
  recordCase("transport-record", "The first record of a link, with two frames.", "1", b.utf8("one"), b.utf8("two")),
  recordCase("transport-record-empty", "A record of one empty frame.", "2", b.bytes()),
  recordCase("transport-record-2p32", "A number that needs more than 32 bits.", "4294967296", b.bytes(0xff)),
  numberCase("transport-acknowledge", "Everything up to 300 has been received.", "acknowledge", "300"),
  numberCase("transport-acknowledge-most", "The greatest number that there is.", "acknowledge", "9007199254740991"),
  numberCase("transport-end", "The link is closed on purpose behind its fourth record.", "end", "4"),
  {
    id: "transport-probe",
    note: "A probe: a record about the connection, which has no number.",
    kind: "connection",
    frames: framesOf(probe).map(b.toHex),
    hex: b.toHex(aboutConnection(probe)),
  },
  bytesCase("transport-challenge", "A challenge.", "challenge", NONCE),
  bytesCase("transport-proof", "A proof.", "proof", "ab".repeat(32)),
];

const dropped = "dropped";
function stranger(id: string, note: string, answer: string, ...bytes: readonly b.Bytes[]): StrangerCase {
  return { id: `transport-stranger-${id}`, note, hex: b.toHex(b.join(...bytes)), answer };
}
function helloOf(changes: JsonObject, fields: OpenFields = {}): b.Bytes {
  const frames = framesOf({ command: "hello", admission: { ...DIALLER, ...changes } });
  return b.join(preface, unit(kinds.open, openBody({ ...helloFields, ...fields }, frames)));
}

const strangers: readonly StrangerCase[] = [
  stranger("http", "Not a node at all.", dropped, b.utf8("GET / HTTP/1.1\r\n\r\n")),
  stranger("version", "A preface of another version.", "protocolVersionUnsupported", b.bytes(0x52, 0x48, 0x4c, 0x02)),
  stranger("record", "A record before the hello.", dropped, preface, record(1, b.bytes(1))),
  stranger("huge", "A unit that claims 4 GiB.", dropped, preface, b.bytes(1, 0xff, 0xff, 0xff, 0xff)),
  stranger("kind", "A kind that there is not.", dropped, preface, b.bytes(0x11, 0, 0, 0, 0)),
  stranger(
    "admit",
    "An admit instead of a hello.",
    dropped,
    preface,
    unit(kinds.open, openBody(helloFields, framesOf(admit))),
  ),
  stranger(
    "field-missing",
    "A hello without the field linkId.",
    dropped,
    preface,
    unit(kinds.open, openBody({ attempt: "1", maxRecordBytes: 2_097_152 }, framesOf(hello))),
  ),
  stranger(
    "fields-order",
    "Fields that do not ascend.",
    dropped,
    preface,
    unit(kinds.open, b.measured(2, b.u8(3), b.measured(2, b.u64(1)), b.u8(1), b.measured(2, b.fromHex(LINK_ID)))),
  ),
  stranger(
    "no-record",
    "A hello whose record is none.",
    "invalidDescriptor",
    preface,
    unit(kinds.open, openBody(helloFields, [b.bytes(0x5a, 0x4d, 1, 1)])),
  ),
  stranger("mesh", "A node of another mesh.", "topologyMismatch", helloOf({ meshName: "another" })),
  stranger("itself", "The acceptor's own rid.", "identityMismatch", helloOf({ nodeRid: "node-b" })),
  stranger(
    "security",
    "Another security identity.",
    "securityIdentityMismatch",
    helloOf({ securityIdentity: "shared-secret" }),
  ),
  stranger("capability", "No common capability.", "capabilityMismatch", helloOf({ protocolCapabilities: ["other"] })),
  stranger("stopped", "A node that has stopped.", "runtimeNotServing", helloOf({ runtimeState: "stopped" })),
  stranger(
    "target",
    "A hello for somebody else.",
    "identityMismatch",
    helloOf({}, { targetRid: b.toHex(b.utf8("node-c")) }),
  ),
  stranger(
    "generation",
    "A hello for a newer run.",
    "lifecycleGenerationStale",
    helloOf({}, { targetGeneration: "6" }),
  ),
  stranger(
    "skipped",
    "A kind above 0x7f is skipped; what follows counts.",
    "topologyMismatch",
    preface,
    b.bytes(0x80, 0, 0, 0, 1, 7),
    helloOf({ meshName: "another" }).subarray(4),
  ),
];

export const transportVectors: TransportVectors = {
  $schema: "../schema/transport.schema.json",
  format: 1,
  family: "transport",
  about: "The bytes on a connection between two nodes: units, what strangers are answered, whole conversations.",
  acceptor: ACCEPTOR,
  units,
  strangers,
  conversations: conversations(helloFields, { hello, admit, acknowledge }),
};
