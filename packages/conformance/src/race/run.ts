import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContenderOptions } from "./contender.ts";
import { readJournal } from "./journal.ts";
import type { JournalLine } from "./journal.ts";

export interface RaceOptions {
  /** A program that opens the store and calls `runContender`, and its own arguments; contenders run it with one more. */
  readonly program: { readonly command: string; readonly arguments: readonly string[] };
  readonly seed: number;
  /** Called when all contenders have opened the store and before the first begins. */
  readonly beforeStart?: () => Promise<void>;
}

export interface RaceResult {
  readonly lines: readonly JournalLine[];
  readonly kills: number;
  readonly pauses: number;
}

export const CONTENDERS = 8;
export const ACTORS = 20;
/** So that a pause outlasts it. */
const LEASE_MS = 400;
const RESERVATION_MS = 300;
/** Less than a node could get hold of, so that some commits find no room. */
const CAPACITY = 6;

const RACE_MS = 12_000;
const SHORTEST_CALM_MS = 100;
const LONGEST_CALM_MS = 350;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1100;
/** Longer than leases and reservations of those that were killed. */
const LAST_CALM_MS = 1000;
const START_TIMEOUT_MS = 30_000;
const END_TIMEOUT_MS = 20_000;

/**
 * {@link CONTENDERS} processes contend for {@link ACTORS} actors; now and then one is stopped (SIGSTOP) for about as long as a lease,
 * or killed (SIGKILL) and started anew. Gives what all of them were told. The same seed chooses the same faults and, in
 * each process, the same operations, as far as time allows.
 */
export async function runRace(options: RaceOptions): Promise<RaceResult> {
  const directory = mkdtempSync(join(tmpdir(), "rehome-race-"));
  const race = new Race(options, directory);
  try {
    return await race.run();
  } finally {
    race.killAll();
    rmSync(directory, { recursive: true, force: true });
  }
}

class Race {
  readonly #options: RaceOptions;
  readonly #directory: string;
  readonly #journals: string[] = [];
  readonly #running: Contender[] = [];
  #state: number;

  constructor(options: RaceOptions, directory: string) {
    this.#options = options;
    this.#directory = directory;
    this.#state = options.seed >>> 0;
  }

  async run(): Promise<RaceResult> {
    for (let index = 0; index < CONTENDERS; index++) this.#running.push(this.#start(`n${index}`));
    await Promise.all(this.#running.map((contender) => contender.ready()));
    await this.#options.beforeStart?.();
    for (const contender of this.#running) contender.begin();
    const faults = await this.#disturb();
    await pause(LAST_CALM_MS);
    await Promise.all(this.#running.map((contender) => contender.end()));
    return { ...faults, lines: this.#journals.flatMap(readJournal) };
  }

  killAll(): void {
    for (const contender of this.#running) contender.kill();
  }

  async #disturb(): Promise<{ kills: number; pauses: number }> {
    const faults = { kills: 0, pauses: 0 };
    const endsAtMs = performance.now() + RACE_MS;
    while (performance.now() < endsAtMs) {
      await pause(this.#between(SHORTEST_CALM_MS, LONGEST_CALM_MS));
      const index = this.#dice(CONTENDERS);
      const victim = this.#running[index]!;
      if (!victim.isReady) continue;
      if (this.#dice(3) === 0) {
        victim.kill();
        await victim.exited;
        const heir = this.#start(victim.name);
        this.#running[index] = heir;
        heir.begin();
        faults.kills += 1;
      } else if (victim.pauseFor(this.#between(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS))) {
        faults.pauses += 1;
      }
    }
    await Promise.all(this.#running.map((contender) => Promise.all([contender.awake(), contender.ready()])));
    return faults;
  }

  #start(name: string): Contender {
    const journal = join(this.#directory, `${this.#journals.length}.jsonl`);
    this.#journals.push(journal);
    writeFileSync(journal, "");
    const seed = this.#options.seed * 1000 + this.#journals.length;
    const settings = { actors: ACTORS, leaseMs: LEASE_MS, reservationMs: RESERVATION_MS, capacity: CAPACITY };
    return new Contender(this.#options.program, { name, seed, journal, ...settings });
  }

  /** 0 to `below` − 1; the same sequence for the same seed. */
  #dice(below: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * below);
  }

  #between(least: number, most: number): number {
    return least + this.#dice(most - least + 1);
  }
}

class Contender {
  readonly name: string;
  /** The signal that ended it, or its exit code. */
  readonly exited: Promise<string>;
  readonly #process: ChildProcess;
  isReady = false;
  #sleep: Promise<void> | undefined;

  constructor(program: RaceOptions["program"], options: ContenderOptions) {
    this.name = options.name;
    this.#process = spawn(program.command, [...program.arguments, JSON.stringify(options)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#process.stdin!.on("error", () => undefined); // it was killed
    this.#process.stdout!.on("data", (bytes: Buffer) => (this.isReady ||= bytes.includes("ready")));
    this.exited = new Promise((resolve) =>
      this.#process.on("close", (code, signal) => resolve(signal ?? String(code))),
    );
  }

  /** Settles when it has opened the store, or was killed before. */
  async ready(): Promise<void> {
    const endsAtMs = performance.now() + START_TIMEOUT_MS;
    while (!this.isReady && this.#process.signalCode === null) {
      if (this.#process.exitCode !== null)
        throw new Error(`Contender ${this.name} ended with code ${this.#process.exitCode}.`);
      if (performance.now() > endsAtMs)
        throw new Error(`Contender ${this.name} did not start in ${START_TIMEOUT_MS} ms.`);
      await pause(5);
    }
  }

  begin(): void {
    this.#process.stdin!.write("go\n");
  }

  kill(): void {
    this.#process.kill("SIGKILL");
  }

  /** False if it is asleep already. */
  pauseFor(durationMs: number): boolean {
    if (this.#sleep !== undefined) return false;
    this.#process.kill("SIGSTOP");
    this.#sleep = pause(durationMs).then(() => {
      this.#process.kill("SIGCONT");
      this.#sleep = undefined;
    });
    return true;
  }

  async awake(): Promise<void> {
    await this.#sleep;
  }

  /** Ends it by its own will. */
  async end(): Promise<void> {
    this.#process.stdin!.end();
    const late = pause(END_TIMEOUT_MS).then(() => `nothing within ${END_TIMEOUT_MS} ms`);
    const how = await Promise.race([this.exited, late]);
    if (how !== "0") throw new Error(`Contender ${this.name} should have ended by itself, but ended with ${how}.`);
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
