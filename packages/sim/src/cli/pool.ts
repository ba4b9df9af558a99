import { fork, type ChildProcess } from "node:child_process";
import type { ProfileName } from "../profile.ts";
import { runSeed, type RunResult } from "../run.ts";

/** Seeds that a worker gets at a time: few enough that both end together. */
const BATCH = 8;
/** Enough to see where an unexpected error is from; errors that are expected are many, and their stacks cost. */
const STACK_FRAMES = 3;
export const WORKER_FLAG = "--worker";

/** What a worker is told: run these. */
interface Order {
  readonly seeds: readonly number[];
  readonly profile: ProfileName;
}

export interface PoolOptions {
  /** The bundle that the workers run. */
  readonly script: string;
  readonly from: number;
  readonly seeds: number;
  readonly profile: ProfileName;
  readonly workers: number;
  /** Called per seed, in no particular order. True ends the pool. */
  readonly onResult: (result: RunResult) => boolean;
}

/** Runs seeds in worker processes. A worker that dies is a violation of the seed that it ran. */
export async function runPool(options: PoolOptions): Promise<void> {
  const { from, seeds, workers } = options;
  const end = from + seeds;
  let next = from;
  let isOver = false;
  const take = (): number[] => {
    if (isOver) return [];
    const batch = Array.from({ length: Math.min(BATCH, end - next) }, (_, at) => next + at);
    next += batch.length;
    return batch;
  };
  const onResult = (result: RunResult): void => {
    if (!isOver && options.onResult(result)) isOver = true;
  };
  const count = Math.min(workers, Math.ceil(seeds / BATCH));
  await Promise.all(Array.from({ length: count }, () => work({ ...options, take, onResult, isOver: () => isOver })));
}

interface Share extends Omit<PoolOptions, "onResult"> {
  readonly take: () => number[];
  readonly onResult: (result: RunResult) => void;
  readonly isOver: () => boolean;
}

/** One worker after another, until there is nothing to do. */
async function work(share: Share): Promise<void> {
  for (let batch = share.take(); batch.length > 0; batch = share.take()) await serve(share, batch);
}

/** Runs a worker for as long as there are batches, or until it dies. */
function serve({ script, profile, take, onResult, isOver }: Share, first: number[]): Promise<void> {
  return new Promise((resolve) => {
    const child: ChildProcess = fork(script, [WORKER_FLAG]);
    let open = first;
    const give = (seeds: readonly number[]): void => void child.send({ seeds, profile } satisfies Order);
    child.on("message", (result: RunResult) => {
      onResult(result);
      open = open.filter((seed) => seed !== result.seed);
      if (isOver()) {
        child.kill();
        return;
      }
      if (open.length > 0) return;
      open = take();
      if (open.length > 0) give(open);
      else child.disconnect();
    });
    child.on("exit", (code, signal) => {
      const [seed] = open;
      if (seed !== undefined && !isOver()) onResult(deadWorker(seed, `its worker died (${signal ?? code})`));
      resolve();
    });
    give(open);
  });
}

function deadWorker(seed: number, text: string): RunResult {
  const violation = { rule: "internal", text, about: [], atMs: 0 } as const;
  return {
    seed,
    hash: "",
    events: 0,
    virtualMs: 0,
    messages: 0,
    turns: 0,
    moves: {},
    recreated: {},
    faults: {},
    silent: 0,
    violations: [violation],
    trace: [],
  };
}

/** The other side: runs what it is told, one seed after another. */
export function runWorker(): void {
  Error.stackTraceLimit = STACK_FRAMES;
  process.on("message", (order: Order) => void runAll(order));
}

async function runAll({ seeds, profile }: Order): Promise<void> {
  for (const seed of seeds) {
    const result = await runSeed({ seed, profile });
    if (!process.connected) return;
    process.send!(result);
  }
}
