import {
  holdingOf,
  maxPayloadBytes,
  OutboundMoves,
  type MoveFailure,
  type MoveRequest,
  type SourceInput,
} from "@rehome/core";
import {
  operationKey,
  ridToDisplay,
  spotAuthorityKey,
  type Id128,
  type RelocationFailed,
  type Rid,
  type Target,
} from "@rehome/wire";
import type { MoveResult } from "../api.ts";
import type { Activation } from "../actors/activation.ts";
import { background } from "../background.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { randomId128 } from "../ids.ts";
import type { Spot } from "../spots/spot.ts";
import type { JoinGrant } from "./capture.ts";
import type { Mover } from "./mover.ts";
import { OutboundMove, type TargetCheck } from "./outbound-move.ts";
import { checkNode, targetOf } from "./target-check.ts";
import { OutboundUnit } from "./unit.ts";

/** Pauses of a spot's move while joins and moves of its members that came first end. */
const AWAIT_OTHERS_MS = 5;

/** One move, as a caller of `run` wants it. */
export interface MoveOrder {
  readonly relocation: Id128;
  readonly unit: OutboundUnit;
  readonly kind: "relocate" | "join";
  readonly target: Target;
  readonly deadlineMs: number;
  readonly check: TargetCheck;
  readonly grant: () => JoinGrant | undefined;
}

/** The moves that this node is the source of: one per unit at a time (`protocol.md` O2). */
export class Departures {
  readonly #host: Host;
  readonly #mover: Mover;
  readonly #byRelocation = new Map<string, OutboundMove>();
  readonly #moves: OutboundMoves;
  readonly #results = new Map<string, Promise<MoveResult>>();
  #closing: MoveFailure | undefined;
  /** Spots whose move waits for others to end. */
  #waiting = 0;
  /** Moves whose caller has been told that nobody can tell yet who the owner is, and which go on (O5). */
  readonly #undecided = new Map<string, Promise<unknown>>();

  constructor(host: Host, mover: Mover) {
    this.#host = host;
    this.#mover = mover;
    this.#moves = new OutboundMoves(host.config.limits.outboundMoves);
    const { links } = host;
    links.handle("relocationReady", (peer, command) =>
      this.#route(command.relocation, { type: "ReadyReceived", peer: peer.nodeRid, command }),
    );
    links.handle("sessionRelocationSealed", (peer, command) =>
      this.#route(command.relocation, { type: "SealedReceived", peer: peer.nodeRid, command }),
    );
    links.handle("actorJoined", (peer, command) => {
      for (const move of this.#byRelocation.values()) {
        // A 37 names no relocation: it is for the move that is under way, if one is.
        if (move.ended || !move.unit.find(command.actor.actorId)) continue;
        move.dispatch({ type: "JoinedReceived", peer: peer.nodeRid, command });
      }
    });
  }

  /** O2: the same request joins the first, another is refused. */
  async relocate(actorId: string, rid: Rid, deadlineMs = this.#host.config.deadlines.moveMs): Promise<MoveResult> {
    this.#assertDeadline(deadlineMs);
    const activation = this.#host.actors.find(actorId);
    if (!activation) throw new RuntimeError("notOwner", `actor "${actorId}" does not live on this node`);
    this.#assertElsewhere(rid);
    return this.occupy(activation, { kind: "relocate", targetNodeRid: rid, joins: undefined }, () =>
      this.#relocate(activation, rid, deadlineMs),
    );
  }

  /** As `relocate`, for a spot with all its members. */
  async relocateSpot(spotId: string, rid: Rid, deadlineMs = this.#host.config.deadlines.moveMs): Promise<MoveResult> {
    this.#assertDeadline(deadlineMs);
    const spot = this.#host.spots.get(spotId);
    if (!spot) throw new RuntimeError("notOwner", `spot "${spotId}" does not live on this node`);
    this.#assertElsewhere(rid);
    if (!spot.definition.capture) {
      const message = `spot type "${spot.definition.type}" cannot move: give it capture and restore`;
      const cause: MoveFailure = { code: "relocationDisabled", message };
      throw new RuntimeError("moveFailed", message, { cause });
    }
    const { key, objectGeneration } = spot.record;
    const request: MoveRequest = {
      key,
      objectGeneration,
      kind: "relocate",
      targetNodeRid: rid,
      joins: undefined,
      within: undefined,
    };
    return this.#occupy(request, `spot "${spotId}"`, () => this.#relocateSpot(spot, rid, deadlineMs));
  }

