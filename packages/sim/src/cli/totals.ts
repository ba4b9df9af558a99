import type { RunResult } from "../run.ts";
import type { Violation } from "../check/violation.ts";

/** A seed in which a rule was broken. */
export interface Failure {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly trace: readonly string[];
}

/** What many seeds come to. */
export class Totals {
  seeds = 0;
  messages = 0;
  turns = 0;
  events = 0;
  virtualMs = 0;
  silent = 0;
  readonly moves: Record<string, number> = {};
  readonly recreated: Record<string, number> = {};
  readonly faults: Record<string, number> = {};
  readonly failures: Failure[] = [];

  add(result: RunResult): void {
    this.seeds += 1;
    this.messages += result.messages;
    this.turns += result.turns;
    this.events += result.events;
    this.virtualMs += result.virtualMs;
    this.silent += result.silent;
    addTo(this.moves, result.moves);
    addTo(this.recreated, result.recreated);
    addTo(this.faults, result.faults);
    if (result.violations.length === 0) return;
    const { seed, violations, trace } = result;
    this.failures.push({ seed, violations, trace });
    this.failures.sort((one, other) => one.seed - other.seed);
  }

  get allMoves(): number {
    return Object.values(this.moves).reduce((sum, count) => sum + count, 0);
  }
}

function addTo(sums: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}
