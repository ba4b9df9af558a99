import { actorAuthorityKey, ridFromText, type ActorFence, type Id128, type Rid, type Session } from "@rehome/wire";
import type { AuthorityRecord, OwnerIdentity, ReadAnswer } from "../../src/ports/authority-store.ts";
import type { SourceConfig } from "../../src/source/config.ts";
import type { SourceEffect } from "../../src/source/effects.ts";
import type { SourceInput } from "../../src/source/inputs.ts";
import { brokenSourceInvariants, EMPTY_TRAIL, watchSource, type SourceTrail } from "../../src/source/invariants.ts";
import type { SourceState } from "../../src/source/state.ts";
import { startSource, stepSource } from "../../src/source/step.ts";

export const RELOCATION: Id128 = { high: 7n, low: 9n };
export const BASE = "v1";
export const OBJECT = 3n;
export const OWN = 10n;

export const self: OwnerIdentity = {
  meshName: "mesh",
  nodeRid: ridFromText("a"),
  nodeGeneration: 2n,
  ownerId: "owner-a",
  ownerLeaseGeneration: 20n,
};

export const targetOwner: OwnerIdentity = {
  meshName: "mesh",
  nodeRid: ridFromText("b"),
  nodeGeneration: 4n,
  ownerId: "owner-b",
  ownerLeaseGeneration: 40n,
};

export const elsewhere: OwnerIdentity = { ...targetOwner, nodeRid: ridFromText("c"), ownerId: "owner-c" };

export const gateway = ridFromText("g");
export const target = targetOwner.nodeRid;

export function session(name: string, ownerNodeRid: Rid = gateway, bindingGeneration = 1n): Session {
  return {
    ownerNodeRid,
    ownerNodeGeneration: 6n,
    ownerId: "owner-g",
    ownerLeaseGeneration: 60n,
    sessionRid: ridFromText(name),
    bindingGeneration,
  };
}

export const actorFence: ActorFence = {
  actor: { actorId: "user:42", objectGeneration: OBJECT },
  nodeRid: self.nodeRid,
  nodeGeneration: self.nodeGeneration,
  authorityOwnerGeneration: OWN,
  ownerLeaseGeneration: self.ownerLeaseGeneration,
};

export const config: SourceConfig = {
  self,
  unit: { kind: "actor", fence: actorFence, stableType: "user" },
  relocation: RELOCATION,
  target: {
    nodeRid: targetOwner.nodeRid,
    nodeGeneration: targetOwner.nodeGeneration,
    ownerId: targetOwner.ownerId,
    ownerLeaseGeneration: targetOwner.ownerLeaseGeneration,
  },
  kind: "relocate",
  applicationVersion: 1n,
  deadlines: { moveMs: 10_000, storeResolutionMs: 5_000 },
  chunkBytes: 1_024,
  maxPayloadBytes: 1_000_000,
};

export const ownRecord: AuthorityRecord = {
  key: actorAuthorityKey("user:42"),
  storeVersion: BASE,
  state: "active",
  kind: "actor",
  stableType: "user",
  objectGeneration: OBJECT,
  authorityOwnerGeneration: OWN,
  owner: self,
  place: undefined,
  relocation: undefined,
  membershipDigest: new Uint8Array(),
  payload: new Uint8Array(),
};

export const committedRecord: AuthorityRecord = {
  ...ownRecord,
  storeVersion: "v2",
  authorityOwnerGeneration: OWN + 1n,
  owner: targetOwner,
  relocation: RELOCATION,
};

export function found(change: Partial<AuthorityRecord> = {}, ownerLeaseLive = true): ReadAnswer {
  return { outcome: "found", reading: { record: { ...ownRecord, ...change }, ownerLeaseLive } };
}

export const committed: ReadAnswer = {
  outcome: "found",
  reading: { record: committedRecord, ownerLeaseLive: true },
};

export const noAnswer: ReadAnswer = { outcome: "unknown", reason: "timed out" };

export const coordinator = {
  ownerId: self.ownerId,
  leaseGeneration: self.ownerLeaseGeneration,
  nodeRid: self.nodeRid,
  nodeGeneration: self.nodeGeneration,
  expectedAuthorityStoreVersion: BASE,
};

const object = {
  kind: "actor",
  actorId: "user:42",
  objectGeneration: OBJECT,
  authorityOwnerGeneration: OWN,
} as const;

type Of<T extends SourceInput["type"]> = Extract<SourceInput, { readonly type: T }>;

export function sealed(of: Session): Of<"SealedReceived"> {
  return {
    type: "SealedReceived",
    peer: of.ownerNodeRid,
    command: {
      command: "sessionRelocationSealed",
      relocation: RELOCATION,
      coordinator,
      actor: actorFence,
      session: of,
    },
  };
}

export function sealRefused(of: Session): Of<"SealRefused"> {
  return {
    type: "SealRefused",
    peer: of.ownerNodeRid,
    command: {
      command: "relocationFailed",
      relocation: RELOCATION,
      targetAttemptGeneration: 1n,
      coordinator,
      target: {
        nodeRid: of.ownerNodeRid,
        nodeGeneration: of.ownerNodeGeneration,
        ownerId: of.ownerId,
        ownerLeaseGeneration: of.ownerLeaseGeneration,
      },
      object,
      senderRole: "coordinator",
      failureCode: "actorLocationStale",
    },
  };
}

export function turnsStopped(sessions: readonly Session[], actorId = "user:42"): SourceInput {
  return { type: "TurnsStopped", bindings: sessions.map((bound) => ({ actorId, session: bound })) };
}

