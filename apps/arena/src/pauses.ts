import { Histogram } from "./histogram.ts";

/**
 * Moves of which only one end has been heard of. Both ends come within a move's deadline, so this many would be open only
 * if ends were lost; the oldest is then given up.
 */
const MAX_OPEN = 10_000;

/** Joins the two ends of each move by its relocation id and measures the time between them. */
export class Pauses {
  readonly #histogram = new Histogram();
  readonly #open = new Map<string, { pausedAtMs?: number; openedAtMs?: number }>();
  readonly #steps = new Map<string, Histogram>();

  /** Moves of which both ends have been heard of. */
  get moves(): number {
    return this.#histogram.count;
  }

  /** Of the moves so far, in ms. */
  get pauseMs(): { readonly p50: number; readonly p99: number; readonly max: number } {
    const { max } = this.#histogram;
    return { p50: this.#histogram.percentile(0.5), p99: this.#histogram.percentile(0.99), max };
  }

  /** When each step of a move was reached, in ms after the pause began: the medians, in order. */
  get steps(): readonly { readonly name: string; readonly p50: number }[] {
    return Array.from(this.#steps, ([name, histogram]) => ({ name, p50: histogram.percentile(0.5) })).sort(
      (a, b) => a.p50 - b.p50,
    );
  }

  /** The last turn on the source has ended. */
  paused(relocation: string, atMs: number): void {
    this.#note(relocation, { pausedAtMs: atMs });
  }

  /** The first turn on the target can start. */
  opened(relocation: string, atMs: number): void {
    this.#note(relocation, { openedAtMs: atMs });
  }

  /** The move has come to nothing. */
  abandoned(relocation: string): void {
    this.#open.delete(relocation);
  }

  /** The source's own timing of a move that went through. */
  timed(steps: Readonly<Record<string, number>>): void {
    for (const [name, ms] of Object.entries(steps)) {
      let histogram = this.#steps.get(name);
      if (histogram === undefined) this.#steps.set(name, (histogram = new Histogram()));
      histogram.add(ms);
    }
  }

  #note(relocation: string, end: { pausedAtMs?: number; openedAtMs?: number }): void {
    const both = { ...this.#open.get(relocation), ...end };
    if (both.pausedAtMs !== undefined && both.openedAtMs !== undefined) {
      this.#open.delete(relocation);
      this.#histogram.add(both.openedAtMs - both.pausedAtMs);
      return;
    }
    this.#open.set(relocation, both);
    if (this.#open.size > MAX_OPEN) this.#open.delete(this.#open.keys().next().value!);
  }
}
