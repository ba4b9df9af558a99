/** Stretches that are remembered of each kind. Numbers come in long runs unless every other message is refused. */
const MAX_STRETCHES = 1_024;

/**
 * Which of a client's messages has which place in the binding's stream. A message that is refused before it gets a place
 * makes the two numbers drift apart, so it is enough to remember where their difference changed: no payload and no entry
 * per message is kept.
 */
export class Tickets {
  readonly #stretches: { readonly from: bigint; readonly offset: bigint }[] = [];

  /** Places are noted in ascending order. */
  note(sequence: bigint, ticket: bigint): void {
    const offset = ticket - sequence;
    if (this.#stretches.at(-1)?.offset === offset) return;
    this.#stretches.push({ from: sequence, offset });
    if (this.#stretches.length > MAX_STRETCHES) this.#stretches.shift();
  }

  /** `undefined` for a place that is forgotten. */
  ticketOf(sequence: bigint): bigint | undefined {
    for (let at = this.#stretches.length - 1; at >= 0; at--) {
      const { from, offset } = this.#stretches[at]!;
      if (sequence >= from) return sequence + offset;
    }
    return undefined;
  }
}

interface Stretch {
  from: bigint;
  to: bigint;
  untilMs: number;
}

/** A set of places, kept as stretches in ascending order, each until its time. */
export class Places {
  readonly #stretches: Stretch[] = [];

  /** Until when this place is kept, or `undefined` for one that is not there. */
  untilMs(sequence: bigint): number | undefined {
    const stretch = this.#stretches[this.#after(sequence) - 1];
    return stretch !== undefined && sequence <= stretch.to ? stretch.untilMs : undefined;
  }

  add(sequence: bigint, untilMs: number): void {
    const at = this.#after(sequence);
    const before = this.#stretches[at - 1];
    const next = this.#stretches[at];
    if (before !== undefined && sequence <= before.to + 1n) {
      if (sequence > before.to) before.to = sequence;
      before.untilMs = Math.max(before.untilMs, untilMs);
      if (next?.from !== before.to + 1n) return;
      before.to = next.to;
      before.untilMs = Math.max(before.untilMs, next.untilMs);
      this.#stretches.splice(at, 1);
    } else if (next?.from === sequence + 1n) {
      next.from = sequence;
      next.untilMs = Math.max(next.untilMs, untilMs);
    } else {
      this.#stretches.splice(at, 0, { from: sequence, to: sequence, untilMs });
      // The lowest are the oldest: nobody waits for them as long as for the others.
      if (this.#stretches.length > MAX_STRETCHES) this.#stretches.shift();
    }
  }

  /** Removes the lowest place and gives it. */
  takeFirst(): bigint | undefined {
    const first = this.#stretches[0];
    if (first === undefined) return undefined;
    const sequence = first.from;
    if (first.from === first.to) this.#stretches.shift();
    else first.from += 1n;
    return sequence;
  }

  /** Forgets what is past its time. */
  expire(nowMs: number): void {
    for (let at = this.#stretches.length - 1; at >= 0; at--) {
      if (this.#stretches[at]!.untilMs <= nowMs) this.#stretches.splice(at, 1);
    }
  }

  clear(): void {
    this.#stretches.length = 0;
  }

  /** The index of the first stretch that begins after this place. Most are looked for near the end. */
  #after(sequence: bigint): number {
    let low = 0;
    let high = this.#stretches.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#stretches[middle]!.from <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
