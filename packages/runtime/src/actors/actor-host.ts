import {
  actorAuthorityKey,
  ridToDisplay,
  type ActorCreate,
  type ActorDestroy,
  type ActorRef,
  type ActorSend,
  type ActorRequest,
  type BoundSessionBind,
  type FrozenSource,
  type Session,
} from "@rehome/wire";
import type { AuthorityRecord, PeerIdentity, SpotPlace } from "@rehome/core";
import type { ActorInfo } from "../api.ts";
import { reportCallback } from "../callbacks.ts";
import { asRuntimeError, RuntimeError, wireResultOf, type RuntimeErrorCode } from "../errors.ts";
import type { Host } from "../host.ts";
import { Activation } from "./activation.ts";
import { refuse } from "./answers.ts";
import { endActor } from "./ending.ts";
import { commitCreation } from "./creation.ts";
import { hopsOf, payloadBytes, type Delivery, type MailboxItem } from "./delivery.ts";
import { beginState, readInheritance } from "./recreation.ts";

/** The actors that live on this node, and the door for every message to them. */
export class ActorHost {
  readonly #host: Host;
  readonly #activations = new Map<string, Activation>();
  /** Creations under way, by actor, so that a repeated 49 joins the first. */
  readonly #creating = new Map<string, Promise<"created" | "existing">>();

