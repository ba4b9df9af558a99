/** One store on one runtime: measures and prints one JSON line. `worker.js ASSIGNMENT`. */
import { quantile, summarize } from "../statistics.ts";
import type { Summary } from "../statistics.ts";
import { openContender } from "./contenders.ts";
import type { StoreContender, StoreKind } from "./contenders.ts";
import { nowUs, twoOwners, Wanderer } from "./moves.ts";
import type { MoveTimes } from "./moves.ts";

export interface StoreAssignment {
  readonly kind: StoreKind;
  readonly url: string;
  readonly seconds: number;
  readonly stateBytes: number;
}

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

export interface StoreOutcome {
  readonly kind: StoreKind;
  readonly runtime: string;
  /** In µs, one after another. */
  readonly read: Latency;
  readonly commit: Latency;
  readonly move: Latency;
  readonly bare: Latency;
  /** How many times as long as the bare write of the same round; medians of rounds. */
  readonly commitRatio: Summary;
  readonly moveRatio: Summary;
  /** {@link LANES} at once, per second. */
  readonly movesAtOnce: number;
  readonly bareAtOnce: number;
  readonly roundTripsPerMove: number | undefined;
}

/** As many as a busy node has under way. */
export const LANES = 16;
const ACTORS = 256;
const ROUNDS = 15;
const WARM_UP_SHARE = 0.15;
const COUNTED_MOVES = 50;
/** Of a round: moves, bare writes, moves at once, bare writes at once. */
const SHARES = [0.4, 0.2, 0.25, 0.15] as const;

class Samples {
  readonly #contender: StoreContender;
  readonly #wanderers: readonly Wanderer[];
  readonly #versions: number[];
  #next = 0;

  constructor(contender: StoreContender, wanderers: readonly Wanderer[]) {
    this.#contender = contender;
    this.#wanderers = wanderers;
    this.#versions = wanderers.map(() => 1);
  }

  async moves(milliseconds: number): Promise<MoveTimes[]> {
    const times: MoveTimes[] = [];
    const endsAtUs = nowUs() + milliseconds * 1000;
    do times.push(await this.#wanderers[this.#turn()]!.move(this.#contender.store));
    while (nowUs() < endsAtUs);
    return times;
  }

  async bare(milliseconds: number): Promise<number[]> {
    const times: number[] = [];
    const endsAtUs = nowUs() + milliseconds * 1000;
    do {
      const began = nowUs();
      await this.#write(this.#turn());
      times.push(nowUs() - began);
    } while (nowUs() < endsAtUs);
    return times;
  }

  /** Operations a second, {@link LANES} at once, each lane on its own actors. */
  async atOnce(milliseconds: number, what: "moves" | "bare"): Promise<number> {
    const began = nowUs();
    const endsAtUs = began + milliseconds * 1000;
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      let count = 0;
      for (let index = lane; nowUs() < endsAtUs; index = (index + LANES) % ACTORS) {
        if (what === "bare") await this.#write(index);
        else await this.#wanderers[index]!.move(this.#contender.store);
        count += 1;
        // A store that answers at once must not keep the other lanes waiting.
        if (count % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      return count;
    });
    const counts = await Promise.all(lanes);
    return counts.reduce((sum, count) => sum + count, 0) / ((nowUs() - began) / 1e6);
  }

  #turn(): number {
    this.#next = (this.#next + 1) % ACTORS;
    return this.#next;
  }

  async #write(index: number): Promise<void> {
    const version = this.#versions[index]!;
    if (!(await this.#contender.writeRow(`row ${index}`, version, "node-a/0123456789abcdef:0123456789abcdef"))) {
      throw new Error("a bare write on the exact version was refused");
    }
    this.#versions[index] = version + 1;
  }
}

async function measure(assignment: StoreAssignment): Promise<StoreOutcome> {
  const { kind, url, seconds, stateBytes } = assignment;
  const contender = await openContender(kind, url);
  try {
    const owners = await twoOwners(contender.store);
    const wanderers: Wanderer[] = [];
    for (let index = 0; index < ACTORS; index++) {
      wanderers.push(await Wanderer.create(contender.store, owners, { id: `player:${index}`, stateBytes }));
      await contender.addRow(`row ${index}`);
    }
    const samples = new Samples(contender, wanderers);
    const roundMs = (seconds * 1000 * (1 - WARM_UP_SHARE)) / ROUNDS;
    await samples.moves((seconds * 1000 * WARM_UP_SHARE) / 2);
    await samples.bare((seconds * 1000 * WARM_UP_SHARE) / 2);
    return {
      kind,
      runtime:
        process.versions["bun"] === undefined ? `Node ${process.versions.node}` : `Bun ${process.versions["bun"]}`,
      ...(await rounds(samples, roundMs)),
      roundTripsPerMove: await countRoundTrips(contender, wanderers),
    };
  } finally {
    await contender.close();
  }
}

async function rounds(
  samples: Samples,
  roundMs: number,
): Promise<Omit<StoreOutcome, "kind" | "runtime" | "roundTripsPerMove">> {
  const moves: MoveTimes[] = [];
  const bares: number[] = [];
  const ratios: { commit: number; move: number }[] = [];
  const atOnce: { moves: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const some = await samples.moves(roundMs * SHARES[0]);
    const bare = await samples.bare(roundMs * SHARES[1]);
    atOnce.push({
      moves: await samples.atOnce(roundMs * SHARES[2], "moves"),
      bare: await samples.atOnce(roundMs * SHARES[3], "bare"),
    });
    const bareMedian = summarize(bare).median;
    ratios.push({
      commit: summarize(some.map(({ commit }) => commit)).median / bareMedian,
      move: summarize(some.map(({ move }) => move)).median / bareMedian,
    });
    moves.push(...some);
    bares.push(...bare);
  }
  return {
    read: latencyOf(moves.map(({ read }) => read)),
    commit: latencyOf(moves.map(({ commit }) => commit)),
    move: latencyOf(moves.map(({ move }) => move)),
    bare: latencyOf(bares),
    commitRatio: summarize(ratios.map(({ commit }) => commit)),
    moveRatio: summarize(ratios.map(({ move }) => move)),
    movesAtOnce: summarize(atOnce.map((rate) => rate.moves)).median,
    bareAtOnce: summarize(atOnce.map((rate) => rate.bare)).median,
  };
}

function latencyOf(times: readonly number[]): Latency {
  const sorted = [...times].sort((a, b) => a - b);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), perSecond: 1e6 / mean };
}

/** After a first move: connections and prepared statements have been made. */
async function countRoundTrips(contender: StoreContender, wanderers: readonly Wanderer[]): Promise<number | undefined> {
  const { counted } = contender;
  if (counted === undefined) return undefined;
  await wanderers[0]!.move(counted.store);
  const before = counted.roundTrips();
  for (let move = 1; move <= COUNTED_MOVES; move++) await wanderers[move]!.move(counted.store);
  return (counted.roundTrips() - before) / COUNTED_MOVES;
}

process.stdout.write(`${JSON.stringify(await measure(JSON.parse(process.argv[2]!) as StoreAssignment))}\n`);
