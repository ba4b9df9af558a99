import type {
  AuthorityRecord,
  RestoredFacts,
  RestoreFailureCode,
  TargetEffect,
  TargetInput,
  TargetOutcome,
  TargetTimer,
  TimerHandle,
} from "@rehome/core";
import { restoreStreamOrder, type StreamPlace } from "@rehome/core";
import { actorAuthorityKey, decodeFrozenRecord, type Command, type RelocationPrepare, type Rid } from "@rehome/wire";
import { Activation, streamLimits } from "../actors/activation.ts";
import { refuse } from "../actors/answers.ts";
import { Bindings } from "../actors/bindings.ts";
import { streamOf, thaw, type Arrival, type Delivery, type RelayContext } from "../actors/delivery.ts";
import { OutgoingPositions } from "../actors/outgoing.ts";
import { background } from "../background.ts";
import { withDeadline } from "../deadline.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { id128Text } from "../ids.ts";
import { valueOf } from "../payload.ts";
import { membershipDigest } from "./membership-digest.ts";
import type { Mover } from "./mover.ts";
import { decodePayload, type MovePayload } from "./payload.ts";

interface Copy {
  readonly activation: Activation;
  readonly payload: MovePayload;
}

/** One move at its target: does what the machine in `core/target` decides. */
export class InboundMove {
  readonly host: Host;
  readonly actorId: string;
  readonly relocation: string;
  readonly context: RelayContext;
  readonly #mover: Mover;
  readonly #prepare: RelocationPrepare;
  readonly #dispatch: (input: TargetInput) => void;
  readonly #timers = new Map<TargetTimer, TimerHandle>();
  #copy: Copy | undefined;
  /** Messages that came for the actor since this node said that it is ready (`protocol.md` F5). */
  #temporary: Delivery[] | undefined;
  #temporaryBytes = 0;

  constructor(options: {
    host: Host;
    mover: Mover;
    prepare: RelocationPrepare;
    /** Hands a fact to the attempt's machine; never acts before it returns to whoever is performing. */
    dispatch: (input: TargetInput) => void;
  }) {
    this.host = options.host;
    this.#mover = options.mover;
    this.#prepare = options.prepare;
    this.#dispatch = options.dispatch;
    this.relocation = id128Text(options.prepare.relocation);
    this.actorId = options.prepare.object.kind === "actor" ? options.prepare.object.actorId : "";
    const { relocation, targetAttemptGeneration, coordinator } = options.prepare;
    this.context = { relocation, targetAttemptGeneration, coordinator };
  }

  /** For a node that stops: the unseen copy goes, nothing of this attempt fires any more. */
  stop(): void {
    this.stopTimers();
    this.#copy?.activation.depart();
  }

