import { expect } from "vitest";
import { actorAuthorityKey, crc32c, ridFromText } from "@rehome/wire";
import type {
  Coordinator,
  FrozenRecord,
  Id128,
  RelocationCutover,
  RelocationData,
  RelocationFailed,
  RelocationPrepare,
  RelocationState,
  Session,
} from "@rehome/wire";
import { DEFAULT_STORE_RETRY } from "../../src/authority-commit/state.ts";
import type { AuthorityRecord, CommitAnswer, OwnerIdentity } from "../../src/ports/authority-store.ts";
import type { ProvenPeer } from "../../src/target/checks.ts";
import { DEFAULT_TARGET_LIMITS } from "../../src/target/config.ts";
import type { TargetConfig } from "../../src/target/config.ts";
import type { TargetEffect } from "../../src/target/effects.ts";
import type { PrepareReceived, RestoredFacts, RestoredMember, TargetInput } from "../../src/target/inputs.ts";
import { brokenTargetInvariants } from "../../src/target/invariants.ts";
import type { TargetState } from "../../src/target/state.ts";
import { startTarget, stepTarget } from "../../src/target/step.ts";

export const source: OwnerIdentity = {
  meshName: "mesh",
  nodeRid: ridFromText("node-a"),
  nodeGeneration: 3n,
  ownerId: "owner-a",
  ownerLeaseGeneration: 5n,
};
export const self: OwnerIdentity = {
  meshName: "mesh",
  nodeRid: ridFromText("node-b"),
  nodeGeneration: 4n,
  ownerId: "owner-b",
  ownerLeaseGeneration: 6n,
};
export const stranger = ridFromText("node-x");
export const actorId = "user:42";
export const key = actorAuthorityKey(actorId);
export const START = 1_000;
export const DEADLINE_MS = 10_000;

export function peerOf(owner: OwnerIdentity): ProvenPeer {
  const { meshName, nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration } = owner;
  return { meshName, nodeRid, nodeGeneration, lease: { ownerId, ownerLeaseGeneration } };
}

export function configWith(limits: Partial<TargetConfig["limits"]> = {}): TargetConfig {
  return {
    self,
    entrySpot: { spotId: "entry", objectGeneration: self.nodeGeneration },
    deadlineMs: DEADLINE_MS,
    storeRetry: DEFAULT_STORE_RETRY,
    limits: { ...DEFAULT_TARGET_LIMITS, chunkBytes: 4, ...limits },
  };
}
export const config = configWith();

export const coordinator: Coordinator = coordinatorOf(source);
export function coordinatorOf(owner: OwnerIdentity, version = "v10"): Coordinator {
  return {
    ownerId: owner.ownerId,
    leaseGeneration: owner.ownerLeaseGeneration,
    nodeRid: owner.nodeRid,
    nodeGeneration: owner.nodeGeneration,
    expectedAuthorityStoreVersion: version,
  };
}

export const payload = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

export function chunksOf(bytes: Uint8Array, size = 4): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let offset = 0; offset < bytes.length; offset += size) chunks.push(bytes.slice(offset, offset + size));
  return chunks;
}

export const prepare: RelocationPrepare = prepareOf({});
export function prepareOf(
  change: Partial<RelocationPrepare> & { data?: Uint8Array; from?: OwnerIdentity },
): RelocationPrepare {
  const { data = payload, from = source, ...fields } = change;
  return {
    command: "relocationPrepare",
    relocation: { high: 1n, low: 2n },
    targetAttemptGeneration: 1n,
    coordinator: coordinatorOf(from),
    target: {
      nodeRid: self.nodeRid,
      nodeGeneration: self.nodeGeneration,
      ownerId: self.ownerId,
      ownerLeaseGeneration: self.ownerLeaseGeneration,
    },
    initiatorRole: "source",
    object: { kind: "actor", actorId, objectGeneration: 7n, authorityOwnerGeneration: 8n },
    sourceNodeRid: from.nodeRid,
    sourceNodeGeneration: from.nodeGeneration,
    payloadTotalLength: BigInt(data.length),
    payloadChunkCount: Math.ceil(data.length / 4),
    payloadChecksumCrc32c: crc32c(data),
    applicationVersion: 1n,
    ...fields,
  };
}

