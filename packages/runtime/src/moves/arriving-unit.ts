import {
  restoreStreamOrder,
  type AuthorityRecord,
  type RestoredFacts,
  type SpotPlace,
  type StreamPlace,
} from "@rehome/core";
import { actorAuthorityKey, spotAuthorityKey, type RelocationPrepare } from "@rehome/wire";
import { Activation } from "../actors/activation.ts";
import { Bindings } from "../actors/bindings.ts";
import { streamOf, type RelayContext } from "../actors/delivery.ts";
import { OutgoingPositions } from "../actors/outgoing.ts";
import { streamLimits } from "../actors/stream-limits.ts";
import { withDeadline } from "../deadline.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { restoredState, valueOf } from "../payload.ts";
import type { Spot } from "../spots/spot.ts";
import { membershipDigest } from "./membership-digest.ts";
import { decodePayload, type MovePayload } from "./payload.ts";
import type { Semaphore } from "./semaphore.ts";
import { decodeSpotPayload, type SpotPayload } from "./spot-payload.ts";

/** An actor that is being built, unseen (`protocol.md` T3). */
export interface Copy {
  readonly activation: Activation;
  readonly payload: MovePayload;
}

interface Incoming {
  readonly payload: MovePayload;
  readonly baseVersion: string;
  /** Where the actor will be. */
  readonly place: SpotPlace | undefined;
}

/** The copies of one move at its target. They are nobody's until the store has spoken; whoever gives up drops them. */
export class ArrivingUnit {
  readonly #host: Host;
  readonly #prepare: RelocationPrepare;
  readonly #context: RelayContext;
  readonly #restores: Semaphore;
  readonly #copies = new Map<string, Copy>();
  #spot: Spot | undefined;
  #dropped = false;

  constructor(host: Host, prepare: RelocationPrepare, restores: Semaphore) {
    this.#host = host;
    this.#prepare = prepare;
    this.#restores = restores;
    const { relocation, targetAttemptGeneration, coordinator } = prepare;
    this.#context = { relocation, targetAttemptGeneration, coordinator };
  }

  get spot(): Spot | undefined {
    return this.#spot;
  }