  constructor(host: Host) {
    this.#host = host;
    host.links.handle("actorSend", (peer, command) => this.#onMessage(peer, command));
    host.links.handle("actorRequest", (peer, command) => this.#onMessage(peer, command));
    host.links.handle("boundSessionBind", (peer, command) => this.#onBind(peer, command));
    host.links.handle("actorDestroy", (peer, command) => this.#onDestroy(peer, command));
    host.links.handle("actorCreate", (peer, command) => this.#onCreate(peer, command));
  }

  find(actorId: string): Activation | undefined {
    return this.#activations.get(actorId);
  }

  add(activation: Activation): void {
    this.#activations.set(activation.actorId, activation);
  }

  /** Removes this very copy, not a later one of the same id (`protocol.md` O9, T3). */
  remove(activation: Activation): void {
    if (this.#activations.get(activation.actorId) === activation) this.#activations.delete(activation.actorId);
    activation.depart();
  }

  list(): ActorInfo[] {
    return [...this.#activations.values()].map((activation) => ({
      actorType: activation.actorType,
      actorId: activation.actorId,
      spotId: activation.place?.spotId,
      phase: activation.hold ? ("moving" as const) : ("running" as const),
    }));
  }

  /** Those that are in a spot of this node. */
  in({ spotId, objectGeneration }: SpotPlace): Activation[] {
    return this.all().filter(({ place }) => place?.spotId === spotId && place.objectGeneration === objectGeneration);
  }

  /** Those that are being made here and have no activation yet. */
  creating(): string[] {
    return [...this.#creating.keys()];
  }

  all(): Activation[] {
    return [...this.#activations.values()];
  }

  /** Where a message goes: the copy that is being made here, the one that lives here, on to the next owner, or back. */
  deliver(target: ActorRef, delivery: Delivery): void {
    if (this.#host.mover.offerToAttempt(target, delivery)) return;
    const activation = this.#activations.get(target.actorId);
    if (activation && this.#host.work() === "ending") {
      refuse(this.#host, delivery, "notConnected", `the node of actor "${target.actorId}" is shutting down`);
      return;
    }
    if (activation) {
      const { objectGeneration } = activation.record;
      if (target.objectGeneration === objectGeneration) activation.offer(delivery);
      else
        refuse(
          this.#host,
          delivery,
          "stale",
          `actor "${target.actorId}" has object generation ${objectGeneration} by now`,
        );
      return;
    }
    if (this.#host.mover.offerToFollow(target, delivery)) return;
    refuse(this.#host, delivery, "stale", `actor "${target.actorId}" is not on this node`);
  }

  #onMessage(peer: PeerIdentity, command: ActorSend | ActorRequest): void {
    const source = sourceOf(peer, command);
    if (!source) {
      this.#host.config.log.write("warn", "message.noOwner", { peer: ridToDisplay(peer.nodeRid) });
      return;
    }
    const request = command.command === "actorRequest";
    this.deliver(command.target.actor, {
      type: "message",
      kind: request ? "request" : "send",
      source,
      metadata: command.metadata,
      operation: command.operation,
      replyRouteId: request ? command.correlation : 0n,
      payload: command.payload,
      hops: Math.max(command.hopCount, hopsOf(command.metadata)),
      arrival: {
        via: "direct",
        addressed: command.target,
        senderNodeRid: peer.nodeRid,
        operation: command.operation,
        replyRouteId: request ? command.correlation : 0n,
      },
      answer: request ? { type: "reply" } : { type: "none" },
      bytes: payloadBytes(command.payload),
    });
  }

  #onBind(peer: PeerIdentity, command: BoundSessionBind): void {
    const { actor, binding, correlation, sessionRid } = command;
    const activation = this.#activations.get(actor.actor.actorId);
    if (!activation || activation.record.objectGeneration !== actor.actor.objectGeneration) {
      this.#reply(peer, correlation, "stale");
      return;
    }
    if (activation.hold) {
      this.#reply(peer, correlation, "busy");
      return;
    }
    if (!peer.lease) {
      this.#reply(peer, correlation, "invalidArgument");
      return;
    }
    const session: Session = {
      ownerNodeRid: peer.nodeRid,
      ownerNodeGeneration: peer.nodeGeneration,
      ...peer.lease,
      sessionRid,
      bindingGeneration: binding.state === "active" ? binding.bindingGeneration : binding.retiredBindingGeneration,
    };
    let notice: MailboxItem | undefined;
    if (binding.state === "active") {
      const outcome = activation.bindings.bind(session);
      if (outcome === "stale") {
        this.#reply(peer, correlation, "stale");
        return;
      }
      if (outcome === "bound") notice = { type: "bound", session };
    } else if (activation.bindings.unbind(peer.nodeRid, sessionRid, session.bindingGeneration)) {
      notice = { type: "unbound", sessionRid };
    }
    this.#host.links.send(peer.nodeRid, {
      command: "reply",
      correlation,
      terminalResult: "ok",
      failureCode: "none",
      tail: {
        operation: "streamBind",
        bindingGeneration: session.bindingGeneration,
        authorityOwnerGeneration: activation.record.authorityOwnerGeneration,
      },
    });
    // After the 20: what the callback pushes must find the binding at its owner.
    if (notice) activation.enqueue(notice);
  }

  /**
   * The sessions of a run of a node that is gone are bound no more. False when an actor that is moving has to be asked
   * again: its bindings are under seal.
   */
  dropSessionsOf(owner: Pick<PeerIdentity, "nodeRid" | "nodeGeneration">): boolean {
    let done = true;
    for (const activation of this.#activations.values()) {
      const isGone = (session: Session): boolean =>
        session.ownerNodeRid === owner.nodeRid && session.ownerNodeGeneration <= owner.nodeGeneration;
      if (!activation.hold) activation.dropSessions(isGone);
      else if (activation.bindings.list().some(isGone)) done = false;
    }
    return done;
  }

  /** 27: only the very object that was meant (`protocol.md` O1). */
  #onDestroy(peer: PeerIdentity, { correlation, actor }: ActorDestroy): void {
    const activation = this.#activations.get(actor.actor.actorId);
    if (activation?.record.objectGeneration !== actor.actor.objectGeneration) {
      this.#reply(peer, correlation, "stale");
      return;
    }
    endActor(this.#host, activation).then(
      () =>
        this.#host.links.send(peer.nodeRid, {
          command: "reply",
          correlation,
          terminalResult: "ok",
          failureCode: "none",
        }),
      (error: unknown) => this.#reply(peer, correlation, asRuntimeError(error, "handlerFailed", "").code),
    );
  }

  #onCreate(peer: PeerIdentity, command: ActorCreate): void {
    const { actorId, correlation } = command;
    const pending = this.#creating.get(actorId) ?? this.#create(command).finally(() => this.#creating.delete(actorId));
    this.#creating.set(actorId, pending);
    pending.then(
      (createResult) => {
        const activation = this.#activations.get(actorId);
        const objectGeneration = activation?.record.objectGeneration ?? command.reservation.objectGeneration;
        this.#host.links.send(peer.nodeRid, {
          command: "reply",
          correlation,
          terminalResult: "ok",
          failureCode: "none",
          tail: { operation: "actorCreate", createResult, actor: { actorId, objectGeneration } },
        });
      },
      (error: unknown) => this.#reply(peer, correlation, asRuntimeError(error, "handlerFailed", "").code),
    );
  }