export const ready: Of<"ReadyReceived"> = {
  type: "ReadyReceived",
  peer: target,
  command: {
    command: "relocationReady",
    relocation: RELOCATION,
    targetAttemptGeneration: 1n,
    coordinator,
    target: config.target,
    object,
    senderRole: "target",
  },
};

export const failed: Of<"FailedReceived"> = {
  type: "FailedReceived",
  peer: target,
  command: {
    command: "relocationFailed",
    relocation: RELOCATION,
    targetAttemptGeneration: 1n,
    coordinator,
    target: config.target,
    object,
    senderRole: "target",
    failureCode: "relocationDataLost",
  },
};

export const joined: Of<"JoinedReceived"> = {
  type: "JoinedReceived",
  peer: target,
  command: {
    command: "actorJoined",
    actor: { actorId: "user:42", objectGeneration: OBJECT },
    currentSpot: { spotId: "entry", objectGeneration: 1n },
    authorityOwnerGeneration: OWN + 1n,
  },
};

export const captured: Of<"StateCaptured"> = {
  type: "StateCaptured",
  payload: { totalLength: 2_049n, chunkCount: 3, checksumCrc32c: 77 },
};

export const deadlineFired: SourceInput = { type: "TimerFired", timer: "deadline" };
export const retryFired: SourceInput = { type: "TimerFired", timer: "retryRead" };
export const linkLost = (peer: Rid): SourceInput => ({ type: "LinkLost", peer });
export const read = (answer: ReadAnswer): SourceInput => ({ type: "AuthorityRead", answer });
export const abortRequested: SourceInput = {
  type: "AbortRequested",
  failure: { code: "aborted", message: "the node stops" },
};

/** Runs a move and checks its invariants, in states and in effects, at every step. */
export class Run {
  state: SourceState;
  effects: readonly SourceEffect[];
  now = 0;
  trail: SourceTrail = EMPTY_TRAIL;
  readonly all: SourceEffect[] = [];
  readonly broken: string[] = [];

  constructor(given: SourceConfig = config) {
    const step = startSource(given, this.now);
    this.state = step.state;
    this.effects = [];
    this.#take(step.state, { type: "TimerFired", timer: "retryRead" }, step.effects);
  }

  /** Feeds inputs one after the other; `effects` are those of the last one. */
  give(...inputs: SourceInput[]): this {
    for (const input of inputs) {
      const before = this.state;
      const step = stepSource(before, input, this.now);
      this.state = step.state;
      this.#take(before, input, step.effects);
    }
    if (this.broken.length > 0) throw new Error(this.broken.join("; "));
    return this;
  }

  after(ms: number): this {
    this.now += ms;
    return this;
  }

  #take(before: SourceState, input: SourceInput, effects: readonly SourceEffect[]): void {
    const [trail, broken] = watchSource(this.trail, before, input, effects);
    this.trail = trail;
    this.effects = effects;
    this.all.push(...effects);
    this.broken.push(...broken, ...brokenSourceInvariants(this.state));
  }
}

export const one = session("s1");
export const two = session("s2", self.nodeRid);

export function stoppingRun(given: SourceConfig = config): Run {
  return new Run(given).give({ type: "CheckPassed" });
}

export function readingBaseRun(bindings: readonly Session[] = [one, two]): Run {
  return stoppingRun().give(turnsStopped(bindings));
}

export function sealingRun(bindings: readonly Session[] = [one, two]): Run {
  return readingBaseRun(bindings).give(read(found()));
}

export function capturingRun(bindings: readonly Session[] = [one, two]): Run {
  return sealingRun(bindings).give(...bindings.map(sealed));
}

export function transferringRun(bindings: readonly Session[] = [one, two]): Run {
  return capturingRun(bindings).give(captured);
}

export function cutOverRun(bindings: readonly Session[] = [one, two]): Run {
  return transferringRun(bindings).give(ready);
}

/** One run in every state before the 34, fresh at each call. */
export const beforeCutOver: Readonly<Record<string, () => Run>> = {
  checking: () => new Run(),
  stopping: () => stoppingRun(),
  readingBase: () => readingBaseRun(),
  pausingBase: () => readingBaseRun().give(read(noAnswer)),
  sealing: () => sealingRun(),
  capturing: () => capturingRun(),
  transferring: () => transferringRun(),
};

/** And one in every state after it. */
export const afterCutOver: Readonly<Record<string, () => Run>> = {
  awaitingWord: () => cutOverRun(),
  readingVerdict: () => cutOverRun().give(joined),
  fencing: () => cutOverRun().give(failed, read(found())),
  pausingVerdict: () => cutOverRun().give(failed, read(noAnswer)),
};

export const ended: Readonly<Record<string, () => Run>> = {
  aborted: () => capturingRun().give(abortRequested),
  departed: () => cutOverRun().give(joined, read(committed)),
};

/** The names of effects, with the number of 44s where there are several. */
export function names(effects: readonly SourceEffect[]): string[] {
  return effects.map((effect) =>
    effect.type === "SendRoute" ? `SendRoute:${effect.command.route.action}` : effect.type,
  );
}

export function only<T extends SourceEffect["type"]>(
  effects: readonly SourceEffect[],
  type: T,
): Extract<SourceEffect, { readonly type: T }>[] {
  return effects.filter((effect): effect is Extract<SourceEffect, { readonly type: T }> => effect.type === type);
}
