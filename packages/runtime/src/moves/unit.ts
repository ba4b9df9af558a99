import {
  IngressHold,
  releaseEach,
  type HandedOver,
  type HoldLimits,
  type HoldMode,
  type MemberBinding,
  type MoveUnit,
  type ReleasedRecords,
  type ReleaseFailure,
} from "@rehome/core";
import type { Activation } from "../actors/activation.ts";
import type { Delivery } from "../actors/delivery.ts";
import type { Held, UnitHold } from "../actors/held.ts";
import type { Host } from "../host.ts";
import { fenceOfSpot, type Spot } from "../spots/spot.ts";

/** What moves away from this node as one: an actor, or a spot with all its members. */
export class OutboundUnit {
  readonly host: Host;
  readonly members: readonly Activation[];
  readonly spot: Spot | undefined;
  readonly #byId: ReadonlyMap<string, Activation>;
  #hold: UnitHold | undefined;
  #released: ReadonlyMap<Activation, ReleasedRecords<Delivery>> | undefined;

  constructor(host: Host, members: readonly Activation[], spot: Spot | undefined) {
    this.host = host;
    this.members = members;
    this.spot = spot;
    this.#byId = new Map(members.map((activation) => [activation.actorId, activation]));
  }

  /** For people: `actor "a"`, `spot "s"`. */
  get name(): string {
    return this.spot ? `spot "${this.spot.spotId}"` : `actor "${this.members[0]!.actorId}"`;
  }

  /** Authority key of the unit's object. */
  get key(): string {
    return this.spot ? this.spot.record.key : this.members[0]!.record.key;
  }

  get stableTypes(): readonly string[] {
    const types = this.members.map(({ actorType }) => actorType);
    return [...new Set(this.spot ? [this.spot.definition.type, ...types] : types)];
  }

  /** As the machines know it, under the fences of this moment. */
  describe(): MoveUnit {
    const members = this.members.map(({ fence, actorType }) => ({ fence, stableType: actorType }));
    if (!this.spot) return { kind: "actor", ...members[0]! };
    return { kind: "userSpot", fence: fenceOfSpot(this.spot), stableType: this.spot.definition.type, members };
  }

  find(actorId: string): Activation | undefined {
    return this.#byId.get(actorId);
  }

  holdIngress(operation: string, mode: HoldMode, limits: HoldLimits): void {
    this.#hold = new IngressHold<Held>(operation, mode, limits);
    for (const activation of this.members) activation.hold = this.#hold;
  }

  promoteHold(operation: string): void {
    this.#hold?.promote(operation);
  }

  /** Calls back when the last running turn has ended. */
  stopTurns(whenStopped: () => void): void {
    let running = this.members.length;
    if (running === 0) whenStopped();
    for (const activation of this.members) {
      activation.stopTurns(() => {
        running -= 1;
        if (running === 0) whenStopped();
      });
    }
  }

  /** O6: settles when none of the members' writes is out; none begins before the move has ended. */
  async freezeWrites(): Promise<void> {
    await Promise.all(this.members.map(async ({ writes }) => writes?.freeze()));
  }

  thawWrites(): void {
    for (const { writes } of this.members) writes?.thaw();
  }

  bindings(): MemberBinding[] {
    return this.members.flatMap(({ actorId, bindings }) => bindings.list().map((session) => ({ actorId, session })));
  }

  /** H3. */
  snapshot(operation: string): readonly Held[] {
    return this.#hold?.snapshot(operation) ?? [];
  }

  /** H4. Gives back what could not be queued again. */
  giveBackHold(operation: string): readonly ReleaseFailure<Held>[] {
    const held = this.#hold?.giveBack(operation) ?? [];
    this.#endHold();
    return releaseEach(held, ({ activation, delivery }) => activation.accept(delivery));
  }

  openGates(): void {
    for (const activation of this.members) activation.openGate();
    if (this.spot) this.spot.leaving = false;
  }

  /** F2, H5: what is left to do with one member's messages. The hold ends with the first one that is asked for. */
  release(operation: string, activation: Activation, handedOver: HandedOver): ReleasedRecords<Delivery> {
    this.#released ??= this.#releaseAll(operation, handedOver);
    return this.#released.get(activation) ?? { forward: [], unknown: [] };
  }

  /** O9: these very copies end; later ones of the same ids are other copies. */
  drop(): void {
    const { actors, spots } = this.host;
    this.#endHold();
    for (const activation of this.members) {
      const { actorId, actorType, place } = activation;
      actors.remove(activation);
      const later = actors.find(actorId)?.place;
      const isBack = later?.spotId === place?.spotId && later?.objectGeneration === place?.objectGeneration;
      if (!this.spot && !isBack) spots.left(place, { actorId, actorType });
    }
    if (this.spot) spots.remove(this.spot);
  }

  #releaseAll(operation: string, handedOver: HandedOver): ReadonlyMap<Activation, ReleasedRecords<Delivery>> {
    const queued = this.members.flatMap((activation) =>
      activation.unrun().map((delivery): Held => ({ activation, delivery })),
    );
    const { forward, unknown } = this.#hold?.release(operation, handedOver, queued) ?? { forward: [], unknown: [] };
    this.#endHold();
    const released = new Map(
      this.members.map((activation) => [activation, { forward: [] as Delivery[], unknown: [] as Delivery[] }]),
    );
    for (const { activation, delivery } of forward) released.get(activation)?.forward.push(delivery);
    for (const { activation, delivery } of unknown) released.get(activation)?.unknown.push(delivery);
    return released;
  }

  #endHold(): void {
    this.#hold = undefined;
    for (const activation of this.members) activation.hold = undefined;
  }
}
