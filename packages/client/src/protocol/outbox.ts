/** What one frame costs a bounded buffer besides its bytes: array slots, tag, object headers. */
const FRAME_OVERHEAD_BYTES = 64;
/** At most what a frame takes in a packet besides its bytes: one byte of tag, five of length. */
const FRAME_HEADER_BYTES = 6;
/** Slots at the front that have to be free before the array is moved up: seldom enough to cost nothing. */
const COMPACT_AFTER = 1_024;

export interface KeptFrame<T> {
  readonly bytes: Uint8Array;
  readonly tag: T;
}

/**
 * The sending half of a numbered stream: frames from 1 on, each kept until it is acknowledged, and written again after a
 * resume. It counts and bounds nothing by itself: its owner asks `bytes` and `count` before it appends.
 */
export class Outbox<T> {
  #kept: KeptFrame<T>[] = [];
  #head = 0;
  #first = 1;
  #next = 1;
  #reached = 0;
  #bytes = 0;

  /** What a frame of this size takes of a byte limit. */
  static cost(frameBytes: number): number {
    return frameBytes + FRAME_OVERHEAD_BYTES;
  }

  /** Bytes of all frames that are kept, with {@link Outbox.cost}. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Frames that are kept. */
  get count(): number {
    return this.#kept.length - this.#head;
  }

  /** Frames still to be written on this connection. */
  get waiting(): number {
    return this.#first + this.count - this.#next;
  }

  /** Frames written on this connection and not acknowledged. */
  get inFlight(): number {
    return this.#next - this.#first;
  }

  /** Every frame up to this number is acknowledged. */
  get acknowledged(): number {
    return this.#first - 1;
  }

  /** Keeps a frame and returns its number. */
  append(bytes: Uint8Array, tag: T): number {
    this.#kept.push({ bytes, tag });
    this.#bytes += Outbox.cost(bytes.length);
    return this.#first + this.count - 1;
  }

  /** The next frames to write, at most so many, and beyond the first one at most so many bytes. */
  take(maxFrames: number, maxBytes: number): { readonly first: number; readonly frames: Uint8Array[] } | undefined {
    const first = this.#next;
    const frames: Uint8Array[] = [];
    let bytes = 0;
    for (let at = this.#head + this.inFlight; at < this.#kept.length && frames.length < maxFrames; at++) {
      const frame = this.#kept[at]!.bytes;
      bytes += frame.length + FRAME_HEADER_BYTES;
      if (frames.length > 0 && bytes > maxBytes) break;
      frames.push(frame);
    }
    if (frames.length === 0) return undefined;
    this.#next += frames.length;
    this.#reached = Math.max(this.#reached, this.#next - 1);
    return { first, frames };
  }

  /** Drops the frames up to this number. False: it was never written on this connection, so the peer is lying. */
  acknowledge(upTo: number): boolean {
    if (upTo >= this.#next) return false;
    for (; this.#first <= upTo; this.#first++) {
      this.#bytes -= Outbox.cost(this.#kept[this.#head]!.bytes.length);
      // The slot stays until the array is moved up: it must not keep the bytes alive.
      this.#kept[this.#head++] = undefined as never;
    }
    if (this.#head > COMPACT_AFTER && this.#head * 2 > this.#kept.length) {
      this.#kept = this.#kept.slice(this.#head);
      this.#head = 0;
    }
    return true;
  }

  /**
   * Begins a new connection: the peer has everything up to `received`, the rest is written again. False: the peer
   * names frames that it acknowledged before and has forgotten, or that it cannot have.
   */
  rewind(received: number): boolean {
    if (received < this.#first - 1 || received > this.#reached) return false;
    this.#next = Math.max(this.#next, received + 1);
    this.acknowledge(received);
    this.#next = this.#first;
    return true;
  }

  /** Everything that is kept, oldest first; `written` is false only for what never left this process. */
  *unacknowledged(): Generator<KeptFrame<T> & { readonly written: boolean }> {
    for (let at = this.#head; at < this.#kept.length; at++) {
      yield { ...this.#kept[at]!, written: this.#first + at - this.#head <= this.#reached };
    }
  }
}
