import {
  DEFAULT_BARRIER_LIMITS,
  SessionBarriers,
  type BindingRef,
  type PeerIdentity,
  type SessionBarrierEffect,
  type SessionBarrierInput,
  type TimerHandle,
} from "@rehome/core";
import {
  actorAuthorityKey,
  ridFromBytes,
  ridToDisplay,
  type ActorFence,
  type BoundSessionSend,
  type Rid,
  type SendRefused,
  type Target,
} from "@rehome/wire";
import { payloadBytes } from "../actors/delivery.ts";
import type { Session, SessionHandler } from "../api.ts";
import { background } from "../background.ts";
import { errorOfWire, RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { fenceOf } from "../links/directory.ts";
import type { LostLink } from "../links/links.ts";
import type { Payload } from "../payload.ts";
import { Binding, failLetter, letterBytes } from "./binding.ts";
import { ClientSession } from "./client-session.ts";
import type { Letter, UnbindLetter } from "./letters.ts";

const SESSION_RID_BYTES = 16;
const OPERATION_BYTES = 8;
/** How often a lost link's bindings are looked at until the link is back or the store says that the owner is gone. */
const WATCH_PAUSE_MS = 250;

type Effect = SessionBarrierEffect<Letter, Payload>;

/** The client sessions of this node: the session owner of `protocol.md` section 5. Drives `core/session-barrier`. */
export class SessionHost {
  readonly #host: Host;
  readonly #barriers: SessionBarriers<Letter, Payload>;
  readonly #sessions = new Map<Rid, ClientSession>();
  readonly #byGeneration = new Map<bigint, Binding>();
  readonly #byOperation = new Map<bigint, Binding>();
  readonly #sealTimers = new Map<string, TimerHandle>();
  readonly #watched = new Set<Rid>();
  #lastBindingGeneration = 0n;

  constructor(host: Host) {
    this.#host = host;
    const { deadlines } = host.config;
    this.#barriers = new SessionBarriers({
      ...DEFAULT_BARRIER_LIMITS,
      sealDeadlineMs: deadlines.sealMs,
      storeResolutionMs: deadlines.storeResolutionMs,
      maxHeldMessages: host.config.limits.holdMessages,
      maxHeldMessageBytes: host.config.limits.holdBytes,
    });
    const { links } = host;
    links.handle("boundSessionSend", (peer, command) => this.#onPush(peer, command));
    links.handle("sessionRelocationSeal", (peer, command, frames) => {
      const binding = this.#find(command.actor.actor.actorId, command.session);
      this.#handle({
        type: "SealReceived",
        peer,
        command,
        bytes: frames[0]!,
        owner: this.#owner(),
        binding: binding?.view,
      });
    });
    links.handle("sessionRelocationRoute", (peer, command) => {
      const binding = this.#find(command.actor.actorId, command.session);
      this.#handle({ type: "RouteReceived", peer, command, owner: this.#owner(), binding: binding?.view });
    });
    links.onLost((lost) => this.#onLost(lost));
  }

  open(handler: SessionHandler): Session {
    const sessionRid = ridFromBytes(this.#host.config.random.bytes(SESSION_RID_BYTES));
    const session = new ClientSession(this.#host, sessionRid, handler, () => this.#sessions.delete(sessionRid));
    this.#sessions.set(sessionRid, session);
    return session;
  }

  /** Rises with every binding of this node, and so with every binding of an actor. */
  nextBindingGeneration(): bigint {
    return ++this.#lastBindingGeneration;
  }

  /** An actor's node accepted a bind. */
  bound(session: ClientSession, actorType: string, bindingGeneration: bigint, route: ActorFence): void {
    const { actorId } = route.actor;
    const bytes = this.#host.config.random.bytes(OPERATION_BYTES);
    const binding = new Binding({
      host: this.#host,
      sessionRid: session.sessionRid,
      bindingGeneration,
      operationHigh: new DataView(bytes.buffer, bytes.byteOffset, OPERATION_BYTES).getBigUint64(0) || 1n,
      actorType,
      route,
      onRefused: (ticket, error) => session.handler.onSendRefused(actorId, ticket, error),
      onStale: () => background(this.#host.config.log, "session.verify", this.verify(binding)),
    });
    session.bindings.set(actorId, binding);
    this.#byGeneration.set(bindingGeneration, binding);
    this.#byOperation.set(binding.operationHigh, binding);
    this.#handle({ type: "BindAccepted", actorId, authorityOwnerGeneration: route.authorityOwnerGeneration });
  }

  /** A binding has ended here, for whatever reason; a second call does nothing. */
  ended(binding: Binding): void {
    if (binding.ended) return;
    binding.ended = true;
    this.#sessions.get(binding.sessionRid)?.bindings.delete(binding.actorId);
    this.#byGeneration.delete(binding.bindingGeneration);
    this.#byOperation.delete(binding.operationHigh);
    this.#handle({ type: "BindingEnded", binding: binding.ref });
  }

  /** S17: feeds a client's message, holds it behind a seal, or says at once that there is no room. */
  offer(binding: Binding, letter: Exclude<Letter, UnbindLetter>): void {
    const verdict = this.#barriers.offerMessage(binding.ref, letter, letterBytes(letter));
    if (verdict === "feed") binding.feed(letter);
    else if (verdict !== "held") {
      const error =
        verdict === "overflow"
          ? new RuntimeError("backpressured", `actor "${binding.actorId}" is moving and too many messages wait for it`)
          : new RuntimeError("actorSessionNotBound", `the binding to actor "${binding.actorId}" is ending`);
      this.#fail(binding, letter, error);
    }
  }

  offerUnbind(binding: Binding, letter: UnbindLetter): "now" | "held" | "closing" {
    return this.#barriers.offerUnbind(binding.ref, letter);
  }

  /** A 200 that names a session's message. False when it is not one of a session's. */
  onSendRefused(command: SendRefused): boolean {
    const binding = this.#byOperation.get(command.operation.high);
    if (!binding) return false;
    const error = errorOfWire(command, `a message to actor "${binding.actorId}"`);
    const sequence = command.operation.low;
    if (binding.refused(sequence, error)) this.offer(binding, { kind: "marker", sequence });
    return true;
  }

  /** Ends all sessions, as far as that goes in time. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  stop(): void {
    for (const binding of [...this.#byGeneration.values()]) {
      this.#lose(binding, new RuntimeError("closed", "the session's node is closing"));
    }
    this.#handle({ type: "Stopping" });
    for (const timer of this.#sealTimers.values()) timer.cancel();
    this.#sealTimers.clear();
    this.#sessions.clear();
  }

  #owner(): Target {
    const { nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration } = this.#host.self;
    return { nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration };
  }

  #find(actorId: string, ref: { sessionRid: Rid; bindingGeneration: bigint }): Binding | undefined {
    const binding = this.#byGeneration.get(ref.bindingGeneration);
    return binding?.sessionRid === ref.sessionRid && binding.actorId === actorId ? binding : undefined;
  }

  #onPush(peer: PeerIdentity, command: BoundSessionSend): void {
    const binding = this.#byGeneration.get(command.expectedBindingGeneration);
    const verdict = this.#barriers.offerPush({
      peer,
      actor: command.actor,
      expectedBindingGeneration: command.expectedBindingGeneration,
      binding: binding?.view,
      push: command.payload,
      bytes: payloadBytes(command.payload),
    });
    if (verdict.outcome === "pass") this.#deliver(binding!, command.payload);
    if (verdict.outcome === "refused") {
      this.#host.config.log.write("debug", "push.refused", {
        actorId: command.actor.actor.actorId,
        reason: verdict.reason,
      });
    }
  }

  #deliver(binding: Binding, payload: Payload): void {
    this.#sessions.get(binding.sessionRid)?.handler.onPush(binding.actorId, payload);
  }

  #handle(input: SessionBarrierInput): void {
    for (const effect of this.#barriers.handle(input, this.#host.config.clock.nowMs())) this.#perform(effect);
  }

  #perform(effect: Effect): void {
    const { links, config, store } = this.#host;
    switch (effect.type) {
      case "InstallSeal":
        // Feeding is synchronous: whatever was fed has been handed to its link already.
        this.#handle({ type: "SealInstalled", identity: effect.identity });
        return;
      case "SendSealed":
      case "SendRefusal":
        links.send(effect.peer, effect.command);
        return;
      case "StartSealTimer":
        this.#sealTimers.get(effect.identity)?.cancel();
        this.#sealTimers.set(
          effect.identity,
          config.clock.after(effect.delayMs, () =>
            this.#handle({ type: "SealDeadlinePassed", identity: effect.identity }),
          ),
        );
        return;
      case "StopSealTimer":
        this.#sealTimers.get(effect.identity)?.cancel();
        this.#sealTimers.delete(effect.identity);
        return;
      case "ReadAuthority": {
        const { identity, read, actorId } = effect;
        const reading = store.read(actorAuthorityKey(actorId)).then((answer) => {
          const binding = this.#bindingOfIdentity(identity);
          this.#handle({ type: "AuthorityRead", identity, read, answer, binding: binding?.view });
        });
        background(config.log, "seal.read", reading);
        return;
      }
      case "RepointBinding":
        this.#repoint(effect);
        return;
      case "ReleaseHeld":
        this.#release(effect.binding, effect.items);
        return;
      case "FailHeld":
        for (const letter of effect.items) this.#failHeld(effect.binding, letter, effect.reason);
        return;
      case "DeliverHeldPushes":
        for (const payload of effect.items)
          this.#withBinding(effect.binding, (binding) => this.#deliver(binding, payload));
        return;
      case "DropHeldPushes":
        config.log.write("warn", "push.dropped", {
          actorId: effect.binding.actorId,
          count: effect.items.length,
          reason: effect.reason,
        });
        return;
      case "EndBinding":
        this.#withBinding(effect.binding, (binding) =>
          this.#lose(binding, new RuntimeError("notFound", `actor "${binding.actorId}" is gone (${effect.reason})`)),
        );
        return;
      case "Report":
        config.log.write("warn", effect.event, effect.fields);
        return;
      case "ReportProtocolError":
        config.log.write("error", effect.event, { peer: ridToDisplay(effect.peer), ...effect.fields });
        return;
    }
  }

  #repoint({ binding: ref, identity, route }: Extract<Effect, { type: "RepointBinding" }>): void {
    const binding = this.#find(ref.actorId, ref);
    if (!binding) {
      this.#handle({ type: "RouteApplyFailed", identity, reason: "the binding has ended" });
      return;
    }
    binding.repoint(route);
    this.#host.directory.learn(binding.route);
    this.#handle({ type: "RouteApplied", identity });
  }

  #release(ref: BindingRef, items: readonly Letter[]): void {
    const binding = this.#find(ref.actorId, ref);
    for (const letter of items) {
      if (!binding) this.#failHeld(ref, letter, "bindingEnded");
      else if (letter.kind === "unbind") this.#sessions.get(ref.sessionRid)?.runUnbind(binding, letter.resolve);
      else binding.feed(letter);
    }
  }

  #failHeld(ref: BindingRef, letter: Letter, reason: string): void {
    const code = reason === "stopping" ? "closed" : "notFound";
    const handler = this.#sessions.get(ref.sessionRid)?.handler;
    failLetter(
      letter,
      new RuntimeError(code, `the message to actor "${ref.actorId}" was not run: ${reason}`),
      (ticket, error) => handler?.onSendRefused(ref.actorId, ticket, error),
    );
  }

  #fail(binding: Binding, letter: Letter, error: RuntimeError): void {
    const handler = this.#sessions.get(binding.sessionRid)?.handler;
    failLetter(letter, error, (ticket, reason) => handler?.onSendRefused(binding.actorId, ticket, reason));
  }

  #withBinding(ref: BindingRef, act: (binding: Binding) => void): void {
    const binding = this.#find(ref.actorId, ref);
    if (binding) act(binding);
  }

  /** An identity key ends in the binding generation (`wire.md` 5), which is unique on this node. */
  #bindingOfIdentity(identity: string): Binding | undefined {
    return this.#byGeneration.get(BigInt(identity.slice(identity.lastIndexOf(":") + 1)));
  }

  #lose(binding: Binding, error: RuntimeError): void {
    const handler = this.#sessions.get(binding.sessionRid)?.handler;
    if (binding.ended) return;
    this.ended(binding);
    if (!binding.unbinding) handler?.onBindingLost(binding.actorId, error);
  }

  /** N2, N5: what was fed and not acknowledged has an unknown outcome; the bindings live on if their owner does. */
  #onLost(lost: LostLink): void {
    const error = new RuntimeError(
      "outcomeUnknown",
      `the link to ${ridToDisplay(lost.peer.nodeRid)} was lost with the message`,
    );
    for (const command of lost.unacknowledged) {
      if (command.command !== "actorSend") continue;
      const binding = this.#byOperation.get(command.operation.high);
      if (!binding) continue;
      binding.lostWithLink(command.operation.low, error);
      this.offer(binding, { kind: "marker", sequence: command.operation.low });
    }
    background(this.#host.config.log, "session.watch", this.#watch(lost.peer));
  }

  async #watch(peer: PeerIdentity): Promise<void> {
    if (this.#watched.has(peer.nodeRid) || this.#routedTo(peer).length === 0) return;
    this.#watched.add(peer.nodeRid);
    try {
      while (!this.#host.stopped() && this.#routedTo(peer).length > 0) {
        if (await this.#reachable(peer)) return;
        await this.#host.directory.pause(WATCH_PAUSE_MS);
      }
    } finally {
      this.#watched.delete(peer.nodeRid);
    }
  }

  /** True when the link is back; bindings of a run that is gone are settled by what the store says. */
  async #reachable(peer: PeerIdentity): Promise<boolean> {
    const nodes = await this.#host.directory.nodes(true).catch(() => undefined);
    if (!nodes) return false;
    const alive = nodes.some(
      ({ descriptor: { owner } }) => owner.nodeRid === peer.nodeRid && owner.nodeGeneration === peer.nodeGeneration,
    );
    if (!alive) {
      await Promise.all(this.#routedTo(peer).map((binding) => this.verify(binding)));
      return false;
    }
    return this.#host.links.ready(peer.nodeRid).then(
      (linked) => linked.nodeGeneration === peer.nodeGeneration,
      () => false,
    );
  }

  #routedTo(peer: PeerIdentity): Binding[] {
    return [...this.#byGeneration.values()].filter(
      ({ route }) => route.nodeRid === peer.nodeRid && route.nodeGeneration === peer.nodeGeneration,
    );
  }

  /** Asks the store where the actor is, and repoints or ends the binding by its answer. A sealed binding is left to its barrier (S5). */
  async verify(binding: Binding): Promise<void> {
    if (binding.ended || this.#barriers.isSealed(binding.ref)) return;
    const answer = await this.#host.store.read(actorAuthorityKey(binding.actorId));
    if (binding.ended || answer.outcome === "unknown" || this.#barriers.isSealed(binding.ref)) return;
    const record = answer.outcome === "found" ? answer.reading.record : undefined;
    const same = record?.state === "active" && record.objectGeneration === binding.route.actor.objectGeneration;
    if (!same || (answer.outcome === "found" && !answer.reading.ownerLeaseLive)) {
      this.#lose(
        binding,
        new RuntimeError("notFound", `actor "${binding.actorId}" is gone: its node was lost or it was made anew`),
      );
    } else if (record.authorityOwnerGeneration > binding.route.authorityOwnerGeneration) {
      binding.route = fenceOf(binding.actorId, record);
      this.#handle({
        type: "BindAccepted",
        actorId: binding.actorId,
        authorityOwnerGeneration: record.authorityOwnerGeneration,
      });
    }
  }
}
