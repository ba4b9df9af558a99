/** After a signal, the clients' messages that are under way get this long to arrive. */
const HURRY_AFTER_SIGNAL_MS = 3_000;
/** After a casualty some of them never will. */
const HURRY_AFTER_FAILURE_MS = 1_000;
/** A terminal, npm and a script may each pass the same Ctrl-C on: within this time it is one. */
const SAME_SIGNAL_MS = 500;

/** Starts a timer; what it returns stops it. */
type After = (delayMs: number, fn: () => void) => () => void;

const systemAfter: After = (delayMs, fn) => {
  const timer = setTimeout(fn, delayMs);
  return () => clearTimeout(timer);
};

/** When and why a run ends. The first reason ends it; a failure is kept even if it comes later. */
export class Ending {
  /** Settles when the run shall end. */
  readonly ended: Promise<void>;
  /** Settles when messages and moves that are under way are waited for no longer. */
  readonly hurry: Promise<void>;
  /** Settles when nothing is waited for any longer. */
  readonly now: Promise<void>;
  #end!: () => void;
  #hurry!: () => void;
  #now!: () => void;
  #isEnded = false;
  #failure: string | undefined;
  #signalledAtMs: number | undefined;
  readonly #after: After;
  readonly #timers: (() => void)[] = [];

  constructor(after = systemAfter) {
    this.#after = after;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.hurry = new Promise((resolve) => (this.#hurry = resolve));
    this.now = new Promise((resolve) => (this.#now = resolve));
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether somebody wished the end. */
  get isSignalled(): boolean {
    return this.#signalledAtMs !== undefined;
  }

  /** Why the run is failed whatever the numbers say. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** The time is over. */
  finish(): void {
    this.#isEnded = true;
    this.#end();
  }

  /** A signal: the first one ends the run, another one ends all waiting. */
  signal(nowMs: number): void {
    if (this.#signalledAtMs !== undefined && nowMs - this.#signalledAtMs > SAME_SIGNAL_MS) {
      this.#hurry();
      this.#now();
    }
    this.#signalledAtMs ??= nowMs;
    this.#timers.push(this.#after(HURRY_AFTER_SIGNAL_MS, this.#hurry));
    this.finish();
  }

  /** Something went wrong that makes the verdict red. */
  fail(reason: string): void {
    this.#failure ??= reason;
    this.#timers.push(this.#after(HURRY_AFTER_FAILURE_MS, this.#hurry));
    this.finish();
  }

  /** Lets go of the timers. */
  close(): void {
    for (const stop of this.#timers) stop();
  }
}
