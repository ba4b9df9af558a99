import type { Binding } from "./binding.ts";
import type { Emitter } from "./emitter.ts";
import { ClientError, fromFailure } from "./errors.ts";
import type { ClientEvents } from "./events.ts";
import { positive, type ClientConfig } from "./options.ts";
import { payloadOf, valueOf } from "./payload.ts";
import type { Failure, Payload, ReplyResult } from "./protocol/frames.ts";
import { Outbox } from "./protocol/outbox.ts";
import { PushQueue, type PushHandler } from "./push-queue.ts";
import { Requests } from "./requests.ts";
import type { Stream } from "./stream.ts";

/** What a binding needs of its client. */
export interface BindingHost {
  readonly config: ClientConfig;
  readonly events: Emitter<ClientEvents>;
  /** The session for new messages; `undefined` while there is none, or when the gateway is going away. */
  usableStream(): Stream | undefined;
  /** Throws `backpressured` when the buffers have no room for it. */
  checkRoom(cost: number): void;
  /** Counts messages that wait outside of the session; negative when they leave. */
  countHeld(messages: number, cost: number): void;
  /** From now on, frames with this number are for this binding. */
  register(number: number, entry: BindingEntry): void;
  /** The binding is over; `number` is the one that it last had. */
  forget(entry: BindingEntry, number: number | undefined): void;
  /** The application's code threw, or cannot be given what came. */
  report(error: unknown): void;
}

type State =
  /** There is no session, or the next try to bind is due later. */
  | { readonly kind: "waiting" }
  | { readonly kind: "binding"; readonly stream: Stream; readonly number: number }
  | { readonly kind: "bound"; readonly stream: Stream; readonly number: number }
  | { readonly kind: "unbinding"; readonly done: Promise<void>; readonly finish: () => void }
  | { readonly kind: "ended"; readonly error: ClientError };

type Message =
  | { readonly kind: "send"; readonly sequence: number; readonly payload: Payload }
  | { readonly kind: "request"; readonly sequence: number; readonly payload: Payload; readonly dueMs: number };

/** A bind that fails for one of these may succeed later. */
const RETRYABLE: ReadonlySet<string> = new Set([
  "backpressured",
  "busy",
  "capacityExceeded",
  "notConnected",
  "outcomeUnknown",
  "overloaded",
  "storeUnavailable",
  "timedOut",
  "unavailable",
]);
/** A rebind is tried so often, the waits doubling from the first: about half a minute together. */
const REBIND_TRIES = 8;
const REBIND_FIRST_WAIT_MS = 125;

/** The one implementation of {@link Binding}: the rest is for the client that owns it. */
export class BindingEntry implements Binding {
  readonly actorType: string;
  readonly actorId: string;
  /** Settles when the first bind does. */
  readonly opened: Promise<Binding>;
  readonly #host: BindingHost;
  readonly #requests: Requests;
  readonly #pushes: PushQueue;
  readonly #reboundHandlers = new Set<{ readonly fn: (info: { readonly created: boolean }) => void }>();
  #state: State = { kind: "waiting" };
  #number: number | undefined;
  #created = false;
  #sequence = 0;
  #held: Message[] = [];
  #rebindTries = 0;
  #rebindTimer: { cancel(): void } | undefined;
  #opening:
    { resolve(binding: Binding): void; reject(error: ClientError): void; timer: { cancel(): void } } | undefined;

