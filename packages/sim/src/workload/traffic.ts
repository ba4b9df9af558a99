import type { Strengths } from "../profile.ts";
import type { Dice } from "../random.ts";
import type { Cluster, Run } from "../world/cluster.ts";
import type { Trace } from "../world/trace.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import { RuntimeError } from "@rehome/runtime";
import { ACTOR_TYPE, settleRequest, type Order, type Verb } from "./actor.ts";
import type { Client, OpenCalls } from "./clients.ts";
import { repeat } from "./repeat.ts";
import { SPOT_TYPE } from "./room.ts";

/** How often each kind of message is sent. */
const VERBS: readonly (readonly [Verb, number])[] = [
  ["note", 40],
  ["ask", 20],
  ["tell", 12],
  ["announce", 12],
  ["slow", 5],
  ["timer", 4],
  ["query", 3],
  ["refuse", 2],
];
const TOTAL_WEIGHT = VERBS.reduce((sum, [, weight]) => sum + weight, 0);
/** Messages in one burst: more than the smallest holds take. */
const BURST = 25;

export interface TrafficParts {
  readonly time: VirtualTime;
  readonly cluster: Cluster;
  readonly dice: Dice;
  readonly trace: Trace;
  readonly calls: OpenCalls;
  readonly strengths: Strengths;
  readonly actorIds: readonly string[];
  readonly spotIds: readonly string[];
  readonly clients: readonly Client[];
}

/** Everything that clients, nodes and operators ask of the cluster. */
export class Traffic {
  readonly #parts: TrafficParts;

  constructor(parts: TrafficParts) {
    this.#parts = parts;
  }

  /** Repeats `act` at random intervals until `untilMs`. */
  repeat(perSecond: number, untilMs: number, act: () => void): void {
    const { time, dice } = this.#parts;
    repeat({ time, dice, perSecond, untilMs }, act);
  }

  /** One message, or a burst, from a client or a node to an actor. */
  message(): void {
    const { dice, strengths, clients } = this.#parts;
    const count = dice.chance(strengths.burst * 0.05) ? BURST : 1;
    if (dice.chance(0.2)) {
      const { cluster, actorIds } = this.#parts;
      const runs = cluster.serving().filter((run) => !run.paused);
      if (runs.length === 0) return;
      const run = dice.pick(runs);
      const actorId = dice.pick(actorIds);
      for (let sent = 0; sent < count; sent++) this.fromNode(run, actorId);
      return;
    }
    const client = dice.pick(clients);
    const { bound } = client;
    if (bound.length === 0) {
      this.#reconnect(client);
      return;
    }
    const { actorId } = dice.pick(bound);
    for (let sent = 0; sent < count; sent++) {
      const [verb, order] = this.#order(actorId);
      if (verb === "ask" || verb === "query" || verb === "refuse" || dice.chance(0.1))
        client.request(actorId, verb, order);
      else client.send(actorId, verb, order);
    }
  }

  /** What a client does with its bindings and its connection. */
  client(): void {
    const { dice, strengths, clients, actorIds } = this.#parts;
    const client = dice.pick(clients);
    if (!client.isConnected) {
      this.#reconnect(client);
      return;
    }
    if (dice.chance(strengths.reconnect * 0.4)) {
      client.disconnect();
      this.#reconnect(client);
    } else if (client.bound.length > 0 && dice.chance(strengths.unbind * 0.5)) {
      client.unbind(dice.pick(client.bound).actorId);
    } else if (client.bound.length < 4) client.bind(dice.pick(actorIds));
  }

  /** An operator moves an actor, and perhaps again at once, or another operator moves it elsewhere. */
  move(): void {
    const { dice, cluster, strengths } = this.#parts;
    const runs = cluster.serving("nodes").filter((run) => !run.paused && run.node.actors().length > 0);
    if (runs.length === 0) return;
    const run = dice.pick(runs);
    const { actorId } = dice.pick(run.node.actors());
    if (dice.chance(strengths.join * 0.5)) {
      this.#join(run, actorId);
      return;
    }
    this.relocate(run, actorId, dice.chance(strengths.moveBack) ? 1 + dice.below(4) : 0);
    if (dice.chance(strengths.rivalMove * 0.5)) this.relocate(run, actorId, 0);
  }