/** Stands for the record's frame 0: equal exactly when the relocation and the length are. */
export function bytesOf(command: RelocationPrepare): Uint8Array {
  const text = `${command.relocation.low}/${command.payloadTotalLength}`;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function prepareReceived(command = prepare, peer = command.sourceNodeRid): PrepareReceived {
  return { type: "PrepareReceived", peer, command, bytes: bytesOf(command) };
}

/** The fields that 31, 34, 52 and 53 have in common. */
export interface AttemptHeader {
  readonly relocation: Id128;
  readonly targetAttemptGeneration: bigint;
  readonly coordinator: Coordinator;
  readonly senderRole: "source" | "target" | "coordinator";
  readonly object: RelocationPrepare["object"];
}
export function headerOf(command: RelocationPrepare): AttemptHeader {
  const { relocation, targetAttemptGeneration, coordinator, object } = command;
  return { relocation, targetAttemptGeneration, coordinator, senderRole: "source", object };
}

type In<T extends TargetInput["type"]> = Extract<TargetInput, { type: T }>;

export function stateReceived(
  ordinal: number,
  data: Uint8Array,
  change: Partial<RelocationState> = {},
): In<"StateReceived"> {
  const command: RelocationState = {
    command: "relocationState",
    ...headerOf(prepare),
    chunkOrdinal: ordinal,
    chunkData: data,
    ...change,
  };
  return { type: "StateReceived", peer: source.nodeRid, command };
}

export function allChunks(command = prepare, data = payload): In<"StateReceived">[] {
  return chunksOf(data).map((chunk, ordinal) => ({
    ...stateReceived(ordinal, chunk, headerOf(command)),
    peer: command.sourceNodeRid,
  }));
}

const frozen: FrozenRecord = {
  recordKind: "actorSend",
  source: { kind: "node", nodeRid: source.nodeRid, nodeGeneration: 3n, ownerId: "owner-a", ownerLeaseGeneration: 5n },
  operation: { high: 0n, low: 0n },
  operationKind: "none",
  target: {
    actor: { actorId, objectGeneration: 7n },
    nodeRid: source.nodeRid,
    nodeGeneration: 3n,
    authorityOwnerGeneration: 8n,
    ownerLeaseGeneration: 5n,
  },
  payload: { packetName: "add", contentType: "application/json", data: new Uint8Array() },
};

/** A 31 whose record's bytes are these. The machine looks at the bytes only. */
export function relayReceived(bytes: Uint8Array, change: Partial<RelocationData> = {}): In<"RelayReceived"> {
  const command: RelocationData = { command: "relocationData", ...headerOf(prepare), record: frozen, ...change };
  return { type: "RelayReceived", peer: source.nodeRid, command, bytes };
}

export function cutoverReceived(
  records: readonly Uint8Array[],
  change: Partial<RelocationCutover> = {},
): In<"CutoverReceived"> {
  const command: RelocationCutover = {
    command: "relocationCutover",
    ...headerOf(prepare),
    boundaryRecordCount: BigInt(records.length),
    boundaryChecksumCrc32c: records.reduce((crc, bytes) => crc32c(bytes, crc), 0),
    ...change,
  };
  return { type: "CutoverReceived", peer: source.nodeRid, command };
}

export function failedReceived(change: Partial<RelocationFailed> = {}): In<"FailedReceived"> {
  const command: RelocationFailed = {
    command: "relocationFailed",
    ...headerOf(prepare),
    target: prepare.target,
    failureCode: "requestRejected",
    ...change,
  };
  return { type: "FailedReceived", peer: source.nodeRid, command };
}

export function sessionOf(name: string): Session {
  return {
    ownerNodeRid: ridFromText(`gateway-${name}`),
    ownerNodeGeneration: 2n,
    ownerId: `gateway-${name}`,
    ownerLeaseGeneration: 11n,
    sessionRid: ridFromText(`session-${name}`),
    bindingGeneration: 1n,
  };
}

export const restoredMember: RestoredMember = {
  actor: { actorId, objectGeneration: 7n },
  stableType: "player",
  authorityOwnerGeneration: 8n,
  baseVersion: "v10",
  sessions: [sessionOf("one"), sessionOf("two")],
  previousPlace: { spotId: "lobby", objectGeneration: 2n },
};
export const restored: RestoredFacts = {
  stableType: "player",
  place: { spotId: "room", objectGeneration: 3n },
  membershipDigest: new Uint8Array(32).fill(9),
  members: [restoredMember],
};
export const restoredInput: TargetInput = { type: "Restored", restored };

/** What the commit of {@link prepare} writes. */
export const movedRecord: AuthorityRecord = {
  key,
  storeVersion: "v11",
  state: "active",
  kind: "actor",
  stableType: "player",
  objectGeneration: 7n,
  authorityOwnerGeneration: 12n,
  owner: self,
  place: restored.place,
  relocation: { high: 1n, low: 2n },
  membershipDigest: restored.membershipDigest,
  payload: new Uint8Array(),
};
export const committed: CommitAnswer = { outcome: "committed", records: [movedRecord] };
export const unknown = { outcome: "unknown", reason: "timeout" } as const;

/** Drives one machine, checks its invariants at every step, and keeps what it wanted done. */
export class Driver {
  state: TargetState;
  readonly effects: TargetEffect[] = [];
  now = START;

  constructor(received = prepareReceived(), with_ = config) {
    const step = startTarget(with_, received, this.now);
    this.state = step.state;
    this.effects.push(...step.effects);
    this.#check();
  }

  /** Hands the inputs over, one after the other, and returns what the last one brought about. */
  take(...inputs: readonly TargetInput[]): readonly TargetEffect[] {
    let last: readonly TargetEffect[] = [];
    for (const input of inputs) {
      const step = stepTarget(this.state, input, this.now);
      this.state = step.state;
      last = step.effects;
      this.effects.push(...last);
      this.#check();
    }
    return last;
  }

  types(): string[] {
    return this.effects.map((effect) => effect.type);
  }

  #check(): void {
    const broken = brokenTargetInvariants(this.state);
    if (broken.length > 0) throw new Error(`broken in ${this.state.type}: ${broken.join("; ")}`);
  }
}

