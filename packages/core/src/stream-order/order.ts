import { assert } from "../errors.ts";
import type { StreamLimits } from "./limits.ts";
import type {
  SkippedRange,
  StreamAcceptance,
  StreamArrival,
  StreamExpiry,
  StreamRefusal,
  StreamSnapshot,
} from "./messages.ts";
import { Stream } from "./stream.ts";
import type { Waiting } from "./stream.ts";

/** A place in a stream. */
export interface StreamPlace {
  readonly stream: string;
  readonly sequence: bigint;
}

/** What an actor's stream order keeps, for checks and for `inspect`. */
export interface StreamOrderView {
  readonly streams: readonly {
    readonly stream: string;
    readonly lastQueued: bigint;
    readonly lastRun: bigint;
    readonly waiting: readonly bigint[];
    readonly skipped: readonly SkippedRange[];
    readonly activeAtMs: number;
  }[];
  readonly waiting: number;
  readonly waitingBytes: number;
  readonly forgotten: number;
  readonly limits: StreamLimits;
}

/**
 * The order of what one actor receives (`protocol.md` N4–N6). It stands in front of the mailbox: whatever way a message
 * took, through whatever former owners, it enters the mailbox once and after everything that its sender sent before it.
 *
 * **Which sequence a move carries.** The mailbox is in order, so a message's place is settled when it is queued, not when
 * it has run. A payload carries the queued messages too, and the marks beside them say the last sequence *queued*: the
 * queue goes straight into the mailbox of the target (`queued` of {@link restoreStreamOrder}), and a repeat of a queued
 * message that comes another way is a repeat there as well. With the last sequence *run*, the queue would have to pass
 * this order once more at the target, and a message that a given-up gap had let through would wait for that gap again
 * after every move. What is ahead of its turn is not queued and travels in the snapshot, with the time it has waited. (A
 * copy of the state *without* its queue would have to say {@link StreamOrder.lastRun}.)
 *
 * Therefore, on the source of a move: what arrives once the ingress hold stands MUST NOT be accepted here. It goes to the
 * target as it is and is accepted there; after a rollback it is accepted here, in order of arrival. Accepting and then
 * relaying it would make the target drop it as a repeat.
 *
 * **Where a stream starts.** A stream that this actor has never seen starts at 1: a higher sequence is ahead of its turn.
 * A stream that was forgotten for idleness is not seen either, and starts anew with its next message. Two facts tell them
 * apart, and both are needed: this actor has forgotten a stream at all (the count moves with it), and the sender says
 * that it had been idle (`resumes`). A sender that does not say so only loses time: its message waits for one follow
 * period like any message behind a gap.
 *
 * **How a gap ends.** The missing messages come; or markers fill their places (N5), sent by whoever learns that a message
 * was refused or whose link was lost with it; or nobody can tell (the sender died, the marker was lost too) and the first
 * message behind the gap has waited for the follow period: then the places are given up, and a straggler is refused.
 */
export class StreamOrder<Item> {
  readonly #limits: StreamLimits;
  /** The idlest first: every activity moves a stream to the end. */
  readonly #streams = new Map<string, Stream<Item>>();
  /** The longest waiting first. */
  readonly #waiting = new Set<Waiting<Item>>();
  #waitingBytes = 0;
  #forgotten: number;

  constructor(limits: StreamLimits, forgotten = 0) {
    this.#limits = limits;
    this.#forgotten = forgotten;
  }

