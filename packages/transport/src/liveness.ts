import type { Clock, Random, TimerHandle } from "@rehome/core";

/** A timer that comes later than this was late because this process stood still, not because of the peer. */
const OWN_STALL_MS = 1_000;

export interface LivenessOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly probeMs: number;
  readonly timeoutMs: number;
  /** Sends a probe. */
  onProbe(probeId: bigint): void;
  /** The peer is lost. Called at most once. */
  onDead(): void;
}

/**
 * Asks the peer for a sign of life every `probeMs`, and calls it lost when `timeoutMs` have passed without the answer to
 * one of the questions (`protocol.md` L2). Nothing else that the peer sends counts, and no new connection does.
 */
export class Liveness {
  private readonly options: LivenessOptions;
  /** Random, so that a peer that does not read cannot answer by guessing. */
  private readonly unanswered = new Set<bigint>();
  private nextProbeMs: number;
  private deadlineMs: number;
  private timer: TimerHandle | undefined;
  private stopped = false;

  constructor(options: LivenessOptions) {
    this.options = options;
    const nowMs = options.clock.nowMs();
    this.nextProbeMs = nowMs + options.probeMs;
    this.deadlineMs = nowMs + options.timeoutMs;
    this.arm(nowMs);
  }

  /** Whether this is the answer to a probe that is still open. */
  answer(probeId: bigint): boolean {
    if (this.stopped || !this.unanswered.has(probeId)) return false;
    // The link is FIFO: what was asked before this one will not be answered any more.
    for (const earlier of this.unanswered) {
      this.unanswered.delete(earlier);
      if (earlier === probeId) break;
    }
    this.deadlineMs = this.options.clock.nowMs() + this.options.timeoutMs;
    return true;
  }

  /** There is no connection to ask on; what was asked on the last one will not be answered. The deadline stays. */
  holdProbes(): void {
    this.unanswered.clear();
    this.nextProbeMs = Number.POSITIVE_INFINITY;
  }

  /** Asks now, and goes on from here. The deadline stays: only an answer moves it. */
  probeNow(): void {
    if (this.stopped) return;
    this.unanswered.clear();
    const nowMs = this.options.clock.nowMs();
    this.timer?.cancel();
    this.probe(nowMs);
    this.arm(nowMs);
  }

  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
  }

  private arm(nowMs: number): void {
    const dueMs = Math.min(this.nextProbeMs, this.deadlineMs);
    this.timer = this.options.clock.after(Math.max(0, dueMs - nowMs), () => this.wake(dueMs));
  }

  private wake(dueMs: number): void {
    if (this.stopped) return;
    const nowMs = this.options.clock.nowMs();
    const lateMs = nowMs - dueMs;
    // The answer may lie unread in the socket: the peer gets the time in which nobody here was listening.
    if (lateMs > OWN_STALL_MS) this.deadlineMs += lateMs;
    if (nowMs >= this.deadlineMs) {
      this.stop();
      this.options.onDead();
      return;
    }
    if (nowMs >= this.nextProbeMs) this.probe(nowMs);
    this.arm(nowMs);
  }

  private probe(nowMs: number): void {
    this.nextProbeMs = nowMs + this.options.probeMs;
    const probeId = this.freshId();
    this.unanswered.add(probeId);
    this.options.onProbe(probeId);
  }

  private freshId(): bigint {
    for (;;) {
      let id = 0n;
      for (const byte of this.options.random.bytes(8)) id = (id << 8n) | BigInt(byte);
      if (id !== 0n && !this.unanswered.has(id)) return id;
    }
  }
}
