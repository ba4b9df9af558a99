import { BindingEntry, type BindingHost } from "./binding-entry.ts";
import type { Binding } from "./binding.ts";
import { Connector } from "./connector.ts";
import { Emitter } from "./emitter.ts";
import { ClientError } from "./errors.ts";
import type { ClientEvents, ClientState } from "./events.ts";
import type { Link } from "./link.ts";
import { parseOptions, positive, type ClientConfig, type ConnectOptions } from "./options.ts";
import { checkName } from "./payload.ts";
import { encodeClientPacket } from "./protocol/codec.ts";
import type { GatewayFrame, GatewayPacket, GoingAway, Welcome } from "./protocol/frames.ts";
import { Stream } from "./stream.ts";

/** Bindings that are over are remembered so that a late refusal can be told: enough for a window of messages. */
const MAX_ENDED_BINDINGS = 256;
/** The client goes when this part of the gateway's patience is over. */
const LEAVE_AT = 0.8;
/** `drain` comes when the buffers are down to this part of their limits, so that not every message causes one. */
const DRAIN_AT = 0.5;

/** A client's connection to a system of actors, through whatever gateway it reaches. */
export interface Client {
  readonly state: ClientState;
  /**
   * Gets or creates the actor, wherever it is, and binds to it. May be called at once: it waits for the connection.
   *
   * Rejects with `alreadyBound` (use the binding that there is), `forbidden`, `timedOut`, `closed`, `unauthenticated`,
   * `typeUnknown` or another of the runtime's codes.
   */
  bind(type: string, id: string, options?: { readonly timeoutMs?: number }): Promise<Binding>;
  /** Every binding that is not over. */
  bindings(): readonly Binding[];
  /** Adds a listener; see {@link ClientEvents}. Returns what takes it off again. */
  on<E extends keyof ClientEvents>(event: E, listener: (detail: ClientEvents[E]) => void): () => void;
  /** Bytes and messages that wait in this client, sent and not acknowledged included. */
  readonly buffered: { readonly bytes: number; readonly messages: number };
  /**
   * Waits, at most `closeTimeoutMs`, until the gateway has taken what was sent, and ends the session. Requests without
   * an answer reject with `closed`; sends that were not taken are reported by `sendRefused`. Never rejects.
   */
  close(): Promise<void>;
}

/**
 * Connects to a gateway and stays connected: a broken connection is replaced, and the session resumed, without the
 * application having to do anything. Throws `invalidArgument`.
 */
export function connect(options: ConnectOptions): Client {
  return new ClientHost(parseOptions(options));
}

class ClientHost implements Client, BindingHost {
  readonly config: ClientConfig;
  readonly events: Emitter<ClientEvents>;
  readonly #connector: Connector;
  /** By actor id. */
  readonly #bindings = new Map<string, BindingEntry>();
  /** By their number in frames, in the current session. */
  readonly #numbered = new Map<number, BindingEntry>();
  /** Numbers of bindings that are over, oldest first. */
  #overNumbers: number[] = [];
  #state: ClientState = "connecting";
  #wasConnected = false;
  #stream: Stream | undefined;
  /** Ends the session by itself when it cannot be resumed any more. */
  #graceTimer: { cancel(): void } | undefined;
  /** Set while the gateway is going away and what is under way is waited for. */
  #leaving: { readonly spreadMs: number; readonly timer: { cancel(): void } } | undefined;
  #heldBytes = 0;
  #heldMessages = 0;
  #wantsDrain = false;
  #reporting = false;
  #closing: { readonly done: Promise<void>; readonly settle: () => void; timer: { cancel(): void } } | undefined;