  constructor(host: BindingHost, actor: { readonly actorType: string; readonly actorId: string }, timeoutMs: number) {
    this.#host = host;
    this.actorType = actor.actorType;
    this.actorId = actor.actorId;
    this.#requests = new Requests(host.config.clock);
    this.#pushes = new PushQueue(
      (count) => host.events.emit("pushDropped", { binding: this, count }),
      (error) => host.report(error),
    );
    this.opened = new Promise((resolve, reject) => {
      const timer = host.config.clock.after(timeoutMs, () => {
        this.#giveUp(new ClientError("timedOut", `The bind to ${this.#name} took longer than ${timeoutMs} ms.`));
      });
      this.#opening = { resolve, reject, timer };
    });
  }

  get bound(): boolean {
    return this.#state.kind === "bound";
  }

  get created(): boolean {
    return this.#created;
  }

  get #name(): string {
    return `${this.actorType} "${this.actorId}"`;
  }

  // ------------------------------------------------------------------------------------------- for the application

  send(name: string, value?: unknown): number {
    const payload = this.#accept(name, value);
    const sequence = ++this.#sequence;
    this.#dispatch({ kind: "send", sequence, payload });
    return sequence;
  }

  async request(name: string, value?: unknown, options: { readonly timeoutMs?: number } = {}): Promise<unknown> {
    const timeoutMs = positive("timeoutMs", options.timeoutMs ?? this.#host.config.requestTimeoutMs);
    const payload = this.#accept(name, value);
    const sequence = ++this.#sequence;
    this.#dispatch({ kind: "request", sequence, payload, dueMs: this.#host.config.clock.nowMs() + timeoutMs });
    return this.#requests.open(sequence, timeoutMs);
  }

  onPush(handler: PushHandler): () => void {
    return this.#pushes.add(handler);
  }

  onRebound(handler: (info: { readonly created: boolean }) => void): () => void {
    const entry = { fn: handler };
    this.#reboundHandlers.add(entry);
    return () => this.#reboundHandlers.delete(entry);
  }

  unbind(): Promise<void> {
    const state = this.#state;
    if (state.kind === "unbinding") return state.done;
    if (state.kind === "ended") return Promise.resolve();
    const over = new ClientError("actorSessionNotBound", `The binding to ${this.#name} was ended.`);
    if (state.kind !== "bound") {
      this.#giveUp(over);
      return Promise.resolve();
    }
    state.stream.append({ kind: "unbind", binding: state.number }, undefined);
    let finish = (): void => undefined;
    const done = new Promise<void>((resolve) => (finish = resolve));
    this.#state = { kind: "unbinding", done, finish };
    this.#refuseHeld(over);
    return done;
  }

  // ------------------------------------------------------------------------------------------------ for the client

  /** There is a new session: bind in it. */
  begin(stream: Stream): void {
    if (this.#state.kind !== "waiting") return;
    this.#rebindTimer?.cancel();
    const number = stream.nextBinding();
    this.#number = number;
    this.#host.register(number, this);
    this.#state = { kind: "binding", stream, number };
    const { actorType, actorId } = this;
    stream.append({ kind: "bind", binding: number, actorType, actorId }, undefined);
  }

  onBound(created: boolean): void {
    if (this.#state.kind !== "binding") return;
    this.#state = { ...this.#state, kind: "bound" };
    this.#created = created;
    this.#rebindTries = 0;
    if (this.#opening === undefined) {
      this.#host.events.emit("rebound", { binding: this, created });
      for (const { fn } of [...this.#reboundHandlers]) {
        try {
          fn({ created });
        } catch (error) {
          this.#host.report(error);
        }
      }
    } else {
      this.#opening.timer.cancel();
      this.#opening.resolve(this);
      this.#opening = undefined;
    }
    this.releaseHeld();
  }

  onBindFailed(failure: Failure): void {
    if (this.#state.kind !== "binding") return;
    const error = fromFailure(failure);
    const again = this.#opening === undefined && RETRYABLE.has(error.code) && this.#rebindTries < REBIND_TRIES;
    if (!again) {
      this.#lose(error);
      return;
    }
    const waitMs = REBIND_FIRST_WAIT_MS * 2 ** this.#rebindTries++;
    this.#state = { kind: "waiting" };
    this.#rebindTimer = this.#host.config.clock.after(waitMs * (0.5 + this.#host.config.random()), () => {
      const stream = this.#host.usableStream();
      if (stream !== undefined) this.begin(stream);
    });
  }

  onUnbound(): void {
    if (this.#state.kind === "unbinding") this.#end(new ClientError("actorSessionNotBound", "It was ended."));
  }

  onPayload(payload: Payload): void {
    if (this.#state.kind === "ended") return;
    try {
      const value = valueOf(this.#host.config.codec, payload);
      this.#pushes.deliver(payload.packetName, value, payload.data.length);
    } catch (error) {
      this.#host.report(error);
    }
  }

  onReply(sequence: number, result: ReplyResult): void {
    if (!result.ok) {
      this.#requests.fail(sequence, fromFailure(result.failure));
      return;
    }
    if (!this.#requests.isOpen(sequence)) return;
    try {
      this.#requests.answer(sequence, valueOf(this.#host.config.codec, result.payload));
    } catch (error) {
      this.#requests.fail(sequence, error as ClientError);
    }
  }

  onSendRefused(sequence: number, failure: Failure): void {
    this.#host.events.emit("sendRefused", { binding: this, sequence, error: fromFailure(failure) });
  }

  /** The actor's side ended the binding. */
  onLost(failure: Failure): void {
    this.#lose(fromFailure(failure));
  }

  /**
   * The session is gone; what it had numbered and not acknowledged was reported already. `rebind`: there will be another
   * one, and the binding is wanted in it.
   */
  onSessionLost(error: ClientError, rebind: boolean): void {
    const held = new Set(this.#held.map((message) => message.sequence));
    this.#requests.failAll(unansweredError(error), held);
    switch (this.#state.kind) {
      case "bound":
        if (!rebind) {
          this.#lose(error);
          return;
        }
        this.#state = { kind: "waiting" };
        this.#host.events.emit("bindingLost", { binding: this, error, rebinding: true });
        return;
      case "binding":
        this.#state = { kind: "waiting" };
        return;
      case "unbinding":
        this.#end(error);
        return;
      case "waiting":
      case "ended":
        return;
    }
  }

  /** The client is closed: nothing more will come. */
  onClosed(error: ClientError): void {
    this.#end(error);
  }

  /** The client ended without the application's wish. */
  onFatal(error: ClientError): void {
    this.#lose(error);
  }

  /** Sends what was held while there was no session to send it on. */
  releaseHeld(): void {
    const stream = this.#host.usableStream();
    if (this.#state.kind !== "bound" || stream === undefined) return;
    for (const message of this.#takeHeld()) {
      if (message.kind === "request" && !this.#requests.isOpen(message.sequence)) continue;
      if (!this.#append(stream, this.#state.number, message)) this.#refuse(message, this.#tooLarge(message.payload));
    }
  }

  /** Whether the answer to a request is under way. */
  get isAsking(): boolean {
    const held = this.#held.filter(({ kind, sequence }) => kind === "request" && this.#requests.isOpen(sequence));
    return this.#requests.count > held.length;
  }

  /** Whether an answer to a bind or unbind is under way. */
  get isChanging(): boolean {
    return this.#state.kind === "binding" || this.isUnbinding;
  }

  get isUnbinding(): boolean {
    return this.#state.kind === "unbinding";
  }

  // ------------------------------------------------------------------------------------------------------- inside

  #accept(name: string, value: unknown): Payload {
    if (this.#state.kind === "ended" || this.#state.kind === "unbinding") {
      const cause = this.#state.kind === "ended" ? this.#state.error : undefined;
      const code = cause?.code === "closed" ? "closed" : "actorSessionNotBound";
      throw new ClientError(code, `The binding to ${this.#name} is over: bind again.`, { cause });
    }
    const payload = payloadOf(this.#host.config.codec, name, value);
    this.#host.checkRoom(costOf(payload));
    return payload;
  }

  #dispatch(message: Message): void {
    const stream = this.#host.usableStream();
    if (this.#state.kind === "bound" && stream !== undefined && this.#held.length === 0) {
      if (!this.#append(stream, this.#state.number, message)) throw this.#tooLarge(message.payload);
    } else {
      // Bytes that the caller may reuse at once.
      this.#held.push({ ...message, payload: { ...message.payload, data: message.payload.data.slice() } });
      this.#host.countHeld(1, costOf(message.payload));
    }
  }

  #append(stream: Stream, binding: number, message: Message): boolean {
    const { sequence, payload } = message;
    const tag = { reportLost: (written: boolean) => this.#refuse(message, lostError(written)) };
    if (message.kind === "send") return stream.append({ kind: "send", binding, sequence, payload }, tag);
    const timeoutMs = Math.max(1, Math.ceil(message.dueMs - this.#host.config.clock.nowMs()));
    return stream.append({ kind: "request", binding, sequence, payload, timeoutMs }, tag);
  }

  #refuse(message: Message, error: ClientError): void {
    if (message.kind === "request") this.#requests.fail(message.sequence, error);
    else this.#host.events.emit("sendRefused", { binding: this, sequence: message.sequence, error });
  }

  #refuseHeld(cause: ClientError): void {
    for (const message of this.#takeHeld()) this.#refuse(message, neverSentError(cause));
  }

  #takeHeld(): Message[] {
    const held = this.#held;
    this.#held = [];
    for (const { payload } of held) this.#host.countHeld(-1, -costOf(payload));
    return held;
  }

  #tooLarge(payload: Payload): ClientError {
    const what = `"${payload.packetName}" with ${payload.data.length} bytes`;
    return new ClientError("tooLarge", `The message ${what} is larger than the gateway reads.`);
  }

  /** The application wants no more of it: whatever the gateway says about it later is of no interest. */
  #giveUp(error: ClientError): void {
    if (this.#state.kind === "binding") {
      this.#state.stream.append({ kind: "unbind", binding: this.#state.number }, undefined);
    }
    this.#end(error);
  }

  /** It has ended without the application's wish. */
  #lose(error: ClientError): void {
    if (this.#state.kind === "ended") return;
    const told = this.#opening === undefined && this.#state.kind !== "unbinding";
    this.#end(error);
    if (told) this.#host.events.emit("bindingLost", { binding: this, error, rebinding: false });
  }

  #end(error: ClientError): void {
    const before = this.#state;
    if (before.kind === "ended") return;
    this.#state = { kind: "ended", error };
    this.#rebindTimer?.cancel();
    this.#refuseHeld(error);
    this.#requests.failAll(unansweredError(error));
    this.#host.forget(this, this.#number);
    if (before.kind === "unbinding") before.finish();
    this.#opening?.timer.cancel();
    this.#opening?.reject(error);
    this.#opening = undefined;
  }
}

function costOf(payload: Payload): number {
  return Outbox.cost(payload.data.length);
}

function lostError(written: boolean): ClientError {
  return written
    ? new ClientError("outcomeUnknown", "The session was lost before the message was confirmed: it may have run.")
    : new ClientError("notConnected", "The session was lost before the message left this client: it has not run.");
}

/** For what waited for a session when its binding ended. */
function neverSentError(cause: ClientError): ClientError {
  if (cause.code === "closed") return cause;
  return new ClientError("notConnected", "The binding ended before the message left this client: it has not run.", {
    cause,
  });
}

/** For requests whose binding ended before the answer came. */
function unansweredError(cause: ClientError): ClientError {
  if (cause.code === "closed" || cause.code === "outcomeUnknown") return cause;
  return new ClientError("outcomeUnknown", "The binding ended before the answer came: it may have run.", { cause });
}
