import {
  ActorFollow,
  LruMap,
  REMEMBERED_RELOCATIONS,
  type FollowLimits,
  type ForwardedMessage,
  type RelayHeader,
  type TimerHandle,
} from "@rehome/core";
import { operationKey, ridToDisplay, type ActorFence, type ActorRef, type RelocationData } from "@rehome/wire";
import { answerRequest, refuse } from "../actors/answers.ts";
import { freeze, hopsOf, thaw, type Delivery } from "../actors/delivery.ts";
import { errorOfWire, RuntimeError, type WireResult } from "../errors.ts";
import type { Host } from "../host.ts";
import type { LostLink } from "../links/links.ts";

interface Follow {
  readonly machine: ActorFollow<Delivery>;
  readonly relay: RelayHeader;
  readonly expiry: TimerHandle;
  pumping: boolean;
}

/** What this node does with messages of actors that it has handed over (`protocol.md` section 9). */
export class Follows {
  readonly #host: Host;
  readonly #follows = new Map<string, Follow>();
  /** Those that wait while the actor is about to come back here (F5). */
  readonly #suspended = new Map<string, Follow>();
  /** Relocations that were followed from here, as many as a target remembers: what went out under them is still owed when the follow has ended (N5). */
  readonly #followed = new LruMap<string, true>(REMEMBERED_RELOCATIONS);

  constructor(host: Host) {
    this.#host = host;
    host.links.onLost((lost) => this.#onLost(lost));
  }

  start(left: ActorFence, target: ActorFence, relay: RelayHeader, waiting: readonly Delivery[]): void {
    const { actorId } = left.actor;
    this.end(actorId);
    const limits = this.#limits();
    const machine = new ActorFollow<Delivery>(left, target, this.#host.config.clock.nowMs(), limits);
    const expiry = this.#host.config.clock.after(limits.lifeMs, () => this.end(actorId));
    const follow: Follow = { machine, relay, expiry, pumping: false };
    this.#follows.set(actorId, follow);
    this.#followed.set(operationKey(relay.relocation), true);
    for (const delivery of waiting) this.#offer(follow, delivery);
  }

  /** A message for an actor that left. False when this node does not follow it. */
  offer(target: ActorRef, delivery: Delivery): boolean {
    const follow = this.#follows.get(target.actorId);
    if (!follow) return false;
    this.#offer(follow, delivery);
    return true;
  }

  follows(actorId: string): boolean {
    return this.#follows.has(actorId);
  }

  /** F5: the actor is about to come back; its messages go to the attempt from here on. */
  suspend(actorId: string): void {
    const follow = this.#follows.get(actorId);
    if (!follow) return;
    this.#follows.delete(actorId);
    this.#suspended.set(actorId, follow);
  }

  /** F5: the attempt was dropped, following goes on. */
  resume(actorId: string): void {
    const follow = this.#suspended.get(actorId);
    if (!follow) return;
    this.#suspended.delete(actorId);
    if (!this.#follows.has(actorId)) this.#follows.set(actorId, follow);
  }

  /** The follow has ended: expired, or the actor is back. What still waits is refused as stale (F3). */
  end(actorId: string): void {
    const ended = [this.#follows.get(actorId), this.#suspended.get(actorId)];
    this.#follows.delete(actorId);
    this.#suspended.delete(actorId);
    for (const follow of ended) {
      follow?.expiry.cancel();
      for (const { message } of follow?.machine.takeAll() ?? [])
        refuse(this.#host, message, "stale", "the actor moved on too long ago");
    }
  }

  stop(): void {
    for (const follow of [...this.#follows.values(), ...this.#suspended.values()]) follow.expiry.cancel();
    this.#follows.clear();
    this.#suspended.clear();
  }

  get counts(): { readonly follows: number; readonly followingMessages: number } {
    const all = [...this.#follows.values(), ...this.#suspended.values()];
    return { follows: all.length, followingMessages: all.reduce((sum, { machine }) => sum + machine.size, 0) };
  }

  #limits(): FollowLimits {
    const { limits, deadlines } = this.#host.config;
    return {
      lifeMs: deadlines.followMs,
      maxMessages: limits.holdMessages,
      maxBytes: limits.holdBytes,
      maxHints: limits.holdMessages,
    };
  }

  #offer(follow: Follow, delivery: Delivery): void {
    const { hops, bytes, arrival } = delivery;
    const answer = follow.machine.offer({ message: delivery, bytes, hops, arrival }, this.#host.config.clock.nowMs());
    if (answer.outcome === "refused") {
      this.#refused(delivery, answer);
      return;
    }
    if (answer.hint) this.#host.links.send(answer.hint.peer, answer.hint.command);
    this.#pump(follow);
  }

  #refused(delivery: Delivery, result: WireResult): void {
    const error = errorOfWire(result, `a message that followed actor "${delivery.payload.packetName}"`);
    refuse(this.#host, delivery, error.code, error.message);
  }

  /** In order, as the link takes them (F1). */
  #pump(follow: Follow): void {
    if (follow.pumping) return;
    const { machine } = follow;
    const { nodeRid: peer, nodeGeneration } = machine.target;
    // What waited for a link, or reached a later run of that node, would be dropped there without a word (I2).
    if (this.#host.links.peer(peer)?.nodeGeneration !== nodeGeneration) {
      this.#unreachable(follow);
      return;
    }
    for (let next = machine.first(); next; next = machine.first()) {
      const result = this.#host.links.sendPaced(peer, this.#command(follow, next));
      if (result === "noLink") {
        this.#unreachable(follow);
        return;
      }
      if (result !== "refused") machine.removeFirst();
      if (result === "tooLarge") refuse(this.#host, next.message, "tooLarge", "no link carries so large a message");
      if (result === "accepted" || result === "tooLarge") continue;
      follow.pumping = true;
      this.#host.links.onceDrained(peer, () => {
        follow.pumping = false;
        this.#pump(follow);
      });
      return;
    }
  }

  #command(follow: Follow, { message, hops }: ForwardedMessage<Delivery>): RelocationData {
    return { ...follow.relay, record: freeze(message, follow.machine.left, hops) };
  }

  #unreachable(follow: Follow): void {
    for (const { message } of follow.machine.takeAll()) {
      refuse(this.#host, message, "notConnected", "there is no link to the actor's new node");
    }
  }

  /**
   * N5: forwarded records that nobody can tell the fate of; their senders are told, though the actor may be back by now, or
   * have moved on once more. In-move 31s are their move's business.
   */
  #onLost(lost: LostLink): void {
    for (const command of lost.unacknowledged) {
      if (command.command !== "relocationData" || !this.#isForwarded(command)) continue;
      const { relocation, targetAttemptGeneration, coordinator } = command;
      const delivery = thaw(command.record, { relocation, targetAttemptGeneration, coordinator });
      const message = `the link to ${ridToDisplay(lost.peer.nodeRid)} was lost with the message`;
      if (delivery?.kind === "request")
        answerRequest(this.#host, delivery, { ok: false, error: new RuntimeError("outcomeUnknown", message) });
      else if (delivery) refuse(this.#host, delivery, "outcomeUnknown", message);
    }
  }

  /** F2: it has a hop more than it came with. */
  #isForwarded({ relocation, record }: RelocationData): boolean {
    return this.#followed.has(operationKey(relocation)) && hopsOf(record.metadata) > 0;
  }
}
