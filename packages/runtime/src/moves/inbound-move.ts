import {
  IngressHold,
  type AuthorityRecord,
  type RestoreFailureCode,
  type TargetEffect,
  type TargetInput,
  type TargetOutcome,
  type TargetTimer,
} from "@rehome/core";
import {
  type ActorRef,
  actorAuthorityKey,
  decodeFrozenRecord,
  spotAuthorityKey,
  type Command,
  type FrozenRecord,
  type RelocationPrepare,
  type Rid,
} from "@rehome/wire";
import { refuse } from "../actors/answers.ts";
import { actorOf, thaw, type Delivery, type RelayContext } from "../actors/delivery.ts";
import { background } from "../background.ts";
import { errorText } from "../error-text.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { id128Text } from "../ids.ts";
import { ArrivingUnit, type Copy } from "./arriving-unit.ts";
import type { Mover } from "./mover.ts";
import { readMembers } from "./read-members.ts";
import { NamedTimers } from "../named-timers.ts";

/** A message that came for a member before the store has spoken. */
interface Early {
  readonly actorId: string;
  readonly delivery: Delivery;
}

/** One move at its target: does what the machine in `core/target` decides. */
export class InboundMove {
  readonly host: Host;
  readonly relocation: string;
  readonly context: RelayContext;
  readonly unit: ArrivingUnit;
  readonly #mover: Mover;
  readonly #prepare: RelocationPrepare;
  readonly #key: string;
  readonly #dispatch: (input: TargetInput) => void;
  readonly #timers: NamedTimers<TargetTimer>;
  /** Messages that came for the unit since this node said that it is ready (`protocol.md` F5), in arrival order. */
  #temporary: IngressHold<Early> | undefined;

  constructor(options: {
    host: Host;
    mover: Mover;
    prepare: RelocationPrepare;
    /** Hands a fact to the attempt's machine; never acts before it returns to whoever is performing. */
    dispatch: (input: TargetInput) => void;
  }) {
    const { host, mover, prepare } = options;
    this.host = host;
    this.#mover = mover;
    this.#prepare = prepare;
    this.#dispatch = options.dispatch;
    this.#timers = new NamedTimers(host.config.clock, (timer) => this.#dispatch({ type: "TimerFired", timer }));
    this.relocation = id128Text(prepare.relocation);
    const { relocation, targetAttemptGeneration, coordinator, object } = prepare;
    this.context = { relocation, targetAttemptGeneration, coordinator };
    this.#key = object.kind === "actor" ? actorAuthorityKey(object.actorId) : spotAuthorityKey(object.spotId);
    this.unit = new ArrivingUnit(host, prepare, mover.restores);
  }

  /** For people: `actor "a"`, `spot "s"`. */
  get name(): string {
    const { object } = this.#prepare;
    return object.kind === "actor" ? `actor "${object.actorId}"` : `spot "${object.spotId}"`;
  }

  /** For a node that stops: the unseen copies go, nothing of this attempt fires any more. */
  stop(): void {
    this.stopTimers();
    this.unit.drop();
  }

  stopTimers(): void {
    this.#timers.stopAll();
  }

