import type { Rid } from "@rehome/wire";
import type { RequestOptions, Session, SessionHandler } from "../api.ts";
import { background } from "../background.ts";
import { errorText } from "../error-text.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { assertName } from "../names.ts";
import { timeoutOf } from "../options.ts";
import { assertPayload, assertSize, sizeFault, type Payload } from "../payload.ts";
import type { Binding } from "./binding.ts";
import { bindActor, unbindActor } from "./bind.ts";
import { requestLetter } from "./letters.ts";

interface Pending {
  readonly type: string;
  readonly result: Promise<{ readonly created: boolean }>;
}

/** A client's session and its bindings; each binding ends on its own and touches no other (`protocol.md` I5). */
export class ClientSession implements Session {
  readonly sessionRid: Rid;
  readonly bindings = new Map<string, Binding>();
  readonly #host: Host;
  readonly #handler: SessionHandler;
  readonly #pending = new Map<string, Pending>();
  readonly #onClosed: () => void;
  #unboundTickets = 0n;
  #closed = false;

  constructor(host: Host, sessionRid: Rid, handler: SessionHandler, onClosed: () => void) {
    this.#host = host;
    this.sessionRid = sessionRid;
    this.#handler = handler;
    this.#onClosed = onClosed;
  }

  get closed(): boolean {
    return this.#closed;
  }

  async bind(type: string, actorId: string): Promise<{ readonly created: boolean }> {
    this.#assertOpen();
    assertName("an actor's id", actorId);
    await this.bindings.get(actorId)?.unbinding;
    this.#assertOpen();
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
      const run = (): void => this.#runUnbind(binding, resolve);
      if (this.#host.sessions.offerUnbind(binding, { kind: "unbind", run }) !== "held") run();
    });
    await binding.unbinding;
  }

  /** Throws `invalidArgument` for what is no message; every other refusal comes to the handler. */
  send(actorId: string, payload: Payload): bigint {
    assertPayload(payload);
    const binding = this.#taking(actorId);
    const ticket = binding ? binding.nextTicket() : ++this.#unboundTickets;
    const fault = binding ? sizeFault(payload, this.#host.config.limits.messageBytes) : notBound(actorId);
    if (!binding || fault) {
      this.refused(actorId, ticket, fault!);
      return ticket;
    }
    this.#host.sessions.offer(binding, { kind: "send", ticket, payload });
    return ticket;
  }

  async request(actorId: string, payload: Payload, options?: RequestOptions): Promise<Payload> {
    assertPayload(payload);
    const timeoutMs = timeoutOf(options) ?? this.#host.config.deadlines.requestMs;
    assertSize(payload, this.#host.config.limits.messageBytes);
    const binding = this.#taking(actorId);
    if (!binding) throw notBound(actorId);
    // A gateway counts requests and one-way messages alike.
    binding.nextTicket();
    return new Promise((resolve, reject) => {
      const letter = requestLetter({
        host: this.#host,
        payload,
        timeoutMs,
        timedOut: () => new RuntimeError("timedOut", `actor "${actorId}": no answer within ${timeoutMs} ms`),
        settle: (answer) => {
          if (!answer.ok) reject(answer.error);
          else if (answer.payload) resolve(answer.payload);
          else reject(new RuntimeError("protocolError", "the answer has no payload"));
        },
      });
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

  pushed(actorId: string, payload: Payload): void {
    this.#tell((handler) => handler.onPush(actorId, payload));
  }

  /** Later than now: the gateway must know a message's ticket before it hears what became of it. */
  refused(actorId: string, ticket: bigint, error: RuntimeError): void {
    queueMicrotask(() => this.#tell((handler) => handler.onSendRefused(actorId, ticket, error)));
  }

  /** After the refusals that were told before it. */
  bindingLost(actorId: string, error: RuntimeError): void {
    queueMicrotask(() => this.#tell((handler) => handler.onBindingLost(actorId, error)));
  }

  /**
   * Ends the binding at the actor, then here: until the actor's node has answered, a move of the actor still finds the
   * binding and seals it.
   */
  #runUnbind(binding: Binding, done: () => void): void {
    const work = unbindActor(this.#host, binding).finally(() => {
      this.#host.sessions.ended(binding, true);
      done();
    });
    background(this.#host.config.log, "session.unbind", work);
  }

  /** The binding, if it takes messages. */
  #taking(actorId: string): Binding | undefined {
    const binding = this.bindings.get(actorId);
    return binding?.unbinding === undefined && !this.#closed ? binding : undefined;
  }

  /** A handler may not throw; one that does is not to stop what else is to be done. */
  #tell(tell: (handler: SessionHandler) => void): void {
    try {
      tell(this.#handler);
    } catch (error) {
      this.#host.config.log.write("error", "session.handlerFailed", { error: errorText(error) });
    }
  }

  #assertOpen(): void {
    if (this.#closed || this.#host.stopped()) throw new RuntimeError("closed", "the session is closed");
  }
}

function notBound(actorId: string): RuntimeError {
  return new RuntimeError("actorSessionNotBound", `the session is not bound to actor "${actorId}"; bind it first`);
}
