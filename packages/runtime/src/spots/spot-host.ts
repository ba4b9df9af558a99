import type { AuthorityRecord, PeerIdentity, SpotPlace } from "@rehome/core";
import { spotAuthorityKey, type ActorJoin } from "@rehome/wire";
import type { Admission, SpotDefinition, SpotInfo } from "../api.ts";
import { commitCreation } from "../actors/creation.ts";
import { reportCallback } from "../callbacks.ts";
import { asRuntimeError, RuntimeError, wireResultOf } from "../errors.ts";
import type { Host } from "../host.ts";
import { id128Text, randomId128 } from "../ids.ts";
import { assertSize, payloadOf, valueOf, type Payload } from "../payload.ts";
import { placeOf, type Spot } from "./spot.ts";

export interface ActorName {
  readonly actorType: string;
  readonly actorId: string;
}

/** The spots of this node and who is in them. */
export class SpotHost {
  readonly #host: Host;
  readonly #spots = new Map<string, Spot>();
  readonly #creating = new Set<string>();

  constructor(host: Host) {
    this.#host = host;
    host.links.handle("actorJoin", (peer, command) => this.#onJoinAsked(peer, command));
  }

  /** Makes a spot on this node; making it again here does nothing. */
  async create(type: string, spotId: string, value: unknown): Promise<void> {
    const definition = this.#host.spotTypes.get(type);
    if (!definition)
      throw new RuntimeError("typeUnknown", `this node has no spot type "${type}"; give it to startNode`);
    const known = this.#spots.get(spotId);
    if (known) {
      if (known.definition === definition) return;
      throw new RuntimeError("typeMismatch", `spot "${spotId}" is of type "${known.definition.type}", not "${type}"`);
    }
    if (this.#host.work() !== "all") {
      throw new RuntimeError("busy", "this node is being drained; make the spot on another one");
    }
    const state = this.#begin(definition, spotId, value);
    this.#creating.add(spotId);
    const record = await this.#claim(type, spotId).finally(() => this.#creating.delete(spotId));
    this.add({ spotId, definition, record, state, members: new Set(), epoch: 0n, leaving: false });
  }

  find(spotId: string): SpotPlace | undefined {
    const spot = this.#spots.get(spotId);
    return spot && placeOf(spot);
  }

  get(spotId: string): Spot | undefined {
    return this.#spots.get(spotId);
  }

  /** Those that are being made here. */
  creating(): string[] {
    return [...this.#creating];
  }

  all(): Spot[] {
    return [...this.#spots.values()];
  }

  list(): SpotInfo[] {
    return [...this.#spots.values()].map(({ spotId, definition, members, leaving }) => ({
      spotType: definition.type,
      spotId,
      members: [...members],
      phase: leaving ? ("moving" as const) : ("running" as const),
    }));
  }

  /** It was made here, or it has arrived. */
  add(spot: Spot): void {
    this.#spots.set(spot.spotId, spot);
  }

  /** Removes this very copy, not a later one of the same id (`protocol.md` O9). */
  remove(spot: Spot): void {
    if (this.#spots.get(spot.spotId) === spot) this.#spots.delete(spot.spotId);
  }

  /** Asks the spot; its `admit` may say no. */
  admit(spotId: string, actor: ActorName, payload: Payload): Admission {
    const spot = this.#spots.get(spotId);
    if (!spot) return { accept: false, reason: "there is no such spot on this node" };
    if (!spot.definition.admit) return { accept: true };
    return spot.definition.admit(spot.state, actor, valueOf(payload));
  }

  arrived(place: SpotPlace | undefined, actor: ActorName): void {
    this.#note(place, actor, "onJoin");
  }

  left(place: SpotPlace | undefined, actor: ActorName): void {
    this.#note(place, actor, "onLeave");
  }

  #note(place: SpotPlace | undefined, actor: ActorName, callback: "onJoin" | "onLeave"): void {
    const spot = place && this.#spots.get(place.spotId);
    if (!spot || spot.record.objectGeneration !== place.objectGeneration) return;
    const isMember = spot.members.has(actor.actorId);
    if (callback === "onLeave" && !isMember) return;
    // It has been away and is back before this node knew that it had left.
    if (callback === "onJoin" && isMember) this.left(place, actor);
    if (callback === "onJoin") spot.members.add(actor.actorId);
    else spot.members.delete(actor.actorId);
    try {
      spot.definition[callback]?.(spot.state, actor);
    } catch (error) {
      reportCallback(this.#host.config, actor.actorId, `spot.${callback}`, error);
    }
  }

  /** 28: a node asks whether its actor may come (`protocol.md` section 4, step 1). Nothing is stopped for it yet. */
  #onJoinAsked(peer: PeerIdentity, command: ActorJoin): void {
    // L1: a process that has slept past its lease finds this before it finds that out.
    if (this.#host.stopped()) return;
    const { correlation, targetSpot } = command;
    const { spotId, objectGeneration } = targetSpot.spot;
    const spot = this.#spots.get(spotId);
    if (command.entry || !spot || spot.record.objectGeneration !== objectGeneration) {
      this.#host.links.send(peer.nodeRid, {
        command: "reply",
        correlation,
        terminalResult: "notFound",
        failureCode: "spotRouteNotFound",
      });
      return;
    }
    if (spot.leaving) {
      const busy = { terminalResult: "busy", failureCode: "spotMoving" } as const;
      this.#host.links.send(peer.nodeRid, { command: "reply", correlation, ...busy });
      return;
    }
    if (this.#host.work() !== "all") {
      this.#host.links.send(peer.nodeRid, { command: "reply", correlation, ...wireResultOf("busy") });
      return;
    }
    let admission: Admission;
    let reply: Payload;
    try {
      const actor = { actorType: command.payload?.packetName ?? "", actorId: command.actor.actor.actorId };
      admission = this.admit(spotId, actor, command.payload ?? payloadOf("join"));
      reply = admissionPayload(admission);
      assertSize(reply, this.#host.config.limits.messageBytes);
    } catch (error) {
      reportCallback(this.#host.config, command.actor.actor.actorId, "spot.admit", error);
      this.#host.links.send(peer.nodeRid, { command: "reply", correlation, ...wireResultOf("handlerFailed") });
      return;
    }
    spot.epoch += 1n;
    this.#host.links.send(peer.nodeRid, {
      command: "reply",
      correlation,
      terminalResult: "ok",
      failureCode: "none",
      tail: admission.accept
        ? {
            operation: "actorJoin",
            joinResult: "accepted",
            spot: targetSpot.spot,
            membershipEpoch: spot.epoch,
            receiveChunkLimitBytes: this.#host.config.limits.chunkBytes,
          }
        : { operation: "actorJoin", joinResult: "rejected", spot: targetSpot.spot },
      payload: reply,
    });
  }

