/** One run of the fuzzer: so many cases from one seed, and what came of them. */
import type { CommandName, OperationKind } from "@rehome/wire";
import { judgeDurable, judgeForms, judgeKey, judgePart, judgeRecord, judgeValue, type Verdict } from "./judge.ts";
import { mutateBytes, mutateFrames } from "./mutate.ts";
import { Pace } from "./pace.ts";
import { SeededRandom } from "./random.ts";
import type { RecordSeed, Seeds } from "./seeds.ts";
import { mutateValue } from "./values.ts";

/** One case in so many is also shown as JSON and traced; is a value; is a part of a record, an envelope or a key; is large. */
const everyForm = 16;
const everyValue = 16;
const everyPart = 16;
const everyLarge = 4000;
/** The heap may be this much larger at the end than after the first tenth. What leaks a byte a case leaks more. */
const maxGrowthBytes = 8 * 1024 * 1024;
const maxFindings = 20;

export interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  readonly seeds: Seeds;
  readonly nowMs: () => number;
  /** Collects garbage, then says how much is in use. Left out: growth is not looked at. */
  readonly bytesInUse?: () => number;
}

export interface FuzzReport {
  readonly verdicts: ReadonlyMap<Verdict, number>;
  /** Of mutated records, how many of each command were accepted and refused. */
  readonly commands: ReadonlyMap<CommandName, { accepted: number; refused: number }>;
  /** What must never happen, with what it takes to see it again. */
  readonly findings: readonly string[];
  readonly growthBytes: number;
  readonly usualNanosecondsPerByte: number;
}

interface Case {
  readonly frames: readonly Uint8Array[];
  readonly operation: OperationKind | undefined;
}

export function fuzz({ count, seed, seeds, nowMs, bytesInUse = () => 0 }: FuzzOptions): FuzzReport {
  const random = new SeededRandom(seed);
  const pace = new Pace<Case>(nowMs);
  const tally = new Tally([...seeds.records.keys()]);
  const names = [...seeds.records.keys()];
  let usedBefore = 0;
  for (let index = 0; index < count; index++) {
    if (index === Math.floor(count / 10)) usedBefore = bytesInUse();
    const base = pick(seeds, names, random, index);
    const frames = mutateFrames(base.frames, random.of(seeds.records.get(random.of(names))!).frames, random);
    tally.guard(`case ${index} of seed ${seed}: ${base.id}`, frames, () => {
      const began = nowMs();
      const verdict = judgeRecord(frames, base.operation);
      const tookMs = nowMs() - began;
      pace.note({ frames, operation: base.operation }, lengthOf(frames), tookMs);
      tally.count(base.command, verdict);
      if (index % everyForm === 0) judgeForms(frames, base.operation, verdict);
      if (index % everyValue === 1) judgeValue(mutateValue(base.value, random));
      if (index % everyPart === 2) judgeOthers(seeds, frames, random);
    });
    if (tally.findings.length >= maxFindings) break;
  }
  const growthBytes = bytesInUse() - usedBefore;
  if (growthBytes > maxGrowthBytes) tally.find(`the heap grew by ${growthBytes} bytes`);
  for (const { item, factor } of pace.slowCases(({ frames, operation }) => judgeRecord(frames, operation))) {
    tally.find(`slow, ${factor.toFixed(0)} times what is usual for its length`, item.frames);
  }
  const usualNanosecondsPerByte = pace.usualMs * 1e6;
  return { ...tally.report(), growthBytes, usualNanosecondsPerByte };
}

function pick(seeds: Seeds, names: readonly CommandName[], random: SeededRandom, index: number): RecordSeed {
  if (index % everyLarge === everyLarge - 1) return random.of(seeds.large);
  return random.of(seeds.records.get(random.of(names))!);
}

function judgeOthers(seeds: Seeds, frames: readonly Uint8Array[], random: SeededRandom): void {
  const last = frames.at(-1) ?? new Uint8Array(0);
  judgePart(last);
  const envelope = random.of(seeds.durables);
  judgeDurable(mutateBytes(envelope, last, random));
  const key = Uint8Array.from(random.of(seeds.keys), (character) => character.charCodeAt(0));
  judgeKey(String.fromCharCode(...mutateBytes(key, key, random)));
}

function lengthOf(frames: readonly Uint8Array[]): number {
  return frames.reduce((sum, { length }) => sum + length, 0);
}

/** Counts verdicts, and collects what must not happen. */
class Tally {
  readonly findings: string[] = [];
  readonly #verdicts = new Map<Verdict, number>();
  readonly #commands: Map<CommandName, { accepted: number; refused: number }>;

  constructor(names: readonly CommandName[]) {
    this.#commands = new Map(names.map((name) => [name, { accepted: 0, refused: 0 }]));
  }

  count(command: CommandName, verdict: Verdict): void {
    this.#verdicts.set(verdict, (this.#verdicts.get(verdict) ?? 0) + 1);
    this.#commands.get(command)![verdict === "accepted" ? "accepted" : "refused"]++;
  }

  /** Runs `judge`; whatever it throws is a finding. */
  guard(where: string, frames: readonly Uint8Array[], judge: () => void): void {
    try {
      judge();
    } catch (error) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.find(`${where}: ${what}`, frames);
    }
  }

  find(what: string, frames?: readonly Uint8Array[]): void {
    const maxShownBytes = 4096;
    const hex = frames?.map((frame) => Buffer.from(frame.subarray(0, maxShownBytes)).toString("hex")).join(" ");
    this.findings.push(hex === undefined ? what : `${what}\n  ${hex}`);
  }

  report(): Pick<FuzzReport, "verdicts" | "commands" | "findings"> {
    return { verdicts: this.#verdicts, commands: this.#commands, findings: this.findings };
  }
}
