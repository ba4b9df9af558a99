/** What is said of a series of samples. */
export interface Summary {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly median: number;
  /** The first and third quartile: half of the samples lie between them. */
  readonly p25: number;
  readonly p75: number;
}

/** The value below which `share` (0 to 1) of the samples lie, between two of them in proportion. `sorted` ascends. */
export function quantile(sorted: readonly number[], share: number): number {
  if (sorted.length === 0) throw new RangeError("there are no samples");
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}

export function summarize(samples: readonly number[]): Summary {
  const sorted = [...samples].sort((a, b) => a - b);
  return {
    count: sorted.length,
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
    median: quantile(sorted, 0.5),
    p25: quantile(sorted, 0.25),
    p75: quantile(sorted, 0.75),
  };
}

/**
 * How many times as long `other` took as `own`, round by round: what slows the machine down for a while slows both down in
 * the same round, and drops out. Both have one sample for each round.
 */
export function pairedRatios(own: readonly number[], other: readonly number[]): Summary {
  if (own.length !== other.length) throw new RangeError(`${own.length} samples cannot be paired with ${other.length}`);
  return summarize(other.map((time, round) => time / own[round]!));
}
