import type { ActorInfo, NodeCounts, SpotInfo } from "@rehome/runtime";
import type { Report } from "./violation.ts";

/** Its lease is renewed, and ends. */
const PERIODIC_TIMERS = 2;
/** What must be 0 in a node that nobody has asked anything for a while. */
const NOTHING: readonly (keyof NodeCounts)[] = [
  "queuedMessages",
  "earlyMessages",
  "heldMessages",
  "outboundMoves",
  "inboundMoves",
  "follows",
  "followingMessages",
  "openRequests",
  "seals",
  "sealedBytes",
];

/**
 * A node at rest holds nothing and waits for nothing (I8). `watched`: nodes that it may have lost a link to; it looks after
 * each now and then until it is back.
 */
export function checkAtRest(name: string, counts: NodeCounts, watched: number, report: Report): void {
  for (const what of NOTHING) {
    if (counts[what] !== 0) report("settled", `${name} is at rest with ${what} ${counts[what]}`, [name]);
  }
  const most = PERIODIC_TIMERS + watched;
  if (counts.timers > most)
    report("settled", `${name} is at rest with ${counts.timers} timers, ${most} at most`, [name]);
}

/** Units that are moving: a spot counts once, whatever is in it. */
export function movingUnits(actors: readonly ActorInfo[], spots: readonly SpotInfo[], counts: NodeCounts): number {
  const moving = new Set(spots.filter(({ phase }) => phase === "moving").map(({ spotId }) => spotId));
  const alone = actors.filter(
    ({ phase, spotId }) => phase === "moving" && !(spotId !== undefined && moving.has(spotId)),
  );
  // While a spot waits to move, its members may be moves of their own.
  return Math.max(alone.length + moving.size, counts.outboundMoves);
}

/** I8: the holds of all that moves here together are within the limit of each. */
export function checkHolds(
  name: string,
  counts: NodeCounts,
  moving: number,
  holdMessages: number,
  report: Report,
): void {
  const most = moving * holdMessages;
  if (counts.heldMessages <= most) return;
  report("I8", `${name} holds ${counts.heldMessages} messages in ${moving} moves; ${most} may be held`, [name]);
}