  stopTimers(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** A message for the actor came to this node. False while the queue is not open: it goes elsewhere. */
  offer(delivery: Delivery): boolean {
    if (!this.#temporary) return false;
    const { holdMessages, holdBytes } = this.host.config.limits;
    if (this.#temporary.length >= holdMessages || this.#temporaryBytes + delivery.bytes > holdBytes) {
      refuse(this.host, delivery, "backpressured", `actor "${this.actorId}" is arriving and its queue is full`);
      return true;
    }
    this.#temporary.push(delivery);
    this.#temporaryBytes += delivery.bytes;
    return true;
  }

  perform(effect: TargetEffect): void {
    switch (effect.type) {
      case "RestoreActor":
        this.#detached("restore", this.#restore(effect.payload));
        return;
      case "OpenTemporaryQueue":
        this.#temporary = [];
        this.#mover.arrivals.openedQueue(this);
        this.#mover.follows.suspend(this.actorId);
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
          this.host.store
            .read(actorAuthorityKey(this.actorId))
            .then((answer) => this.#dispatch({ type: "AuthorityRead", answer })),
        );
        return;
      case "FenceAuthority":
        this.#detached(
          "fence",
          this.host.store
            .fence(actorAuthorityKey(this.actorId), effect.baseVersion, this.host.self)
            .then((answer) => this.#dispatch({ type: "FenceSettled", answer })),
        );
        return;
      case "Adopt":
        this.#adopt(effect.record);
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
        this.#startTimer(effect.timer, effect.delayMs);
        return;
      case "StopTimer":
        this.#timers.get(effect.timer)?.cancel();
        this.#timers.delete(effect.timer);
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
    const fields = { relocation: this.relocation, actorId: this.actorId };
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

  #startTimer(timer: TargetTimer, delayMs: number): void {
    this.#timers.get(timer)?.cancel();
    const handle = this.host.config.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      this.#dispatch({ type: "TimerFired", timer });
    });
    this.#timers.set(timer, handle);
  }

  async #restore(bytes: Uint8Array): Promise<void> {
    try {
      this.#dispatch({ type: "Restored", restored: await this.#build(bytes) });
    } catch (error) {
      const cause =
        error instanceof RuntimeError
          ? error
          : new RuntimeError("handlerFailed", `restore of actor "${this.actorId}" failed`, { cause: error });
      this.host.config.log.write("warn", "restore.failed", {
        relocation: this.relocation,
        actorId: this.actorId,
        error: cause,
      });
      this.#dispatch({
        type: "RestoreFailed",
        failure: { code: "targetRefused", message: cause.message, cause: error },
        failureCode: failureCodeOf(cause),
      });
    }
  }

  async #build(bytes: Uint8Array): Promise<RestoredFacts> {
    const payload = decodePayload(bytes, this.context);
    this.#checkAgainstPrepare(payload);
    const definition = this.host.actorTypes.get(payload.stableType);
    if (!definition) throw new RuntimeError("typeMismatch", `this node has no actor type "${payload.stableType}"`);
    const activation = new Activation({
      host: this.host,
      definition,
      actorId: payload.actorId,
      record: this.#draft(payload),
      bindings: new Bindings(payload.sessions),
      outgoing: new OutgoingPositions(payload.outgoing),
      streams: restoreStreamOrder(
        payload.streams,
        queuedPlaces(payload),
        streamLimits(this.host),
        this.host.config.clock.nowMs(),
      ),
      timers: payload.timers,
    });
    this.#copy = { activation, payload };
    const { moveMs } = this.host.config.deadlines;
    const what = `restore of actor "${payload.actorId}"`;
    const info = { version: payload.stateVersion };
    activation.state = await withDeadline(this.host.config.clock, moveMs, what, () =>
      definition.restore(valueOf(payload.state) as never, info),
    );
    const place = payload.join?.place;
    return {
      stableType: payload.stableType,
      sessions: payload.sessions,
      place,
      previousPlace: payload.previousPlace,
      membershipDigest: membershipDigest(payload.actorId, payload.previousPlace, place),
    };
  }

  /** The payload must be that of the actor that the 40 named. */
  #checkAgainstPrepare(payload: MovePayload): void {
    const { object } = this.#prepare;
    const same =
      object.kind === "actor" &&
      object.actorId === payload.actorId &&
      object.objectGeneration === payload.objectGeneration &&
      object.authorityOwnerGeneration === payload.authorityOwnerGeneration;
    if (!same) throw new RuntimeError("protocolError", "the payload is of another actor than the 40 named");
    const { join } = payload;
    if (!join) return;
    const here = this.host.spots.find(join.place.spotId);
    if (here?.objectGeneration !== join.place.objectGeneration) {
      throw new RuntimeError("notFound", `spot "${join.place.spotId}" is not on this node any more`);
    }
  }

  /** What the record will be, as far as it is known before the store has spoken (`protocol.md` T9). */
  #draft(payload: MovePayload): AuthorityRecord {
    return {
      key: actorAuthorityKey(payload.actorId),
      storeVersion: this.#prepare.coordinator.expectedAuthorityStoreVersion,
      state: "active",
      kind: "actor",
      stableType: payload.stableType,
      objectGeneration: payload.objectGeneration,
      authorityOwnerGeneration: payload.authorityOwnerGeneration,
      owner: this.host.self,
      place: payload.join?.place,
      relocation: this.#prepare.relocation,
      membershipDigest: new Uint8Array(0),
      payload: new Uint8Array(0),
    };
  }

  #adopt(record: AuthorityRecord): void {
    const { activation } = this.#copy!;
    activation.record = record;
    this.host.actors.add(activation);
    this.host.directory.learn(activation.fence);
    this.#mover.follows.end(this.actorId);
    this.#mover.arrivals.adopted(this);
  }

  #openDispatch(relayed: readonly Uint8Array[]): void {
    const { activation, payload } = this.#copy!;
    const { actorId, actorType } = activation;
    if (payload.join) {
      const result = {
        outcome: "accepted",
        spotId: payload.join.place.spotId,
        reply: valueOf(payload.join.reply),
      } as const;
      activation.enqueue({ type: "joinAnswer", result });
    }
    for (const item of payload.queued) activation.enqueue(item);
    for (const bytes of relayed) this.#acceptRelayed(activation, bytes);
    for (const delivery of this.#temporary ?? []) activation.accept(delivery);
    this.#temporary = undefined;
    this.#temporaryBytes = 0;
    this.#copy = undefined;
    this.host.config.observe({
      type: "MoveOpened",
      relocation: this.relocation,
      actorId,
      atMs: this.host.config.clock.nowMs(),
    });
    activation.openGate();
    activation.dropReplacedSessions();
    this.host.spots.arrived(activation.place, { actorId, actorType });
  }

  #acceptRelayed(activation: Activation, bytes: Uint8Array): void {
    const delivery = thaw(decodeFrozenRecord(bytes), this.context, this.#arrival());
    if (delivery) activation.accept(delivery);
  }

  #queueForwarded(record: Parameters<typeof thaw>[0]): void {
    const delivery = thaw(record, this.context, this.#arrival());
    if (delivery && !this.offer(delivery))
      refuse(this.host, delivery, "stale", `actor "${this.actorId}" is not on this node`);
  }

  #arrival(): Arrival {
    const { object } = this.#prepare;
    const leftGeneration = object.kind === "actor" ? object.authorityOwnerGeneration : 0n;
    return { via: "forwarded", objectGeneration: object.objectGeneration, leftGeneration };
  }

  /** T11: what waits goes the way that routes say now. */
  #dropCopy(): void {
    this.#copy?.activation.depart();
    this.#copy = undefined;
    const waiting = this.#temporary ?? [];
    this.#temporary = undefined;
    this.#temporaryBytes = 0;
    this.#mover.follows.resume(this.actorId);
    this.#mover.arrivals.closedQueue(this);
    const { object } = this.#prepare;
    if (object.kind !== "actor") return;
    for (const delivery of waiting)
      this.host.actors.deliver({ actorId: object.actorId, objectGeneration: object.objectGeneration }, delivery);
  }

  #send(peer: Rid, command: Command): void {
    this.host.links.send(peer, command, { onUnsent: () => this.#dispatch({ type: "LinkLost", peer }) });
  }
}

function failureCodeOf(error: RuntimeError): RestoreFailureCode {
  if (error.code === "typeMismatch" || error.code === "typeUnknown") return "actorTypeMismatch";
  if (error.code === "protocolError") return "payloadDecodeFailed";
  return "actorCreateFailed";
}

function queuedPlaces(payload: MovePayload): StreamPlace[] {
  return payload.queued.flatMap((item) => {
    const place = item.type === "message" ? streamOf(item.source, item.metadata) : undefined;
    return place ? [{ stream: place.key, sequence: place.sequence }] : [];
  });
}
