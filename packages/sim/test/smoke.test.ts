import { describe, expect, it } from "vitest";
import { runSeed } from "../src/run.ts";

describe("the simulator", () => {
  it("runs the same seed twice in exactly the same way", async () => {
    const [one, other] = [await runSeed({ seed: 11, profile: "storm" }), await runSeed({ seed: 11, profile: "storm" })];
    expect(other).toEqual(one);
    expect(one.events).toBeGreaterThan(500);
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
});
