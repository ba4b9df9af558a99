/** Runs contenders against each other. */
import { ContenderProcess } from "./contender-process.ts";
import { launcherOf, type RuntimeName } from "./runtimes.ts";
import { pairedRatios, summarize, type Summary } from "./statistics.ts";
import type { Plan, TimeKind } from "./task.ts";

/** The contenders for one operation on one input. The first one of `contenders` is this project's. */
export interface Comparison {
  readonly bench: string;
  readonly input: string;
  readonly operation: string;
  readonly contenders: readonly string[];
}

export interface Series {
  readonly contender: string;
  readonly bytes: number;
  readonly nsPerOperation: Summary;
  /** How many times as long as the first contender, in pairs of samples of the same round; absent for the first. */
  readonly timesAsLong?: Summary;
}

/** The outcome of one comparison on one runtime. */
export interface Outcome {
  readonly input: string;
  readonly operation: string;
  /** With its version. */
  readonly runtime: string;
  readonly runtimeName: RuntimeName;
  readonly series: readonly Series[];
}

export interface Effort extends Plan {
  readonly rounds: number;
}

/** A series needs this many samples for a median and quartiles that say something. */
const MIN_ROUNDS = 5;
/** Enough rounds; with more time, samples get longer instead. */
const AIMED_ROUNDS = 21;
const MIN_SAMPLE_MS = 2;
/** Long beside a process's waking up, short beside what else goes on in the machine. */
const MAX_SAMPLE_MS = 40;
/** Both runtimes' last compilers have done their work by then, here by a factor of two. */
const WARM_UP_MS = 400;

/** Spreads the time evenly over all series. */
export function effortFor(seconds: number, series: number, time: TimeKind): Effort {
  const each = (seconds * 1000) / series;
  const sampleMs = Math.min(MAX_SAMPLE_MS, Math.max(MIN_SAMPLE_MS, each / AIMED_ROUNDS));
  return {
    time,
    sampleMs,
    rounds: Math.max(MIN_ROUNDS, Math.round(each / sampleMs)),
    warmUpMs: Math.max(WARM_UP_MS, 2 * sampleMs),
  };
}

/**
 * Gives every contender on every runtime one sample a round, one after another, and each round begins with another of
 * them: whatever the machine is doing meanwhile meets all alike.
 */
export async function compare(
  comparison: Comparison,
  runtimes: readonly RuntimeName[],
  effort: Effort,
): Promise<Outcome[]> {
  const { contenders, ...name } = comparison;
  const entrants: { runtime: RuntimeName; contender: string; process: ContenderProcess; samples: number[] }[] = [];
  try {
    for (const runtime of runtimes) {
      for (const contender of contenders) {
        const { sampleMs, warmUpMs, time } = effort;
        const process = await ContenderProcess.start(launcherOf(runtime), {
          ...name,
          contender,
          sampleMs,
          warmUpMs,
          time,
        });
        entrants.push({ runtime, contender, process, samples: [] });
      }
    }
    for (let round = 0; round < effort.rounds; round++) {
      for (let turn = 0; turn < entrants.length; turn++) {
        const entrant = entrants[(round + turn) % entrants.length]!;
        entrant.samples.push(await entrant.process.sample());
      }
    }
  } finally {
    await Promise.all(entrants.map(({ process }) => process.close()));
  }
  return runtimes.map((runtimeName) => {
    const here = entrants.filter(({ runtime }) => runtime === runtimeName);
    const own = here[0]!;
    return {
      input: comparison.input,
      operation: comparison.operation,
      runtimeName,
      runtime: own.process.runtime,
      series: here.map(({ contender, process, samples }) => ({
        contender,
        bytes: process.bytes,
        nsPerOperation: summarize(samples),
        ...(samples === own.samples ? undefined : { timesAsLong: pairedRatios(own.samples, samples) }),
      })),
    };
  });
}
