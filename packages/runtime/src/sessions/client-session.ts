import type { Rid } from "@rehome/wire";
import { assertId } from "../actors/context.ts";
import type { RequestOptions, Session, SessionHandler } from "../api.ts";
import { background } from "../background.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import type { Payload } from "../payload.ts";
import type { Binding } from "./binding.ts";
import { bindActor, unbindActor } from "./bind.ts";
import { failedAnswer, type RequestLetter } from "./letters.ts";

interface Pending {
  readonly type: string;
  readonly result: Promise<{ readonly created: boolean }>;
}

/** A client's session and its bindings; each binding ends on its own and touches no other (`protocol.md` I5). */
export class ClientSession implements Session {
  readonly sessionRid: Rid;
  readonly handler: SessionHandler;
  readonly bindings = new Map<string, Binding>();
  readonly #host: Host;
  readonly #pending = new Map<string, Pending>();
  readonly #onClosed: () => void;
  #tickets = 0n;
  #closed = false;

  constructor(host: Host, sessionRid: Rid, handler: SessionHandler, onClosed: () => void) {
    this.#host = host;
    this.sessionRid = sessionRid;
    this.handler = handler;
    this.#onClosed = onClosed;
  }

  get closed(): boolean {
    return this.#closed;
  }

  async bind(type: string, actorId: string): Promise<{ readonly created: boolean }> {
    this.#assertOpen();
    assertId("an actor's id", actorId);
    await this.bindings.get(actorId)?.unbinding;
    const bound = this.bindings.get(actorId);
    const pending = this.#pending.get(actorId);
    const known = bound?.actorType ?? pending?.type;
    if (known !== undefined && known !== type) {
      throw new RuntimeError("typeMismatch", `actor "${actorId}" is of type "${known}", not "${type}"`);
    }
    if (bound) return { created: false };
    if (pending) return pending.result;
    const result = bindActor(this.#host, this, type, actorId).finally(() => this.#pending.delete(actorId));
    this.#pending.set(actorId, { type, result });
    return result;
  }

  async unbind(actorId: string): Promise<void> {
    await this.#pending.get(actorId)?.result.catch(() => undefined);
    const binding = this.bindings.get(actorId);
    if (!binding) return;
    binding.unbinding ??= new Promise<void>((resolve) => {
      const verdict = this.#host.sessions.offerUnbind(binding, { kind: "unbind", resolve });
      if (verdict !== "held") this.runUnbind(binding, resolve);
    });
    await binding.unbinding;
  }

  /**
   * Ends the binding at the actor, then here: until the actor's node has answered, a move of the actor still finds the
   * binding and seals it.
   */
  runUnbind(binding: Binding, done: () => void): void {
    const work = unbindActor(this.#host, binding).finally(() => {
      this.#host.sessions.ended(binding);
      done();
    });
    background(this.#host.config.log, "session.unbind", work);
  }

  send(actorId: string, payload: Payload): bigint {
    const ticket = ++this.#tickets;
    const binding = this.bindings.get(actorId);
    if (!binding || binding.unbinding || this.#closed) {
      const error = new RuntimeError(
        "actorSessionNotBound",
        `the session is not bound to actor "${actorId}"; bind it first`,
      );
      this.handler.onSendRefused(actorId, ticket, error);
      return ticket;
    }
    this.#host.sessions.offer(binding, { kind: "send", ticket, payload });
    return ticket;
  }

  request(actorId: string, payload: Payload, options: RequestOptions = {}): Promise<Payload> {
    const binding = this.bindings.get(actorId);
    if (!binding || binding.unbinding || this.#closed) {
      return Promise.reject(
        new RuntimeError("actorSessionNotBound", `the session is not bound to actor "${actorId}"; bind it first`),
      );
    }
    const { clock, deadlines } = this.#host.config;
    const timeoutMs = options.timeoutMs ?? deadlines.requestMs;
    return new Promise((resolve, reject) => {
      const letter: RequestLetter = {
        kind: "request",
        payload,
        deadlineMs: clock.nowMs() + timeoutMs,
        expiry: clock.after(timeoutMs, () => {
          letter.settled = true;
          letter.settle(failedAnswer(new RuntimeError("timedOut", `no answer within ${timeoutMs} ms`)));
        }),
        settle: (answer) => {
          if (!answer.ok) reject(answer.error);
          else if (answer.payload) resolve(answer.payload);
          else reject(new RuntimeError("protocolError", "the answer has no payload"));
        },
        settled: false,
      };
      this.#host.sessions.offer(binding, letter);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all([...this.#pending.values()].map(({ result }) => result.catch(() => undefined)));
    await Promise.all([...this.bindings.keys()].map((actorId) => this.unbind(actorId)));
    this.#onClosed();
  }

  #assertOpen(): void {
    if (this.#closed || this.#host.stopped()) throw new RuntimeError("closed", "the session is closed");
  }
}
