import { actorAuthorityKey } from "@rehome/wire";
import type { Report } from "./check/violation.ts";
import { DEADLINES } from "./profile.ts";
import { ACTOR_TYPE } from "./workload/actor.ts";
import type { OpenCalls } from "./workload/clients.ts";
import type { Cluster } from "./world/cluster.ts";
import type { SimStore } from "./world/store.ts";
import type { VirtualTime } from "./world/virtual-time.ts";

/** A message that was lost with a node that died leaves a gap, behind which a probe waits for the follow period (N4). */
const ANSWER_MS = DEADLINES.followMs + DEADLINES.requestMs;
const PROBE_MS = ANSWER_MS + DEADLINES.createMs;

export interface ProbeParts {
  readonly time: VirtualTime;
  readonly cluster: Cluster;
  readonly store: SimStore;
  readonly calls: OpenCalls;
  readonly actorIds: readonly string[];
  readonly report: Report;
  readonly stop: () => boolean;
}

/** When all has settled: every actor answers, and no call is open. Gives the life that each actor has. */
export async function probe({ time, cluster, store, calls, actorIds, report, stop }: ProbeParts) {
  const lives = new Map<string, number>();
  const run = cluster.serving("gateways")[0];
  if (!run) {
    report("settled", "no gateway serves at the end");
    return lives;
  }
  const { ledger } = cluster;
  const answers = new Map<string, unknown>();
  for (const actorId of actorIds) {
    if (store.tables.object(actorAuthorityKey(actorId)) === undefined) continue;
    const message = ledger.sent("request", `probe of ${run.name}`, actorId);
    answers.set(actorId, "no answer");
    run.node
      .getOrCreate(ACTOR_TYPE, actorId)
      .then(() => run.node.request(ACTOR_TYPE, actorId, `ask#${message.id}`, {}, { timeoutMs: ANSWER_MS }))
      .then(
        (value) => {
          ledger.answered(message, value);
          answers.delete(actorId);
        },
        (error: unknown) => {
          answers.set(actorId, error);
          ledger.toldUnknown(message, String(error));
        },
      );
  }
  await time.runUntil(time.nowMs + PROBE_MS, stop);
  for (const [actorId, error] of answers) {
    const text = `${actorId} (${whereabouts(cluster, actorId)}) does not answer at the end: ${String(error)}`;
    report("settled", text, [actorId]);
  }
  for (const call of calls.list()) report("settled", `a call never ends: ${call}`, call.split(" "));
  // The life that answered the probe is the last one that had a turn.
  for (const { life, actorId, turns } of ledger.lives) if (turns > 0) lives.set(actorId, life);
  return lives;
}

function whereabouts(cluster: Cluster, actorId: string): string {
  const found = cluster.serving("nodes").flatMap((run) => {
    const actor = run.node.actors().find((each) => each.actorId === actorId);
    return actor ? [`${actor.phase} at ${run.name}`] : [];
  });
  return found.join(" and ") || "at no node";
}
