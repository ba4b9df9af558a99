/** The records that the codecs are compared by. */
import {
  ridFromText,
  type ActorFence,
  type Command,
  type Coordinator,
  type RelocationData,
  type Session,
  type SessionRelocationRoute,
  type SessionRelocationSeal,
  type SessionRelocationSealed,
} from "@rehome/wire";

/** The commands of which this program has a version in every form. */
export type BenchCommand = SessionRelocationSeal | SessionRelocationSealed | SessionRelocationRoute | RelocationData;

/** What is measured: one record again and again, or many that differ. */
export interface RecordCase {
  readonly name: string;
  /** A power of two of them. */
  readonly values: readonly BenchCommand[];
}

const PAYLOAD_BYTES = 1024;
/** More than any table of recent strings holds, so that none of them helps. */
const FRESH_RECORDS = 4096;

const coordinator: Coordinator = {
  ownerId: "coordinator",
  leaseGeneration: 3n,
  nodeRid: ridFromText("source"),
  nodeGeneration: 2n,
  expectedAuthorityStoreVersion: "store-v17",
};
const actor: ActorFence = {
  actor: { actorId: "actor-1", objectGeneration: 5n },
  nodeRid: ridFromText("source"),
  nodeGeneration: 2n,
  authorityOwnerGeneration: 11n,
  ownerLeaseGeneration: 13n,
};
const session: Session = {
  ownerNodeRid: ridFromText("source"),
  ownerNodeGeneration: 2n,
  ownerId: "session-owner",
  ownerLeaseGeneration: 8n,
  sessionRid: ridFromText("session"),
  bindingGeneration: 6n,
};
const relocation = { high: 7n, low: 9n };

export const seal: SessionRelocationSeal = {
  command: "sessionRelocationSeal",
  relocation,
  coordinator,
  senderRole: "source",
  actor,
  session,
};

export const sealed: SessionRelocationSealed = {
  command: "sessionRelocationSealed",
  relocation,
  coordinator,
  actor,
  session,
};

export const route: SessionRelocationRoute = {
  command: "sessionRelocationRoute",
  relocation,
  coordinator,
  senderRole: "target",
  actor: actor.actor,
  session,
  route: {
    action: "commit",
    previousAuthorityOwnerGeneration: 11n,
    targetAuthorityOwnerGeneration: 12n,
    targetNodeRid: ridFromText("target"),
    targetNodeGeneration: 4n,
  },
};

export const data: RelocationData = {
  command: "relocationData",
  relocation,
  targetAttemptGeneration: 1n,
  coordinator,
  senderRole: "source",
  object: { kind: "actor", actorId: "actor-1", objectGeneration: 5n, authorityOwnerGeneration: 11n },
  record: {
    recordKind: "actorSend",
    source: {
      kind: "boundSession",
      nodeRid: ridFromText("source"),
      nodeGeneration: 2n,
      ownerId: "session-owner",
      ownerLeaseGeneration: 8n,
      actor: actor.actor,
      sessionRid: ridFromText("session"),
      bindingGeneration: 6n,
      sessionSequence: 40_001n,
    },
    metadata: [["~q", "40001"]],
    operation: { high: 8_589_934_597n, low: 40_001n },
    operationKind: "none",
    target: actor,
    payload: {
      packetName: "move",
      contentType: "application/octet-stream",
      data: Uint8Array.from({ length: PAYLOAD_BYTES }, (_, index) => (index * 167 + 13) & 0xff),
    },
  },
};

/** Numbers that fill their 64 bits and look random; the same in every run. */
function numbers(seed: bigint): () => bigint {
  let state = seed;
  return () => {
    // Knuth's MMIX generator.
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return state;
  };
}

/** 42s of the first one's shape and length of texts, whose numbers are large and whose texts are not seen again soon. */
function freshSeals(): SessionRelocationSeal[] {
  const next = numbers(42n);
  const gen = (): bigint => (next() >> 1n) | 1n;
  const text = (length: number): string =>
    Array.from({ length }, () => String.fromCharCode(97 + (Number(next() >> 40n) % 26))).join("");
  return Array.from({ length: FRESH_RECORDS }, () => ({
    command: "sessionRelocationSeal",
    relocation: { high: next(), low: next() },
    coordinator: {
      ownerId: text(11),
      leaseGeneration: gen(),
      nodeRid: ridFromText(text(6)),
      nodeGeneration: gen(),
      expectedAuthorityStoreVersion: text(9),
    },
    senderRole: "source",
    actor: {
      actor: { actorId: text(7), objectGeneration: gen() },
      nodeRid: ridFromText(text(6)),
      nodeGeneration: gen(),
      authorityOwnerGeneration: gen(),
      ownerLeaseGeneration: gen(),
    },
    session: {
      ownerNodeRid: ridFromText(text(6)),
      ownerNodeGeneration: gen(),
      ownerId: text(13),
      ownerLeaseGeneration: gen(),
      sessionRid: ridFromText(text(7)),
      bindingGeneration: gen(),
    },
  }));
}

const cases: Readonly<Record<string, { readonly note: string; readonly values: () => readonly BenchCommand[] }>> = {
  "42": { note: "sessionRelocationSeal, the same record again and again", values: () => [seal] },
  "42 fresh": {
    note: `sessionRelocationSeal, ${FRESH_RECORDS} records in turn: large numbers, texts that do not recur`,
    values: freshSeals,
  },
  "43": { note: "sessionRelocationSealed", values: () => [sealed] },
  "44": { note: "sessionRelocationRoute, a commit", values: () => [route] },
  "31": { note: `relocationData, an actor's message with ${PAYLOAD_BYTES} bytes of payload`, values: () => [data] },
};

export const recordNames: readonly string[] = Object.keys(cases);

export function recordCase(name: string): RecordCase {
  const found = cases[name];
  if (found === undefined) throw new Error(`There is no record case "${name}"`);
  return { name, values: found.values() };
}

/** One line about a case. */
export function recordNote(name: string): string {
  return cases[name]?.note ?? "";
}

/** Narrows what a decoder gave. */
export function asBenchCommand(command: Command): BenchCommand {
  switch (command.command) {
    case "sessionRelocationSeal":
    case "sessionRelocationSealed":
    case "sessionRelocationRoute":
    case "relocationData":
      return command;
    default:
      throw new Error(`${command.command} is not a command of this comparison`);
  }
}
