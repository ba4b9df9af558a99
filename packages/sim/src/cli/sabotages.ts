import { rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@rehome/system";
import { bundleConfig } from "../bundle/config.ts";
import type { ProfileName } from "../profile.ts";
import { sabotaged } from "../sabotage/apply.ts";
import type { Sabotage } from "../sabotage/types.ts";
import type { Violation } from "../check/violation.ts";
import { runPool } from "./pool.ts";

/** How a sabotage was found, or that it was not. */
export interface Catch {
  readonly name: string;
  readonly rule: string;
  readonly seed: number | undefined;
  /** Seeds that had run by then. */
  readonly seeds: number;
  readonly seconds: number;
  readonly found: Pick<Violation, "rule" | "text"> | undefined;
}

export interface CatchOptions {
  readonly root: string;
  readonly folder: string;
  readonly from: number;
  readonly seeds: number;
  readonly profile: ProfileName;
  readonly workers: number;
  readonly sabotages: readonly Sabotage[];
  readonly onCatch: (found: Catch) => void;
}

/** Runs seeds with each bug in turn, until one breaks a rule. */
export async function catchAll(options: CatchOptions): Promise<Catch[]> {
  const catches: Catch[] = [];
  for (const sabotage of options.sabotages) {
    const found = await catchOne(options, sabotage);
    options.onCatch(found);
    catches.push(found);
  }
  return catches;
}

async function catchOne(options: CatchOptions, sabotage: Sabotage): Promise<Catch> {
  const { root, folder, from, seeds, profile, workers } = options;
  const { name, rule } = sabotage;
  const beganMs = systemClock.nowMs();
  const outDir = join(folder, name);
  // Only who asks for a sabotage pays for the bundler.
  const { build } = await import("vite");
  await build(bundleConfig(root, outDir, [sabotaged(sabotage)]));
  let ran = 0;
  let seed: number | undefined;
  let found: Catch["found"];
  await runPool({
    script: join(outDir, "main.js"),
    ...{ from, seeds, profile, workers },
    onResult: (result) => {
      ran += 1;
      const [first] = result.violations;
      if (!first) return false;
      seed = result.seed;
      found = { rule: first.rule, text: first.text };
      return true;
    },
  });
  rmSync(outDir, { recursive: true, force: true });
  return { name, rule, seed, seeds: ran, seconds: (systemClock.nowMs() - beganMs) / 1_000, found };
}
