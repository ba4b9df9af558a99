import { isGreen, type Judgement } from "./judge.ts";
import type { Pauses } from "./pauses.ts";

/** Everything that the end of a run has to say. */
export interface Verdict {
  readonly judgement: Judgement;
  readonly moves: number;
  /** Moves that came to nothing, by reason. */
  readonly undone: ReadonlyMap<string, number>;
  /** Orders that were refused or failed, by reason. */
  readonly troubles: ReadonlyMap<string, number>;
  /** Orders of which nothing was ever heard. */
  readonly givenUp: number;
  readonly pauses: Pick<Pauses, "pauseMs" | "steps">;
  /** How long the clients sent. */
  readonly seconds: number;
  readonly seed: number;
  /** Why the run is failed whatever the numbers say, or `undefined`. */
  readonly failure: string | undefined;
  /** Whether a signal ended the run. */
  readonly stopped: boolean;
  /** What could not be judged, and why. */
  readonly unjudged: string | undefined;
}

export function passed(verdict: Verdict): boolean {
  return verdict.failure === undefined && verdict.unjudged === undefined && isGreen(verdict.judgement, verdict.moves);
}

/** For `--json`. */
export function verdictJson(verdict: Verdict): object {
  const { sent, received, lost, duplicated, reordered, disconnects } = verdict.judgement;
  const { p50, p99, max } = verdict.pauses.pauseMs;
  return {
    moves: verdict.moves,
    sent,
    received,
    lost,
    duplicated,
    reordered,
    disconnects,
    pauseMs: { p50: rounded(p50), p99: rounded(p99), max: rounded(max) },
    seconds: Math.round(verdict.seconds * 10) / 10,
  };
}

/** Nothing to judge, and nobody's fault: somebody stopped the run first. */
function stoppedBeforeAnything({ judgement, moves, failure, unjudged, stopped }: Verdict): boolean {
  const { sent, disconnects, findings } = judgement;
  const untouched = sent === 0 && moves === 0 && disconnects === 0 && findings.length === 0;
  return stopped && untouched && failure === undefined && unjudged === undefined;
}

/** For people. */
export function verdictText(verdict: Verdict): string {
  if (stoppedBeforeAnything(verdict)) return "\nstopped before anything ran";
  const { judgement } = verdict;
  const { p50, p99, max } = verdict.pauses.pauseMs;
  const lines = [
    "",
    passed(verdict) ? "PASSED" : `FAILED${verdict.failure === undefined ? "" : `: ${verdict.failure}`}`,
    row("moves", `${count(verdict.moves)} in ${verdict.seconds.toFixed(1)} s`),
    row("messages", `${count(judgement.sent)} sent, ${count(judgement.received)} run`),
    row("answers, pushes", `${count(judgement.answers)}, ${count(judgement.pushes)}`),
    row("lost", count(judgement.lost)),
    row("run twice", count(judgement.duplicated)),
    row("out of order", count(judgement.reordered)),
    row("connections lost", count(judgement.disconnects)),
    row("pause", `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, max ${max.toFixed(2)} ms`),
  ];
  const { steps } = verdict.pauses;
  if (steps.length > 0) {
    lines.push(
      row("reached after", `${steps.map((step) => `${step.name} ${step.p50.toFixed(2)}`).join(", ")} ms (p50)`),
    );
  }
  if (judgement.refused > 0) lines.push(row("refused", `${count(judgement.refused)}, and their senders were told`));
  if (verdict.undone.size > 0) lines.push(row("moves undone", listed(verdict.undone)));
  if (verdict.troubles.size > 0) lines.push(row("orders refused", listed(verdict.troubles)));
  if (verdict.givenUp > 0) lines.push(row("orders lost", count(verdict.givenUp)));
  lines.push(row("seed", String(verdict.seed)));
  if (verdict.unjudged !== undefined) lines.push(`  ${verdict.unjudged}`);
  if (verdict.moves === 0) lines.push("  nothing moved, so nothing is proven");
  lines.push(...judgement.findings.map((finding) => `  - ${finding}`));
  return lines.join("\n");
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(18)}${value}`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

function listed(reasons: ReadonlyMap<string, number>): string {
  return Array.from(reasons, ([reason, times]) => `${times} × ${reason}`).join("; ");
}

function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
