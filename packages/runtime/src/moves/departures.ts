import { OutboundMoves, type MoveFailure, type SourceInput } from "@rehome/core";
import {
  operationKey,
  ridFromText,
  ridToDisplay,
  type Id128,
  type RelocationFailed,
  type Rid,
  type Target,
} from "@rehome/wire";
import type { MoveResult } from "../api.ts";
import type { Activation } from "../actors/activation.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { randomId128 } from "../ids.ts";
import type { JoinGrant } from "./capture.ts";
import type { Mover } from "./mover.ts";
import { OutboundMove, type TargetCheck } from "./outbound-move.ts";
import { checkNode, targetOf } from "./target-check.ts";

/** The moves that this node is the source of: one per actor at a time (`protocol.md` O2). */
export class Departures {
  readonly #host: Host;
  readonly #mover: Mover;
  readonly #byRelocation = new Map<string, OutboundMove>();
  readonly #moves: OutboundMoves;
  readonly #results = new Map<string, Promise<MoveResult>>();

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
        if (move.ended || move.activation.actorId !== command.actor.actorId) continue;
        move.dispatch({ type: "JoinedReceived", peer: peer.nodeRid, command });
      }
    });
  }

  /** O2: the same request joins the first, another is refused. */
  relocate(actorId: string, to: string, deadlineMs = this.#host.config.deadlines.moveMs): Promise<MoveResult> {
    const { moveMs } = this.#host.config.deadlines;
    if (!(deadlineMs >= 1 && deadlineMs <= moveMs)) {
      // A seal must outlive the move that it serves (S5).
      return Promise.reject(
        new RuntimeError("invalidArgument", `deadlineMs must be from 1 to deadlines.moveMs (${moveMs})`),
      );
    }
    const rid = ridFromText(to);
    const activation = this.#host.actors.find(actorId);
    if (!activation)
      return Promise.reject(new RuntimeError("notOwner", `actor "${actorId}" does not live on this node`));
    if (rid === this.#host.self.nodeRid)
      return Promise.reject(new RuntimeError("invalidArgument", "the actor is on that node already"));
    return this.occupy(activation, "relocate", rid, undefined, () => this.#relocate(activation, rid, deadlineMs));
  }

  /**
   * Runs `work` as the actor's one move (O2). The very same request joins it; rejects with `operationInProgress` while
   * another is under way, with `busy` when too many actors are leaving (T4).
   */
  occupy(
    activation: Activation,
    kind: "relocate" | "join",
    targetNodeRid: Rid,
    spotId: string | undefined,
    work: () => Promise<MoveResult>,
  ): Promise<MoveResult> {
    const { actorId } = activation;
    const { objectGeneration } = activation.record;
    const admission = this.#moves.begin({ actorId, objectGeneration, kind, targetNodeRid, spotId });
    if (admission === "join") return this.#results.get(actorId)!;
    if (admission === "operationInProgress" || (admission === "start" && activation.hold)) {
      if (admission === "start") this.#moves.end(actorId);
      return Promise.reject(
        new RuntimeError("operationInProgress", `actor "${actorId}" is moving already; wait for that move`),
      );
    }
    if (admission === "limitReached") {
      return Promise.reject(
        new RuntimeError("busy", `${this.#moves.size} actors are leaving this node; try again later`),
      );
    }
    const result = work().finally(() => {
      this.#moves.end(actorId);
      this.#results.delete(actorId);
    });
    this.#results.set(actorId, result);
    return result;
  }

  async #relocate(activation: Activation, rid: Rid, deadlineMs: number): Promise<MoveResult> {
    const { actorId, actorType } = activation;
    const node = await this.#host.directory.node(rid);
    if (!node) throw new RuntimeError("notFound", `no live node is called "${ridToDisplay(rid)}"`);
    if (this.#host.actors.find(actorId) !== activation) {
      throw new RuntimeError("notOwner", `actor "${actorId}" is gone from this node`);
    }
    return this.run(
      activation,
      "relocate",
      targetOf(node.descriptor),
      deadlineMs,
      checkNode(this.#host, node, actorType),
      () => undefined,
    );
  }

  /**
   * Runs one move to its end. Rejects with `moveFailed` when it was undone, or when the store gives no evidence in time: then
   * the actor stays closed, and the store is asked on (O5).
   */
  async run(
    activation: Activation,
    kind: "relocate" | "join",
    target: Target,
    deadlineMs: number,
    check: TargetCheck,
    grant: () => JoinGrant | undefined = () => undefined,
  ): Promise<MoveResult> {
    const { config, self } = this.#host;
    const relocation = randomId128(config.random);
    const move = new OutboundMove(this.#host, this.#mover, activation, {
      config: {
        self,
        actor: activation.fence,
        stableType: activation.actorType,
        relocation,
        target,
        kind,
        applicationVersion: config.applicationVersion,
        deadlines: { moveMs: deadlineMs, storeResolutionMs: config.deadlines.storeResolutionMs },
        chunkBytes: config.limits.chunkBytes,
        maxPayloadBytes: config.limits.actorStateBytes,
      },
      check,
      grant,
    });
    this.#byRelocation.set(operationKey(relocation), move);
    move.start();
    const outcome = await Promise.race([move.outcome, move.undecided]);
    this.#forgetLater(relocation);
    if (outcome.type === "undecided") {
      throw new RuntimeError(
        "moveFailed",
        `nobody can tell yet who owns actor "${activation.actorId}": ${outcome.failure.message}`,
        {
          cause: outcome.failure,
        },
      );
    }
    if (outcome.type === "aborted") {
      throw new RuntimeError(
        "moveFailed",
        `the move of actor "${activation.actorId}" was undone (${outcome.failure.code}): ${outcome.failure.message}`,
        {
          cause: outcome.failure,
        },
      );
    }
    return { relocation: move.relocation, outcome: outcome.type };
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

  /** Moves that are not over. */
  running(): OutboundMove[] {
    return [...this.#byRelocation.values()].filter((move) => !move.ended);
  }

  abortAll(failure: MoveFailure): void {
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
