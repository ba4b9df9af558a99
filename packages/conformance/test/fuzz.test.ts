import { describe, expect, it } from "vitest";
import { Pace } from "../fuzz/pace.ts";
import { fuzz } from "../fuzz/run.ts";
import { readSeeds } from "../fuzz/seeds.ts";

const seeds = readSeeds(new URL("../../../test-vectors/", import.meta.url));
const nowMs = (): number => performance.now();

describe("mutated records", () => {
  it("end in the one error, or in a value that gives the same bytes", () => {
    const { findings, commands } = fuzz({ count: 8000, seed: 3, seeds, nowMs });
    expect(findings).toEqual([]);
    for (const [command, { accepted, refused }] of commands) {
      expect(accepted, `mutated ${command} that were accepted`).toBeGreaterThan(0);
      expect(refused, `mutated ${command} that were refused`).toBeGreaterThan(0);
    }
  });

  it("are the same from the same seed", () => {
    const [first, again, other] = [4, 4, 5].map((seed) => fuzz({ count: 1000, seed, seeds, nowMs }));
    expect(again!.verdicts).toEqual(first!.verdicts);
    expect(other!.verdicts).not.toEqual(first!.verdicts);
  });

  it("report memory that is not given back", () => {
    let used = 0;
    const bytesInUse = (): number => (used += 9 * 1024 * 1024);
    expect(fuzz({ count: 10, seed: 1, seeds, nowMs, bytesInUse }).findings).toEqual([
      expect.stringContaining("the heap grew by"),
    ]);
  });
});

describe("slow cases", () => {
  it("are told from those that were only interrupted", () => {
    let now = 0;
    const pace = new Pace<{ ms: number }>(() => now);
    const usual = { ms: 0.064 };
    for (let index = 0; index < 15_000; index++) pace.note(usual, 0, usual.ms);
    const interrupted = { ms: 0.064 };
    pace.note(interrupted, 0, 500);
    const slow = { ms: 5 };
    pace.note(slow, 0, slow.ms * 3);
    const found = pace.slowCases(({ ms }) => void (now += ms));
    expect(found.map(({ item }) => item)).toEqual([slow]);
    // The same time is nothing for a thousand times the bytes.
    pace.note(slow, 64_000, slow.ms * 3);
    expect(pace.slowCases(({ ms }) => void (now += ms))).toHaveLength(1);
  });
});
