import type { ClientFrame, Failure, GatewayFrame, Payload } from "@rehome/client/protocol";
import { bindActor, type BindOutcome } from "./bind.ts";
import { LATE, withDeadline } from "./deadline.ts";
import { failure, failureOf, textOf } from "./failures.ts";
import type { GatewayConfig, Principal } from "./options.ts";
import { SequenceMap } from "./sequence-map.ts";
import type { RuntimeError, Session, SessionHandler } from "./session-port.ts";

/** The most bytes a message name, content type, actor type or actor id may have (`wire.md`, `text8`). */
const MAX_TEXT_BYTES = 255;

export interface BindingsHost {
  readonly config: GatewayConfig;
  readonly principal: Principal;
  /** To the client. */
  emit(frame: GatewayFrame): void;
  /** False once the session has ended. */
  isOpen(): boolean;
  /** True once the gateway is closing. */
  isClosing(): boolean;
  countDroppedPush(): void;
}

type Phase =
  /** The node was asked. What happens to the binding meanwhile is done once it has answered. */
  | { readonly kind: "binding"; readonly unbind: boolean; readonly lost: Failure | undefined }
  | { readonly kind: "bound" }
  | { readonly kind: "unbinding" };

interface Entry {
  readonly number: number;
  readonly actorType: string;
  readonly actorId: string;
  readonly sequences: SequenceMap;
  phase: Phase;
}

type Message = Extract<ClientFrame, { kind: "send" | "request" }>;

/** The bindings of one session: hands the client's frames to the node, and what the node says to the client. */
export class Bindings implements SessionHandler {
  readonly #host: BindingsHost;
  readonly #byNumber = new Map<number, Entry>();
  readonly #byActor = new Map<string, Entry>();
  /** Actors about which the node has not answered in time: binding them again would get the older answer's effect. */
  readonly #unsettled = new Set<string>();
  #node: Session | undefined;
  #highest = 0;
  #outstanding = 0;

  constructor(host: BindingsHost) {
    this.#host = host;
  }

  get count(): number {
    return this.#byNumber.size;
  }

  /** To be called before the first frame. */
  start(node: Session): void {
    this.#node = node;
  }

  end(): void {
    this.#byNumber.clear();
    this.#byActor.clear();
  }

  /** Returns what is wrong with the frame when no honest client can have sent it. */
  onFrame(frame: ClientFrame): string | undefined {
    if (frame.kind === "bind") return this.#onBind(frame);
    if (frame.binding < 1 || frame.binding > this.#highest) return "A binding was used that was never made.";
    const entry = this.#byNumber.get(frame.binding);
    if (frame.kind === "unbind") this.#onUnbind(entry);
    else this.#onMessage(entry, frame);
    return undefined;
  }

  // ------------------------------------------------------------------------------------------------ from the node

  onPush(actorId: string, payload: Payload): void {
    const entry = this.#byActor.get(actorId);
    if (entry === undefined) this.#host.countDroppedPush();
    else this.#host.emit({ kind: "push", binding: entry.number, payload });
  }

  onSendRefused(actorId: string, nodeSequence: bigint, error: RuntimeError): void {
    const entry = this.#byActor.get(actorId);
    const sequence = entry?.sequences.toClient(Number(nodeSequence));
    if (entry === undefined || sequence === undefined) {
      // The client was told that the binding is lost, which says as much of its messages.
      this.#host.config.log.write("debug", "gateway.refusal.unmatched", { actorId, nodeSequence, code: error.code });
    } else {
      this.#host.emit({ kind: "sendRefused", binding: entry.number, sequence, failure: failureOf(error) });
    }
  }

  onBindingLost(actorId: string, error: RuntimeError): void {
    const entry = this.#byActor.get(actorId);
    if (entry?.phase.kind === "binding") entry.phase = { ...entry.phase, lost: failureOf(error) };
    else if (entry?.phase.kind === "bound") this.#lose(entry, failureOf(error));
  }

  // ---------------------------------------------------------------------------------------------- from the client

  #onBind(frame: Extract<ClientFrame, { kind: "bind" }>): string | undefined {
    const { binding: number, actorType, actorId } = frame;
    if (number <= this.#highest) return "A binding's number was used before.";
    this.#highest = number;
    const refusal = this.#whyNotBind(actorType, actorId);
    if (refusal !== undefined) {
      this.#host.emit({ kind: "bindFailed", binding: number, failure: refusal });
      return undefined;
    }
    const phase = { kind: "binding", unbind: false, lost: undefined } as const;
    const entry: Entry = { number, actorType, actorId, sequences: new SequenceMap(), phase };
    this.#byNumber.set(number, entry);
    this.#byActor.set(actorId, entry);
    void this.#bind(entry);
    return undefined;
  }

  #whyNotBind(actorType: string, actorId: string): Failure | undefined {
    const { maxBindings } = this.#host.config.limits;
    if (!isText(actorType) || !isText(actorId))
      return failure("invalidArgument", "An actor's type and id have 1–255 bytes.");
    if (this.#byActor.has(actorId)) return failure("alreadyBound", "The session is bound to this actor.");
    if (this.#unsettled.has(actorId)) return failure("busy", "An earlier bind or unbind is still under way.");
    if (this.count >= maxBindings) return failure("limitExceeded", `A session can have ${maxBindings} bindings.`);
    return this.#host.isClosing() ? failure("goingAway", "The gateway is closing.") : undefined;
  }

  async #bind(entry: Entry): Promise<void> {
    const { config, principal } = this.#host;
    const { actorType, actorId } = entry;
    const isWanted = (): boolean => this.#host.isOpen() && entry.phase.kind === "binding" && !entry.phase.unbind;
    const outcome = await bindActor({ config, principal, node: this.#node!, actorType, actorId, isWanted });
    if (!this.#host.isOpen() || entry.phase.kind !== "binding") return;
    if (!outcome.ok) this.#onBindFailed(entry, entry.phase.unbind, outcome);
    else if (entry.phase.unbind) await this.#unbind(entry);
    else this.#onBound(entry, entry.phase.lost, outcome.created);
  }

  #onBound(entry: Entry, lost: Failure | undefined, created: boolean): void {
    entry.phase = { kind: "bound" };
    this.#host.emit({ kind: "bound", binding: entry.number, created });
    if (lost !== undefined) this.#lose(entry, lost);
  }

  #onBindFailed(entry: Entry, unbind: boolean, outcome: Extract<BindOutcome, { ok: false }>): void {
    this.#forget(entry);
    if (outcome.unsettled !== undefined) this.#await(entry.actorId, outcome.unsettled);
    if (unbind) this.#host.emit({ kind: "unbound", binding: entry.number });
    else this.#host.emit({ kind: "bindFailed", binding: entry.number, failure: outcome.failure });
  }

  #onUnbind(entry: Entry | undefined): void {
    // One that is gone crossed with its own end: the client has been told.
    if (entry?.phase.kind === "binding") entry.phase = { ...entry.phase, unbind: true };
    else if (entry?.phase.kind === "bound") void this.#unbind(entry);
  }

  async #unbind(entry: Entry): Promise<void> {
    entry.phase = { kind: "unbinding" };
    const { clock, deadlines, log } = this.#host.config;
    const { actorType, actorId } = entry;
    const attempt = (async () => this.#node!.unbind(actorId))();
    try {
      if ((await withDeadline(clock, deadlines.bindMs, () => attempt)) === LATE) {
        log.write("error", "gateway.unbind.late", { actorType, actorId, bindMs: deadlines.bindMs });
        this.#await(
          actorId,
          attempt.catch(() => undefined),
        );
      }
    } catch (error) {
      log.write("warn", "gateway.unbind.failed", { actorType, actorId, error: textOf(error) });
    }
    this.#forget(entry);
    this.#host.emit({ kind: "unbound", binding: entry.number });
  }

