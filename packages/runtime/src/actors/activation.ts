import type { AuthorityRecord, SpotPlace, TimerHandle } from "@rehome/core";
import { StreamOrder, type StreamRefusal } from "@rehome/core";
import type { ActorFence, Session } from "@rehome/wire";
import type { ActorContext, ActorDefinition } from "../api.ts";
import { background } from "../background.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { fenceOf } from "../links/directory.ts";
import type { Payload } from "../payload.ts";
import { refuse } from "./answers.ts";
import { Bindings } from "./bindings.ts";
import { contextOf } from "./context.ts";
import { endActorSoon } from "./ending.ts";
import { GONE_PACKET, resumes, streamOf, type Delivery, type MailboxItem } from "./delivery.ts";
import { Fifo } from "./fifo.ts";
import { OwnerWrites } from "./owner-writes.ts";
import type { UnitHold } from "./held.ts";
import { Sender, type OutgoingPositions } from "./outgoing.ts";
import { ActorSends } from "./sends.ts";
import { streamLimits } from "./stream-limits.ts";
import { ActorTimers } from "./timers.ts";
import { runItem } from "./turn.ts";

/** Turns that run in a row before other work of the process gets its turn: a full mailbox must not starve the sockets. */
const TURNS_PER_TICK = 64;

/** What a restored copy begins with. */
export interface ActivationSeed {
  readonly host: Host;
  readonly definition: ActorDefinition<unknown>;
  readonly record: AuthorityRecord;
  readonly actorId: string;
  readonly bindings?: Bindings;
  readonly outgoing?: OutgoingPositions;
  readonly streams?: StreamOrder<Delivery>;
  readonly timers?: ReadonlyMap<string, number>;
}

export interface JoinWish {
  readonly spotId: string;
  readonly payload: Payload;
}

/**
 * `new`: being created or restored; nothing has run. `open`: turns run. `stopping`: the running turn is the last. `stopped`: none runs and none starts. `departed`: this copy
 * is history, its context refuses everything.
 */
export type Gate = "new" | "open" | "stopping" | "stopped" | "departed";

/** One copy of an actor in memory: mailbox, turns, bindings, timers. It begins `new`. */
export class Activation {
  readonly host: Host;
  readonly definition: ActorDefinition<unknown>;
  readonly actorId: string;
  readonly context: ActorContext<unknown>;
  readonly bindings: Bindings;
  readonly sender: Sender;
  readonly sends: ActorSends;
  readonly timers: ActorTimers;
  readonly streams: StreamOrder<Delivery>;
  /** The store's record as this owner last wrote or read it. */
  record: AuthorityRecord;
  state: unknown;
  #hold: UnitHold | undefined;
  readonly #mailbox = new Fifo<MailboxItem>();
  #mailboxBytes = 0;
  #gate: Gate = "new";
  #turnRunning = false;
  #gapTimer: TimerHandle | undefined;
  #pumpScheduled = false;
  #whenStopped: (() => void) | undefined;
  #joinWish: JoinWish | undefined;
  #wantsEnd = false;
  #writes: OwnerWrites | undefined;

  constructor(seed: ActivationSeed) {
    this.host = seed.host;
    this.definition = seed.definition;
    this.actorId = seed.actorId;
    this.record = seed.record;
    this.bindings = seed.bindings ?? new Bindings();
    const { objectGeneration } = seed.record;
    this.sender = new Sender({ actorId: seed.actorId, objectGeneration }, seed.outgoing);
    this.sends = new ActorSends(this);
    this.streams = seed.streams ?? new StreamOrder<Delivery>(streamLimits(seed.host));
    this.timers = new ActorTimers(seed.host.config.clock, (name) => this.enqueue({ type: "timer", name }));
    this.timers.pause();
    for (const [name, remainingMs] of seed.timers ?? []) this.timers.set(name, remainingMs);
    this.context = contextOf(this);
  }

  get actorType(): string {
    return this.definition.type;
  }

  /** Set while a move or join is under way: messages wait here instead of in the mailbox. */
  get hold(): UnitHold | undefined {
    return this.#hold;
  }

  set hold(hold: UnitHold | undefined) {
    this.#hold = hold;
    // No gap was given up meanwhile.
    if (!hold) this.#watchGaps();
  }

  get gate(): Gate {
    return this.#gate;
  }

  get departed(): boolean {
    return this.#gate === "departed";
  }

  get place(): SpotPlace | undefined {
    return this.record.place;
  }

