import type { JsonObject } from "../../../src/vectors/file.ts";
import * as b from "../bytes.ts";
import {
  aboutConnection,
  acceptorProof,
  diallerProof,
  framesOf,
  kinds,
  openBody,
  preface,
  record,
  unit,
} from "./layout.ts";
import type { OpenFields } from "./layout.ts";
import { ACCEPTOR, CHALLENGE, DIALLER, LINK_ID, NONCE, OTHER_SECRET, SECRET } from "./nodes.ts";

/**
 * `bytes`: what comes on the connection of this number from this end, in all, up to then. `sends` and `hears`: a record that
 * the application at the acceptor gives to the transport, or gets from it. `ends`: the connection breaks.
 */
export type Step =
  | { readonly connection: number; readonly from: "dialler" | "acceptor"; readonly bytes: string }
  | { readonly connection: number; readonly ends: true }
  | { readonly sends: readonly string[] }
  | { readonly hears: readonly string[] };

export interface Conversation {
  readonly id: string;
  readonly note: string;
  /** The secrets of the acceptor, the first one first. None: nothing is proven. */
  readonly secrets: readonly string[];
  /** What the acceptor draws at random, in order: challenges, new linkIds, ids of probes. */
  readonly random: readonly string[];
  readonly steps: readonly Step[];
}

interface Parts {
  readonly hello: JsonObject;
  readonly admit: JsonObject;
  readonly acknowledge: (number: number) => b.Bytes;
}

const admitFields: OpenFields = { linkId: LINK_ID, attempt: "0", maxRecordBytes: 2_097_152 };
const FRESH = "f0".repeat(16);

export function conversations(helloFields: OpenFields, { hello, admit, acknowledge }: Parts): Conversation[] {
  const says = (from: "dialler" | "acceptor", connection: number, ...bytes: readonly b.Bytes[]): Step => ({
    connection,
    from,
    bytes: b.toHex(b.join(...bytes)),
  });
  const open = (fields: OpenFields, value: JsonObject): b.Bytes => unit(kinds.open, openBody(fields, framesOf(value)));
  const [one, two] = [b.utf8("one"), b.utf8("two")];
  const probeId = "0102030405060708";
  const probe = aboutConnection({ command: "livenessProbe", probeId: BigInt(`0x${probeId}`).toString() });

  const plain: Conversation = {
    id: "transport-new-link",
    note: "A link begins; a record travels each way, and each is acknowledged.",
    secrets: [],
    random: [],
    steps: [
      says("dialler", 1, preface, open(helloFields, hello), record(1, one, two)),
      { hears: [one, two].map(b.toHex) },
      says("acceptor", 1, preface, open(admitFields, admit), acknowledge(1)),
      { sends: [b.toHex(two)] },
      says("acceptor", 1, record(1, two)),
      says("dialler", 1, acknowledge(1)),
    ],
  };
  const again: Conversation = {
    id: "transport-link-goes-on",
    note: "The connection breaks; on the next one only what the other end has not received is sent again, behind a probe.",
    secrets: [],
    random: [probeId],
    steps: [
      says("dialler", 1, preface, open(helloFields, hello), record(1, one)),
      { hears: [b.toHex(one)] },
      says("acceptor", 1, preface, open(admitFields, admit), acknowledge(1)),
      { sends: [b.toHex(one)] },
      { sends: [b.toHex(two)] },
      says("acceptor", 1, record(1, one), record(2, two)),
      { connection: 1, ends: true },
      says("dialler", 2, preface, open({ ...helloFields, receivedThrough: "1", attempt: "2" }, hello)),
      says("acceptor", 2, preface, open({ ...admitFields, receivedThrough: "1" }, admit), probe, record(2, two)),
      says("dialler", 2, record(1, one), record(2, two)),
      { hears: [b.toHex(two)] },
      says("acceptor", 2, acknowledge(2)),
    ],
  };
  const unknown: Conversation = {
    id: "transport-link-unknown",
    note: "A hello wants a link to go on that the acceptor does not have: another linkId, and no receivedThrough.",
    secrets: [],
    random: [FRESH],
    steps: [
      says("dialler", 1, preface, open({ ...helloFields, receivedThrough: "7", attempt: "4" }, hello)),
      says("acceptor", 1, preface, open({ ...admitFields, linkId: FRESH }, admit)),
    ],
  };
  return [plain, again, unknown, ...withSecret({ helloFields, hello, admit, says, open })];
}

function withSecret(parts: {
  readonly helloFields: OpenFields;
  readonly hello: JsonObject;
  readonly admit: JsonObject;
  readonly says: (from: "dialler" | "acceptor", connection: number, ...bytes: readonly b.Bytes[]) => Step;
  readonly open: (fields: OpenFields, value: JsonObject) => b.Bytes;
}): Conversation[] {
  const { helloFields, says, open } = parts;
  const securityIdentity = "shared-secret";
  const hello = { ...parts.hello, admission: { ...DIALLER, securityIdentity } };
  const admit = { ...parts.admit, admission: { ...ACCEPTOR, securityIdentity } };
  const fields = { ...helloFields, nonce: NONCE };
  const challenge = b.fromHex(CHALLENGE);
  const helloBody = openBody(fields, framesOf(hello));
  const admitBody = openBody(admitFields, framesOf(admit));
  const greeting = [
    says("dialler", 1, preface, open(fields, hello)),
    says("acceptor", 1, preface, unit(kinds.challenge, challenge)),
  ];
  const one = b.utf8("one");
  return [
    {
      id: "transport-secret",
      note: "Both ends prove the secret that is the dialler's first and the acceptor's second.",
      secrets: [OTHER_SECRET, SECRET],
      random: [CHALLENGE],
      steps: [
        ...greeting,
        says("dialler", 1, unit(kinds.proof, diallerProof(b.fromHex(SECRET), challenge, helloBody)), record(1, one)),
        { hears: [b.toHex(one)] },
        says(
          "acceptor",
          1,
          unit(kinds.proof, acceptorProof(b.fromHex(SECRET), { challenge, hello: helloBody, admit: admitBody })),
          unit(kinds.open, admitBody),
          unit(kinds.acknowledge, b.u64(1)),
        ),
      ],
    },
    {
      id: "transport-secret-wrong",
      note: "A proof with another secret is refused, and the record behind it is not looked at.",
      secrets: [SECRET],
      random: [CHALLENGE],
      steps: [
        ...greeting,
        says(
          "dialler",
          1,
          unit(kinds.proof, diallerProof(b.fromHex(OTHER_SECRET), challenge, helloBody)),
          record(1, one),
        ),
        says("acceptor", 1, open({}, { command: "reject", reason: "securityIdentityMismatch" })),
      ],
    },
  ];
}
