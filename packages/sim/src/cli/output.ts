import type { Catch } from "./sabotages.ts";
import type { Failure, Totals } from "./totals.ts";

/** Failures that are printed with their trace; the others only with a line. */
const PRINTED_TRACES = 2;
const PRINTED_FAILURES = 20;

export function totalsText(totals: Totals, seconds: number): string {
  const lines = [
    `${totals.seeds} seeds in ${seconds.toFixed(1)} s: ${totals.allMoves} moves, ${totals.messages} messages, ` +
      `${totals.turns} turns, ${totals.events} events, ${(totals.virtualMs / 1_000).toFixed(0)} s of virtual time`,
    `moves:  ${countsText(totals.moves)}`,
    `made again after a loss: ${countsText(totals.recreated)}`,
    `faults: ${countsText(totals.faults)}`,
    `lost with a node that had accepted them: ${totals.silent} one-way messages`,
    `seeds in which a rule was broken: ${totals.failures.length}`,
  ];
  return [...lines, ...failuresText(totals.failures)].join("\n");
}

export function failuresText(failures: readonly Failure[]): string[] {
  return failures
    .slice(0, PRINTED_FAILURES)
    .flatMap(({ seed, violations, trace }, at) => [
      "",
      ...violations.map(({ rule, text, atMs }) => `seed ${seed}, ${rule}, at ${atMs.toFixed(3)} ms: ${text}`),
      ...(at < PRINTED_TRACES ? [`again, with everything: npm run sim -- --seed ${seed} --trace`, ...trace] : []),
    ]);
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([, one], [, other]) => other - one);
  return entries.map(([name, count]) => `${name} ${count}`).join(", ") || "none";
}

export function totalsJson(totals: Totals, seconds: number): Record<string, unknown> {
  const { seeds, messages, turns, events, virtualMs, silent, moves, recreated, faults, allMoves } = totals;
  return {
    seeds,
    seconds: Math.round(seconds * 10) / 10,
    moves: { all: allMoves, ...moves },
    recreated,
    faults,
    messages,
    turns,
    events,
    virtualMs: Math.round(virtualMs),
    silent,
    violations: totals.failures.flatMap(({ seed, violations }) =>
      violations.map(({ rule, text, atMs }) => ({ seed, rule, atMs, text })),
    ),
  };
}

export function catchesText(catches: readonly Catch[]): string {
  return catches
    .map(({ name, rule, seed, seeds, seconds, found }) => {
      const head = `${name.padEnd(28)} ${rule.padEnd(30)} ${seconds.toFixed(1).padStart(5)} s `;
      if (seed === undefined || !found) return `${head} NOT FOUND in ${seeds} seeds`;
      return `${head} ${String(seeds).padStart(4)} seeds; seed ${seed}, ${found.rule}: ${found.text.slice(0, 140)}`;
    })
    .join("\n");
}