  /** A message came in that would now go into the mailbox. `nowMs`: monotonic. */
  accept(arrival: StreamArrival<Item>, nowMs: number): StreamAcceptance<Item> {
    const { sequence } = arrival;
    const stream = this.#streams.get(arrival.stream) ?? this.#unseen(arrival, nowMs);
    if (typeof stream === "string") return refused(stream);
    if (this.#startsAnew(arrival, stream)) stream.lastQueued = sequence - 1n;
    if (sequence > stream.lastQueued + 1n && !stream.waiting.has(sequence) && !this.#hasRoomFor(arrival.bytes)) {
      return refused("tooManyWaiting");
    }
    this.#touch(stream, nowMs);
    if (sequence <= stream.lastQueued) {
      const isLate = arrival.content.type === "message" && stream.wasGivenUp(sequence);
      return isLate ? refused("placeGivenUp") : { outcome: "duplicate" };
    }
    if (stream.waiting.has(sequence)) return { outcome: "duplicate" };
    const waiting = { stream, sequence, content: arrival.content, bytes: arrival.bytes, sinceMs: nowMs };
    if (sequence > stream.lastQueued + 1n) {
      this.#wait(waiting);
      return { outcome: "waiting" };
    }
    const items: Item[] = [];
    this.#queue(waiting, items);
    this.#queueConsecutive(stream, items);
    return { outcome: "run", items };
  }

  /** The turn of a message that was let through has ended, or the message left the mailbox in another way. */
  ran({ stream: key, sequence }: StreamPlace, nowMs: number): void {
    const stream = this.#streams.get(key);
    if (stream?.ran(sequence) === true) this.#touch(stream, nowMs);
  }

  /** When {@link expire} has something to do next, by the same clock; `undefined` while nothing waits. */
  nextExpiryMs(): number | undefined {
    for (const { sinceMs } of this.#waiting) return sinceMs + this.#limits.followMs;
    return undefined;
  }

  /** N4: what has waited for the follow period goes ahead, and everything of its stream before it; gaps are given up. */
  expire(nowMs: number): StreamExpiry<Item> {
    const items: Item[] = [];
    const givenUp: ({ readonly stream: string } & SkippedRange)[] = [];
    for (const due of this.#waiting) {
      if (nowMs < due.sinceMs + this.#limits.followMs) break;
      const { stream } = due;
      for (const waiting of inOrder(stream)) {
        if (waiting.sequence > due.sequence) break;
        if (waiting.sequence > stream.lastQueued + 1n) {
          const range = { from: stream.lastQueued + 1n, to: waiting.sequence - 1n };
          stream.skipped = [...stream.skipped, range].slice(-this.#limits.maxSkippedRanges);
          givenUp.push({ stream: stream.key, ...range });
        }
        this.#unwait(waiting);
        this.#queue(waiting, items);
      }
      this.#queueConsecutive(stream, items);
      this.#touch(stream, nowMs);
    }
    return { items, givenUp };
  }

  /** What a move carries; it goes with the queue of the same moment. Changes nothing here. */
  capture(nowMs: number): StreamSnapshot<Item> {
    return {
      marks: [...this.#streams.values()].map(({ key, lastQueued, skipped, activeAtMs }) => ({
        stream: key,
        lastQueued,
        skipped,
        idleMs: Math.max(0, nowMs - activeAtMs),
      })),
      waiting: [...this.#waiting].map(({ stream, sequence, content, bytes, sinceMs }) => ({
        stream: stream.key,
        sequence,
        content,
        bytes,
        waitedMs: Math.max(0, nowMs - sinceMs),
      })),
      forgotten: this.#forgotten,
    };
  }

  /** Messages that are ahead of their turn. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** The last sequence of this stream before which nothing is left to run; 0 for a stream that is not known. */
  lastRun(stream: string): bigint {
    return this.#streams.get(stream)?.lastRun ?? 0n;
  }