  /** What this copy writes to its authority's record; `undefined` until it owns one. */
  get writes(): OwnerWrites | undefined {
    return this.#writes;
  }

  /** The store names this copy's node as owner, with this record. */
  own(record: AuthorityRecord): void {
    this.record = record;
    this.#writes = new OwnerWrites(this.host, record, {
      wrote: (written) => (this.record = written),
      lost: () => this.#savedDataLost(),
    });
  }

  get fence(): ActorFence {
    return fenceOf(this.actorId, this.record);
  }

  /** A message has come for this actor: into the hold, or in its order into the mailbox (`protocol.md` N4, H1). */
  offer(delivery: Delivery): void {
    if (this.#hold) {
      if (this.#hold.offer({ activation: this, delivery }, delivery.bytes) === "overflow") {
        refuse(this.host, delivery, "backpressured", `actor "${this.actorId}" is moving and its hold is full`);
      }
      return;
    }
    const { mailboxMessages, mailboxBytes } = this.host.config.limits;
    if (this.#mailbox.length >= mailboxMessages || this.#mailboxBytes + delivery.bytes > mailboxBytes) {
      refuse(this.host, delivery, "backpressured", `the mailbox of actor "${this.actorId}" is full`);
      return;
    }
    this.accept(delivery);
  }

  /** As `offer`, for messages that were accepted before (saved, relayed, given back): no mailbox limit. */
  accept(delivery: Delivery): void {
    const place = streamOf(delivery.source, delivery.metadata);
    if (!place) {
      refuse(this.host, delivery, "protocolError", "the message has no place in its sender's stream");
      return;
    }
    const marker = delivery.payload.packetName === GONE_PACKET;
    const verdict = this.streams.accept(
      {
        stream: place.key,
        sequence: place.sequence,
        resumes: resumes(delivery.metadata),
        content: marker ? { type: "marker" } : { type: "message", item: delivery },
        bytes: delivery.bytes,
      },
      this.host.config.clock.nowMs(),
    );
    if (verdict.outcome === "run") for (const item of verdict.items) this.enqueue(item);
    if (verdict.outcome === "refused") this.#refusePlace(delivery, verdict.reason);
    this.#watchGaps();
  }

  /** False when this copy has ended. */
  enqueue(item: MailboxItem): boolean {
    if (this.departed) return false;
    if (item.type === "message") this.#mailboxBytes += item.bytes;
    this.#mailbox.push(item);
    this.#pump();
    return true;
  }

  /**
   * Lets the running turn end and starts no other; calls back at once when none runs. What the actor has sent to others has
   * its number by then: the numbering moves with the actor (`protocol.md` N4).
   */
  stopTurns(whenStopped: () => void): void {
    this.timers.pause();
    const whenNumbered = (): void => this.sender.whenNumbered(whenStopped);
    if (!this.#turnRunning) {
      this.#gate = "stopped";
      whenNumbered();
      return;
    }
    this.#gate = "stopping";
    this.#whenStopped = whenNumbered;
  }

  /**
   * Turns may start again; what waited goes first. The first turn starts in a microtask, so that what the caller still has
   * to send (routes, `protocol.md` section 4, step 9) leaves before anything that the turn sends.
   */
  openGate(): void {
    if (this.departed) return;
    this.#whenStopped = undefined;
    this.#gate = "open";
    this.timers.resume();
    this.sends.resume();
    queueMicrotask(() => this.#pump());
    // What a move brought may wait behind a gap.
    this.#watchGaps();
  }

  /** This copy ends; nothing it holds is run here any more. */
  depart(): void {
    this.#gate = "departed";
    this.#whenStopped = undefined;
    this.timers.stop();
    this.#writes?.end();
    this.host.mover.journal.left(this);
    this.#gapTimer?.cancel();
    this.#mailbox.clear();
    this.#mailboxBytes = 0;
    this.sends.end();
  }

  /** Ends the bindings whose session owner's run is no more (`protocol.md` O1), and tells the actor. */
  dropSessions(isGone: (session: Session) => boolean): void {
    for (const { sessionRid } of this.bindings.dropGone(isGone)) this.enqueue({ type: "unbound", sessionRid });
  }

  /** Ends those whose owner's link proves that the node runs under a newer generation by now. */
  dropReplacedSessions(): void {
    this.dropSessions(({ ownerNodeRid, ownerNodeGeneration }) => {
      const linked = this.host.links.peer(ownerNodeRid);
      return linked !== undefined && linked.nodeGeneration > ownerNodeGeneration;
    });
  }

  /** A turn runs, or something waits to be run. */
  get busy(): boolean {
    return this.#turnRunning || this.#mailbox.length > 0 || this.#hold !== undefined;
  }

  get queuedCount(): number {
    return this.#mailbox.length;
  }

  /** What is queued and has not run yet, in order. What is ahead of its turn is in `streams`. */
  queued(): MailboxItem[] {
    return this.#mailbox.toArray();
  }

  /** Messages that have not run, in order; those that are ahead of their turn last. */
  unrun(): Delivery[] {
    const { waiting } = this.streams.capture(this.host.config.clock.nowMs());
    return [
      ...this.queued().filter((item): item is Delivery => item.type === "message"),
      ...waiting.flatMap(({ content }) => (content.type === "message" ? [content.item] : [])),
    ];
  }

  askToJoin(spotId: string, payload: Payload): void {
    if (this.#joinWish) {
      throw new RuntimeError(
        "operationInProgress",
        `actor "${this.actorId}" has asked to join "${this.#joinWish.spotId}" already`,
      );
    }
    this.#joinWish = { spotId, payload };
    if (!this.#turnRunning) this.#afterTurn();
  }

  /** The running turn is the last one. */
  askToEnd(): void {
    this.#wantsEnd = true;
    if (!this.#turnRunning) this.#afterTurn();
  }

  #pump(): void {
    for (let turns = 0; this.#gate === "open" && !this.#turnRunning && this.#mailbox.length > 0; turns++) {
      if (this.host.stopped()) return;
      if (turns >= TURNS_PER_TICK) {
        this.#schedulePump();
        return;
      }
      this.#turn(this.#mailbox.shift() as MailboxItem);
    }
  }

  #schedulePump(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    this.host.config.clock.after(0, () => {
      this.#pumpScheduled = false;
      this.#pump();
    });
  }

  #turn(item: MailboxItem): void {
    this.#turnRunning = true;
    const running = runItem(this, item);
    if (running === undefined) this.#turnEnded(item);
    else
      background(
        this.host.config.log,
        "turn",
        running.then(() => {
          this.#turnEnded(item);
          this.#pump();
        }),
      );
  }

  #turnEnded(item: MailboxItem): void {
    this.#turnRunning = false;
    if (item.type === "joinAnswer") this.host.mover.journal.told(this, item.operation);
    if (item.type === "message") {
      this.#mailboxBytes -= item.bytes;
      const place = streamOf(item.source, item.metadata);
      if (place) this.streams.ran({ stream: place.key, sequence: place.sequence }, this.host.config.clock.nowMs());
    }
    this.#afterTurn();
  }

  #afterTurn(): void {
    if (this.#gate === "stopping") {
      this.#gate = "stopped";
      const whenStopped = this.#whenStopped;
      this.#whenStopped = undefined;
      whenStopped?.();
    }
    const wish = this.#joinWish;
    this.#joinWish = undefined;
    if (wish) this.host.mover.join(this, wish);
    if (!this.#wantsEnd) return;
    this.#wantsEnd = false;
    background(this.host.config.log, "actor.end", endActorSoon(this.host, this));
  }

  /** A gap that nobody fills ends after the follow period (`protocol.md` N4). */
  #watchGaps(): void {
    this.#gapTimer?.cancel();
    this.#gapTimer = undefined;
    const dueMs = this.streams.nextExpiryMs();
    if (dueMs === undefined || this.departed || this.#hold) return;
    this.#gapTimer = this.host.config.clock.after(Math.max(0, dueMs - this.host.config.clock.nowMs()), () => {
      if (this.#hold) return;
      const { items, givenUp } = this.streams.expire(this.host.config.clock.nowMs());
      for (const range of givenUp)
        this.host.config.log.write("warn", "stream.gapGivenUp", { actorId: this.actorId, ...range });
      for (const item of items) this.enqueue(item);
      this.#watchGaps();
    });
  }

  #refusePlace(delivery: Delivery, reason: StreamRefusal): void {
    if (reason === "placeGivenUp")
      refuse(this.host, delivery, "outcomeUnknown", "the message came after its place was given up");
    else refuse(this.host, delivery, "backpressured", `too much waits at actor "${this.actorId}" (${reason})`);
  }

  #savedDataLost(): void {
    const { actorId, actorType } = this;
    this.host.config.log.write("error", "actor.savedDataLost", { actorId });
    this.host.config.observe({ type: "SavedDataLost", actorType, actorId });
  }
}
