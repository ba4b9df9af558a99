import type { StreamOrderView } from "./order.ts";

/** What must hold of an actor's stream order after every step. Answers with what does not; empty when all is well. */
export function brokenStreamOrderInvariants(view: StreamOrderView): readonly string[] {
  const violations: string[] = [];
  let waiting = 0;
  let activeAtMs = Number.NEGATIVE_INFINITY;
  for (const stream of view.streams) {
    waiting += stream.waiting.length;
    const first = stream.waiting[0];
    // What could run is never kept back (N4).
    if (first !== undefined && first <= stream.lastQueued + 1n) violations.push(`O1: ${stream.stream} keeps ${first}`);
    if (stream.lastRun > stream.lastQueued) violations.push(`O2: ${stream.stream} ran what was not queued`);
    if (stream.activeAtMs < activeAtMs) violations.push(`O3: ${stream.stream} is not in order of activity`);
    activeAtMs = stream.activeAtMs;
    if (stream.skipped.length > view.limits.maxSkippedRanges) violations.push(`O4: ${stream.stream} (I8)`);
  }
  if (waiting !== view.waiting) violations.push(`O5: ${view.waiting} waiting counted, ${waiting} there`);
  if (view.waitingBytes < 0) violations.push("O5: fewer than no bytes wait");
  return violations;
}
