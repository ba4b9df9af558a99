/** What the progress line shows. */
export interface Progress {
  /** `undefined` when the run has no end of its own. */
  readonly secondsLeft: number | undefined;
  readonly seconds: number;
  readonly moves: number;
  readonly sent: number;
  /** Messages that actors have run, by the nodes' last reports. */
  readonly run: number;
  /** Faults that the clients have noticed by themselves; the verdict knows more. */
  readonly faults: number;
  readonly pauseMs: { readonly p50: number; readonly p99: number; readonly max: number };
}

/** One line, short enough for most terminals. */
export function progressText(progress: Progress): string {
  const { secondsLeft, seconds, moves, sent, run, faults, pauseMs } = progress;
  const time = secondsLeft === undefined ? `${seconds.toFixed(0)} s` : `${secondsLeft.toFixed(0)} s left`;
  const pause = `${pauseMs.p50.toFixed(1)}/${pauseMs.p99.toFixed(1)}/${pauseMs.max.toFixed(1)} ms`;
  const parts = [time, `moves ${moves}`, `sent ${sent}`, `run ${run}`, `pause p50/p99/max ${pause}`];
  if (faults > 0) parts.push(`faults ${faults}`);
  return parts.join("  ");
}
