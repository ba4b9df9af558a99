import type { Id128, RelocationData, RelocationPrepare, Rid } from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import type { UnitObject } from "../move/unit.ts";
import { LruMap } from "../memory/lru.ts";
import { prepareFault, prepareSenderFault } from "./checks.ts";
import type { ProvenPeer } from "./checks.ts";
import { claimOfUnit, claimsOfMembers, weighClaims, type Claim, type ClaimVerdict } from "./claims.ts";
import { failedCommand, unitObjectOf } from "./commands.ts";
import { REMEMBERED_RELOCATIONS } from "./config.ts";
import type { TargetConfig } from "./config.ts";
import type { TargetEffect, TargetReport } from "./effects.ts";
import { SPOT_MOVING, type DeclineCode } from "./failures.ts";
import type { PrepareReceived, RestoreFailureCode, TargetInput } from "./inputs.ts";
import { startTarget, stepTarget } from "./step.ts";
import { targetEnded } from "./state.ts";
import type { EndedTarget, OpenTarget, TargetState } from "./state.ts";
import type { TargetStep } from "./transitions.ts";

/** What is to be done for one attempt, in this order. Attempts are told apart by relocation id alone (T3). */
export interface TargetWork {
  readonly relocation: Id128;
  readonly effects: readonly TargetEffect[];
}

/**
 * Every move that has this node as its target: which relocation ids are open, which have ended (T1, at most 4,096
 * remembered), whether there is room (T4), and who may claim an actor.
 *
 * It holds the machines' states and steps them, so that what one attempt frees can start another. A runtime hands every
 * 40 to {@link prepare}, every other fact to {@link step} or {@link linkLost}, and carries out the work that comes back. It
 * keeps what it needs for an attempt (the copy, the temporary queue) under the relocation id, from `RestoreUnit` on until
 * `DropCopy` or `Adopt`; work of a relocation that never opened only answers or reports.
 *
 * One attempt per object is open at a time, members included; {@link weighClaims} says which.
 */
export class TargetRegistry {
  readonly #config: TargetConfig;
  readonly #open = new Map<string, OpenTarget>();
  /** By authority key: which attempt claims the object. */
  readonly #claims = new Map<string, { readonly attempt: string; readonly claim: Claim }>();
  /** Spots of this node that are on their way to another. */
  readonly #leavingSpots = new Set<string>();
  readonly #ended = new LruMap<string, EndedTarget>(REMEMBERED_RELOCATIONS);
  readonly #restoring = new Set<string>();
  /** Whole payloads that wait for a restore to end, first come, first served. */
  readonly #waiting = new Map<string, TargetWork>();

  #closedBy: MoveFailure | undefined;

  constructor(config: TargetConfig) {
    this.#config = config;
  }

  /** How many attempts are open. */
  get openCount(): number {
    return this.#open.size;
  }

