import { LruMap, type BindingRef, type PeerIdentity } from "@rehome/core";
import {
  ridFromBytes,
  ridToDisplay,
  type ActorFence,
  type BoundSessionReplaced,
  type BoundSessionSend,
  type Rid,
  type SendRefused,
  type Session as WireSession,
  type Target,
} from "@rehome/wire";
import { payloadBytes } from "../actors/delivery.ts";
import type { Session, SessionHandler } from "../api.ts";
import { background } from "../background.ts";
import type { NodeCounts } from "../counts.ts";
import { errorOfWire, RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import type { LostLink } from "../links/links.ts";
import type { Payload } from "../payload.ts";
import { BarrierDriver } from "./barrier-driver.ts";
import { retireLost } from "./bind.ts";
import { Binding } from "./binding.ts";
import { ClientSession } from "./client-session.ts";
import { failLetter, letterBytes, type Letter, type UnbindLetter } from "./letters.ts";
import { RouteWatch } from "./route-watch.ts";

const SESSION_RID_BYTES = 16;
const OPERATION_BYTES = 8;
/** Bindings that have ended, and whose last messages may still be refused: their places are filled (N5). */
const MAX_PAST = 4_096;
/** Bindings that are being ended at their actor's node because it still speaks on them; one at a time each. */
const MAX_RETIRING = 4_096;

/**
 * Bindings are numbered through within a run, and runs apart from each other: an actor's node that still holds a binding of
 * an earlier run must not hit one of this run with it. 2^32 bindings in each of 2^30 runs in a row fit a generation.
 */
const BINDINGS_PER_RUN_BITS = 32n;
const RUNS_TOLD_APART = 2n ** 30n;

/** The client sessions of this node: the session owner of `protocol.md` section 5. */
export class SessionHost {
  readonly #host: Host;
  readonly #driver: BarrierDriver;
  readonly #watch: RouteWatch;
  readonly #sessions = new Map<Rid, ClientSession>();
  readonly #byGeneration = new Map<bigint, Binding>();
  readonly #byOperation = new Map<bigint, Binding>();
  readonly #past = new LruMap<bigint, Binding>(MAX_PAST);
  readonly #retiring = new LruMap<bigint, true>(MAX_RETIRING);
  #lastBindingGeneration: bigint;

  constructor(host: Host) {
    this.#host = host;
    this.#lastBindingGeneration = (host.self.nodeGeneration % RUNS_TOLD_APART) << BINDINGS_PER_RUN_BITS;
    this.#driver = new BarrierDriver(host, {
      find: (ref) => this.#find(ref),
      deliver: (binding, payload) => this.#deliver(binding, payload),
      fail: (ref, letter, error) => this.#fail(ref, letter, error),
      end: (binding, error, mayLiveOn) => this.#lose(binding, error, mayLiveOn),
    });
    this.#watch = new RouteWatch(host, {
      routedTo: (peer) => this.#routedTo(peer),
      isSealed: (binding) => this.#driver.barriers.isSealed(binding.ref),
      moved: (binding, route) => this.#moved(binding, route),
      lose: (binding, error) => this.#lose(binding, error, false),
    });
    const { links } = host;
    links.handle("boundSessionSend", (peer, command) => this.#onPush(peer, command));
    links.handle("sessionRelocationSeal", (peer, command, frames) => {
      const { actor, session } = command;
      const binding = this.#find({ ...session, actorId: actor.actor.actorId });
      if (!binding) this.#strayed(session, actor);
      const facts = { peer, command, bytes: frames[0]!, owner: this.#owner(), binding: binding?.view };
      this.#driver.handle({ type: "SealReceived", ...facts });
    });
    links.handle("sessionRelocationRoute", (peer, command) => {
      const binding = this.#find({ ...command.session, actorId: command.actor.actorId });
      this.#driver.handle({ type: "RouteReceived", peer, command, owner: this.#owner(), binding: binding?.view });
    });
    links.handle("boundSessionReplaced", (peer, command) => this.#onReplaced(peer, command));
    links.onLost((lost) => this.#onLost(lost));
  }

  open(handler: SessionHandler): Session {
    const sessionRid = ridFromBytes(this.#host.config.random.bytes(SESSION_RID_BYTES));
    const session = new ClientSession(this.#host, sessionRid, handler, () => this.#sessions.delete(sessionRid));
    this.#sessions.set(sessionRid, session);
    return session;
  }

  get counts(): Pick<NodeCounts, "sessions" | "bindings" | "seals" | "sealedBytes"> {
    const { active, heldTotalBytes } = this.#driver.barriers.inspect();
    return {
      sessions: this.#sessions.size,
      bindings: this.#byGeneration.size,
      seals: active.length,
      sealedBytes: heldTotalBytes,
    };
  }

  /** Rises with every binding of this node, and so with every binding of an actor. */
  nextBindingGeneration(): bigint {
    return ++this.#lastBindingGeneration;
  }

  /** An actor's node accepted a bind. */
  bound(session: ClientSession, actorType: string, bindingGeneration: bigint, route: ActorFence): void {
    const { actorId } = route.actor;
    const bytes = this.#host.config.random.bytes(OPERATION_BYTES);
    const binding: Binding = new Binding({
      host: this.#host,
      sessionRid: session.sessionRid,
      bindingGeneration,
      operationHigh: new DataView(bytes.buffer, bytes.byteOffset, OPERATION_BYTES).getBigUint64(0) || 1n,
      actorType,
      route,
      onRefused: (ticket, error) => session.refused(actorId, ticket, error),
      onStale: () => background(this.#host.config.log, "session.verify", this.verify(binding)),
      isSealed: () => this.#driver.barriers.isSealed(binding.ref),
    });
    session.bindings.set(actorId, binding);
    this.#byGeneration.set(bindingGeneration, binding);
    this.#byOperation.set(binding.operationHigh, binding);
    const { authorityOwnerGeneration } = route;
    this.#driver.handle({ type: "BindAccepted", actorId, authorityOwnerGeneration });
  }

  /** A binding has ended here, for whatever reason; a second call does nothing. */
  ended(binding: Binding, mayLiveOn: boolean): void {
    if (binding.ended) return;
    binding.end(mayLiveOn ? "fill" : "leave");
    if (mayLiveOn) this.#past.set(binding.operationHigh, binding);
    this.#sessions.get(binding.sessionRid)?.bindings.delete(binding.actorId);
    this.#byGeneration.delete(binding.bindingGeneration);
    this.#byOperation.delete(binding.operationHigh);
    this.#driver.handle({ type: "BindingEnded", binding: binding.ref });
  }

  /** Ends a binding at its actor's node that is over here, or never came about: left alone it would block every move. */
  retire(fence: ActorFence, sessionRid: Rid, bindingGeneration: bigint): void {
    if (this.#retiring.has(bindingGeneration) || this.#host.stopped()) return;
    this.#retiring.set(bindingGeneration, true);
    const work = retireLost(this.#host, fence, sessionRid, bindingGeneration).finally(() =>
      this.#retiring.delete(bindingGeneration),
    );
    background(this.#host.config.log, "session.retire", work);
  }

  /** S17: feeds a client's message, holds it behind a seal, or says at once that there is no room. */
  offer(binding: Binding, letter: Exclude<Letter, UnbindLetter>): void {
    const { ref } = binding;
    switch (this.#driver.barriers.offerMessage(ref, letter, letterBytes(letter))) {
      case "feed":
        binding.feed(letter);
        return;
      case "held":
        return;
      case "overflow":
        this.#fail(ref, letter, new RuntimeError("backpressured", `too much waits for actor "${ref.actorId}" to move`));
        return;
      case "closing":
        this.#fail(ref, letter, new RuntimeError("actorSessionNotBound", `the binding to "${ref.actorId}" is ending`));
        return;
    }
  }

  offerUnbind(binding: Binding, letter: UnbindLetter): "now" | "held" | "closing" {
    return this.#driver.barriers.offerUnbind(binding.ref, letter);
  }

  /** A 200 that names a session's message. False when it is not one of a session's. */
  onSendRefused(command: SendRefused): boolean {
    const binding = this.#ofOperation(command.operation.high);
    if (!binding) return false;
    binding.refused(command.operation.low, errorOfWire(command, `a message to actor "${binding.actorId}"`));
    return true;
  }

  /** Asks the store where a binding's actor is, and repoints or ends the binding by its answer. True: the actor is gone. */
  verify(binding: Binding): Promise<boolean> {
    return this.#watch.verify(binding);
  }

  /** Ends all sessions, as far as that goes in time. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  stop(): void {
    for (const binding of [...this.#byGeneration.values()]) {
      this.#lose(binding, new RuntimeError("closed", "the session's node is closing"), false);
    }
    this.#driver.stop();
    this.#sessions.clear();
  }

  #owner(): Target {
    const { nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration } = this.#host.self;
    return { nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration };
  }

  #find({ actorId, sessionRid, bindingGeneration }: BindingRef): Binding | undefined {
    const binding = this.#byGeneration.get(bindingGeneration);
    return binding?.sessionRid === sessionRid && binding.actorId === actorId ? binding : undefined;
  }

  /** S16: the actor's node says that it ended the actor. The store's word on that decides. */
  #onReplaced(peer: PeerIdentity, { actor, retired }: BoundSessionReplaced): void {
    const binding = this.#find({ ...retired, actorId: actor.actor.actorId });
    if (!binding || peer.nodeRid !== binding.route.nodeRid || retired.ownerNodeRid !== this.#host.self.nodeRid) return;
    background(this.#host.config.log, "binding.verify", this.#watch.verify(binding));
  }

  /** S15, S17. */
  #onPush(peer: PeerIdentity, command: BoundSessionSend): void {
    const { actor, payload, expectedBindingGeneration } = command;
    const binding = this.#byGeneration.get(expectedBindingGeneration);
    const bytes = payloadBytes(payload);
    const offer = { peer, actor, expectedBindingGeneration, binding: binding?.view, push: payload, bytes };
    const verdict = this.#driver.barriers.offerPush(offer);
    if (verdict.outcome === "pass" && binding) this.#deliver(binding, payload);
    if (verdict.outcome !== "refused") return;
    const { reason } = verdict;
    this.#host.config.log.write("debug", "push.refused", { actorId: actor.actor.actorId, reason });
  }

  #ofOperation(high: bigint): Binding | undefined {
    return this.#byOperation.get(high) ?? this.#past.get(high);
  }

  #deliver(binding: Binding, payload: Payload): void {
    this.#sessions.get(binding.sessionRid)?.pushed(binding.actorId, payload);
  }

  #fail({ sessionRid, actorId }: BindingRef, letter: Letter, error: RuntimeError): void {
    const session = this.#sessions.get(sessionRid);
    failLetter(letter, error, (ticket, reason) => session?.refused(actorId, ticket, reason));
  }

  #lose(binding: Binding, error: RuntimeError, mayLiveOn: boolean): void {
    if (binding.ended) return;
    const session = this.#sessions.get(binding.sessionRid);
    this.ended(binding, mayLiveOn);
    if (mayLiveOn) this.retire(binding.route, binding.sessionRid, binding.bindingGeneration);
    if (!binding.unbinding) session?.bindingLost(binding.actorId, error);
  }

  #moved(binding: Binding, route: ActorFence): void {
    binding.route = route;
    const { authorityOwnerGeneration } = route;
    this.#driver.handle({ type: "BindAccepted", actorId: binding.actorId, authorityOwnerGeneration });
  }

  /** The actor's node has a binding of this run, or of an earlier one of this node, that is not here. */
  #strayed(session: WireSession, actor: ActorFence): void {
    const { nodeRid, nodeGeneration } = this.#host.self;
    if (session.ownerNodeRid !== nodeRid || session.ownerNodeGeneration > nodeGeneration) return;
    const isOfThisRun = session.ownerNodeGeneration === nodeGeneration;
    if (isOfThisRun && session.bindingGeneration > this.#lastBindingGeneration) return;
    this.retire(actor, session.sessionRid, session.bindingGeneration);
  }

  /** N2, N5: what was fed and not acknowledged has an unknown outcome; the bindings live on if their owner does. */
  #onLost({ peer, unacknowledged }: LostLink): void {
    const message = `the link to ${ridToDisplay(peer.nodeRid)} was lost with the message`;
    for (const command of unacknowledged) {
      if (command.command !== "actorSend") continue;
      const binding = this.#ofOperation(command.operation.high);
      binding?.lostWithLink(command.operation.low, new RuntimeError("outcomeUnknown", message));
    }
    background(this.#host.config.log, "session.watch", this.#watch.lost(peer));
  }

  #routedTo(peer: PeerIdentity): Binding[] {
    return [...this.#byGeneration.values()].filter(
      ({ route }) => route.nodeRid === peer.nodeRid && route.nodeGeneration === peer.nodeGeneration,
    );
  }
}
