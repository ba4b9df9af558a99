import type {
  ActorFence,
  RouteUpdate,
  Session,
  SessionRelocationRoute,
  SessionRelocationSeal,
  Target,
} from "@rehome/wire";
import { encodeRecord, ridFromText, sessionRelocationKey } from "@rehome/wire";
import type { AuthorityRecord, ReadAnswer } from "../../src/ports/authority-store.ts";
import { SessionBarriers } from "../../src/session-barrier/barriers.ts";
import type { SessionBarrierEffect } from "../../src/session-barrier/effects.ts";
import type { BindingRef, BindingView, PeerRun, SessionBarrierInput } from "../../src/session-barrier/inputs.ts";
import { brokenBarrierInvariants } from "../../src/session-barrier/invariants.ts";
import { DEFAULT_BARRIER_LIMITS } from "../../src/session-barrier/limits.ts";
import type { BarrierLimits } from "../../src/session-barrier/limits.ts";

export type Effect = SessionBarrierEffect<string, string>;
export type EffectOf<T extends Effect["type"]> = Extract<Effect, { type: T }>;

/** The session owner. */
export const OWNER: Target = {
  nodeRid: ridFromText("gate"),
  nodeGeneration: 4n,
  ownerId: "gate-owner",
  ownerLeaseGeneration: 40n,
};
export const SOURCE: PeerRun = { nodeRid: ridFromText("node-a"), nodeGeneration: 1n };
export const TARGET: PeerRun = { nodeRid: ridFromText("node-b"), nodeGeneration: 2n };
export const STRANGER: PeerRun = { nodeRid: ridFromText("node-x"), nodeGeneration: 9n };

export const FENCE: ActorFence = {
  actor: { actorId: "user:42", objectGeneration: 3n },
  nodeRid: SOURCE.nodeRid,
  nodeGeneration: SOURCE.nodeGeneration,
  authorityOwnerGeneration: 7n,
  ownerLeaseGeneration: 10n,
};
export const SESSION: Session = {
  ownerNodeRid: OWNER.nodeRid,
  ownerNodeGeneration: OWNER.nodeGeneration,
  ownerId: OWNER.ownerId,
  ownerLeaseGeneration: OWNER.ownerLeaseGeneration,
  sessionRid: ridFromText("session-1"),
  bindingGeneration: 5n,
};
export const BINDING: BindingRef = {
  actorId: FENCE.actor.actorId,
  sessionRid: SESSION.sessionRid,
  bindingGeneration: SESSION.bindingGeneration,
};
export const SEAL: SessionRelocationSeal = {
  command: "sessionRelocationSeal",
  relocation: { high: 1n, low: 2n },
  coordinator: {
    ownerId: "a-owner",
    leaseGeneration: 10n,
    nodeRid: SOURCE.nodeRid,
    nodeGeneration: SOURCE.nodeGeneration,
    expectedAuthorityStoreVersion: "v1",
  },
  senderRole: "source",
  actor: FENCE,
  session: SESSION,
};
export const COMMIT = {
  action: "commit",
  previousAuthorityOwnerGeneration: 7n,
  targetAuthorityOwnerGeneration: 8n,
  targetNodeRid: TARGET.nodeRid,
  targetNodeGeneration: TARGET.nodeGeneration,
  targetOwnerLeaseGeneration: 20n,
} as const satisfies RouteUpdate;
export const ABORT = { action: "abort", currentAuthorityOwnerGeneration: 7n } as const satisfies RouteUpdate;
export const TO_TARGET = {
  nodeRid: TARGET.nodeRid,
  nodeGeneration: TARGET.nodeGeneration,
  authorityOwnerGeneration: 8n,
  ownerLeaseGeneration: 20n,
} as const;
export const TARGET_FENCE: ActorFence = { actor: FENCE.actor, ...TO_TARGET };

export const IDENTITY = sessionRelocationKey({
  relocation: SEAL.relocation,
  actor: SEAL.actor.actor,
  session: SEAL.session,
});

export function commitCommand(route: RouteUpdate = COMMIT): SessionRelocationRoute {
  const { relocation, coordinator, session } = SEAL;
  const actor = FENCE.actor;
  return { command: "sessionRelocationRoute", relocation, coordinator, senderRole: "target", actor, session, route };
}

export function abortCommand(route: RouteUpdate = ABORT): SessionRelocationRoute {
  return { ...commitCommand(route), senderRole: "source" };
}