  /** A message for a member came to this node. False while the queue is not open: it goes elsewhere. */
  offer({ actorId, objectGeneration }: ActorRef, delivery: Delivery): boolean {
    if (!this.#temporary) return false;
    const copy = this.unit.find(actorId);
    if (copy && copy.activation.record.objectGeneration !== objectGeneration) {
      refuse(this.host, delivery, "stale", `another actor "${actorId}" is arriving, made anew since`);
    } else if (this.#temporary.offer({ actorId, delivery }, delivery.bytes) === "overflow") {
      refuse(this.host, delivery, "backpressured", `${this.name} is arriving and its queue is full`);
    }
    return true;
  }

  perform(effect: TargetEffect): void {
    switch (effect.type) {
      case "RestoreUnit":
        this.#detached("restore", this.#restore(effect.payload));
        return;
      case "OpenTemporaryQueue":
        this.#temporary = new IngressHold(this.relocation, "full", this.#mover.holdLimits());
        this.#mover.arrivals.openedQueue(this);
        for (const actorId of this.unit.actorIds) this.#mover.follows.suspend(actorId);
        return;
      case "SendReady":
      case "SendFailed":
      case "SendJoined":
        this.#send(effect.peer, effect.command);
        return;
      case "SendRoute":
        this.#mover.owedRoutes.send(effect.peer, effect.command);
        return;
      case "CommitAuthority":
        this.#detached(
          "commit",
          this.host.store.commit(effect.request).then((answer) => this.#dispatch({ type: "CommitSettled", answer })),
        );
        return;
      case "ReadAuthority":
        this.#detached(
          "read",
          this.host.store.read(this.#key).then((answer) => this.#dispatch({ type: "AuthorityRead", answer })),
        );
        return;
      case "ReadMembers":
        this.#detached(
          "readMembers",
          readMembers(this.host.store, effect.keys).then((answers) => this.#dispatch({ type: "MembersRead", answers })),
        );
        return;
      case "FenceAuthority":
        this.#detached(
          "fence",
          this.host.store
            .fence(this.#key, effect.baseVersion, this.host.self)
            .then((answer) => this.#dispatch({ type: "FenceSettled", answer })),
        );
        return;
      case "Adopt":
        this.#adopt(effect.record, effect.members);
        return;
      case "OpenDispatch":
        this.#openDispatch(effect.relayed);
        return;
      case "QueueForwarded":
        this.#queueForwarded(effect.command.record);
        return;
      case "DropCopy":
        this.#dropCopy();
        return;
      case "StartTimer":
        this.#timers.start(effect.timer, effect.delayMs);
        return;
      case "StopTimer":
        this.#timers.stop(effect.timer);
        return;
      case "Report":
        this.host.config.log.write("warn", effect.event, { relocation: this.relocation, ...effect.fields });
        return;
      case "Settle":
        this.#ended(effect.outcome);
        return;
    }
  }

  #ended(outcome: TargetOutcome): void {
    this.stopTimers();
    const fields = { relocation: this.relocation, unit: this.name };
    if (outcome.type === "adopted") this.host.config.log.write("debug", "move.adopted", fields);
    else
      this.host.config.log.write("warn", "move.inboundFailed", {
        ...fields,
        code: outcome.failure.code,
        message: outcome.failure.message,
      });
    this.#mover.arrivals.forget(this);
  }

  #detached(what: string, work: Promise<unknown>): void {
    background(this.host.config.log, `arrival.${what}`, work);
  }

