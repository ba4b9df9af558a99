import { IngressHold, type MoveFailure } from "@rehome/core";
import { ridToDisplay, spotAuthorityKey, type ActorJoin, type SpotFence } from "@rehome/wire";
import type { JoinResult, MoveResult } from "../api.ts";
import type { Activation, JoinWish } from "../actors/activation.ts";
import type { Held } from "../actors/held.ts";
import { asRuntimeError, RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { id128Text, randomId128 } from "../ids.ts";
import type { Answer } from "../links/requests.ts";
import { valueOf, type Payload } from "../payload.ts";
import { admissionPayload, rejectionOf } from "../spots/spot-host.ts";
import type { JoinGrant } from "./capture.ts";
import type { Departures } from "./departures.ts";
import type { Mover } from "./mover.ts";
import type { TargetCheck } from "./outbound-move.ts";
import { obstacle, targetOf } from "./target-check.ts";
import { OutboundUnit } from "./unit.ts";

/** Pauses of a join whose spot is on its way to another node: as long as a small spot's move takes. */
const SPOT_MOVING_PAUSE_MS = 20;

/** A join that the spot, or the way to it, refused. */
class JoinRejected extends Error {
  readonly result: Extract<JoinResult, { outcome: "rejected" }>;

  constructor(spotId: string, reason: string, reply?: unknown) {
    super(reason);
    this.result = { outcome: "rejected", spotId, reason, reply };
  }
}

/** The spot moves, or has moved since the store was asked: it is looked up again. */
class SpotMoved extends Error {}

/** Deferred joins (`protocol.md` J1, J6): to a spot of this node without a move, to any other by one. */
export class Joins {
  readonly #host: Host;
  readonly #mover: Mover;
  readonly #departures: Departures;

  constructor(host: Host, mover: Mover, departures: Departures) {
    this.#host = host;
    this.#mover = mover;
    this.#departures = departures;
  }

  /** The turn that asked has ended. The answer comes to the actor as a message of its own, here or on the target. */
  join(activation: Activation, wish: JoinWish): void {
    const joins = spotAuthorityKey(wish.spotId);
    this.#departures
      .occupy(activation, { kind: "join", targetNodeRid: this.#host.self.nodeRid, joins }, () =>
        this.#untilFound(activation, wish),
      )
      .catch((error: unknown) => this.#rejected(activation, wish, error));
  }

  /** H7: a spot that moves is joined where it has moved to, within the time that a move may take. */
  async #untilFound(activation: Activation, wish: JoinWish): Promise<MoveResult> {
    const { clock, deadlines } = this.#host.config;
    const endMs = clock.nowMs() + deadlines.moveMs;
    for (;;) {
      try {
        return await this.#run(activation, wish);
      } catch (error) {
        if (!(error instanceof SpotMoved)) throw error;
        if (clock.nowMs() >= endMs || this.#host.stopped()) throw new JoinRejected(wish.spotId, error.message);
      }
      await this.#host.directory.pause(SPOT_MOVING_PAUSE_MS);
    }
  }

  async #run(activation: Activation, wish: JoinWish): Promise<MoveResult> {
    if (this.#host.spots.find(wish.spotId)) return this.#joinHere(activation, wish);
    const { config } = this.#host;
    const reading = await this.#host.directory.readSettled(spotAuthorityKey(wish.spotId), config.deadlines.moveMs);
    if (reading?.record.state !== "active" || !reading.ownerLeaseLive)
      throw new JoinRejected(wish.spotId, "there is no such spot");
    const { owner, objectGeneration, authorityOwnerGeneration } = reading.record;
    if (owner.nodeRid === this.#host.self.nodeRid) {
      // It is arriving here this very moment, or its creation has not ended yet.
      const message = "the spot is not open on its node yet";
      const isArriving = this.#mover.arrivals.isArriving(reading.record.key);
      throw isArriving ? new SpotMoved(message) : new JoinRejected(wish.spotId, message);
    }
    const node = await this.#host.directory.node(owner.nodeRid);
    if (!node) throw new JoinRejected(wish.spotId, `the spot's node ${ridToDisplay(owner.nodeRid)} is gone`);
    const unit = new OutboundUnit(this.#host, [activation], undefined);
    const fault = obstacle(node, unit);
    if (fault) throw new JoinRejected(wish.spotId, `the spot's node cannot take the actor: ${fault}`);
    const targetSpot: SpotFence = {
      spot: { spotId: wish.spotId, objectGeneration },
      nodeRid: owner.nodeRid,
      nodeGeneration: owner.nodeGeneration,
      authorityOwnerGeneration,
      ownerLeaseGeneration: owner.ownerLeaseGeneration,
    };
    let grant: JoinGrant | undefined;
    let rejected: JoinRejected | SpotMoved | undefined;
    const check: TargetCheck = async () => {
      const answer = await this.#ask(activation, wish, targetSpot);
      if (answer instanceof JoinRejected || answer instanceof SpotMoved) {
        rejected = answer;
        return { type: "CheckFailed", failure: { code: "joinRejected", message: answer.message } };
      }
      grant = { place: targetSpot.spot, reply: answer.reply };
      return { type: "CheckPassed", receiveChunkLimitBytes: answer.chunkBytes };
    };
    try {
      return await this.#departures.run({
        unit,
        kind: "join",
        target: targetOf(node.descriptor),
        deadlineMs: config.deadlines.moveMs,
        check,
        grant: () => grant,
      });
    } catch (error) {
      if (rejected) throw rejected;
      throw hasMoved(error) ? new SpotMoved(asRuntimeError(error, "moveFailed", "").message) : error;
    }
  }

  /** 28 to the spot's node, 20 back. */
  async #ask(
    activation: Activation,
    wish: JoinWish,
    targetSpot: SpotFence,
  ): Promise<JoinRejected | SpotMoved | { reply: Payload; chunkBytes: number }> {
    const answer = await new Promise<Answer>((settle) => {
      const correlation = this.#host.requests.open({
        kind: "actorJoin",
        what: `joining spot "${wish.spotId}"`,
        timeoutMs: this.#host.config.deadlines.moveMs,
        settle,
      });
      this.#host.requests.sentTo(correlation, targetSpot.nodeRid);
      const command: ActorJoin = {
        command: "actorJoin",
        correlation,
        actor: activation.fence,
        entry: false,
        targetSpot,
        payload: { ...wish.payload, packetName: activation.actorType },
      };
      this.#host.links.send(targetSpot.nodeRid, command, {
        onUnsent: (error) => this.#host.requests.fail(correlation, error),
      });
    });
    if (!answer.ok) {
      const { failureCode } = answer.result ?? {};
      const isElsewhere = failureCode === "spotMoving" || failureCode === "spotRouteNotFound";
      return isElsewhere ? new SpotMoved(answer.error.message) : new JoinRejected(wish.spotId, answer.error.message);
    }
    if (answer.tail?.operation !== "actorJoin")
      return new JoinRejected(wish.spotId, "the spot's node answered without a result");
    if (answer.tail.joinResult === "accepted") {
      return {
        reply: answer.payload ?? admissionPayload({ accept: true }),
        chunkBytes: answer.tail.receiveChunkLimitBytes,
      };
    }
    const { reason, reply } = rejectionOf(answer.payload);
    return new JoinRejected(wish.spotId, reason, reply);
  }

  /** J6: provisional hold, leave, join, hold given back in order. */
  async #joinHere(activation: Activation, wish: JoinWish): Promise<MoveResult> {
    const { spots, store, self, config } = this.#host;
    const { actorId, actorType } = activation;
    const operation = id128Text(randomId128(config.random));
    if (!this.#departures.enterSpot(activation, wish.spotId)) throw new SpotMoved(`spot "${wish.spotId}" is moving`);
    const hold = new IngressHold<Held>(operation, "provisional", this.#mover.holdLimits());
    activation.hold = hold;
    try {
      const admission = spots.admit(wish.spotId, { actorId, actorType }, wish.payload);
      if (!admission.accept) throw new JoinRejected(wish.spotId, admission.reason, admission.reply);
      const place = spots.find(wish.spotId);
      if (!place) throw new JoinRejected(wish.spotId, "there is no such spot");
      const previous = activation.place;
      const answer = await store.publish({
        key: activation.record.key,
        baseVersion: activation.record.storeVersion,
        lease: self,
        place: { spot: place },
      });
      if (answer.outcome === "published") activation.record = answer.record;
      else activation.record = await this.#settlePlace(activation, wish, answer.outcome);
      spots.left(previous, { actorId, actorType });
      spots.arrived(place, { actorId, actorType });
      this.#answer(activation, {
        outcome: "accepted",
        spotId: wish.spotId,
        reply: valueOf(admissionPayload(admission)),
      });
      return { relocation: operation, outcome: "committed" };
    } finally {
      if (activation.hold === hold) {
        activation.hold = undefined;
        for (const { delivery } of hold.giveBack(operation)) activation.accept(delivery);
      }
    }
  }

  /** The store's answer to the write was lost, or another write came first: what it says now counts (`protocol.md` O5). */
  async #settlePlace(activation: Activation, wish: JoinWish, outcome: string): Promise<Activation["record"]> {
    const reading = await this.#host.directory.readSettled(
      activation.record.key,
      this.#host.config.deadlines.storeResolutionMs,
    );
    const record = reading?.record;
    if (
      record?.owner.ownerId !== this.#host.self.ownerId ||
      record.authorityOwnerGeneration !== activation.record.authorityOwnerGeneration
    ) {
      throw new JoinRejected(wish.spotId, `the store says ${outcome}`);
    }
    activation.record = record;
    if (record.place?.spotId !== wish.spotId) throw new JoinRejected(wish.spotId, `the store says ${outcome}`);
    return record;
  }

  #rejected(activation: Activation, wish: JoinWish, error: unknown): void {
    if (error instanceof JoinRejected) {
      this.#answer(activation, error.result);
      return;
    }
    const { message } = asRuntimeError(error, "moveFailed", `joining spot "${wish.spotId}" failed`);
    this.#answer(activation, { outcome: "rejected", spotId: wish.spotId, reason: message, reply: undefined });
  }

  #answer(activation: Activation, result: JoinResult): void {
    activation.enqueue({ type: "joinAnswer", result });
  }
}

/** The target let the actor's move fail because its spot was leaving. */
function hasMoved(error: unknown): boolean {
  return error instanceof RuntimeError && (error.cause as MoveFailure | undefined)?.code === "spotMoved";
}
