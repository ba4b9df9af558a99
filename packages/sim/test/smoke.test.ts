import { describe, expect, it } from "vitest";
import { FIXED_SEEDS } from "../src/fixed-seeds.ts";
import { runSeed } from "../src/run.ts";

describe("the simulator", () => {
  it("runs the same seed twice in exactly the same way, whatever runs in between", async () => {
    const one = await runSeed({ seed: 11, profile: "storm" });
    await runSeed({ seed: 12, profile: "storm" });
    const other = await runSeed({ seed: 11, profile: "storm" });
    expect(other).toEqual(one);
    expect(one.events).toBeGreaterThan(500);
  });

  it("runs another way with another seed, and with another profile", async () => {
    const hashes = new Set<string>();
    for (const [seed, profile] of [
      [1, "calm"],
      [2, "calm"],
      [1, "links"],
    ] as const) {
      hashes.add((await runSeed({ seed, profile })).hash);
    }
    expect(hashes.size).toBe(3);
  });

  it("finds nothing in runs without faults, in which every move commits", async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const { violations, moves, faults } = await runSeed({ seed, profile: "calm" });
      expect(violations).toEqual([]);
      expect(faults).toEqual({});
      expect(moves["relocate committed"]).toBeGreaterThan(0);
      expect(moves["relocate aborted"]).toBeUndefined();
    }
  });

  it("finds nothing in 30 seeds of its swarm", async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { violations, trace } = await runSeed({ seed, profile: "swarm" });
      expect({ seed, violations, trace }).toEqual({ seed, violations: [], trace: [] });
    }
  });

  it.each(FIXED_SEEDS)("finds no more in seed $seed: $found", async ({ seed, profile }) => {
    const { violations } = await runSeed({ seed, profile });
    expect(violations).toEqual([]);
  });
});