  async #restore(bytes: Uint8Array): Promise<void> {
    try {
      const restored = await this.unit.build(bytes);
      // A restore may take longer than the spot takes to leave. A spot's own move names no place.
      if (this.#prepare.object.kind === "actor") this.unit.assertHere(restored.place);
      this.#dispatch({ type: "Restored", restored });
    } catch (error) {
      const cause =
        error instanceof RuntimeError
          ? error
          : new RuntimeError("handlerFailed", `${this.name} cannot be built`, { cause: error });
      this.#reportRestore(cause);
      this.#dispatch({
        type: "RestoreFailed",
        failure: { code: "targetRefused", message: cause.message, cause: error },
        failureCode: failureCodeOf(cause),
      });
    }
  }

  /** The wire has no room for it: what user code threw is told here or nowhere. */
  #reportRestore(error: RuntimeError): void {
    const { relocation, name: unit } = this;
    const { log, observe } = this.host.config;
    const { object } = this.#prepare;
    const actorId = object.kind === "actor" ? object.actorId : undefined;
    const spotId = object.kind === "actor" ? undefined : object.spotId;
    log.write("warn", "restore.failed", { relocation, unit, error: errorText(error) });
    observe({ type: "RestoreFailed", relocation, actorId, spotId, error });
  }

  #adopt(record: AuthorityRecord, members: readonly AuthorityRecord[]): void {
    const { actors, directory, spots } = this.host;
    const records = new Map(members.map((member) => [member.key, member]));
    for (const { activation } of this.unit.copies()) {
      const own = records.get(activation.record.key);
      if (!own) {
        this.#lost(activation.actorId);
        continue;
      }
      activation.own(own);
      actors.add(activation);
      directory.learn(activation.fence);
      this.#mover.follows.end(activation.actorId);
    }
    const { spot } = this.unit;
    if (spot) {
      spot.record = record;
      for (const actorId of [...spot.members]) if (!this.unit.find(actorId)) spot.members.delete(actorId);
      spots.add(spot);
    }
    this.#mover.arrivals.closedQueue(this);
  }

  /** It committed with the unit and has changed hands since, because this node's lease ended. */
  #lost(actorId: string): void {
    this.host.config.log.write("error", "move.memberLost", { relocation: this.relocation, actorId });
    this.unit.remove(actorId);
  }

  #openDispatch(relayed: readonly Uint8Array[]): void {
    const copies = this.unit.copies();
    for (const copy of copies) this.#queueSaved(copy);
    for (const bytes of relayed) this.#acceptRelayed(decodeFrozenRecord(bytes));
    for (const { actorId, delivery } of this.#closeTemporary()) this.#accept(actorId, delivery);
    const atMs = this.host.config.clock.nowMs();
    for (const { activation } of copies) {
      this.host.config.observe({
        type: "MoveOpened",
        relocation: this.relocation,
        actorId: activation.actorId,
        atMs,
      });
      activation.openGate();
      activation.dropReplacedSessions();
    }
    for (const { activation, payload } of copies) {
      const { place, actorId, actorType } = activation;
      if (payload.join) this.host.spots.arrived(place, { actorId, actorType });
    }
  }

  /** J1: a join's answer comes before all that waited for it. */
  #queueSaved({ activation, payload }: Copy): void {
    const { join, queued } = payload;
    const { relocation } = this.context;
    const joined = join && { operation: relocation, spotId: join.place.spotId, reply: join.reply };
    this.#mover.journal.arrived(activation, joined, queued);
    for (const item of queued) activation.enqueue(item);
  }

  #acceptRelayed(record: FrozenRecord): void {
    const delivery = thaw(record, this.context);
    const actor = actorOf(record);
    if (delivery && actor) this.#accept(actor.actorId, delivery);
  }

  #accept(actorId: string, delivery: Delivery): void {
    const copy = this.unit.find(actorId);
    if (copy) copy.activation.accept(delivery);
    else refuse(this.host, delivery, "stale", `actor "${actorId}" is not on this node`);
  }

  #queueForwarded(record: FrozenRecord): void {
    const delivery = thaw(record, this.context);
    const actor = actorOf(record);
    if (delivery && actor && !this.offer(actor, delivery))
      refuse(this.host, delivery, "stale", `actor "${actor.actorId}" is not on this node`);
  }

  /** T11: what waits goes the way that routes say now. */
  #dropCopy(): void {
    const { actorIds } = this.unit;
    const generations = new Map(
      this.unit.copies().map(({ activation }) => [activation.actorId, activation.record.objectGeneration]),
    );
    this.unit.drop();
    const waiting = this.#closeTemporary();
    for (const actorId of actorIds) this.#mover.follows.resume(actorId);
    this.#mover.arrivals.closedQueue(this);
    for (const { actorId, delivery } of waiting)
      this.host.actors.deliver({ actorId, objectGeneration: generations.get(actorId)! }, delivery);
  }

  #closeTemporary(): readonly Early[] {
    const early = this.#temporary?.giveBack(this.relocation) ?? [];
    this.#temporary = undefined;
    return early;
  }

  #send(peer: Rid, command: Command): void {
    this.host.links.send(peer, command, { onUnsent: () => this.#dispatch({ type: "LinkLost", peer }) });
  }
}

function failureCodeOf(error: RuntimeError): RestoreFailureCode {
  switch (error.code) {
    case "typeMismatch":
    case "typeUnknown":
      return "actorTypeMismatch";
    case "protocolError":
      return "payloadDecodeFailed";
    case "tooLarge":
      return "workerQueueFull";
    case "notFound":
      return "spotRouteNotFound";
    default:
      return "actorCreateFailed";
  }
}