/** What the store says: by default, that the target of `COMMIT` owns the actor. */
export function reading(changes: Partial<AuthorityRecord> = {}): ReadAnswer {
  const record: AuthorityRecord = {
    key: "zla1:a:7:user%3A42",
    storeVersion: "v2",
    state: "active",
    kind: "actor",
    stableType: "user",
    objectGeneration: FENCE.actor.objectGeneration,
    authorityOwnerGeneration: 8n,
    owner: {
      ownerId: "b-owner",
      ownerLeaseGeneration: 20n,
      meshName: "mesh",
      nodeRid: TARGET.nodeRid,
      nodeGeneration: TARGET.nodeGeneration,
    },
    place: undefined,
    relocation: SEAL.relocation,
    membershipDigest: new Uint8Array(0),
    payload: new Uint8Array(0),
    ...changes,
  };
  return { outcome: "found", reading: { record, ownerLeaseLive: true } };
}

/** The source still owns it. */
export function unchanged(): ReadAnswer {
  return reading({
    authorityOwnerGeneration: 7n,
    owner: {
      ownerId: "a-owner",
      ownerLeaseGeneration: 10n,
      meshName: "mesh",
      nodeRid: SOURCE.nodeRid,
      nodeGeneration: SOURCE.nodeGeneration,
    },
  });
}

/**
 * A session owner with one binding. It carries out nothing by itself, except that it remembers the binding's route, as a
 * driver would, and checks the invariants after every step.
 */
export class Owner {
  readonly barriers: SessionBarriers<string, string>;
  nowMs = 1_000;
  binding: BindingView | undefined = {
    sessionRid: SESSION.sessionRid,
    bindingGeneration: SESSION.bindingGeneration,
    route: FENCE,
  };

  constructor(limits: Partial<BarrierLimits> = {}) {
    this.barriers = new SessionBarriers({ ...DEFAULT_BARRIER_LIMITS, ...limits });
  }

  handle(input: SessionBarrierInput): readonly Effect[] {
    const effects = this.barriers.handle(input, this.nowMs);
    const broken = brokenBarrierInvariants(this.barriers.inspect());
    if (broken.length > 0) throw new Error(broken.join("\n"));
    for (const effect of effects) {
      if (effect.type === "EndBinding") this.binding = undefined;
    }
    return effects;
  }

  seal(command = SEAL, peer = SOURCE): readonly Effect[] {
    const bytes = encodeRecord(command)[0]!;
    return this.handle({ type: "SealReceived", peer, command, bytes, owner: OWNER, binding: this.binding });
  }

  installed(identity = IDENTITY): readonly Effect[] {
    return this.handle({ type: "SealInstalled", identity });
  }

  /** A seal that stands. */
  sealed(): this {
    this.seal();
    this.installed();
    return this;
  }

  route(command: SessionRelocationRoute, peer: PeerRun): readonly Effect[] {
    return this.handle({ type: "RouteReceived", peer, command, owner: OWNER, binding: this.binding });
  }

  commit(command = commitCommand(), peer = TARGET): readonly Effect[] {
    return this.route(command, peer);
  }

  abort(command = abortCommand(), peer = SOURCE): readonly Effect[] {
    return this.route(command, peer);
  }

  /** Repoints the binding, as `RepointBinding` asked, and says so. */
  applied(effects: readonly Effect[]): readonly Effect[] {
    const { identity, route } = only(effects, "RepointBinding");
    this.binding = { ...this.binding!, route: { actor: FENCE.actor, ...route } };
    return this.handle({ type: "RouteApplied", identity });
  }

  deadline(afterMs = 20_000): readonly Effect[] {
    this.nowMs += afterMs;
    return this.handle({ type: "SealDeadlinePassed", identity: IDENTITY });
  }

  /** Answers a `ReadAuthority`. */
  read(effects: readonly Effect[], answer: ReadAnswer): readonly Effect[] {
    const { identity, read } = only(effects, "ReadAuthority");
    return this.handle({ type: "AuthorityRead", identity, read, answer, binding: this.binding });
  }

  message(text: string, bytes = 10) {
    return this.barriers.offerMessage(BINDING, text, bytes);
  }

  push(text: string, actor: ActorFence, peer: PeerRun = actor, bytes = 10) {
    const expectedBindingGeneration = BINDING.bindingGeneration;
    return this.barriers.offerPush({
      peer,
      actor,
      expectedBindingGeneration,
      binding: this.binding,
      push: text,
      bytes,
    });
  }
}

export function types(effects: readonly Effect[]): readonly string[] {
  return effects.map(({ type }) => type);
}

/** The one effect of this type. */
export function only<T extends Effect["type"]>(effects: readonly Effect[], type: T): EffectOf<T> {
  const found = effects.filter((effect): effect is EffectOf<T> => effect.type === type);
  if (found.length !== 1) throw new Error(`expected one ${type} among [${types(effects).join(", ")}]`);
  return found[0]!;
}

/** Neither a seal nor a route had any effect but a report. */
export function isQuiet(effects: readonly Effect[]): boolean {
  return effects.every(({ type }) => type === "Report" || type === "ReportProtocolError");
}
