import {
  DEFAULT_STORE_RETRY,
  DEFAULT_TARGET_LIMITS,
  TargetRegistry,
  type ArrivingUnit,
  type PeerIdentity,
  type TargetEffect,
  type TargetInput,
  type TargetWork,
} from "@rehome/core";
import {
  encodeFrozenRecord,
  operationKey,
  type ActorRef,
  type Id128,
  type RelocationData,
  type RelocationFailed,
  type RelocationPrepare,
  type Rid,
} from "@rehome/wire";
import { refuse } from "../actors/answers.ts";
import { actorOf, hopsOf, thaw, type Delivery } from "../actors/delivery.ts";
import { errorText } from "../error-text.ts";
import type { Host } from "../host.ts";
import { InboundMove } from "./inbound-move.ts";
import type { Mover } from "./mover.ts";

/** The name under which a 37 knows this node's entry spot; it never moves, so its generation is always 1. */
const ENTRY_SPOT_PREFIX = "entry:";

/** The moves that this node is the target of. */
export class Arrivals {
  readonly #host: Host;
  readonly #mover: Mover;
  readonly #registry: TargetRegistry;
  readonly #moves = new Map<string, InboundMove>();
  readonly #byActor = new Map<string, InboundMove>();
  readonly #queue: (() => readonly TargetWork[])[] = [];
  #working = false;

