import type { ArenaClient } from "./arena-client.ts";
import { SeededRandom } from "./random.ts";

/** How often the clients' turns are looked at. */
const TICK_MS = 4;
/** A client that was kept waiting longer than this does not make up for it: the rate is a wish, not a burst. */
const MOST_BEHIND_MS = 250;

/** Lets every client send at the rate asked for, none in step with another. */
export class Traffic {
  readonly #clients: { readonly client: ArenaClient; dueAtMs: number }[];
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param rate messages per client and second */
  constructor(clients: readonly ArenaClient[], rate: number, seed: number) {
    this.#intervalMs = 1_000 / rate;
    this.#clients = clients.map((client, index) => ({
      client,
      dueAtMs: new SeededRandom(seed, "pace", index).fraction() * this.#intervalMs,
    }));
  }

  start(): void {
    const startedAtMs = performance.now();
    for (const entry of this.#clients) entry.dueAtMs += startedAtMs;
    this.#timer = setInterval(() => this.tick(performance.now()), TICK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Sends what is due by now. */
  tick(nowMs: number): void {
    for (const entry of this.#clients) {
      while (entry.dueAtMs <= nowMs && entry.client.ready) {
        entry.client.sendNext();
        entry.dueAtMs += this.#intervalMs;
      }
      entry.dueAtMs = Math.max(entry.dueAtMs, nowMs - MOST_BEHIND_MS);
    }
  }
}