export const relayed = [Uint8Array.of(1, 1), Uint8Array.of(2, 2, 2)];

/** A driver that has come as far as this state, by the shortest way. */
export function driverIn(type: TargetState["type"]): Driver {
  const driver = new Driver();
  if (type === "receiving") return driver;
  driver.take(...allChunks());
  if (type === "restoring") return driver;
  driver.take(restoredInput);
  if (type === "ready") return driver;
  if (type === "failed") {
    driver.take(failedReceived());
    return driver;
  }
  driver.take(...relayed.map((bytes) => relayReceived(bytes)), cutoverReceived(relayed));
  if (type === "adopted") driver.take({ type: "CommitSettled", answer: committed });
  return driver;
}

/** `expect` for a `Report` with at least these fields. */
export function report(event: string, fields: Record<string, unknown>): unknown {
  return { type: "Report", event, fields: expect.objectContaining(fields) as unknown };
}

/** Nothing changes, and at most a report comes of it. */
export function expectNoEffect(
  driver: Driver,
  input: TargetInput,
  event?: string,
  fields: Record<string, unknown> = {},
): void {
  const before = driver.state;
  const effects = driver.take(input);
  expect(driver.state).toBe(before);
  expect(effects).toEqual(event === undefined ? [] : [report(event, fields)]);
}

export const deadline: TargetInput = { type: "TimerFired", timer: "deadline" };
export function settled(answer: CommitAnswer): TargetInput {
  return { type: "CommitSettled", answer };
}
