import type { AuthorityStore } from "@rehome/core";
import { commandIds, type CommandName, type Rid } from "@rehome/wire";
import {
  defineActor,
  payloadOf,
  valueOf,
  type Node,
  type NodeOptions,
  type RuntimeError,
  type Session,
} from "../../src/index.ts";
import { ownerOf, startCluster, Tally, type Cluster } from "../support/cluster.ts";

/** A client behind a gateway node, with its own account of what it sent and heard. */
export interface Client {
  readonly cluster: Cluster;
  readonly gate: Node;
  readonly session: Session;
  readonly pushes: number[];
  readonly refused: { readonly sequence: bigint; readonly code: string }[];
  readonly lost: RuntimeError[];
  /** Starts a turn that lasts until `unblock`; resolves once it runs. */
  block(): Promise<void>;
  unblock(): void;
  /** Sends the number, and remembers under which ticket. */
  send(n: number, name?: string): void;
  /** The numbers that the client was told were not run, or of which nobody can tell. */
  refusedNumbers(): number[];
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const numbers = (count: number, from = 1): number[] => Array.from({ length: count }, (_, index) => index + from);

export async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 1_000) throw new Error(`it never comes about that ${what}`);
    await pause(10);
  }
}

/** Two actor nodes and a gateway node, with the actor `t` bound. */
export async function startClient(
  options: Partial<NodeOptions> = {},
  gateStore = (store: AuthorityStore): AuthorityStore => store,
): Promise<Client> {
  let isBlocked = false;
  let unblock = (): void => undefined;
  const block = (): Promise<void> => {
    isBlocked = true;
    return new Promise((resolve) => (unblock = resolve));
  };
  const actor = defineActor({ ...Tally.definition, on: { ...Tally.definition.on, block } });
  const cluster = await startCluster(["a", "b"], { ...options, actors: [actor] });
  const store = gateStore(cluster.store);
  const gate = await cluster.add("gate", { placementWeight: 0, actors: [], spots: [], store });
  const pushes: number[] = [];
  const refused: { sequence: bigint; code: string }[] = [];
  const lost: RuntimeError[] = [];
  const tickets = new Map<bigint, number>();
  const session = gate.openSession({
    onPush: (_actorId, payload) => pushes.push(valueOf(payload) as number),
    onSendRefused: (_actorId, sequence, error) => refused.push({ sequence, code: error.code }),
    onBindingLost: (_actorId, error) => lost.push(error),
  });
  await session.bind("tally", "t");
  return {
    cluster,
    gate,
    session,
    pushes,
    refused,
    lost,
    async block() {
      isBlocked = false;
      session.send("t", payloadOf("block"));
      await until("the turn runs", () => isBlocked);
    },
    unblock: () => unblock(),
    send: (n, name = "note") => tickets.set(session.send("t", payloadOf(name, n)), n),
    refusedNumbers: () => refused.map(({ sequence }) => tickets.get(sequence)!),
  };
}

export async function moveOn({ cluster }: Client): Promise<void> {
  const owner = ownerOf(cluster, "t");
  const to = cluster.nodes.find((node) => node !== owner && node.name !== "gate")!;
  await owner.relocate("t", { to: to.name });
}

/** The move has begun: what comes from now on is held, and the running turn is the last. */
export function moving({ cluster }: Client): Promise<void> {
  return until("the actor moves", () => cluster.nodes.some((node) => node.actors()[0]?.phase === "moving"));
}

export function isCommand(frames: readonly Uint8Array[], name: CommandName): boolean {
  return frames[0]?.[3] === commandIds[name];
}

/** Breaks the link that carries the next record of this command for or from this node, before it arrives. */
export function cutAt({ network }: Cluster, name: CommandName, node: Rid): { done: boolean } {
  const state = { done: false };
  network.watch = (from, to, frames) => {
    if (state.done || !isCommand(frames, name) || (from !== node && to !== node)) return true;
    state.done = true;
    return false;
  };
  return state;
}
