import { describe, expect, it } from "vitest";
import { systemClock, systemRandom } from "../src/index.ts";

describe("the system clock", () => {
  it("never runs a timer early, and runs none that was cancelled", async () => {
    const early: number[] = [];
    let cancelled = false;
    for (const delayMs of [0, 0.3, 1, 2.7, 5]) {
      const startedAt = systemClock.nowMs();
      systemClock.after(delayMs, () => early.push(Math.min(0, systemClock.nowMs() - startedAt - delayMs)));
      systemClock.after(delayMs, () => (cancelled = true)).cancel();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(early).toEqual([0, 0, 0, 0, 0]);
    expect(cancelled).toBe(false);
  });

  it("does not run a timer early that was started late in a turn of the loop", async () => {
    const turnStartedAt = systemClock.nowMs();
    while (systemClock.nowMs() - turnStartedAt < 10);
    const startedAt = systemClock.nowMs();
    const waited = await new Promise<number>((resolve) => {
      systemClock.after(5, () => resolve(systemClock.nowMs() - startedAt));
    });
    expect(waited).toBeGreaterThanOrEqual(5);
  });

  it("is monotonic, shared by the machine's processes, and knows the time of day", () => {
    const a = systemClock.nowMs();
    expect(systemClock.nowMs()).toBeGreaterThanOrEqual(a);
    expect(Math.abs(a - Number(process.hrtime.bigint()) / 1e6)).toBeLessThan(1_000);
    expect(Math.abs(systemClock.unixMs() - Date.now())).toBeLessThan(1_000);
  });

  it("waits a very long time, not none", async () => {
    let ran = false;
    const timer = systemClock.after(1e12, () => (ran = true));
    await new Promise((resolve) => setTimeout(resolve, 10));
    timer.cancel();
    expect(ran).toBe(false);
  });
});

describe("the system's randomness", () => {
  it("is fresh each time", () => {
    const a = systemRandom.bytes(32);
    expect(a.length).toBe(32);
    expect(Buffer.compare(a, systemRandom.bytes(32))).not.toBe(0);
  });
});