  constructor(config: ClientConfig) {
    this.config = config;
    this.events = new Emitter((error) => this.report(error));
    this.#connector = new Connector(config, {
      resume: () => this.#stream && { session: this.#stream.token, received: this.#stream.received },
      onWelcome: (link, welcome, acknowledged) => this.#onWelcome(link, welcome, acknowledged),
      onPacket: (packet, bytes) => this.#onPacket(packet, bytes),
      onDown: (error, sessionOver, retryInMs) => this.#onDown(error, sessionOver, retryInMs),
      onFatal: (error) => this.#finish(error),
    });
    this.#connector.connect();
  }

  // ------------------------------------------------------------------------------------------- for the application

  get state(): ClientState {
    return this.#state;
  }

  get buffered(): { readonly bytes: number; readonly messages: number } {
    return {
      bytes: this.#heldBytes + (this.#stream?.bufferedBytes ?? 0),
      messages: this.#heldMessages + (this.#stream?.bufferedFrames ?? 0),
    };
  }

  bindings(): readonly Binding[] {
    return [...this.#bindings.values()];
  }

  on<E extends keyof ClientEvents>(event: E, listener: (detail: ClientEvents[E]) => void): () => void {
    return this.events.on(event, listener);
  }

  async bind(type: string, id: string, options: { readonly timeoutMs?: number } = {}): Promise<Binding> {
    checkName("An actor type", type);
    checkName("An actor id", id);
    const timeoutMs = positive("timeoutMs", options.timeoutMs ?? this.config.bindTimeoutMs);
    for (let before = this.#bindings.get(id); before !== undefined; before = this.#bindings.get(id)) {
      if (!before.isUnbinding) {
        throw new ClientError(
          "alreadyBound",
          `This client is bound to "${id}" already: use that binding, or unbind it.`,
        );
      }
      await before.unbind();
    }
    if (this.#closing !== undefined || this.#state === "closed") throw closedError();
    this.checkRoom(0);
    const entry = new BindingEntry(this, { actorType: type, actorId: id }, timeoutMs);
    this.#bindings.set(id, entry);
    const stream = this.usableStream();
    if (stream !== undefined) entry.begin(stream);
    return entry.opened;
  }

  close(): Promise<void> {
    if (this.#closing !== undefined) return this.#closing.done;
    if (this.#state === "closed") return Promise.resolve();
    let settle = (): void => undefined;
    const done = new Promise<void>((resolve) => (settle = resolve));
    const timer = this.config.clock.after(this.config.closeTimeoutMs, () => this.#finish(undefined));
    this.#closing = { done, settle, timer };
    for (const entry of this.bindings()) (entry as BindingEntry).onClosed(closedError());
    this.#finishIfIdle();
    return done;
  }

  // ---------------------------------------------------------------------------------------------- for its bindings

  usableStream(): Stream | undefined {
    return this.#leaving === undefined && this.#closing === undefined ? this.#stream : undefined;
  }

  checkRoom(cost: number): void {
    const { bytes, messages } = this.buffered;
    if (bytes + cost <= this.config.maxBufferedBytes && messages < this.config.maxBufferedMessages) return;
    this.#wantsDrain = true;
    const text = `${messages} messages with ${bytes} bytes wait to be sent already: wait for the event "drain".`;
    throw new ClientError("backpressured", text);
  }

  countHeld(messages: number, cost: number): void {
    this.#heldMessages += messages;
    this.#heldBytes += cost;
  }

  register(number: number, entry: BindingEntry): void {
    this.#numbered.set(number, entry);
  }

  forget(entry: BindingEntry, number: number | undefined): void {
    if (this.#bindings.get(entry.actorId) === entry) this.#bindings.delete(entry.actorId);
    if (number !== undefined && this.#numbered.get(number) === entry) {
      this.#overNumbers.push(number);
      if (this.#overNumbers.length > MAX_ENDED_BINDINGS) this.#numbered.delete(this.#overNumbers.shift()!);
    }
  }

  report(error: unknown): void {
    // A listener of this very event may throw too.
    const told = !this.#reporting && this.#tell(error);
    if (!told) reportGlobally(error);
  }

  // ------------------------------------------------------------------------------------------------ the connection

  #onWelcome(link: Link, welcome: Welcome, acknowledged: number): boolean {
    this.#graceTimer?.cancel();
    this.#graceTimer = undefined;
    if (welcome.resumed) {
      if (this.#stream === undefined || !this.#stream.resume(link, acknowledged)) return false;
    } else {
      this.#loseSession(sessionLostError());
      this.#stream = new Stream(this.config.clock, welcome.session, welcome.limits, () => this.#tellRoom());
      this.#stream.begin(link);
    }
    const again = this.#wasConnected;
    this.#wasConnected = true;
    this.#setState({ state: "connected" });
    if (again) this.events.emit("resumed", { resumed: welcome.resumed });
    for (const entry of [...this.#bindings.values()]) {
      const stream = this.usableStream();
      if (stream !== undefined) entry.begin(stream);
      entry.releaseHeld();
    }
    return true;
  }

  #onPacket(packet: GatewayPacket, bytes: number): boolean {
    const stream = this.#stream;
    if (stream === undefined) return true;
    const before = stream.bufferedFrames;
    const frames = stream.receive(packet, bytes);
    if (frames === undefined) return false;
    if (frames.length > 0 || packet.ping !== undefined || stream.bufferedFrames < before) this.#connector.proven();
    // An application may end the session in a handler: then there is nobody left for the rest.
    for (const frame of frames) this.#dispatch(frame);
    if (packet.goingAway !== undefined) this.#onGoingAway(packet.goingAway);
    this.#leaveIfIdle();
    this.#finishIfIdle();
    return true;
  }

  #dispatch(frame: GatewayFrame): void {
    const entry = this.#numbered.get(frame.binding);
    if (entry === undefined) return;
    switch (frame.kind) {
      case "push":
        return entry.onPayload(frame.payload);
      case "reply":
        return entry.onReply(frame.sequence, frame.result);
      case "sendRefused":
        return entry.onSendRefused(frame.sequence, frame.failure);
      case "bound":
        return entry.onBound(frame.created);
      case "bindFailed":
        return entry.onBindFailed(frame.failure);
      case "unbound":
        return entry.onUnbound();
      case "bindingLost":
        return entry.onLost(frame.failure);
    }
  }

  #onDown(error: ClientError, sessionOver: boolean, retryInMs: number): void {
    const stream = this.#stream;
    stream?.detach();
    if (sessionOver || this.#leaving !== undefined) {
      this.#loseSession(sessionLostError(error));
    } else if (stream !== undefined) {
      this.#graceTimer ??= this.config.clock.after(stream.limits.resumeGraceMs, () => {
        this.#graceTimer = undefined;
        this.#loseSession(sessionLostError(error));
      });
    }
    this.#setState({ state: this.#wasConnected ? "reconnecting" : "connecting", error, retryInMs });
    if (this.#closing !== undefined) this.#finish(undefined);
  }

  #onGoingAway({ deadlineMs, spreadMs }: GoingAway): void {
    if (this.#leaving !== undefined || this.#closing !== undefined) return;
    const timer = this.config.clock.after(deadlineMs * LEAVE_AT, () => this.#leave());
    this.#leaving = { spreadMs, timer };
    this.events.emit("goingAway", {});
  }

  #leaveIfIdle(): void {
    if (this.#leaving === undefined || this.#stream?.idle === false) return;
    for (const entry of this.#bindings.values()) if (entry.isAsking || entry.isChanging) return;
    this.#leave();
  }

  #leave(): void {
    if (this.#leaving !== undefined) this.#connector.moveOn(this.#leaving.spreadMs, GOODBYE);
  }

  #loseSession(error: ClientError, rebind = this.config.rebind): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    this.#stream = undefined;
    stream.detach();
    this.#numbered.clear();
    this.#overNumbers = [];
    this.#leaving?.timer.cancel();
    this.#leaving = undefined;
    for (const { tag, written } of stream.unacknowledged()) tag?.reportLost(written);
    for (const entry of [...this.#bindings.values()]) entry.onSessionLost(error, rebind);
    this.#tellRoom();
  }

  // --------------------------------------------------------------------------------------------------------- the end

  #finishIfIdle(): void {
    if (this.#closing === undefined || this.#state === "closed") return;
    if (this.#state !== "connected" || this.#stream === undefined || this.#stream.idle) this.#finish(undefined);
  }

  /** `error` is `undefined` when the application wished it. */
  #finish(error: ClientError | undefined): void {
    if (this.#state === "closed") return;
    this.#connector.stop(this.#stream && GOODBYE);
    this.#graceTimer?.cancel();
    const cause = error ?? closedError();
    this.#loseSession(cause, false);
    for (const entry of [...this.#bindings.values()]) entry.onFatal(cause);
    this.#setState(error === undefined ? { state: "closed" } : { state: "closed", error });
    this.events.clear();
    this.#closing?.timer.cancel();
    this.#closing?.settle();
  }

  #setState(detail: ClientEvents["state"]): void {
    this.#state = detail.state;
    this.events.emit("state", detail);
  }

  #tellRoom(): void {
    if (!this.#wantsDrain) return;
    const { bytes, messages } = this.buffered;
    const { maxBufferedBytes, maxBufferedMessages } = this.config;
    if (bytes > maxBufferedBytes * DRAIN_AT || messages > maxBufferedMessages * DRAIN_AT) return;
    this.#wantsDrain = false;
    this.events.emit("drain", {});
  }

  #tell(error: unknown): boolean {
    this.#reporting = true;
    const told = this.events.emit("handlerFailed", { error });
    this.#reporting = false;
    return told;
  }
}

const GOODBYE = encodeClientPacket({ goodbye: true });

function closedError(): ClientError {
  return new ClientError("closed", "The client was closed.");
}

function sessionLostError(cause?: ClientError): ClientError {
  const text = "The session was lost: what it had under way may or may not have run.";
  return new ClientError("outcomeUnknown", text, { cause });
}

/** Nobody listens for it: as any other error that an event handler throws in this environment. */
function reportGlobally(error: unknown): void {
  const { reportError, console } = globalThis as unknown as {
    reportError?: (error: unknown) => void;
    console: { error(...what: unknown[]): void };
  };
  if (reportError === undefined) console.error("A listener of a client failed:", error);
  else reportError(error);
}
