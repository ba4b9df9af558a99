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
