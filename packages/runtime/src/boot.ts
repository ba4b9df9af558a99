import type { AcquireAnswer } from "@rehome/core";
import type { NodeOptions } from "./api.ts";
import type { NodeConfig } from "./config.ts";
import { RuntimeError } from "./errors.ts";
import { assertMethods } from "./options.ts";
import { id128Text, randomId128 } from "./ids.ts";

/** What every node needs, as far as can be told before it is used. Throws `invalidArgument`. */
export function assertParts({ transport, store }: NodeOptions): void {
  assertMethods("transport", transport, ["listen", "send", "close"]);
  assertMethods("store", store, ["acquire", "read", "commit"]);
}

/** The definitions by their types; throws `invalidArgument` for a type that is given twice, or not defined as of this kind. */
export function byType<K extends "actor" | "spot", D extends { readonly type: string }>(
  kind: K,
  types: readonly { readonly kind: K; readonly definition: D }[],
): ReadonlyMap<string, D> {
  const map = new Map<string, D>();
  for (const each of types) {
    if ((each as Partial<typeof each> | undefined)?.kind !== kind) {
      const define = kind === "actor" ? "defineActor" : "defineSpot";
      throw new RuntimeError("invalidArgument", `${kind}s must be a list of what ${define} gives`);
    }
    const { definition } = each;
    if (map.has(definition.type)) throw new RuntimeError("invalidArgument", `type "${definition.type}" is given twice`);
    map.set(definition.type, definition);
  }
  return map;
}

/**
 * Says that an earlier run of this node had a lease that stood when this one began. A process that crashed a moment ago leaves
 * one; but it may also be one that runs, and ends as this node's place is taken.
 */
export async function findEarlierRun(
  { meshName, rid }: NodeConfig,
  { store }: NodeOptions,
): Promise<bigint | undefined> {
  const answer = await store.nodes(meshName);
  if (answer.outcome !== "listed") return undefined;
  const earlier = answer.nodes.find(({ descriptor }) => descriptor.owner.nodeRid === rid);
  return earlier?.descriptor.owner.nodeGeneration;
}

export function reportEarlierRun({ name, log, observe }: NodeConfig, nodeGeneration: bigint): void {
  const message = `an earlier run of node "${name}" had not given up its lease; if that process runs, it ends now: two processes must not share a name`;
  log.write("warn", "node.tookOver", { nodeGeneration, message });
  observe({ type: "EarlierRunReplaced", nodeGeneration });
}

/** This run's lease; see `startNode` for what it rejects with. */
export async function acquireLease(
  config: NodeConfig,
  options: NodeOptions,
): Promise<Extract<AcquireAnswer, { outcome: "acquired" }>> {
  const answer = await options.store.acquire({
    meshName: config.meshName,
    nodeRid: config.rid,
    ownerId: `${config.name}/${id128Text(randomId128(config.random))}`,
    durationMs: config.deadlines.leaseMs,
  });
  if (answer.outcome === "acquired") return answer;
  if (answer.outcome === "held") {
    throw new RuntimeError(
      "operationInProgress",
      `another run holds this node's lease for ${answer.remainingMs} ms more`,
    );
  }
  const reason = answer.outcome === "unknown" ? answer.reason : answer.outcome;
  throw new RuntimeError("storeUnavailable", `the store gives no lease: ${reason}`);
}
