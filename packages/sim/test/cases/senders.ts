import { payloadOf, RuntimeError, valueOf, type Session } from "@rehome/runtime";
import { ACTOR, called } from "./book.ts";
import type { Seat, Stage } from "./stage.ts";

export interface Refusal {
  readonly number: number;
  readonly code: string;
  readonly atMs: number;
}

/** Somebody who sends numbered messages to one actor, and writes down what it is told of them. */
export interface Sender {
  readonly name: string;
  sent: number;
  send(order?: object, verb?: string): number;
  /** As a request; its end is in `answers`. */
  ask(order?: object): number;
  readonly answers: Map<number, { readonly outcome: string; readonly atMs: number }>;
  /** The numbers of those that were requests. */
  readonly requests: Set<number>;
  /** One-way messages that were refused, or of which nobody can tell. */
  refused(): Refusal[];
}

/** A node's own code, as a sender. */
export function nodeSender(stage: Stage, seat: Seat, actorId: string): Sender {
  const { name, node } = seat;
  const answers: Sender["answers"] = new Map();
  const requests = new Set<number>();
  const pattern = new RegExp(`^[a-z]+#${name}\\.(\\d+)$`);
  return {
    name,
    sent: 0,
    answers,
    requests,
    send(order = {}, verb = "note") {
      node.send(ACTOR, actorId, called(verb, name, ++this.sent), order);
      return this.sent;
    },
    ask(order = {}) {
      const number = ++this.sent;
      requests.add(number);
      note(stage, answers, number, node.request(ACTOR, actorId, called("ask", name, number), order));
      return number;
    },
    refused: () =>
      stage.eventsOf("SendRefused").flatMap(({ seat: at, name: what, to, error, atMs }) => {
        const match = at === name && to.id === actorId ? pattern.exec(what) : null;
        return match ? [{ number: Number(match[1]), code: error.code, atMs }] : [];
      }),
  };
}

export interface ClientSender extends Sender {
  readonly session: Session;
  readonly pushes: string[];
  readonly lost: string[];
}

/** A client at a gateway, bound to the actor. */
export async function clientSender(stage: Stage, gateway: Seat, actorId: string, name: string): Promise<ClientSender> {
  const answers: Sender["answers"] = new Map();
  const requests = new Set<number>();
  const refusals: Refusal[] = [];
  const tickets = new Map<bigint, number>();
  const pushes: string[] = [];
  const lost: string[] = [];
  const session = gateway.node.openSession({
    onPush: (_from, { packetName }) => pushes.push(packetName),
    onSendRefused: (_to, ticket, error) =>
      refusals.push({ number: tickets.get(ticket)!, code: error.code, atMs: stage.time.nowMs }),
    onBindingLost: (_from, error) => lost.push(error.code),
  });
  await stage.settle(session.bind(ACTOR, actorId));
  const sender: ClientSender = {
    name,
    sent: 0,
    answers,
    requests,
    session,
    pushes,
    lost,
    send(order = {}, verb = "note") {
      const number = ++sender.sent;
      tickets.set(session.send(actorId, payloadOf(called(verb, name, number), order)), number);
      return number;
    },
    ask(order = {}) {
      const number = ++sender.sent;
      requests.add(number);
      const asked = session.request(actorId, payloadOf(called("ask", name, number), order));
      note(stage, answers, number, asked.then(valueOf));
      return number;
    },
    refused: () => refusals,
  };
  return sender;
}

function note(stage: Stage, answers: Sender["answers"], number: number, asked: Promise<unknown>): void {
  const end = (outcome: string): void => void answers.set(number, { outcome, atMs: stage.time.nowMs });
  asked.then(
    (value) => end(value === number ? "answered" : `the answer of ${String(value)}`),
    (error: unknown) => end(error instanceof RuntimeError ? error.code : String(error)),
  );
}

/** What the actor says that it has seen. */
export async function read(stage: Stage, seat: Seat, actorId: string): Promise<unknown> {
  return stage.settle(seat.node.request(ACTOR, actorId, called("read", seat.name, 0)));
}

/** Does something every so many ms, so many times. */
export function every(stage: Stage, ms: number, times: number, act: (time: number) => void): void {
  for (let at = 0; at < times; at++) stage.time.after(ms * at, () => act(at));
}
