import { defineSpot, payloadOf, valueOf, type Node, type Session } from "../../src/index.ts";
import { readTally, type Cluster } from "./cluster.ts";

/** A spot that moves: it counts who came and went, and that is its state. */
export interface HallState {
  readonly title: string;
  readonly visits: string[];
}

export const Hall = defineSpot<HallState>({
  type: "hall",
  version: 3,
  create: (value) => ({ title: value as string, visits: [] }),
  admit: (state, actor) => ({ accept: true, reply: `${actor.actorId} in ${state.title}` }),
  onJoin: (state, actor) => state.visits.push(`+${actor.actorId}`),
  onLeave: (state, actor) => state.visits.push(`-${actor.actorId}`),
  capture: (state) => state,
  restore: (value: HallState) => value,
});

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 1_000) throw new Error(`it never comes about that ${what}`);
    await pause(5);
  }
}

export const namesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `m${index}`);

/** T4: more than 64 moves from one node at once are refused. */
const JOINS_AT_ONCE = 40;

/** A hall on the first node, with these actors in it, wherever they were made. */
export async function fillHall(cluster: Cluster, members: readonly string[], spotId = "h"): Promise<Node> {
  const [node] = cluster.nodes;
  await node!.createSpot("hall", spotId, "the hall");
  await Promise.all(members.map((id) => node!.getOrCreate("tally", id)));
  for (let joined = 0; joined < members.length; joined += JOINS_AT_ONCE) {
    const batch = members.slice(joined, joined + JOINS_AT_ONCE);
    for (const id of batch) node!.send("tally", id, "join", spotId);
    await until("all have joined", () => membersAt(node!, spotId).length === joined + batch.length);
  }
  // The nodes that they came from learn of it a little later.
  const others = cluster.nodes.filter((other) => other !== node);
  await until("all have left where they were", () => others.every((other) => other.actors().length === 0));
  for (const id of members) await readTally(node!, id);
  return node!;
}

export function membersAt(node: Node, spotId = "h"): readonly string[] {
  return [...(node.spots().find((spot) => spot.spotId === spotId)?.members ?? [])].sort();
}

/** The node that has the spot. */
export function hallOf(cluster: Cluster, spotId = "h"): Node {
  const at = cluster.nodes.filter((node) => node.spots().some((spot) => spot.spotId === spotId));
  if (at.length !== 1) throw new Error(`${at.length} nodes have spot ${spotId}`);
  return at[0]!;
}

/** A client bound to some actors: what it sent, was told and heard, by actor. */
export class Visitor {
  readonly session: Session;
  readonly bound: readonly string[];
  readonly heard = new Map<string, number[]>();
  readonly trouble: string[] = [];
  readonly #sent = new Map<string, number>();

  private constructor(gate: Node, bound: readonly string[]) {
    this.bound = bound;
    this.session = gate.openSession({
      onPush: (actorId, payload) => this.#hear(actorId, valueOf(payload) as number),
      onSendRefused: (actorId, sequence, error) => this.trouble.push(`${actorId} ${sequence}: ${error.code}`),
      onBindingLost: (actorId, error) => this.trouble.push(`${actorId} lost: ${error.message}`),
    });
  }

  static async at(gate: Node, bound: readonly string[]): Promise<Visitor> {
    const visitor = new Visitor(gate, bound);
    for (const id of bound) await visitor.session.bind("tally", id);
    return visitor;
  }

  /** One message to each actor that it is bound to, numbered on. */
  sendRound(): void {
    for (const id of this.bound) {
      const n = (this.#sent.get(id) ?? 0) + 1;
      this.#sent.set(id, n);
      this.session.send(id, payloadOf("note", n));
    }
  }

  ask(id: string, value: number): Promise<unknown> {
    return this.session.request(id, payloadOf("ask", value)).then(valueOf);
  }

  sentTo(id: string): number {
    return this.#sent.get(id) ?? 0;
  }

  #hear(actorId: string, value: number): void {
    const heard = this.heard.get(actorId) ?? [];
    heard.push(value);
    this.heard.set(actorId, heard);
  }
}
