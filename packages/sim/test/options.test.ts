import { describe, expect, it } from "vitest";
import { parseOptions, SABOTAGE_SEEDS, UsageError } from "../src/cli/options.ts";

const parse = (...argv: string[]) => parseOptions(argv, ["one", "two"]);

describe("the options", () => {
  it("have defaults", () => {
    expect(parse()).toMatchObject({ from: 1, seeds: 200, profile: "swarm", json: false, mode: { type: "honest" } });
    expect(parse("--seed", "7", "--trace")).toMatchObject({ from: 7, seeds: 1, trace: true });
    expect(parse("--sabotage", "two")).toMatchObject({
      seeds: SABOTAGE_SEEDS,
      mode: { type: "sabotages", names: ["two"] },
    });
    expect(parse("--all-sabotages", "--seeds", "9").mode).toEqual({ type: "sabotages", names: ["one", "two"] });
  });

  it.each([
    ["--seeds", "0"],
    ["--seeds", "1.5"],
    ["--seeds", "-3"],
    ["--from", "x"],
    ["--seed", "1", "--seeds", "2"],
    ["--trace"],
    ["--profile", "nice"],
    ["--sabotage", "three"],
    ["--sabotage", "one", "--all-sabotages"],
    ["--workers", "0"],
    ["--nonsense"],
    ["stray"],
  ])("refuse %s %s", (...argv) => {
    expect(() => parse(...argv)).toThrow(UsageError);
  });
});
