import type { Payload, RuntimeError, Session, SessionHandler, SessionNode } from "../src/session-port.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function payload(name: string, value: unknown): Payload {
  return { packetName: name, contentType: "application/json", data: encoder.encode(JSON.stringify(value)) };
}

export function valueOf(message: Payload): unknown {
  return message.contentType === "application/json" ? JSON.parse(decoder.decode(message.data)) : undefined;
}

/** As the runtime's errors look to a gateway. */
export function runtimeError(code: string, text = code): RuntimeError {
  return Object.assign(new Error(text), { name: "RuntimeError", code }) as RuntimeError;
}

/** What came to one actor, in the order in which it came. */
export interface FakeActor {
  readonly received: { readonly kind: "send" | "request"; readonly name: string; readonly value: unknown }[];
  /** Sessions that are bound to it. */
  readonly bound: Set<FakeSession>;
}

/**
 * Stands in for the runtime: actors that note what they get, answer requests with `answer`, and push when told to.
 */
export class FakeNode implements SessionNode {
  readonly sessions: FakeSession[] = [];
  readonly actors = new Map<string, FakeActor>();
  /** Runs before a bind is granted: may throw, or take its time. */
  onBind: (type: string, actorId: string) => unknown = () => undefined;
  onUnbind: (actorId: string) => unknown = () => undefined;
  onClose: () => unknown = () => undefined;
  /** The answer to a request. */
  answer: (actorId: string, message: Payload) => unknown = (_id, message) => message;
  /** Throws, or returns what to do with a send: nothing, or refuse it. */
  onSend: (actorId: string, message: Payload) => RuntimeError | undefined = () => undefined;

  openSession(handler: SessionHandler): Session {
    const session = new FakeSession(this, handler);
    this.sessions.push(session);
    return session;
  }

  actor(actorId: string): FakeActor {
    let actor = this.actors.get(actorId);
    if (actor === undefined) this.actors.set(actorId, (actor = { received: [], bound: new Set() }));
    return actor;
  }

  push(actorId: string, name: string, value: unknown): void {
    for (const session of this.actor(actorId).bound) session.handler.onPush(actorId, payload(name, value));
  }
}

export class FakeSession implements Session {
  readonly sessionRid = "fake" as Session["sessionRid"];
  readonly handler: SessionHandler;
  readonly #node: FakeNode;
  readonly #sequences = new Map<string, bigint>();
  closed = false;

  constructor(node: FakeNode, handler: SessionHandler) {
    this.#node = node;
    this.handler = handler;
  }

  async bind(type: string, actorId: string): Promise<{ created: boolean }> {
    const created = !this.#node.actors.has(actorId);
    const { bound } = this.#node.actor(actorId);
    bound.add(this);
    try {
      await this.#node.onBind(type, actorId);
    } catch (error) {
      bound.delete(this);
      throw error;
    }
    this.#sequences.set(actorId, 0n);
    return { created };
  }

  async unbind(actorId: string): Promise<void> {
    await this.#node.onUnbind(actorId);
    this.#node.actor(actorId).bound.delete(this);
  }

  send(actorId: string, message: Payload): bigint {
    const sequence = this.#next(actorId);
    const error = this.#node.onSend(actorId, message);
    if (error === undefined) {
      this.#note("send", actorId, message);
    } else {
      queueMicrotask(() => this.handler.onSendRefused(actorId, sequence, error));
    }
    return sequence;
  }

  async request(actorId: string, message: Payload): Promise<Payload> {
    this.#next(actorId);
    this.#note("request", actorId, message);
    return (await this.#node.answer(actorId, message)) as Payload;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const actor of this.#node.actors.values()) actor.bound.delete(this);
    await this.#node.onClose();
  }

  #next(actorId: string): bigint {
    const sequence = (this.#sequences.get(actorId) ?? 0n) + 1n;
    this.#sequences.set(actorId, sequence);
    return sequence;
  }

  #note(kind: "send" | "request", actorId: string, message: Payload): void {
    this.#node.actor(actorId).received.push({ kind, name: message.packetName, value: valueOf(message) });
  }
}
