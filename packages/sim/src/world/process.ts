import type { Clock, TimerHandle } from "@rehome/core";
import type { Appointment, VirtualTime } from "./virtual-time.ts";

/** A timer must not come early, not even by what a division loses. */
const ROUNDING_MS = 1e-6;

interface Timer {
  readonly dueMs: number;
  readonly fn: () => void;
  appointment: Appointment | undefined;
}

/** In which order a process that wakes up finds what came meanwhile. */
export type WakeOrder = "asItCame" | "timersFirst" | "othersFirst";

/** What a machine has, whatever runs on it. */
export interface Machine {
  /** How far its wall clock is from the true time; jumps. */
  unixOffsetMs: number;
  /** How fast its monotonic clock goes; 1 is true. */
  readonly rate: number;
}

/**
 * One run of a node as its operating system sees it. Nothing of the node runs except through `enter` and the timers of
 * `clock`, so that it can be paused and killed at any step.
 */
export class Process {
  readonly name: string;
  readonly clock: Clock;
  readonly #time: VirtualTime;
  readonly #machine: Machine;
  readonly #timers = new Set<Timer>();
  #deferred: { readonly kind: "timer" | "other"; readonly run: () => void }[] = [];
  #state: "running" | "paused" | "dead" = "running";
  /** How much less its monotonic clock shows, because it stood still. */
  #stoodStillMs = 0;
  #pausedAtMs = 0;
  #standsStill = false;
  #outputsLeft = Number.POSITIVE_INFINITY;
  /** Called once, when it dies. */
  onDeath: () => void = () => undefined;

  constructor(name: string, time: VirtualTime, machine: Machine) {
    this.name = name;
    this.#time = time;
    this.#machine = machine;
    this.clock = {
      nowMs: () => this.#monotonicMs(),
      unixMs: () => time.nowMs + machine.unixOffsetMs,
      after: (delayMs, fn) => this.#after(delayMs, fn),
    };
  }

  get alive(): boolean {
    return this.#state !== "dead";
  }

  get paused(): boolean {
    return this.#state === "paused";
  }

  /** Runs something in this process: now, after the pause, or never. */
  enter(run: () => void): void {
    this.#enter("other", run);
  }

  /** The process does something that others can see. False when it has died before it could. */
  output(): boolean {
    if (this.#state === "dead") return false;
    if (--this.#outputsLeft >= 0) return true;
    this.kill();
    return false;
  }

  /** Kills it in the middle of what it does, after so many more outputs. */
  dieAfterOutputs(count: number): void {
    this.#outputsLeft = count;
  }

  kill(): void {
    if (this.#state === "dead") return;
    this.#state = "dead";
    this.#deferred = [];
    for (const timer of this.#timers) timer.appointment?.cancel();
    this.#timers.clear();
    this.onDeath();
  }

  /** As SIGSTOP; with `standsStill`, its monotonic clock stops too, as when a whole machine is suspended. */
  pause(standsStill: boolean): void {
    if (this.#state !== "running") return;
    this.#state = "paused";
    this.#pausedAtMs = this.#time.nowMs;
    this.#standsStill = standsStill;
    if (standsStill) for (const timer of this.#timers) timer.appointment?.cancel();
  }

  resume(order: WakeOrder): void {
    if (this.#state !== "paused") return;
    if (this.#standsStill) this.#stoodStillMs += (this.#time.nowMs - this.#pausedAtMs) * this.#machine.rate;
    this.#state = "running";
    if (this.#standsStill) for (const timer of this.#timers) this.#arm(timer);
    this.#standsStill = false;
    const deferred = this.#deferred;
    this.#deferred = [];
    const timers = deferred.filter(({ kind }) => kind === "timer");
    const others = deferred.filter(({ kind }) => kind === "other");
    const inOrder =
      order === "asItCame" ? deferred : order === "timersFirst" ? [...timers, ...others] : [...others, ...timers];
    for (const { kind, run } of inOrder) this.#time.after(0, () => this.#enter(kind, run));
  }

  #enter(kind: "timer" | "other", run: () => void): void {
    if (this.#state === "running") run();
    else if (this.#state === "paused") this.#deferred.push({ kind, run });
  }

  #monotonicMs(): number {
    const standing = this.#standsStill ? (this.#time.nowMs - this.#pausedAtMs) * this.#machine.rate : 0;
    return this.#time.nowMs * this.#machine.rate - this.#stoodStillMs - standing;
  }

  #after(delayMs: number, fn: () => void): TimerHandle {
    const timer: Timer = { dueMs: this.#monotonicMs() + Math.max(0, delayMs), fn, appointment: undefined };
    if (this.#state !== "dead") {
      this.#timers.add(timer);
      this.#arm(timer);
    }
    return {
      cancel: () => {
        this.#timers.delete(timer);
        timer.appointment?.cancel();
      },
    };
  }

  #arm(timer: Timer): void {
    const leftMs = (timer.dueMs - this.#monotonicMs()) / this.#machine.rate + ROUNDING_MS;
    timer.appointment = this.#time.after(leftMs, () =>
      this.#enter("timer", () => {
        // Cancelled while the process was paused.
        if (this.#timers.delete(timer)) timer.fn();
      }),
    );
  }
}