  inspect(): StreamOrderView {
    return {
      streams: [...this.#streams.values()].map((stream) => ({
        stream: stream.key,
        lastQueued: stream.lastQueued,
        lastRun: stream.lastRun,
        waiting: inOrder(stream).map(({ sequence }) => sequence),
        skipped: stream.skipped,
        activeAtMs: stream.activeAtMs,
      })),
      waiting: this.#waiting.size,
      waitingBytes: this.#waitingBytes,
      forgotten: this.#forgotten,
      limits: this.#limits,
    };
  }

  /** Takes over what came with a move. Only for {@link restoreStreamOrder}, on an order that has accepted nothing yet. */
  load(snapshot: StreamSnapshot<Item>, queued: readonly StreamPlace[], nowMs: number): void {
    assert(this.#streams.size === 0, "a stream order can be restored only while it is empty");
    for (const { stream, lastQueued, skipped, idleMs } of snapshot.marks) {
      this.#streams.set(stream, new Stream(stream, lastQueued, skipped, nowMs - idleMs));
    }
    for (const { stream: key, sequence } of queued) this.#streams.get(key)?.enqueued(sequence);
    for (const { stream: key, sequence, content, bytes, waitedMs } of snapshot.waiting) {
      const stream = this.#streams.get(key);
      assert(
        stream !== undefined && sequence > stream.lastQueued,
        "a waiting message has a stream that has not passed it",
      );
      this.#wait({ stream, sequence, content, bytes, sinceMs: nowMs - waitedMs });
    }
  }

  /** The stream of a message that none is known for, or why there cannot be one. It is registered only by use. */
  #unseen(arrival: StreamArrival<Item>, nowMs: number): Stream<Item> | StreamRefusal {
    const stream = new Stream<Item>(arrival.stream, 0n, [], nowMs);
    const waits = arrival.sequence > 1n && !this.#startsAnew(arrival, stream);
    if (waits && !this.#hasRoomFor(arrival.bytes)) return "tooManyWaiting";
    if (this.#streams.size >= this.#limits.maxStreams && !this.#forgetIdlest(nowMs)) return "tooManyStreams";
    return stream;
  }

  /** N6: nothing of the stream was queued as far as this actor remembers, and nothing before this can still come. */
  #startsAnew({ resumes, sequence }: StreamArrival<Item>, stream: Stream<Item>): boolean {
    if (!resumes || this.#forgotten === 0 || stream.lastQueued > 0n) return false;
    // One that overtook it waits behind it; one that waits before it says that there is more to come.
    return [...stream.waiting.keys()].every((waiting) => waiting > sequence);
  }

  #forgetIdlest(nowMs: number): boolean {
    for (const [key, stream] of this.#streams) {
      // In order of activity: those behind it are less idle still.
      if (nowMs - stream.activeAtMs <= this.#limits.followMs) return false;
      if (stream.isBusy) continue;
      this.#streams.delete(key);
      this.#forgotten += 1;
      return true;
    }
    return false;
  }

  #touch(stream: Stream<Item>, nowMs: number): void {
    stream.activeAtMs = nowMs;
    this.#streams.delete(stream.key);
    this.#streams.set(stream.key, stream);
  }

  #hasRoomFor(bytes: number): boolean {
    const { maxWaiting, maxWaitingBytes } = this.#limits;
    return this.#waiting.size < maxWaiting && this.#waitingBytes + bytes <= maxWaitingBytes;
  }

  #wait(waiting: Waiting<Item>): void {
    waiting.stream.waiting.set(waiting.sequence, waiting);
    this.#waiting.add(waiting);
    this.#waitingBytes += waiting.bytes;
  }

  #unwait(waiting: Waiting<Item>): void {
    waiting.stream.waiting.delete(waiting.sequence);
    this.#waiting.delete(waiting);
    this.#waitingBytes -= waiting.bytes;
  }

  #queue({ stream, sequence, content }: Waiting<Item>, items: Item[]): void {
    stream.lastQueued = sequence;
    if (content.type === "marker") return;
    stream.enqueued(sequence);
    items.push(content.item);
  }

  #queueConsecutive(stream: Stream<Item>, items: Item[]): void {
    for (;;) {
      const next = stream.waiting.get(stream.lastQueued + 1n);
      if (next === undefined) return;
      this.#unwait(next);
      this.#queue(next, items);
    }
  }
}

/**
 * The order at the target of a move. `queued` are the places of the payload's queued messages, in the order in which they
 * go into the mailbox; each is reported with {@link StreamOrder.ran} like any other. A snapshot may be past this node's
 * limits (another node's were higher): what is there stays, and nothing more is taken until there is room.
 */
export function restoreStreamOrder<Item>(
  snapshot: StreamSnapshot<Item>,
  queued: readonly StreamPlace[],
  limits: StreamLimits,
  nowMs: number,
): StreamOrder<Item> {
  const order = new StreamOrder<Item>(limits, snapshot.forgotten);
  order.load(snapshot, queued, nowMs);
  return order;
}

function refused<Item>(reason: StreamRefusal): StreamAcceptance<Item> {
  return { outcome: "refused", reason };
}

function inOrder<Item>(stream: Stream<Item>): readonly Waiting<Item>[] {
  return [...stream.waiting.values()].sort((one, other) => (one.sequence < other.sequence ? -1 : 1));
}