  #assertDeadline(deadlineMs: number): void {
    const { moveMs } = this.#host.config.deadlines;
    // A seal must outlive the move that it serves (S5).
    if (deadlineMs >= 1 && deadlineMs <= moveMs) return;
    throw new RuntimeError("invalidArgument", `deadlineMs must be from 1 to deadlines.moveMs (${moveMs})`);
  }

  #assertElsewhere(rid: Rid): void {
    if (rid !== this.#host.self.nodeRid) return;
    throw new RuntimeError("invalidArgument", "it is on that node already; choose another one");
  }

  /**
   * Runs `work` as the actor's one move (O2). The very same request joins it; rejects with `operationInProgress` while
   * another is under way, or the spot that it is in moves, with `busy` when too many units are leaving (T4). The move is over
   * when `work` settles, or when it says so before: whoever is about to be told how it ended may ask again at once.
   */
  occupy(
    activation: Activation,
    request: Pick<MoveRequest, "kind" | "targetNodeRid" | "joins">,
    work: (over: () => void) => Promise<MoveResult>,
  ): Promise<MoveResult> {
    const { key, objectGeneration, place } = activation.record;
    const within = place && spotAuthorityKey(place.spotId);
    const whole = { ...request, key, objectGeneration, within };
    return this.#occupy(whole, `actor "${activation.actorId}"`, work);
  }

  /** J6: the actor's running join is about to put it into this spot of this node. False when the spot is leaving (H7). */
  enterSpot(activation: Activation, spotId: string): boolean {
    return this.#moves.enter(activation.record.key, spotAuthorityKey(spotId)) === "entered";
  }

  /** Whether a join that still looks for its spot has to give way to its actor's own spot. */
  givesWay(activation: Activation): boolean {
    return this.#moves.givesWay(activation.record.key);
  }

  #occupy(request: MoveRequest, name: string, work: (over: () => void) => Promise<MoveResult>): Promise<MoveResult> {
    const { key } = request;
    const admission = this.#moves.begin(request);
    const joined = admission === "join" ? this.#results.get(key) : undefined;
    if (joined) return joined;
    if (admission === "operationInProgress" || admission === "join") {
      return Promise.reject(
        new RuntimeError("operationInProgress", `${name} is moving already; wait for that move to end`),
      );
    }
    if (admission === "limitReached") {
      return Promise.reject(
        new RuntimeError("busy", `${this.#moves.size} units are leaving this node; try again later`),
      );
    }
    const end = (): void => {
      this.#undecided.delete(key);
      this.#moves.end(key);
      this.#results.delete(key);
    };
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      // Of a join there is nothing to share any more once its actor has been told (J1).
      if (request.kind === "join") this.#results.delete(key);
      const decided = this.#undecided.get(key);
      if (decided) background(this.#host.config.log, "move.undecided", decided.then(end));
      else end();
    };
    const result = work(over).finally(over);
    this.#results.set(key, result);
    return result;
  }

  async #relocate(activation: Activation, rid: Rid, deadlineMs: number): Promise<MoveResult> {
    const { actorId } = activation;
    const node = await this.#node(rid);
    if (this.#host.actors.find(actorId) !== activation) {
      throw new RuntimeError("notOwner", `actor "${actorId}" is gone from this node`);
    }
    const unit = new OutboundUnit(this.#host, [activation], undefined);
    const check = checkNode(this.#host, node, unit);
    const target = targetOf(node.descriptor);
    const relocation = randomId128(this.#host.config.random);
    return this.run({ relocation, unit, kind: "relocate", target, deadlineMs, check, grant: () => undefined });
  }

  /** From here on nobody comes into the spot or leaves it; who was on the way is waited for, within the move's time. */
  async #relocateSpot(spot: Spot, rid: Rid, deadlineMs: number): Promise<MoveResult> {
    const { clock } = this.#host.config;
    const { arrivals } = this.#mover;
    const endMs = clock.nowMs() + deadlineMs;
    spot.leaving = true;
    arrivals.closeSpot(spot.spotId);
    let unit: OutboundUnit;
    let node;
    try {
      node = await this.#node(rid);
      this.#waiting += 1;
      await this.#awaitOthers(spot, endMs).finally(() => (this.#waiting -= 1));
      if (this.#host.spots.get(spot.spotId) !== spot) {
        throw new RuntimeError("notOwner", `spot "${spot.spotId}" is gone from this node`);
      }
      unit = new OutboundUnit(this.#host, this.#membersOf(spot), spot);
    } catch (error) {
      this.#stays(spot);
      throw error;
    }
    const check = checkNode(this.#host, node, unit);
    const target = targetOf(node.descriptor);
    const leftMs = Math.max(1, endMs - clock.nowMs());
    const relocation = randomId128(this.#host.config.random);
    return this.run({
      relocation,
      unit,
      kind: "relocate",
      target,
      deadlineMs: leftMs,
      check,
      grant: () => undefined,
    });
  }

  async #node(rid: Rid) {
    const node = await this.#host.directory.node(rid);
    if (!node) throw new RuntimeError("notFound", `no live node is called "${ridToDisplay(rid)}"`);
    return node;
  }

  /** Its move never began. */
  #stays(spot: Spot): void {
    spot.leaving = false;
    this.#mover.arrivals.reopenSpot(spot.spotId);
  }

  #membersOf({ spotId, record }: Spot): Activation[] {
    return this.#host.actors.in({ spotId, objectGeneration: record.objectGeneration });
  }

  async #awaitOthers(spot: Spot, endMs: number): Promise<void> {
    const { clock } = this.#host.config;
    const { arrivals } = this.#mover;
    for (;;) {
      const others = this.#moves.inTheWay(spot.record.key).length + arrivals.towards(spot.spotId).length;
      if (others === 0) return;
      if (this.#closing) throw new RuntimeError("moveFailed", this.#closing.message, { cause: this.#closing });
      if (clock.nowMs() >= endMs) {
        const message = `spot "${spot.spotId}" cannot move yet: ${others} joins or moves have not ended; try again`;
        throw new RuntimeError("operationInProgress", message);
      }
      await this.#host.directory.pause(AWAIT_OTHERS_MS);
    }
  }

  /**
   * Runs one move to its end. Rejects with `moveFailed` when it was undone, or when the store gives no evidence in time: then
   * the unit stays closed, and the store is asked on (O5).
   */
  async run({ relocation, unit, kind, target, deadlineMs, check, grant }: MoveOrder): Promise<MoveResult> {
    const { config, self } = this.#host;
    if (this.#closing) {
      if (unit.spot) this.#stays(unit.spot);
      throw new RuntimeError("moveFailed", this.#closing.message, { cause: this.#closing });
    }
    const described = unit.describe();
    const move = new OutboundMove(this.#host, this.#mover, unit, {
      config: {
        self,
        unit: described,
        relocation,
        target,
        kind,
        applicationVersion: config.applicationVersion,
        deadlines: { moveMs: deadlineMs, storeResolutionMs: config.deadlines.storeResolutionMs },
        chunkBytes: config.limits.chunkBytes,
        maxPayloadBytes: maxPayloadBytes(holdingOf(described).kind, config.limits),
      },
      check,
      grant,
    });
    this.#byRelocation.set(operationKey(relocation), move);
    try {
      move.start();
    } catch (error) {
      // What was never begun must not be told of anything.
      this.#byRelocation.delete(operationKey(relocation));
      if (unit.spot) this.#stays(unit.spot);
      throw error;
    }
    const outcome = await Promise.race([move.outcome, move.undecided]);
    this.#forgetLater(relocation);
    if (outcome.type === "committed" || outcome.type === "superseded") {
      return { relocation: move.relocation, outcome: outcome.type };
    }
    const { failure } = outcome;
    if (outcome.type === "undecided") this.#undecided.set(unit.key, move.outcome);
    const what =
      outcome.type === "undecided"
        ? `nobody can tell yet who owns ${unit.name}: ${failure.message}`
        : `the move of ${unit.name} was undone (${failure.code}): ${failure.message}`;
    throw new RuntimeError("moveFailed", what, { cause: failure });
  }

  /** An ended move still has to hear of the loss of its target's link (`protocol.md` S20), for as long as seals can live. */
  #forgetLater(relocation: Id128): void {
    this.#host.config.clock.after(this.#host.config.deadlines.sealMs, () =>
      this.#byRelocation.delete(operationKey(relocation)),
    );
  }

  /** A 53 that a session owner (role `coordinator`) or a target sent. */
  onFailed(peer: Rid, command: RelocationFailed): void {
    const type = command.senderRole === "coordinator" ? "SealRefused" : "FailedReceived";
    this.#route(command.relocation, { type, peer, command });
  }

  onLinkLost(peer: Rid): void {
    for (const move of [...this.#byRelocation.values()]) move.dispatch({ type: "LinkLost", peer });
  }

  /** How many moves are not over, those included that wait to begin. */
  get openCount(): number {
    return this.running().length + this.#waiting;
  }

  /** Moves that are not over. */
  running(): OutboundMove[] {
    return [...this.#byRelocation.values()].filter((move) => !move.ended);
  }

  /** The actor's move, or that of the spot itself, if it is not over. */
  find(kind: "actor" | "spot", id: string): OutboundMove | undefined {
    return this.running().find(({ unit }) =>
      kind === "spot" ? unit.spot?.spotId === id : !unit.spot && unit.find(id),
    );
  }

  /** The node is closing: no move begins any more, and those that have begun are given up as far as they may be. */
  abortAll(failure: MoveFailure): void {
    this.#closing = failure;
    for (const move of this.running()) move.abort(failure);
  }

  stop(): void {
    for (const move of this.#byRelocation.values()) move.stop();
    this.#byRelocation.clear();
  }

  #route(relocation: Id128, input: SourceInput): void {
    const move = this.#byRelocation.get(operationKey(relocation));
    if (move) move.dispatch(input);
    else this.#host.config.log.write("debug", "source.unknownRelocation", { input: input.type });
  }
}
