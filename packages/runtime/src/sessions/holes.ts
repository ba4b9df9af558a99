import type { Clock, TimerHandle } from "@rehome/core";
import { Places } from "./places.ts";

/** A marker that found no room is sent again after this. */
const RETRY_MS = 100;

export interface HolesOptions {
  readonly clock: Clock;
  /** How long a marker is of use: as long as the receiver waits for a missing message (`protocol.md` N4). */
  readonly lifeMs: number;
  /** A seal stands in front of the binding; `flush` is called when it is gone. */
  readonly isSealed: () => boolean;
  /** Sends the marker. False when the link has no room for it now; `fillLater` was called then. */
  readonly send: (sequence: bigint) => boolean;
}

/**
 * The places in a binding's stream whose messages were not run, or of which nobody can tell (`protocol.md` N5): each is
 * filled with a marker, which is sent again when the marker itself is refused or lost, so that what comes behind it does
 * not wait in vain.
 */
export class Holes {
  readonly #options: HolesOptions;
  readonly #known = new Places();
  readonly #due = new Places();
  #timer: TimerHandle | undefined;
  #ended = false;

  constructor(options: HolesOptions) {
    this.#options = options;
  }

  /** Whether this place's message was given up before: what comes back about it now is about its marker. */
  has(sequence: bigint): boolean {
    return this.#known.untilMs(sequence) !== undefined;
  }

  /** Fills the place, as soon as the caller has finished and the link takes it. */
  fill(sequence: bigint): void {
    this.#owe(sequence, 0);
  }

  /** The marker was refused or could not be sent. */
  fillLater(sequence: bigint): void {
    this.#owe(sequence, RETRY_MS);
  }

  /** Sends what is due, in order, as far as there is room. */
  flush(): void {
    const { clock, isSealed, send } = this.#options;
    if (this.#ended || isSealed()) return;
    const nowMs = clock.nowMs();
    this.#due.expire(nowMs);
    this.#known.expire(nowMs);
    for (let sequence = this.#due.takeFirst(); sequence !== undefined; sequence = this.#due.takeFirst()) {
      if (!send(sequence)) return;
    }
  }

  end(): void {
    this.#ended = true;
    this.#timer?.cancel();
    this.#due.clear();
    this.#known.clear();
  }

  #owe(sequence: bigint, delayMs: number): void {
    if (this.#ended) return;
    const { clock, lifeMs } = this.#options;
    // Known for twice as long as it is tried, so that the refusal of the last try is not taken for the message's own.
    const knownUntilMs = this.#known.untilMs(sequence) ?? clock.nowMs() + 2 * lifeMs;
    this.#known.add(sequence, knownUntilMs);
    this.#due.add(sequence, knownUntilMs - lifeMs);
    this.#timer ??= clock.after(delayMs, () => {
      this.#timer = undefined;
      this.flush();
    });
  }
}