  #begin(definition: SpotDefinition<unknown>, spotId: string, value: unknown): unknown {
    try {
      return definition.create(value);
    } catch (error) {
      throw asRuntimeError(error, "handlerFailed", `create of spot "${spotId}" (type "${definition.type}") failed`);
    }
  }

  async #claim(type: string, spotId: string): Promise<AuthorityRecord> {
    const { store, self, config } = this.#host;
    const key = spotAuthorityKey(spotId);
    const reservationId = id128Text(randomId128(config.random));
    const reserved = await store.reserve({
      key,
      kind: "userSpot",
      stableType: type,
      owner: self,
      reservationId,
      ttlMs: config.deadlines.createMs,
      ifOwnerLeaseEnded: "replace",
    });
    if (reserved.outcome === "exists") {
      throw new RuntimeError(
        "operationInProgress",
        `spot "${spotId}" exists on another node; choose another id or close that node`,
      );
    }
    if (reserved.outcome !== "reserved") {
      throw new RuntimeError("storeUnavailable", `spot "${spotId}" cannot be made: the store says ${reserved.outcome}`);
    }
    const record = await commitCreation(this.#host, key, reservationId);
    if (record) return record;
    throw new RuntimeError("storeUnavailable", `spot "${spotId}" cannot be made: its reservation has ended`);
  }
}

/** What a 20 carries for a join: the reply, and for a refusal its reason too. */
export function admissionPayload(admission: Admission): Payload {
  return admission.accept
    ? payloadOf("accepted", admission.reply)
    : payloadOf("rejected", { reason: admission.reason, reply: admission.reply });
}

/** The other way round, for a refusal; whatever the other node sent. */
export function rejectionOf(payload: Payload | undefined): { reason: string; reply: unknown } {
  const value = payload && valueOf(payload);
  if (typeof value !== "object" || value === null || !("reason" in value))
    return { reason: "rejected", reply: undefined };
  return { reason: String(value.reason), reply: "reply" in value ? value.reply : undefined };
}
