import type {
  AuthorityReading,
  AuthorityRecord,
  AuthorityStore,
  NodeDescriptor,
  PeerAddress,
  ReadAnswer,
} from "@rehome/core";
import { actorAuthorityKey, type ActorFence, type Rid } from "@rehome/wire";
import type { NodeConfig } from "../config.ts";
import { RuntimeError } from "../errors.ts";

/** A descriptor list younger than this is used again: placement and addresses may lag by as much. */
const NODES_FRESH_MS = 500;
/** Pauses between tries when the store gives no answer. */
const STORE_RETRY_MS = 50;
/** Routes that this node remembers for its own messages; the oldest go first. */
const MAX_CACHED_ROUTES = 10_000;

export interface ListedNode {
  readonly descriptor: NodeDescriptor;
  readonly owned: number;
}

/** The full fence of an actor's owner, from the store's record. */
export function fenceOf(actorId: string, record: AuthorityRecord): ActorFence {
  return {
    actor: { actorId, objectGeneration: record.objectGeneration },
    nodeRid: record.owner.nodeRid,
    nodeGeneration: record.owner.nodeGeneration,
    authorityOwnerGeneration: record.authorityOwnerGeneration,
    ownerLeaseGeneration: record.owner.ownerLeaseGeneration,
  };
}

/** Who owns what and where nodes are, as the store says, with a cache of routes that only saves look-ups. */
export class Directory {
  readonly #config: NodeConfig;
  readonly #store: AuthorityStore;
  readonly #routes = new Map<string, ActorFence>();
  #nodes: readonly ListedNode[] = [];
  #nodesReadAtMs = Number.NEGATIVE_INFINITY;
  #nodesPending: Promise<readonly ListedNode[]> | undefined;

  constructor(config: NodeConfig, store: AuthorityStore) {
    this.#config = config;
    this.#store = store;
  }

  /** Waits as long as a retry pause. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#config.clock.after(delayMs, resolve));
  }

  /** Reads until the store answers or `timeoutMs` has passed; then rejects with `storeUnavailable`. */
  async readSettled(key: string, timeoutMs: number): Promise<AuthorityReading | undefined> {
    const deadline = this.#config.clock.nowMs() + timeoutMs;
    for (;;) {
      const answer: ReadAnswer = await this.#store.read(key);
      if (answer.outcome === "found") return answer.reading;
      if (answer.outcome === "absent") return undefined;
      if (this.#config.clock.nowMs() >= deadline) {
        throw new RuntimeError("storeUnavailable", `the store gives no answer: ${answer.reason}`);
      }
      await this.pause(STORE_RETRY_MS);
    }
  }

  /** The actor's owner from the store; rejects with `notFound` when there is none. */
  async locate(actorId: string, timeoutMs: number): Promise<{ fence: ActorFence; record: AuthorityRecord }> {
    const reading = await this.readSettled(actorAuthorityKey(actorId), timeoutMs);
    if (!reading || reading.record.state !== "active")
      throw new RuntimeError("notFound", `there is no actor "${actorId}"`);
    if (!reading.ownerLeaseLive)
      throw new RuntimeError("notConnected", `the node that owned actor "${actorId}" is gone`);
    const fence = fenceOf(actorId, reading.record);
    this.learn(fence);
    return { fence, record: reading.record };
  }

  cachedRoute(actorId: string): ActorFence | undefined {
    return this.#routes.get(actorId);
  }

  /** Keeps a route unless a newer one is known. */
  learn(fence: ActorFence): void {
    const known = this.#routes.get(fence.actor.actorId);
    if (known && known.authorityOwnerGeneration > fence.authorityOwnerGeneration) return;
    this.#routes.delete(fence.actor.actorId);
    this.#routes.set(fence.actor.actorId, fence);
    if (this.#routes.size <= MAX_CACHED_ROUTES) return;
    for (const oldest of this.#routes.keys()) {
      this.#routes.delete(oldest);
      return;
    }
  }

  /** Drops a cached route only if it is exactly this one (`protocol.md` F4). */
  drop(fence: ActorFence): void {
    const known = this.#routes.get(fence.actor.actorId);
    if (known?.authorityOwnerGeneration === fence.authorityOwnerGeneration && known.nodeRid === fence.nodeRid) {
      this.#routes.delete(fence.actor.actorId);
    }
  }

  /** Live descriptors of the mesh, at most `NODES_FRESH_MS` old; with `fresh`, read now. */
  async nodes(fresh = false): Promise<readonly ListedNode[]> {
    if (!fresh && this.#config.clock.nowMs() - this.#nodesReadAtMs < NODES_FRESH_MS) return this.#nodes;
    this.#nodesPending ??= this.#readNodes().finally(() => (this.#nodesPending = undefined));
    return this.#nodesPending;
  }

  /** Read after this call began: a reading under way may have missed what was just written. */
  async renewed(): Promise<readonly ListedNode[]> {
    await this.#nodesPending?.catch(() => undefined);
    return this.nodes(true);
  }

  async #readNodes(): Promise<readonly ListedNode[]> {
    const answer = await this.#store.nodes(this.#config.meshName);
    if (answer.outcome === "unknown")
      throw new RuntimeError("storeUnavailable", `the store gives no answer: ${answer.reason}`);
    this.#nodes = answer.nodes;
    this.#nodesReadAtMs = this.#config.clock.nowMs();
    return answer.nodes;
  }

  async node(rid: Rid): Promise<ListedNode | undefined> {
    const isIt = (node: ListedNode): boolean => node.descriptor.owner.nodeRid === rid;
    return (await this.nodes()).find(isIt) ?? (await this.nodes(true)).find(isIt);
  }

  /** Always from a fresh list: a link to a node's older run helps nobody. */
  async address(rid: Rid): Promise<PeerAddress | undefined> {
    const node = (await this.nodes(true)).find((listed) => listed.descriptor.owner.nodeRid === rid);
    if (!node) return undefined;
    const { owner, endpoint } = node.descriptor;
    return { nodeRid: owner.nodeRid, nodeGeneration: owner.nodeGeneration, endpoint };
  }
}