  async #create(command: ActorCreate): Promise<"created" | "existing"> {
    const { actorId, reservation, stableType } = command;
    const { self, config } = this.#host;
    const mine =
      reservation.nodeRid === self.nodeRid &&
      reservation.nodeGeneration === self.nodeGeneration &&
      reservation.ownerId === self.ownerId &&
      reservation.ownerLeaseGeneration === self.ownerLeaseGeneration;
    if (!mine) throw new RuntimeError("stale", "the reservation is for another run of this node");
    if (this.#host.work() !== "all")
      throw new RuntimeError("busy", "this node takes no new actors: it is being drained");
    if (this.#activations.get(actorId)?.record.objectGeneration === reservation.objectGeneration) return "existing";
    const definition = this.#host.actorTypes.get(stableType);
    if (!definition) throw new RuntimeError("typeUnknown", `this node has no actor type "${stableType}"`);
    const inheritance = await readInheritance(this.#host, actorAuthorityKey(actorId), reservation);
    const activation = new Activation({ host: this.#host, definition, actorId, record: this.#draft(command) });
    let from: "savedState" | "new";
    try {
      const begun = await beginState(activation, definition, inheritance);
      activation.state = begun.state;
      from = begun.from;
    } catch (error) {
      reportCallback(config, actorId, "create", error);
      activation.depart();
      throw asRuntimeError(error, "handlerFailed", `create of actor "${actorId}" failed`);
    }
    await this.#commitCreate(activation, reservation.reservationId);
    if (inheritance.type !== "none") {
      config.observe({ type: "ActorRecreated", actorType: stableType, actorId, from });
    }
    if (inheritance.type === "found") this.#host.mover.journal.recovered(activation, inheritance.relocation);
    return "created";
  }

  async #commitCreate(activation: Activation, reservationId: string): Promise<void> {
    const record = await commitCreation(this.#host, activation.record.key, reservationId);
    if (!record) {
      activation.depart();
      throw new RuntimeError("stale", `the creation of actor "${activation.actorId}" was given up meanwhile`);
    }
    activation.own(record);
    this.add(activation);
    activation.openGate();
  }

  #draft(command: ActorCreate): AuthorityRecord {
    const { reservation } = command;
    return {
      key: actorAuthorityKey(command.actorId),
      storeVersion: reservation.expectedStoreVersion,
      state: "reserved",
      kind: "actor",
      stableType: command.stableType,
      objectGeneration: reservation.objectGeneration,
      authorityOwnerGeneration: reservation.authorityOwnerGeneration,
      owner: this.#host.self,
      place: undefined,
      relocation: undefined,
      membershipDigest: new Uint8Array(0),
      payload: new Uint8Array(0),
    };
  }

  #reply(peer: PeerIdentity, correlation: bigint, code: RuntimeErrorCode): void {
    this.#host.links.send(peer.nodeRid, { command: "reply", correlation, ...wireResultOf(code) });
  }
}

/** Who sent a message, by what its link proved; `undefined` for a peer that holds no lease and so can be no sender. */
function sourceOf(peer: PeerIdentity, command: ActorSend | ActorRequest): FrozenSource | undefined {
  if (!peer.lease) return undefined;
  const node = { nodeRid: peer.nodeRid, nodeGeneration: peer.nodeGeneration, ...peer.lease };
  if (command.sessionTail)
    return { kind: "boundSession", ...node, actor: command.target.actor, ...command.sessionTail };
  if (command.sourceActor) return { kind: "actor", ...node, actor: command.sourceActor };
  return { kind: "node", ...node };
}