  /** What is on its way to this node. */
  get arriving(): readonly UnitObject[] {
    return [...this.#open.values()].map(({ attempt }) => unitObjectOf(attempt.prepare));
  }

  /** The attempt of this relocation, open or still remembered. */
  stateOf(relocation: Id128): TargetState | undefined {
    const key = keyOf(relocation);
    return this.#open.get(key) ?? this.#ended.peek(key);
  }

  /** D1: from here on every new attempt is declined; those that are open go on. `undefined` takes new ones again. */
  declineNew(failure: MoveFailure | undefined): void {
    this.#closedBy = failure;
  }

  /** Payload bytes in flight: announced by a 40, and not yet restored or dropped (T4). */
  get bytesInFlight(): number {
    let bytes = 0;
    for (const state of this.#open.values()) {
      if (state.type === "receiving" || state.type === "restoring")
        bytes += Number(state.attempt.prepare.payloadTotalLength);
    }
    return bytes;
  }

  /** A 40 arrived. `peer` is the link's proven identity, `bytes` are the record's frame 0. */
  prepare(peer: ProvenPeer, command: RelocationPrepare, bytes: Uint8Array, now: number): readonly TargetWork[] {
    const { relocation } = command;
    const key = keyOf(relocation);
    const received: PrepareReceived = { type: "PrepareReceived", peer: peer.nodeRid, command, bytes };
    const stranger = prepareSenderFault(this.#config, peer, command);
    if (stranger !== undefined) return [report(command, "target.refused", stranger)];
    if (this.#open.has(key) || this.#ended.has(key)) return this.step(relocation, received, now);

    const fault = prepareFault(this.#config, command);
    if (fault !== undefined) return this.#decline(received, fault.failureCode, fault.failure, fault.field);

    if (this.#closedBy !== undefined) {
      return this.#decline(received, "requestRejected", this.#closedBy, "targetNodeRid");
    }
    const claimed = this.#claim(key, claimOfUnit(command), now);
    if (claimed.verdict?.type === "declined") {
      return this.#decline(received, claimed.verdict.failureCode, claimed.verdict.failure, "object.id");
    }
    const work: TargetWork[] = [...claimed.work];
    const full = this.#roomFault(command);
    if (full !== undefined) {
      this.#unclaim(key);
      work.push(...this.#decline(received, "workerQueueFull", full, "payloadTotalLength"));
      return work;
    }
    work.push(...this.#took(relocation, undefined, startTarget(this.#config, received, now)));
    return work;
  }

  /** Any other fact about one relocation. An id that is not known changes nothing. */
  step(relocation: Id128, input: TargetInput, now: number): readonly TargetWork[] {
    const key = keyOf(relocation);
    const open = this.#open.get(key);
    if (open !== undefined && input.type === "Restored") return this.#restored(open, input, now);
    if (open !== undefined) return this.#took(relocation, open, stepTarget(open, input, now));
    // `get`, not `peek`: a repeat refreshes the memory of the id.
    const ended = this.#ended.get(key);
    if (ended !== undefined) return someWork(relocation, stepTarget(ended, input, now).effects);
    if (!("command" in input)) return [];
    return [report(input.command, "target.ignored", "relocation")];
  }

  /**
   * Whose business a 31 is. Before its attempt has ended it is the attempt's; afterwards it is a message that an old owner
   * forwards (F2), and so it is when an owner, which learned of a commit from the store, forwards under a relocation of its
   * own that was never heard of here (O5): if `isKnown`, because the actor lives here or is followed from here. Only the
   * coordinator of a relocation forwards under it.
   */
  relayOf(
    peer: Rid,
    { relocation, coordinator }: RelocationData,
    isKnown: boolean,
  ): "attempt" | "forwarded" | "notSender" {
    const key = keyOf(relocation);
    const ended = this.#ended.peek(key);
    const isForwarded = !this.#open.has(key) && (ended === undefined ? isKnown : ended.type === "adopted");
    if (!isForwarded) return "attempt";
    return peer === coordinator.nodeRid ? "forwarded" : "notSender";
  }

  /** The link to a node is lost: every attempt whose source it is hears of it (T5). */
  linkLost(peer: Rid, now: number): readonly TargetWork[] {
    const affected = [...this.#open.values()].filter((state) => state.attempt.prepare.sourceNodeRid === peer);
    return affected.flatMap((state) => this.step(state.attempt.prepare.relocation, { type: "LinkLost", peer }, now));
  }

  /** Gives up every attempt that has not begun to commit, as when the node stops. The others end by the store's word. */
  abortAll(failure: MoveFailure, now: number): readonly TargetWork[] {
    return [...this.#open.values()].flatMap((state) =>
      this.step(state.attempt.prepare.relocation, { type: "AbortRequested", failure }, now),
    );
  }

  /** Every open attempt, for checks and for people. */
  openStates(): readonly OpenTarget[] {
    return [...this.#open.values()];
  }

  /** Whether an open attempt is for the object of this authority key, as its unit or as a member. */
  isClaimed(key: string): boolean {
    return this.#claims.has(key);
  }

  /**
   * A spot of this node is about to leave: from here on no actor arrives in it. An attempt that has told its source that it
   * is ready goes on, and the spot waits for it: {@link towards}.
   */
  closeSpot(spotId: string): void {
    this.#leavingSpots.add(spotId);
  }

  /** It stayed after all, or it is gone. */
  reopenSpot(spotId: string): void {
    this.#leavingSpots.delete(spotId);
  }

  /** The attempts that will put an actor into this spot, unless they fail. */
  towards(spotId: string): readonly Id128[] {
    return [...this.#open.values()].flatMap((state) =>
      "restored" in state && state.restored.place?.spotId === spotId ? [state.attempt.prepare.relocation] : [],
    );
  }

  /** The payload names the members, and the spot that an actor joins: both may stand against it. */
  #restored(open: OpenTarget, input: Extract<TargetInput, { type: "Restored" }>, now: number): TargetWork[] {
    const { prepare } = open.attempt;
    const key = keyOf(prepare.relocation);
    const fail = (failure: MoveFailure, failureCode: RestoreFailureCode): TargetWork[] =>
      this.#took(prepare.relocation, open, stepTarget(open, { type: "RestoreFailed", failure, failureCode }, now));
    const { place } = input.restored;
    if (place !== undefined && this.#leavingSpots.has(place.spotId)) return fail(SPOT_MOVING.failure, "spotMoving");
    const work: TargetWork[] = [];
    if (open.type === "restoring") {
      for (const claim of claimsOfMembers(prepare, input.restored)) {
        const claimed = this.#claim(key, claim, now);
        work.push(...claimed.work);
        if (claimed.verdict?.type !== "declined") continue;
        const { failure } = claimed.verdict;
        work.push(...this.#took(prepare.relocation, open, stepTarget(open, { type: "AbortRequested", failure }, now)));
        return work;
      }
    }
    work.push(...this.#took(prepare.relocation, open, stepTarget(open, input, now)));
    return work;
  }

  /** Claims an object for an attempt, against whichever attempt holds it. The work is that of the one which gives it up. */
  #claim(
    attempt: string,
    claim: Claim,
    now: number,
  ): { verdict: ClaimVerdict | undefined; work: readonly TargetWork[] } {
    const held = this.#claims.get(claim.key);
    const rival = held && held.attempt !== attempt ? this.#open.get(held.attempt) : undefined;
    if (held === undefined || rival === undefined) {
      this.#claims.set(claim.key, { attempt, claim });
      return { verdict: undefined, work: [] };
    }
    const verdict = weighClaims(rival.type, held.claim, claim);
    if (verdict.type === "declined") return { verdict, work: [] };
    const work = this.step(rival.attempt.prepare.relocation, { type: "AbortRequested", failure: verdict.failure }, now);
    this.#claims.set(claim.key, { attempt, claim });
    return { verdict, work };
  }

  /** T4. A payload that is larger than all that may be in flight runs alone. */
  #roomFault(command: RelocationPrepare): MoveFailure | undefined {
    const { inboundMoves, payloadBytesInFlight } = this.#config.limits;
    if (this.#open.size >= inboundMoves) {
      const message = `This node takes ${inboundMoves} moves at once; move again when some have ended.`;
      return { code: "targetRefused", message };
    }
    const inFlight = this.bytesInFlight;
    if (inFlight === 0 || inFlight + Number(command.payloadTotalLength) <= payloadBytesInFlight) return undefined;
    const message = `This node takes ${payloadBytesInFlight} payload bytes at once; move again when some have arrived.`;
    return { code: "targetRefused", message };
  }

  /** Answers a 40 at once. Its id has ended with that: a repeat gets the same answer, whatever has changed since (I9). */
  #decline(received: PrepareReceived, failureCode: DeclineCode, failure: MoveFailure, field: string): TargetWork[] {
    const { command: prepare, bytes: prepareBytes, peer } = received;
    const answer = failedCommand(prepare, failureCode);
    const attempt = { config: this.#config, prepare, prepareBytes, deadlineAtMs: 0 };
    this.#ended.set(keyOf(prepare.relocation), { type: "failed", attempt, failure, answer });
    return [
      {
        relocation: prepare.relocation,
        effects: [
          { type: "SendFailed", peer, command: answer },
          { type: "Report", event: "target.declined", fields: { field, failureCode, message: failure.message } },
        ],
      },
    ];
  }

  /** Keeps the new state and passes its work on, but for a restore that has to wait for its turn (T4). */
  #took(relocation: Id128, before: OpenTarget | undefined, { state, effects }: TargetStep): TargetWork[] {
    const key = keyOf(relocation);
    if (targetEnded(state)) this.#close(key, state);
    else this.#keep(key, state);
    const now = effects.filter(
      (effect) => effect.type !== "RestoreUnit" || this.#mayRestore(key, { relocation, effects: [effect] }),
    );
    const work = someWork(relocation, now);
    if (before?.type === "restoring" && state.type !== "restoring") work.push(...this.#restoreEnded(key));
    return work;
  }

  #keep(key: string, state: OpenTarget): void {
    this.#open.set(key, state);
  }

  #close(key: string, state: EndedTarget): void {
    this.#open.delete(key);
    this.#ended.set(key, state);
    this.#unclaim(key);
  }

  #unclaim(key: string): void {
    for (const [object, { attempt }] of this.#claims) if (attempt === key) this.#claims.delete(object);
  }

  #mayRestore(key: string, restore: TargetWork): boolean {
    if (this.#restoring.size >= this.#config.limits.concurrentRestores) {
      this.#waiting.set(key, restore);
      return false;
    }
    this.#restoring.add(key);
    return true;
  }

  /** An attempt is restored, or gone: the next payload has its turn. A `restore` that hangs does not keep its place. */
  #restoreEnded(key: string): TargetWork[] {
    this.#waiting.delete(key);
    if (!this.#restoring.delete(key)) return [];
    for (const [next, restore] of this.#waiting) {
      this.#waiting.delete(next);
      this.#restoring.add(next);
      return [restore];
    }
    return [];
  }
}

function keyOf(relocation: Id128): string {
  return `${relocation.high}:${relocation.low}`;
}

function someWork(relocation: Id128, effects: readonly TargetEffect[]): TargetWork[] {
  return effects.length === 0 ? [] : [{ relocation, effects }];
}

function report(command: { relocation: Id128; command: string }, event: TargetReport, field: string): TargetWork {
  const fields = { record: command.command, field, state: "none" };
  return { relocation: command.relocation, effects: [{ type: "Report", event, fields }] };
}