  get actorIds(): readonly string[] {
    return [...this.#copies.keys()];
  }

  copies(): readonly Copy[] {
    return [...this.#copies.values()];
  }

  find(actorId: string): Copy | undefined {
    return this.#copies.get(actorId);
  }

  /** One copy goes, whatever becomes of the rest. */
  remove(actorId: string): void {
    this.#copies.get(actorId)?.activation.depart();
    this.#copies.delete(actorId);
  }

  drop(): void {
    this.#dropped = true;
    for (const { activation } of this.#copies.values()) activation.depart();
    this.#copies.clear();
    this.#spot = undefined;
  }

  /** Decodes the payload and runs every `restore`. Rejects with whatever goes wrong first. */
  build(bytes: Uint8Array): Promise<RestoredFacts> {
    return this.#prepare.object.kind === "actor" ? this.#buildActor(bytes) : this.#buildSpot(bytes);
  }

  /** H7: throws when the spot that the actor joins has gone. */
  assertHere(place: SpotPlace | undefined): void {
    if (!place || this.#host.spots.find(place.spotId)?.objectGeneration === place.objectGeneration) return;
    throw new RuntimeError("notFound", `spot "${place.spotId}" is not on this node any more`);
  }

  async #buildActor(bytes: Uint8Array): Promise<RestoredFacts> {
    const payload = decodePayload(bytes, this.#context);
    const place = payload.join?.place;
    this.assertHere(place);
    const baseVersion = this.#prepare.coordinator.expectedAuthorityStoreVersion;
    const incoming = [{ payload, baseVersion, place }];
    await this.#restoreAll(incoming);
    return factsOf(payload.stableType, place, incoming);
  }

  async #buildSpot(bytes: Uint8Array): Promise<RestoredFacts> {
    const payload = decodeSpotPayload(bytes);
    this.#checkSpot(payload);
    const place = { spotId: payload.spotId, objectGeneration: payload.objectGeneration };
    const { actorStateBytes } = this.#host.config.limits;
    const incoming = payload.members.map(({ baseVersion, payload: memberBytes }): Incoming => {
      if (memberBytes.length > actorStateBytes) throw new RuntimeError("tooLarge", "a member's payload is too large");
      const member = decodePayload(memberBytes, this.#context);
      if (member.join) throw new RuntimeError("protocolError", `member "${member.actorId}" cannot join anything now`);
      return { payload: member, baseVersion, place };
    });
    await Promise.all([this.#restoreSpot(payload, incoming), this.#restoreAll(incoming)]);
    return factsOf(payload.stableType, undefined, incoming);
  }

  /** The machine checks an actor's payload; of a spot it only sees the members. */
  #checkSpot(payload: SpotPayload): void {
    const { object } = this.#prepare;
    const same =
      object.kind === "userSpot" &&
      object.spotId === payload.spotId &&
      object.objectGeneration === payload.objectGeneration &&
      object.authorityOwnerGeneration === payload.authorityOwnerGeneration;
    if (!same) throw new RuntimeError("protocolError", "the payload is of another spot than the 40 named");
  }

  async #restoreSpot(payload: SpotPayload, members: readonly Incoming[]): Promise<void> {
    const { spotId, stableType } = payload;
    const definition = this.#host.spotTypes.get(stableType);
    if (!definition?.restore) {
      throw new RuntimeError("typeMismatch", `this node has no spot type "${stableType}" that can move`);
    }
    const state = await this.#timed(`spot "${spotId}"`, () =>
      definition.restore!(valueOf(payload.state) as never, { version: payload.stateVersion }),
    );
    if (this.#dropped) return;
    this.#spot = {
      spotId,
      definition,
      record: this.#draft(spotAuthorityKey(spotId), "userSpot", payload, undefined),
      state,
      members: new Set(members.map((member) => member.payload.actorId)),
      epoch: payload.membershipEpoch,
      leaving: false,
    };
  }

  async #restoreAll(incoming: readonly Incoming[]): Promise<void> {
    const copies = incoming.map((member) => this.#copyOf(member));
    await Promise.all(copies.map((copy) => this.#restoreActor(copy)));
  }

  #copyOf({ payload, place }: Incoming): Copy {
    const { actorId, stableType } = payload;
    const definition = this.#host.actorTypes.get(stableType);
    if (!definition) throw new RuntimeError("typeMismatch", `this node has no actor type "${stableType}"`);
    const now = this.#host.config.clock.nowMs();
    const activation = new Activation({
      host: this.#host,
      definition,
      actorId,
      record: this.#draft(actorAuthorityKey(actorId), "actor", payload, place),
      bindings: new Bindings(payload.sessions),
      outgoing: new OutgoingPositions(payload.outgoing),
      streams: restoreStreamOrder(payload.streams, queuedPlaces(payload), streamLimits(this.#host), now),
      timers: payload.timers,
    });
    const copy = { activation, payload };
    this.#copies.set(actorId, copy);
    return copy;
  }

  async #restoreActor({ activation, payload }: Copy): Promise<void> {
    const { definition, actorId } = activation;
    const captured = valueOf(payload.state);
    const state = await this.#timed(`actor "${actorId}"`, () =>
      definition.restore(captured as never, { version: payload.stateVersion }),
    );
    activation.state = restoredState(captured, state);
  }

  #timed<T>(whose: string, restore: () => T | Promise<T>): Promise<T> {
    const { clock, deadlines } = this.#host.config;
    return this.#restores.run(async () => {
      // An attempt that was dropped while it waited for its turn runs no user code any more.
      if (this.#dropped) throw new RuntimeError("moveFailed", `the move of ${whose} was given up`);
      try {
        return await withDeadline(clock, deadlines.moveMs, `restore of ${whose}`, restore);
      } catch (cause) {
        if (cause instanceof RuntimeError) throw cause;
        throw new RuntimeError("handlerFailed", `restore of ${whose} failed`, { cause });
      }
    });
  }

  /** What a record will be, as far as it is known before the store has spoken (`protocol.md` T9). */
  #draft(
    key: string,
    kind: AuthorityRecord["kind"],
    payload: Pick<MovePayload, "stableType" | "objectGeneration" | "authorityOwnerGeneration">,
    place: SpotPlace | undefined,
  ): AuthorityRecord {
    return {
      key,
      storeVersion: this.#prepare.coordinator.expectedAuthorityStoreVersion,
      state: "active",
      kind,
      stableType: payload.stableType,
      objectGeneration: payload.objectGeneration,
      authorityOwnerGeneration: payload.authorityOwnerGeneration,
      owner: this.#host.self,
      place,
      relocation: this.#prepare.relocation,
      membershipDigest: new Uint8Array(0),
      payload: new Uint8Array(0),
    };
  }
}

function factsOf(stableType: string, place: SpotPlace | undefined, incoming: readonly Incoming[]): RestoredFacts {
  const changes = incoming.map((each) => ({
    actorId: each.payload.actorId,
    from: each.payload.previousPlace,
    to: each.place,
  }));
  return {
    stableType,
    place,
    membershipDigest: membershipDigest(changes),
    members: incoming.map(({ payload, baseVersion }) => ({
      actor: { actorId: payload.actorId, objectGeneration: payload.objectGeneration },
      stableType: payload.stableType,
      authorityOwnerGeneration: payload.authorityOwnerGeneration,
      baseVersion,
      sessions: payload.sessions,
      previousPlace: payload.previousPlace,
    })),
  };
}

function queuedPlaces(payload: MovePayload): StreamPlace[] {
  return payload.queued.flatMap((item) => {
    const place = item.type === "message" ? streamOf(item.source, item.metadata) : undefined;
    return place ? [{ stream: place.key, sequence: place.sequence }] : [];
  });
}
