import {
  membersOf,
  releaseEach,
  SOURCE_EVENTS,
  sourceEnded,
  startSource,
  stepSource,
  type MoveFailure,
  type ReadAnswer,
  type SourceConfig,
  type SourceEffect,
  type SourceInput,
  type SourceOutcome,
  type SourceState,
  type SourceTimer,
} from "@rehome/core";
import { crc32c, encodeFrozenRecord, type ActorFence, type Command, type Rid } from "@rehome/wire";
import { errorText } from "../error-text.ts";
import { refuse } from "../actors/answers.ts";
import { background } from "../background.ts";
import { freeze, type Delivery } from "../actors/delivery.ts";
import type { Held } from "../actors/held.ts";
import type { Host } from "../host.ts";
import { id128Text } from "../ids.ts";
import { captureUnit, type JoinGrant } from "./capture.ts";
import type { Mover } from "./mover.ts";
import { readMembers } from "./read-members.ts";
import { sendPaced, stateChunks } from "./send-state.ts";
import type { OutboundUnit } from "./unit.ts";
import { NamedTimers } from "../named-timers.ts";

/** How a move finds out whether its target can take the unit; resolves with what the machine is to be told. */
export type TargetCheck = () => Promise<Extract<SourceInput, { type: "CheckPassed" | "CheckFailed" }>>;

type Effect<T extends SourceEffect["type"]> = Extract<SourceEffect, { readonly type: T }>;

export interface OutboundRequest {
  readonly config: SourceConfig;
  readonly check: TargetCheck;
  /** For a join: what the spot granted, once the check has passed. */
  readonly grant: () => JoinGrant | undefined;
}

export interface UndecidedOwner {
  readonly type: "undecided";
  readonly failure: MoveFailure;
}

/** One move at its source: does what the machine in `core/source` decides. */
export class OutboundMove {
  readonly host: Host;
  readonly unit: OutboundUnit;
  readonly config: SourceConfig;
  readonly relocation: string;
  readonly outcome: Promise<SourceOutcome>;
  /** Settles when the deadline has passed without evidence (O5); `outcome` may still come. */
  readonly undecided: Promise<UndecidedOwner>;
  readonly #mover: Mover;
  readonly #request: OutboundRequest;
  readonly #inputs: SourceInput[] = [];
  readonly #timers: NamedTimers<SourceTimer>;
  readonly #steps: Record<string, number> = {};
  #state: SourceState | undefined;
  #stepping = false;
  #pausedAtMs: number | undefined;
  #payload: Uint8Array = new Uint8Array(0);
  #fences: ReadonlyMap<string, ActorFence> | undefined;
  #resolveOutcome!: (outcome: SourceOutcome) => void;
  #resolveUndecided!: (undecided: UndecidedOwner) => void;