  #onMessage(entry: Entry | undefined, frame: Message): void {
    if (entry === undefined || entry.phase.kind !== "bound") {
      this.#refuse(frame, failure("actorSessionNotBound", "The binding is not there, or not yet."));
    } else if (!isAllowedName(frame.payload.packetName) || !isText(frame.payload.contentType)) {
      this.#refuse(
        frame,
        failure("invalidArgument", "A message's name or content type is not one that a client may use."),
      );
    } else if (frame.kind === "send") {
      this.#send(entry, frame);
    } else if (this.#outstanding >= this.#host.config.limits.maxOutstandingRequests) {
      this.#refuse(frame, failure("backpressured", "Too many requests wait for their answer: wait for some of them."));
    } else {
      void this.#request(entry, frame);
    }
  }

  #send(entry: Entry, frame: Message): void {
    try {
      const nodeSequence = this.#node!.send(entry.actorId, frame.payload);
      entry.sequences.note(frame.sequence, Number(nodeSequence));
    } catch (error) {
      this.#refuse(frame, failureOf(error));
    }
  }

  async #request(entry: Entry, frame: Extract<ClientFrame, { kind: "request" }>): Promise<void> {
    const { requestMs } = this.#host.config.deadlines;
    const timeoutMs = Math.min(frame.timeoutMs || requestMs, requestMs);
    this.#outstanding++;
    try {
      const payload = await this.#node!.request(entry.actorId, frame.payload, { timeoutMs });
      const result = { ok: true, payload } as const;
      this.#host.emit({ kind: "reply", binding: frame.binding, sequence: frame.sequence, result });
    } catch (error) {
      this.#refuse(frame, failureOf(error));
    } finally {
      this.#outstanding--;
    }
  }

  #refuse(frame: Message, why: Failure): void {
    const { binding, sequence } = frame;
    if (frame.kind === "send") this.#host.emit({ kind: "sendRefused", binding, sequence, failure: why });
    else this.#host.emit({ kind: "reply", binding, sequence, result: { ok: false, failure: why } });
  }

  #lose(entry: Entry, why: Failure): void {
    this.#forget(entry);
    this.#host.emit({ kind: "bindingLost", binding: entry.number, failure: why });
  }

  #forget(entry: Entry): void {
    if (this.#byNumber.get(entry.number) === entry) this.#byNumber.delete(entry.number);
    if (this.#byActor.get(entry.actorId) === entry) this.#byActor.delete(entry.actorId);
  }

  #await(actorId: string, settled: Promise<void>): void {
    this.#unsettled.add(actorId);
    void settled.then(() => this.#unsettled.delete(actorId));
  }
}

function isText(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= MAX_TEXT_BYTES &&
    !text.includes("\0") &&
    Buffer.byteLength(text) <= MAX_TEXT_BYTES
  );
}

/** Names that begin with `~` belong to the protocol (`wire.md` 2): a client could forge its markers with them. */
function isAllowedName(name: string): boolean {
  return isText(name) && !name.startsWith("~");
}
