import { createMemoryStore, type AuthorityStore } from "@rehome/core";
import type { Rid } from "@rehome/wire";
import {
  defineActor,
  defineSpot,
  startNode,
  systemClock,
  type Node,
  type NodeEvent,
  type NodeOptions,
} from "../../src/index.ts";
import { MemoryNetwork } from "./memory-transport.ts";

export interface TallyState {
  seen: number[];
  joins: string[];
}

/** An actor that writes down what it sees, in order. */
export const Tally = defineActor<TallyState>({
  type: "tally",
  create: () => ({ seen: [], joins: [] }),
  on: {
    note: (ctx, value: number) => {
      ctx.state.seen.push(value);
    },
    slow: async (ctx, value: { number: number; ms: number }) => {
      await new Promise((resolve) => setTimeout(resolve, value.ms));
      ctx.state.seen.push(value.number);
    },
    read: (ctx) => ({ ...ctx.state, node: ctx.nodeRid, spot: ctx.spotId ?? null }),
    ask: (ctx, value: number) => {
      ctx.state.seen.push(value);
      return value * 2;
    },
    join: (ctx, spotId: string) => ctx.join(spotId, { from: ctx.nodeRid }),
    forward: (ctx, value: { to: string; number: number }) =>
      ctx.send({ type: "tally", id: value.to }, "note", value.number),
    timer: (ctx, ms: number) => ctx.setTimer("tick", ms),
    announce: (ctx, value: unknown) => ctx.push("news", value),
    fail: () => {
      throw new Error("the handler fails");
    },
  },
  capture: (state) => state,
  restore: (value: TallyState) => value,
  onJoin: (ctx, result) => {
    ctx.state.joins.push(`${result.outcome}:${result.spotId}`);
  },
  onTimer: (ctx) => {
    ctx.state.seen.push(-1);
  },
});

export const Room = defineSpot<{ members: Set<string> }>({
  type: "room",
  create: () => ({ members: new Set() }),
  admit: (_state, actor) =>
    actor.actorId.startsWith("banned") ? { accept: false, reason: "banned" } : { accept: true, reply: "welcome" },
  onJoin: (state, actor) => state.members.add(actor.actorId),
  onLeave: (state, actor) => state.members.delete(actor.actorId),
});

export interface Cluster {
  readonly network: MemoryNetwork;
  readonly store: AuthorityStore;
  readonly nodes: readonly Node[];
  readonly events: (NodeEvent & { node: string })[];
  readonly logs: { level: string; event: string; fields: unknown }[];
  add(name: string, options?: Partial<NodeOptions>): Promise<Node>;
  close(): Promise<void>;
}

/** A mesh in one process: real codec, real machines, links and store in memory. */
export async function startCluster(names: readonly string[], options: Partial<NodeOptions> = {}): Promise<Cluster> {
  const network = new MemoryNetwork();
  const store = createMemoryStore({ clock: options.clock ?? systemClock });
  const nodes: Node[] = [];
  const events: Cluster["events"] = [];
  const logs: Cluster["logs"] = [];
  const add = async (name: string, more: Partial<NodeOptions> = {}): Promise<Node> => {
    const node = await startNode({
      meshName: "test",
      name,
      transport: network.transport(),
      store,
      actors: [Tally],
      spots: [Room],
      observe: (event) => events.push({ ...event, node: name }),
      log: { write: (level, event, fields) => logs.push({ level, event, fields }) },
      ...options,
      ...more,
    });
    nodes.push(node);
    return node;
  };
  for (const name of names) await add(name);
  return {
    network,
    store,
    nodes,
    events,
    logs,
    add,
    close: async () => {
      await Promise.all(nodes.map((node) => node.close()));
      await store.close();
    },
  };
}

/** The node that an actor lives on. */
export function ownerOf(cluster: Cluster, actorId: string): Node {
  const owner = cluster.nodes.find((node) => node.actors().some((actor) => actor.actorId === actorId));
  if (!owner) throw new Error(`nobody owns ${actorId}`);
  return owner;
}

export function otherThan(cluster: Cluster, node: Node): Node {
  return cluster.nodes.find((other) => other !== node)!;
}

export interface TallyView extends TallyState {
  node: Rid;
  spot: string | null;
}

export async function readTally(node: Node, actorId: string): Promise<TallyView> {
  return (await node.request("tally", actorId, "read")) as TallyView;
}