  relocate(run: Run, actorId: string, back: number): void {
    const { dice, cluster, calls, trace, time } = this.#parts;
    const others = cluster.hosts.filter((host) => !host.isGateway && host !== run.host);
    const to = dice.pick(others).name;
    const { node } = run;
    if (!node || !run.alive || run.paused) return;
    trace.note(run.name, `is told to move ${actorId} to ${to}`);
    calls.track(run, time.nowMs, `relocate ${actorId} to ${to}`, node.relocate(actorId, { to })).then(
      () => {
        const there = cluster.hosts.find((host) => host.name === to)?.run;
        // The source learns of the commit later than the target: the way back can begin before it has departed.
        if (back > 0 && there?.node?.actors().some((actor) => actor.actorId === actorId) === true) {
          this.relocate(there, actorId, back - 1);
        }
      },
      (error: unknown) => trace.note(run.name, `did not move ${actorId}: ${String(error)}`),
    );
  }

  /** Makes the spots that have no owner, as an operator would. */
  spots(dice = this.#parts.dice): void {
    const { cluster, spotIds, calls, time } = this.#parts;
    for (const spotId of spotIds) {
      const runs = cluster.serving("nodes").filter((run) => !run.paused);
      if (runs.length === 0) return;
      const run = dice.pick(runs);
      calls
        .track(run, time.nowMs, `create ${spotId}`, run.node.createSpot(SPOT_TYPE, spotId, spotId))
        .catch(() => undefined);
    }
  }

  #join(run: Run, actorId: string): void {
    const { dice, spotIds } = this.#parts;
    this.fromNode(run, actorId, "join", { spot: dice.chance(0.05) ? "nowhere" : dice.pick(spotIds) });
  }

  #reconnect(client: Client): void {
    if (!client.isConnected) client.connect();
    else client.bind(this.#parts.dice.pick(this.#parts.actorIds));
  }

  #order(actorId: string): readonly [Verb, Order] {
    const { dice, actorIds } = this.#parts;
    let luck = dice.fraction() * TOTAL_WEIGHT;
    const verb = VERBS.find(([, weight]) => (luck -= weight) < 0)?.[0] ?? "note";
    const at = actorIds.indexOf(actorId);
    switch (verb) {
      case "slow":
        return [verb, { ms: dice.between(1, 60) }];
      case "timer":
        return [verb, { ms: dice.between(1, 300) }];
      case "tell":
        return [verb, { to: dice.pick(actorIds) }];
      case "query": {
        // Requests point one way, as two actors that wait for each other would wait in vain.
        const later = actorIds[at + 1 + dice.below(3)];
        return later === undefined ? ["note", {}] : [verb, { to: later }];
      }
      default:
        return [verb, {}];
    }
  }

  /** A message of a node to an actor: this one, or any. */
  fromNode(run: Run, actorId: string, verb?: Verb, order: Order = {}): void {
    const { cluster, dice, trace, calls, time } = this.#parts;
    const { ledger } = cluster;
    const { node } = run;
    if (!node || !run.alive || run.paused) return;
    const isRequest = verb === undefined && dice.chance(0.3);
    const message = ledger.sent(isRequest ? "request" : "send", run.name, actorId);
    const what = verb ?? (isRequest ? "ask" : "note");
    trace.note(run.name, `sends m${message.id} (${what}) to ${actorId}`);
    try {
      if (!isRequest) {
        node.send(ACTOR_TYPE, actorId, `${what}#${message.id}`, order);
        return;
      }
      calls
        .track(
          run,
          time.nowMs,
          `request m${message.id}`,
          node.request(ACTOR_TYPE, actorId, `${what}#${message.id}`, order),
        )
        .then(
          (value) => run.alive && ledger.answered(message, value),
          (error: unknown) => {
            trace.note(run.name, `m${message.id} fails: ${String(error)}`);
            if (run.alive) settleRequest(ledger, message, error);
          },
        );
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      ledger.toldNotRun(message, error.code);
    }
  }
}