  constructor(host: Host, mover: Mover) {
    this.#host = host;
    this.#mover = mover;
    const { config, self, links } = host;
    this.#registry = new TargetRegistry({
      self,
      entrySpot: { spotId: ENTRY_SPOT_PREFIX + config.name, objectGeneration: 1n },
      deadlineMs: config.deadlines.moveMs,
      storeRetry: DEFAULT_STORE_RETRY,
      limits: {
        ...DEFAULT_TARGET_LIMITS,
        inboundMoves: config.limits.inboundMoves,
        concurrentRestores: config.limits.concurrentRestores,
        payloadBytesInFlight: config.limits.payloadBytesInFlight,
        actorStateBytes: config.limits.actorStateBytes,
        chunkBytes: config.limits.chunkBytes,
        relayedRecords: config.limits.holdMessages,
      },
    });
    links.handle("relocationPrepare", (peer, command, frames) => this.#onPrepare(peer, command, frames[0]!));
    links.handle("relocationState", (peer, command) =>
      this.#dispatch(command.relocation, { type: "StateReceived", peer: peer.nodeRid, command }),
    );
    links.handle("relocationCutover", (peer, command) =>
      this.#dispatch(command.relocation, { type: "CutoverReceived", peer: peer.nodeRid, command }),
    );
    links.handle("relocationData", (peer, command) => this.#onRelay(peer, command));
  }

  /** A message for an actor that is arriving here. False when none is, or its queue is not open yet. */
  offer(target: ActorRef, delivery: Delivery): boolean {
    return this.#byActor.get(target.actorId)?.offer(target, delivery) ?? false;
  }

  /**
   * Whether the actor is arriving here and complete (`protocol.md` L3): its commit, not a new creation, decides who owns it. A
   * move whose source is lost before its 34 ends by itself (T5).
   */
  awaits(actorId: string): boolean {
    return this.#byActor.has(actorId);
  }

  openedQueue(move: InboundMove): void {
    for (const actorId of move.unit.actorIds) this.#byActor.set(actorId, move);
  }

  closedQueue(move: InboundMove): void {
    for (const [actorId, queue] of this.#byActor) if (queue === move) this.#byActor.delete(actorId);
  }

  /** A spot of this node is about to leave: no actor arrives in it from here on (`protocol.md` H7). */
  closeSpot(spotId: string): void {
    this.#registry.closeSpot(spotId);
  }

  reopenSpot(spotId: string): void {
    this.#registry.reopenSpot(spotId);
  }

  /** Whether a move to this node is open for the object of this authority key. */
  isArriving(key: string): boolean {
    return this.#registry.isClaimed(key);
  }

  /** Moves that are about to put an actor into this spot. */
  towards(spotId: string): readonly Id128[] {
    return this.#registry.towards(spotId);
  }

  forget(move: InboundMove): void {
    this.#moves.delete(operationKey(move.context.relocation));
  }

  /** A 53 of role `source` (`protocol.md` O11). */
  onFailed(peer: Rid, command: RelocationFailed): void {
    this.#dispatch(command.relocation, { type: "FailedReceived", peer, command });
  }

  onLinkLost(peer: Rid): void {
    this.#enqueue(() => this.#registry.linkLost(peer, this.#host.config.clock.nowMs()));
  }

  /** D1: new attempts are declined from here on, or no more. */
  declineNew(message: string | undefined): void {
    this.#registry.declineNew(message === undefined ? undefined : { code: "targetUnavailable", message });
  }

  abortAll(message: string): void {
    this.#enqueue(() => this.#registry.abortAll({ code: "aborted", message }, this.#host.config.clock.nowMs()));
  }

  /** For a drain (D1). */
  get units(): readonly ArrivingUnit[] {
    return this.#registry.arriving.map((object): ArrivingUnit =>
      object.kind === "actor" ? { kind: "actor", id: object.actorId } : { kind: "spot", id: object.spotId },
    );
  }

  get openCount(): number {
    return this.#registry.openCount;
  }

  stop(): void {
    for (const move of this.#moves.values()) move.stop();
    this.#moves.clear();
    this.#byActor.clear();
  }

  #onPrepare(peer: PeerIdentity, command: RelocationPrepare, bytes: Uint8Array): void {
    this.#enqueue(() => this.#registry.prepare(peer, command, bytes, this.#host.config.clock.nowMs()));
  }

  /** A 31 belongs to an attempt, or it is a message that an old owner forwards. */
  #onRelay(peer: PeerIdentity, command: RelocationData): void {
    const actor = actorOf(command.record);
    const isKnown = actor !== undefined && this.#isKnown(actor.actorId);
    const whose = this.#registry.relayOf(peer.nodeRid, command, isKnown);
    if (whose === "attempt" && this.#isStray(peer, command)) {
      this.#refuseStray(command);
      return;
    }
    if (whose === "attempt" || !actor) {
      const bytes = encodeFrozenRecord(command.record);
      this.#dispatch(command.relocation, { type: "RelayReceived", peer: peer.nodeRid, command, bytes });
      return;
    }
    if (whose === "notSender") {
      this.#host.config.log.write("warn", "follow.notSender", { relocation: operationKey(command.relocation) });
      return;
    }
    const { relocation, targetAttemptGeneration, coordinator } = command;
    const delivery = thaw(command.record, { relocation, targetAttemptGeneration, coordinator });
    if (delivery) this.#host.actors.deliver(actor, delivery);
  }

  /**
   * A message that has been forwarded (F2), of which nothing is known here, the actor included. One that has not, is of a move
   * under way: its source still holds it, and it is ignored.
   */
  #isStray({ nodeRid }: PeerIdentity, { relocation, coordinator, record }: RelocationData): boolean {
    const isUnheard = this.#registry.stateOf(relocation) === undefined;
    return isUnheard && nodeRid === coordinator.nodeRid && hopsOf(record.metadata) > 0;
  }

  /** I2. Not as stale: one that had been forwarded before it was held may still be with the source, so that nobody can tell. */
  #refuseStray({ relocation, targetAttemptGeneration, coordinator, record }: RelocationData): void {
    const delivery = thaw(record, { relocation, targetAttemptGeneration, coordinator });
    if (delivery) refuse(this.#host, delivery, "outcomeUnknown", "it was forwarded to a node that knows nothing of it");
  }

  #isKnown(actorId: string): boolean {
    if (this.awaits(actorId) || this.#host.actors.find(actorId)) return true;
    return this.#mover.follows.follows(actorId);
  }

  #dispatch(relocation: Id128, input: TargetInput): void {
    this.#enqueue(() => this.#registry.step(relocation, input, this.#host.config.clock.nowMs()));
  }

  /** One fact at a time, and all of its effects before the next. */
  #enqueue(step: () => readonly TargetWork[]): void {
    this.#queue.push(step);
    if (this.#working) return;
    this.#working = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        for (const work of next()) this.#perform(work);
      }
    } finally {
      this.#working = false;
    }
  }

  #perform(work: TargetWork): void {
    const key = operationKey(work.relocation);
    for (const effect of work.effects) {
      const move = this.#moves.get(key);
      if (move) this.#performOne(move, effect);
      else if (effect.type === "SendFailed") this.#host.links.send(effect.peer, effect.command);
      else if (effect.type === "Report")
        this.#host.config.log.write("warn", effect.event, { relocation: key, ...effect.fields });
      else {
        const opened = this.#open(work.relocation, key);
        if (opened) this.#performOne(opened, effect);
      }
    }
  }

  /** A step that fails keeps none of the others from being done. */
  #performOne(move: InboundMove, effect: TargetEffect): void {
    try {
      move.perform(effect);
    } catch (error) {
      this.#host.config.log.write("error", "arrival.stepFailed", {
        relocation: move.relocation,
        step: effect.type,
        error: errorText(error),
      });
    }
  }

  #open(relocation: Id128, key: string): InboundMove | undefined {
    const state = this.#registry.stateOf(relocation);
    if (!state) return undefined;
    const move = new InboundMove({
      host: this.#host,
      mover: this.#mover,
      prepare: state.attempt.prepare,
      dispatch: (input) => this.#dispatch(relocation, input),
    });
    this.#moves.set(key, move);
    return move;
  }
}