  constructor(host: Host, mover: Mover, unit: OutboundUnit, request: OutboundRequest) {
    this.host = host;
    this.#mover = mover;
    this.unit = unit;
    this.config = request.config;
    this.#request = request;
    this.relocation = id128Text(request.config.relocation);
    this.#timers = new NamedTimers(host.config.clock, (timer) => this.dispatch({ type: "TimerFired", timer }));
    this.outcome = new Promise((resolve) => (this.#resolveOutcome = resolve));
    this.undecided = new Promise((resolve) => (this.#resolveUndecided = resolve));
  }

  get ended(): boolean {
    return this.#state !== undefined && sourceEnded(this.#state);
  }

  start(): void {
    const first = startSource(this.config, this.host.config.clock.nowMs());
    this.#state = first.state;
    this.#run(first.effects);
  }

  dispatch(input: SourceInput): void {
    this.#inputs.push(input);
    this.#run([]);
  }

  abort(failure: MoveFailure): void {
    if (!this.ended) this.dispatch({ type: "AbortRequested", failure });
  }

  /** For a node that gives up at once: nothing of this move fires any more. */
  stop(): void {
    this.#timers.stopAll();
  }

  #run(effects: readonly SourceEffect[]): void {
    if (this.#stepping) return;
    this.#stepping = true;
    try {
      this.#performAll(effects);
      for (let input = this.#inputs.shift(); input; input = this.#inputs.shift()) {
        const step = stepSource(this.#state!, input, this.host.config.clock.nowMs());
        this.#state = step.state;
        this.#performAll(step.effects);
      }
    } finally {
      this.#stepping = false;
    }
  }

  /** O7: a step that fails is reported and keeps none of the others from being done. */
  #performAll(effects: readonly SourceEffect[]): void {
    for (const { record: effect, error } of releaseEach(effects, (each) => this.#perform(each))) {
      this.host.config.log.write("error", "move.stepFailed", {
        relocation: this.relocation,
        step: effect.type,
        error: errorText(error),
      });
    }
  }

  async #check(): Promise<SourceInput> {
    const kept = await Promise.all(this.unit.members.map((member) => this.#mover.journal.marked(member)));
    const failure = kept.find((each) => each !== undefined);
    return failure ? { type: "CheckFailed", failure } : this.#request.check();
  }

  #perform(effect: SourceEffect): void {
    switch (effect.type) {
      case "CheckTarget":
        this.#detached(
          "check",
          this.#check().then((input) => this.dispatch(input)),
        );
        return;
      case "HoldIngress":
        this.unit.holdIngress(this.relocation, effect.mode, this.#mover.holdLimits());
        return;
      case "PromoteHold":
        this.unit.promoteHold(this.relocation);
        return;
      case "StopTurns":
        this.unit.stopTurns(() => this.#turnsStopped());
        return;
      case "ReadAuthority":
        this.#detached(
          "read",
          this.#readAuthority().then((answer) => this.dispatch({ type: "AuthorityRead", answer })),
        );
        return;
      case "ReadMembers":
        this.#detached(
          "readMembers",
          readMembers(this.host.store, effect.keys).then((answers) => this.dispatch({ type: "MembersRead", answers })),
        );
        return;
      case "SendSeal":
        this.#sendSeal(effect.peer, effect.command);
        return;
      case "CaptureState":
        this.#reached("sealed");
        this.#detached("capture", this.#capture(effect));
        return;
      case "SendPrepare":
        this.#reached("captured");
        this.#send(effect.peer, effect.command);
        return;
      case "SendState":
        this.#detached(
          "state",
          sendPaced(
            this.host.links,
            effect.peer,
            stateChunks(effect.header, this.#payload, effect.chunkBytes),
            () => !this.ended,
          ),
        );
        return;
      case "RelayAndCutOver":
        this.#reached("ready");
        this.#detached("cutOver", this.#relayAndCutOver(effect));
        return;
      case "FenceAuthority":
        this.#detached(
          "fence",
          this.host.store
            .fence(this.unit.key, effect.baseVersion, this.host.self)
            .then((answer) => this.dispatch({ type: "FenceSettled", answer })),
        );
        return;
      case "SendRoute":
        this.#mover.owedRoutes.send(effect.peer, effect.command);
        return;
      case "SendFailed":
        this.#send(effect.peer, effect.command);
        return;
      case "GiveBackHold":
        this.#giveBackHold();
        return;
      case "OpenGate":
        this.unit.openGates();
        return;
      case "StartFollow":
        this.#startFollow(effect);
        return;
      case "FailHold":
        this.#failHold(effect);
        return;
      case "DropCopy":
        this.unit.drop();
        return;
      case "StartTimer":
        this.#timers.start(effect.timer, effect.delayMs);
        return;
      case "StopTimer":
        this.#timers.stop(effect.timer);
        return;
      case "Report":
        this.host.config.log.write("warn", effect.event, { relocation: this.relocation, ...effect.fields });
        if (effect.event === SOURCE_EVENTS.ownerUndecided) {
          this.#resolveUndecided({ type: "undecided", failure: effect.fields["failure"] as MoveFailure });
        }
        return;
      case "Settle":
        this.#settle(effect.outcome);
        return;
    }
  }

  /** O6: from the base version on, nothing else of this node is written to the unit's authorities. */
  async #readAuthority(): Promise<ReadAnswer> {
    await this.unit.freezeWrites();
    return this.host.store.read(this.unit.key);
  }

  #detached(what: string, work: Promise<unknown>): void {
    background(this.host.config.log, `move.${what}`, work);
  }

  #turnsStopped(): void {
    const { clock, observe } = this.host.config;
    const atMs = clock.nowMs();
    this.#pausedAtMs = atMs;
    for (const activation of this.unit.members) {
      observe({ type: "MovePaused", relocation: this.relocation, actorId: activation.actorId, atMs });
      activation.dropReplacedSessions();
    }
    this.dispatch({ type: "TurnsStopped", bindings: this.unit.bindings() });
  }

  #sendSeal(peer: Rid, command: Command): void {
    this.#reached("read");
    this.host.links.send(peer, command, { onUnsent: () => this.#detached("seal", this.#sealUnsent(peer)) });
  }

  /** No link to a session's owner: the store says whether that run of it still lives (`protocol.md` O1). */
  async #sealUnsent(peer: Rid): Promise<void> {
    try {
      const node = await this.host.directory.node(peer);
      if (!node) this.dispatch({ type: "SessionOwnerGone", ownerNodeRid: peer });
      else this.dispatch({ type: "LinkLost", peer });
    } catch {
      this.dispatch({ type: "LinkLost", peer });
    }
  }

