import type { Host } from "../host.ts";
import { arrivingAt } from "./units.ts";

/** Pauses between two looks at whether a node that ends has finished. */
const LOOK_MS = 10;

/** D5: nothing that was accepted here is still to be done: no turn, no message, no move, no answer. */
function isQuiet(host: Host): boolean {
  const { actors, mover, outbox, requests, relays } = host;
  return (
    actors.all().every((activation) => !activation.busy) &&
    mover.departures.running().length === 0 &&
    arrivingAt(host).length === 0 &&
    mover.follows.counts.followingMessages === 0 &&
    outbox.waitingCount === 0 &&
    requests.openCount === 0 &&
    relays.waiting === 0
  );
}

/** Waits until the node is quiet, or `deadlineMs` (a moment on its clock) has come. Tells which. */
export async function untilQuiet(host: Host, deadlineMs: number): Promise<boolean> {
  for (;;) {
    if (isQuiet(host)) return true;
    if (host.stopped() || host.config.clock.nowMs() >= deadlineMs) return false;
    await host.directory.pause(LOOK_MS);
  }
}
