import {
  IngressHold,
  releaseEach,
  startJoin,
  stepJoin,
  type JoinEffect,
  type JoinInput,
  type JoinRefusal,
  type JoinState,
  type JoinStep,
  type JournalRecord,
  type MoveFailure,
  type SpotAnswer,
  type SpotFound,
  type SpotPlace,
  type WriteOutcome,
} from "@rehome/core";
import { ridToDisplay, spotAuthorityKey, type ActorJoin, type Id128, type SpotFence, type Target } from "@rehome/wire";
import type { MoveResult } from "../api.ts";
import type { Activation, JoinWish } from "../actors/activation.ts";
import { joinAnswer } from "../actors/delivery.ts";
import type { Held } from "../actors/held.ts";
import { background } from "../background.ts";
import { reportCallback } from "../callbacks.ts";
import { errorText } from "../error-text.ts";
import { asRuntimeError, RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { id128Text, randomId128 } from "../ids.ts";
import type { Answer } from "../links/requests.ts";
import { payloadOf, valueOf, type Payload } from "../payload.ts";
import { admissionPayload, rejectionOf } from "../spots/spot-host.ts";
import type { JoinGrant } from "./capture.ts";
import type { Mover } from "./mover.ts";
import type { TargetCheck } from "./outbound-move.ts";
import { obstacle, targetOf } from "./target-check.ts";
import { OutboundUnit } from "./unit.ts";

type Effect<T extends JoinEffect<Payload>["type"]> = Extract<JoinEffect<Payload>, { readonly type: T }>;
type HereEffect = Effect<"HoldIngress" | "GiveBackHold" | "LeaveSpot" | "ArriveInSpot" | "Deliver" | "Refuse">;
type WriteEffect = Effect<"DiscardRecord" | "MarkDelivered" | "WritePlace" | "WritePrepared" | "DiscardPrepared">;
type CheckVerdict = Awaited<ReturnType<TargetCheck>>;

const NOT_OWNER: Promise<WriteOutcome> = Promise.resolve({ type: "failed", reason: "notOwner" });

/** One deferred join: does what the machine in `core/join` decides. */
export class JoinRun {
  /** Once begun it tells the actor whatever comes of it, unless the actor leaves. */
  begun = false;
  readonly #host: Host;
  readonly #mover: Mover;
  readonly #activation: Activation;
  readonly #wish: JoinWish;
  readonly #deadlineAtMs: number;
  #state: JoinState<Payload>;
  /** Of this attempt: a spot that moves is looked up again under a new one. */
  #operation: Id128;
  #target: Target | undefined;
  #hold: { readonly operation: string; readonly records: IngressHold<Held> } | undefined;
  /** Where the actor is before it is put into the spot. */
  #previous: SpotPlace | undefined;
  #grant: JoinGrant | undefined;
  #chunkBytes = 0;
  #check: (verdict: CheckVerdict) => void = () => undefined;
  #over: () => void = () => undefined;
  #resolve!: (result: MoveResult) => void;

  constructor(host: Host, mover: Mover, activation: Activation, wish: JoinWish) {
    this.#host = host;
    this.#mover = mover;
    this.#activation = activation;
    this.#wish = wish;
    const { clock, deadlines, random } = host.config;
    this.#deadlineAtMs = clock.nowMs() + deadlines.moveMs;
    this.#operation = randomId128(random);
    this.#state = { type: "finding" };
  }

  /**
   * Resolves when the join has settled, whatever came of it. `over` is called before the actor is told: what it asks for on
   * hearing the answer is a join of its own (O2), with an answer of its own (J1).
   */
  start(over: () => void): Promise<MoveResult> {
    this.begun = true;
    this.#over = over;
    const result = new Promise<MoveResult>((resolve) => (this.#resolve = resolve));
    this.#took(startJoin());
    return result;
  }

  #dispatch(input: JoinInput<Payload>): void {
    const config = {
      occupant: () => this.#mover.journal.occupant(this.#activation),
      deadlineAtMs: this.#deadlineAtMs,
    };
    this.#took(stepJoin(this.#state, input, config, this.#host.config.clock.nowMs()));
  }

  #took(step: JoinStep<Payload>): void {
    this.#state = step.state;
    for (const effect of step.effects) this.#perform(effect);
  }

  #perform(effect: JoinEffect<Payload>): void {
    switch (effect.type) {
      case "FindSpot":
        this.#then("find", this.#find(), (found) => ({ type: "SpotLooked", found }));
        return;
      case "AskSpotHere":
        this.#then("ask", this.#admit(), (answer) => ({ type: "SpotAnswered", answer }));
        return;
      case "AskSpotThere":
        this.#then("ask", this.#ask(effect.spot), (answer) => ({ type: "SpotAnswered", answer }));
        return;
      case "StartMove":
        this.#then("move", this.#move(), (input) => input);
        return;
      case "PassCheck":
        this.#grant = { place: effect.place, reply: effect.reply };
        this.#check({ type: "CheckPassed", receiveChunkLimitBytes: this.#chunkBytes });
        return;
      case "FailCheck":
        this.#check({ type: "CheckFailed", failure: { code: "joinRejected", message: effect.reason } });
        return;
      case "StartTimer":
        this.#host.config.clock.after(effect.delayMs, () => {
          this.#operation = randomId128(this.#host.config.random);
          this.#dispatch({ type: "RetryDue" });
        });
        return;
      case "Settle":
        this.#resolve({ relocation: this.#name, outcome: "committed" });
        return;
      case "DiscardRecord":
      case "MarkDelivered":
      case "WritePlace":
      case "WritePrepared":
      case "DiscardPrepared":
        this.#write(effect);
        return;
      default:
        this.#performHere(effect);
    }
  }

  /** What happens in the actor and its spots, at once. */
  #performHere(effect: HereEffect): void {
    const { actorId, actorType } = this.#activation;
    switch (effect.type) {
      case "HoldIngress":
        this.#holdIngress();
        return;
      case "GiveBackHold":
        this.#giveBackHold();
        return;
      case "LeaveSpot":
        this.#host.spots.left(this.#previous, { actorId, actorType });
        return;
      case "ArriveInSpot":
        this.#host.spots.arrived(effect.place, { actorId, actorType });
        return;
      case "Deliver": {
        this.#over();
        const journal = this.#activation.writes?.document?.journal;
        if (journal) this.#mover.journal.deliver(this.#activation, journal);
        return;
      }
      case "Refuse":
        this.#over();
        this.#refuse(effect.refusal);
        return;
    }
  }

  #write(effect: WriteEffect): void {
    const { journal } = this.#mover;
    const activation = this.#activation;
    const operation = this.#operation;
    const cleared = (outcome: WriteOutcome): JoinInput<Payload> => ({ type: "JournalCleared", outcome });
    const written = (outcome: WriteOutcome): JoinInput<Payload> => ({ type: "JournalWritten", outcome });
    switch (effect.type) {
      case "DiscardRecord":
        this.#then("clear", journal.write(activation, { type: "discard", operation: effect.operation }), cleared);
        return;
      case "MarkDelivered":
        this.#then("clear", journal.markDelivered(activation, effect.operation), cleared);
        return;
      case "WritePlace": {
        const { place, reply } = effect;
        this.#previous = activation.place;
        const change = { type: "joinHere", record: this.#recordOf(reply), place } as const;
        this.#then("place", activation.writes?.write(change) ?? NOT_OWNER, written);
        return;
      }
      case "WritePrepared": {
        const record = this.#recordOf(effect.reply);
        this.#then("prepare", journal.write(activation, { type: "prepare", record }), written);
        return;
      }
      case "DiscardPrepared":
        background(this.#host.config.log, "join.discard", journal.write(activation, { type: "discard", operation }));
        return;
    }
  }

  get #name(): string {
    return id128Text(this.#operation);
  }

  #then<A>(what: string, work: Promise<A>, input: (answer: A) => JoinInput<Payload>): void {
    background(
      this.#host.config.log,
      `join.${what}`,
      work.then((answer) => this.#dispatch(input(answer))),
    );
  }

  #recordOf(reply: Payload): JournalRecord {
    const { contentType, data } = reply;
    const { actorId } = this.#activation;
    const { spotId } = this.#wish;
    return { operation: this.#operation, actorId, spotId, contentType, reply: data, cursor: "prepared" };
  }

  #refuse({ reason, reply }: JoinRefusal<Payload>): void {
    const { spotId } = this.#wish;
    const value = reply && valueOf(reply);
    const result = { outcome: "rejected", operation: this.#name, spotId, reason, reply: value } as const;
    this.#activation.enqueue(joinAnswer(this.#operation, result));
  }

  #holdIngress(): void {
    const records = new IngressHold<Held>(this.#name, "provisional", this.#mover.holdLimits());
    this.#hold = { operation: this.#name, records };
    this.#activation.hold = records;
  }

  #giveBackHold(): void {
    const hold = this.#hold;
    this.#hold = undefined;
    if (!hold || this.#activation.hold !== hold.records) return;
    this.#activation.hold = undefined;
    const held = hold.records.giveBack(hold.operation);
    for (const { error } of releaseEach(held, ({ delivery }) => this.#activation.accept(delivery))) {
      this.#host.config.log.write("error", "hold.notGivenBack", { join: this.#name, error: errorText(error) });
    }
  }

  /** Where the spot is, by this node's own knowledge and the store's. */
  async #find(): Promise<SpotFound> {
    const { spots, directory, config, self } = this.#host;
    const { spotId } = this.#wish;
    if (this.#mover.departures.givesWay(this.#activation)) {
      return unavailable("the spot that the actor is in is moving; ask again when it has arrived");
    }
    const place = spots.find(spotId);
    if (place && this.#host.work() !== "all") return unavailable("the spot's node is being drained");
    if (place) {
      if (this.#mover.departures.enterSpot(this.#activation, spotId)) return { type: "here", place };
      return { type: "moving", reason: `spot "${spotId}" is moving` };
    }
    try {
      const reading = await directory.readSettled(spotAuthorityKey(spotId), config.deadlines.moveMs);
      if (reading?.record.state !== "active" || !reading.ownerLeaseLive) return unavailable("there is no such spot");
      const { owner, objectGeneration, authorityOwnerGeneration } = reading.record;
      if (owner.nodeRid === self.nodeRid) {
        // It is arriving, or has arrived, this very moment; or it is being made, and who asks for what is not there yet is refused.
        const reason = "the spot is not open on its node yet";
        const comes = this.#mover.arrivals.isArriving(reading.record.key) || spots.find(spotId) !== undefined;
        return { type: comes ? "moving" : "unavailable", reason };
      }
      const node = await directory.node(owner.nodeRid);
      if (!node) return unavailable(`the spot's node ${ridToDisplay(owner.nodeRid)} is gone`);
      const fault = obstacle(node, new OutboundUnit(this.#host, [this.#activation], undefined));
      if (fault) return unavailable(`the spot's node cannot take the actor: ${fault}`);
      this.#target = targetOf(node.descriptor);
      const { nodeRid, nodeGeneration, ownerLeaseGeneration } = owner;
      const spot = { spotId, objectGeneration };
      return {
        type: "elsewhere",
        spot: { spot, nodeRid, nodeGeneration, authorityOwnerGeneration, ownerLeaseGeneration },
      };
    } catch (error) {
      return unavailable(asRuntimeError(error, "storeUnavailable", `spot "${spotId}" cannot be looked up`).message);
    }
  }

  /** A spot of this node says yes or no; what its `admit` throws is a no. */
  async #admit(): Promise<SpotAnswer<Payload>> {
    const { actorId, actorType } = this.#activation;
    // Not before all that belongs to the last step is done.
    await Promise.resolve();
    try {
      const admission = this.#host.spots.admit(this.#wish.spotId, { actorId, actorType }, this.#wish.payload);
      const payload = admissionPayload(admission);
      return admission.accept ? { type: "accepted", reply: payload } : { type: "rejected", ...refusalOf(payload) };
    } catch (error) {
      reportCallback(this.#host.config, actorId, "spot.admit", error);
      return { type: "rejected", reason: "the spot's admit failed", reply: undefined };
    }
  }

  /** 28 to the spot's node, 20 back. */
  async #ask(targetSpot: SpotFence): Promise<SpotAnswer<Payload>> {
    const { requests, links, config } = this.#host;
    const activation = this.#activation;
    const answer = await new Promise<Answer>((settle) => {
      const correlation = requests.open({
        kind: "actorJoin",
        what: `joining spot "${this.#wish.spotId}"`,
        timeoutMs: config.deadlines.moveMs,
        settle,
      });
      requests.sentTo(correlation, targetSpot.nodeRid);
      const command: ActorJoin = {
        command: "actorJoin",
        correlation,
        actor: activation.fence,
        entry: false,
        targetSpot,
        payload: { ...this.#wish.payload, packetName: activation.actorType },
      };
      links.send(targetSpot.nodeRid, command, { onUnsent: (error) => requests.fail(correlation, error) });
    });
    if (!answer.ok) {
      const reason = answer.error.message;
      const { failureCode } = answer.result ?? {};
      const isElsewhere = failureCode === "spotMoving" || failureCode === "spotRouteNotFound";
      return isElsewhere ? { type: "moved", reason } : { type: "rejected", reason, reply: undefined };
    }
    if (answer.tail?.operation !== "actorJoin")
      return { type: "rejected", reason: "the spot's node answered without a result", reply: undefined };
    if (answer.tail.joinResult !== "accepted") return { type: "rejected", ...refusalOf(answer.payload) };
    this.#chunkBytes = answer.tail.receiveChunkLimitBytes;
    return { type: "accepted", reply: answer.payload ?? admissionPayload({ accept: true }) };
  }

  /** The move, from its check to its end; never rejects. Its relocation id names the join (J2). */
  async #move(): Promise<JoinInput<Payload>> {
    const check: TargetCheck = () =>
      new Promise((resolve) => {
        this.#check = resolve;
        this.#dispatch({ type: "CheckAsked" });
      });
    try {
      await Promise.resolve();
      await this.#mover.departures.run({
        relocation: this.#operation,
        unit: new OutboundUnit(this.#host, [this.#activation], undefined),
        kind: "join",
        target: this.#target!,
        deadlineMs: this.#host.config.deadlines.moveMs,
        check,
        grant: () => this.#grant,
      });
      return { type: "MoveEnded", outcome: "gone" };
    } catch (error) {
      const { message: reason } = asRuntimeError(error, "moveFailed", `joining spot "${this.#wish.spotId}" failed`);
      return { type: "MoveEnded", outcome: hasMoved(error) ? "spotMoved" : "undone", reason };
    }
  }
}

/** The target let the actor's move fail because its spot was leaving. */
function hasMoved(error: unknown): boolean {
  return error instanceof RuntimeError && (error.cause as MoveFailure | undefined)?.code === "spotMoved";
}

function unavailable(reason: string): SpotFound {
  return { type: "unavailable", reason };
}

/** What a refusal carries: its reason, and what the spot had to say. */
function refusalOf(payload: Payload | undefined): JoinRefusal<Payload> {
  const { reason, reply } = rejectionOf(payload);
  return { reason, reply: reply === undefined ? undefined : payloadOf("rejected", reply) };
}