  async #capture({ chunkBytes, maxPayloadBytes, memberVersions }: Effect<"CaptureState">): Promise<void> {
    const { captures } = this.#mover;
    const grant = this.#request.grant();
    const order = { config: this.config, grant, maxPayloadBytes, memberVersions, captures };
    const captured = await captureUnit(this.unit, order);
    if (captured.type === "failed") {
      this.dispatch({ type: "CaptureFailed", failure: captured.failure });
      return;
    }
    this.#payload = captured.bytes;
    this.dispatch({
      type: "StateCaptured",
      payload: {
        totalLength: BigInt(captured.bytes.length),
        chunkCount: Math.ceil(captured.bytes.length / chunkBytes),
        checksumCrc32c: crc32c(captured.bytes),
      },
    });
  }

  async #relayAndCutOver(effect: Effect<"RelayAndCutOver">): Promise<void> {
    this.#payload = new Uint8Array(0);
    const records = this.unit.snapshot(this.relocation).map((held) => freeze(held.delivery, this.#leftBy(held)));
    const checksum = records.reduce((sum, record) => crc32c(encodeFrozenRecord(record), sum), 0);
    const relays: Command[] = records.map((record) => ({ ...effect.relay, record }));
    const cutover: Command = {
      ...effect.cutover,
      boundaryRecordCount: BigInt(records.length),
      boundaryChecksumCrc32c: checksum,
    };
    await sendPaced(this.host.links, effect.peer, [...relays, cutover], () => !this.ended);
    this.#reached("cutOver");
  }

  /** The fence that a member moves away from: the machine's, whatever has been learned since. */
  #leftBy({ activation }: Held): ActorFence {
    this.#fences ??= new Map(membersOf(this.config.unit).map(({ fence }) => [fence.actor.actorId, fence]));
    return this.#fences.get(activation.actorId) ?? activation.fence;
  }

  #giveBackHold(): void {
    for (const { error } of this.unit.giveBackHold(this.relocation)) {
      this.host.config.log.write("error", "hold.notGivenBack", {
        relocation: this.relocation,
        error: errorText(error),
      });
    }
  }

  #startFollow({ target, relay, handedOver }: Effect<"StartFollow">): void {
    const activation = this.unit.find(target.actor.actorId);
    if (!activation) return;
    const { forward, unknown } = this.unit.release(this.relocation, activation, handedOver);
    this.#mover.follow(activation, target, relay, forward);
    this.#outcomeUnknown(activation.actorId, unknown);
  }

  #failHold({ actorId, failure, handedOver }: Effect<"FailHold">): void {
    const activation = this.unit.find(actorId);
    if (!activation) return;
    const { forward, unknown } = this.unit.release(this.relocation, activation, handedOver);
    for (const delivery of forward) refuse(this.host, delivery, "stale", failure.message);
    this.#outcomeUnknown(actorId, unknown);
  }

  #outcomeUnknown(actorId: string, deliveries: readonly Delivery[]): void {
    const message = `actor "${actorId}" moved on by another move; whether the message ran cannot be told`;
    for (const delivery of deliveries) refuse(this.host, delivery, "outcomeUnknown", message);
  }

  #send(peer: Rid, command: Command): void {
    this.host.links.send(peer, command, { onUnsent: () => this.dispatch({ type: "LinkLost", peer }) });
  }

  #reached(step: string): void {
    if (this.#pausedAtMs !== undefined) this.#steps[step] = this.host.config.clock.nowMs() - this.#pausedAtMs;
  }

  #settle(outcome: SourceOutcome): void {
    const { unit } = this;
    this.#reached("settled");
    this.#payload = new Uint8Array(0);
    if (unit.spot) {
      unit.spot.leaving = false;
      this.#mover.arrivals.reopenSpot(unit.spot.spotId);
    }
    if (outcome.type === "aborted") unit.thawWrites();
    this.#resolveOutcome(outcome);
    this.host.config.observe({
      type: "MoveEnded",
      relocation: this.relocation,
      actorId: unit.spot ? undefined : unit.members[0]?.actorId,
      spotId: unit.spot?.spotId,
      kind: this.config.kind,
      outcome: outcome.type,
      reason: outcome.type === "committed" ? undefined : `${outcome.failure.code}: ${outcome.failure.message}`,
      steps: this.#steps,
    });
  }
}
