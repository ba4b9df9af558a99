import { RESUMES_AFTER_PART_OF_FOLLOW, type BindingRef, type BindingRoute, type BindingView } from "@rehome/core";
import type { ActorFence, ActorRequest, ActorSend, FailureCode, Metadata, Rid } from "@rehome/wire";
import { GONE_PACKET, RESUMES_KEY } from "../actors/delivery.ts";
import type { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import type { Answer } from "../links/requests.ts";
import { emptyPayload } from "../payload.ts";
import { Holes } from "./holes.ts";
import type { RequestLetter, SendLetter } from "./letters.ts";
import { Tickets } from "./places.ts";

/** Results that say the handler had its turn: the message's place is taken, no marker is due. */
const runCodes: ReadonlySet<FailureCode> = new Set(["workerFailed", "requestRejected", "handlerNotFound"]);
const resumed: Metadata = [[RESUMES_KEY, "1"]];

/** What all records of a binding's stream have in common. */
type Head = Pick<ActorSend, "operation" | "hopCount" | "target" | "sessionTail" | "metadata">;

/** A message's place in the binding's stream. */
interface Place {
  readonly sequence: bigint;
  readonly head: Head;
  readonly fedBeforeMs: number;
}

export interface BindingOptions {
  readonly host: Host;
  readonly sessionRid: Rid;
  readonly bindingGeneration: bigint;
  readonly operationHigh: bigint;
  readonly actorType: string;
  readonly route: ActorFence;
  /** The one-way message with this ticket was not run (or, `outcomeUnknown`, nobody can tell). */
  readonly onRefused: (ticket: bigint, error: RuntimeError) => void;
  /** A node says that the actor is not there: the route may be wrong. */
  readonly onStale: () => void;
  readonly isSealed: () => boolean;
}

/** One binding at its session owner: where its messages go, and their numbers (`protocol.md` sections 1 and 5). */
export class Binding {
  readonly sessionRid: Rid;
  readonly bindingGeneration: bigint;
  readonly operationHigh: bigint;
  readonly actorType: string;
  route: ActorFence;
  /** Set once the client has asked for the end; nothing more is taken. */
  unbinding: Promise<void> | undefined;
  readonly #options: BindingOptions;
  readonly #tickets = new Tickets();
  readonly #holes: Holes;
  #lastTicket = 0n;
  #nextSequence = 1n;
  #lastFedMs = Number.NEGATIVE_INFINITY;
  #ended = false;

  constructor(options: BindingOptions) {
    this.#options = options;
    this.sessionRid = options.sessionRid;
    this.bindingGeneration = options.bindingGeneration;
    this.operationHigh = options.operationHigh;
    this.actorType = options.actorType;
    this.route = options.route;
    const { clock, deadlines } = options.host.config;
    const send = (sequence: bigint): boolean => this.#sendMarker(sequence);
    this.#holes = new Holes({ clock, lifeMs: deadlines.followMs, isSealed: options.isSealed, send });
  }

  get actorId(): string {
    return this.route.actor.actorId;
  }

  get ref(): BindingRef {
    const { actorId, sessionRid, bindingGeneration } = this;
    return { actorId, sessionRid, bindingGeneration };
  }

  get view(): BindingView {
    return { sessionRid: this.sessionRid, bindingGeneration: this.bindingGeneration, route: this.route };
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** What the gateway knows the next message by, one-way or request. */
  nextTicket(): bigint {
    return ++this.#lastTicket;
  }

  repoint(route: BindingRoute): void {
    this.route = { actor: this.route.actor, ...route };
  }

  /** `places`: while the actor lives on, what waits there behind a place of this binding still gets its marker (N5). */
  end(places: "fill" | "leave"): void {
    this.#ended = true;
    if (places === "leave") this.#holes.end();
  }

  /** Hands a message to the link of the binding's route, under its number. Only while no seal stands. */
  feed(letter: SendLetter | RequestLetter): void {
    if (letter.kind === "send") this.#feedSend(letter);
    else if (!letter.isSettled()) this.#feedRequest(letter);
  }

  /** The seal is gone, and what it held was fed: the places of what was refused meanwhile can be filled. */
  unsealed(): void {
    this.#holes.flush();
  }

  /** Nobody can tell whether the one-way message at this place was run; its place is filled all the same (N5). */
  lostWithLink(sequence: bigint, error: RuntimeError): void {
    this.#giveUp(sequence, error);
  }

  /** A 200 for the message, or the marker, at this place. */
  refused(sequence: bigint, error: RuntimeError): void {
    if (sequence >= this.#nextSequence) return;
    if (this.#holes.has(sequence)) {
      this.#holes.fillLater(sequence);
      return;
    }
    if (isStale(error)) this.#options.onStale();
    if (error.code === "handlerNotFound") this.#report(sequence, error);
    else this.#giveUp(sequence, error);
  }

  #giveUp(sequence: bigint, error: RuntimeError): void {
    if (!this.#holes.has(sequence)) this.#report(sequence, error);
    this.#holes.fill(sequence);
  }

  #report(sequence: bigint, error: RuntimeError): void {
    // Q2: the client may be bound anew, and take it for a message of that binding.
    if (this.#ended) return;
    const ticket = this.#tickets.ticketOf(sequence);
    if (ticket !== undefined) this.#options.onRefused(ticket, error);
    else this.#options.host.config.log.write("error", "session.refusalUnmatched", { actorId: this.actorId, sequence });
  }

  #feedSend(letter: SendLetter): void {
    const place = this.#nextPlace();
    const command = { command: "actorSend", ...place.head, payload: letter.payload } as const;
    const refused = this.#hand(command, (error) => this.#giveUp(place.sequence, error));
    if (refused) {
      this.#takeBack(place);
      this.#options.onRefused(letter.ticket, refused);
      return;
    }
    this.#tickets.note(place.sequence, letter.ticket);
  }

  #feedRequest(letter: RequestLetter): void {
    const { requests, config } = this.#options.host;
    const place = this.#nextPlace();
    let hasPlace = true;
    // Open for longer than its client waits: a refusal that comes late still tells that the place is to be filled.
    const correlation = requests.open({
      kind: "actorRequest",
      what: `request "${letter.payload.packetName}" to actor "${this.actorId}"`,
      timeoutMs: Math.max(0, letter.deadlineMs - config.clock.nowMs()) + config.deadlines.followMs,
      operation: place.head.operation,
      settle: (answer) => {
        if (hasPlace) this.#answered(place.sequence, answer);
        letter.settle(answer);
      },
    });
    requests.sentTo(correlation, this.route.nodeRid);
    const command = { command: "actorRequest", correlation, ...place.head, payload: letter.payload } as const;
    const refused = this.#hand(command, (error) => requests.fail(correlation, error));
    if (!refused) return;
    hasPlace = false;
    this.#takeBack(place);
    requests.fail(correlation, refused);
  }

  /**
   * Hands a message to the link. Gives the error when the link refuses it at once; `later` is called when it was queued
   * and could not be sent after all.
   */
  #hand(command: ActorSend | ActorRequest, later: (error: RuntimeError) => void): RuntimeError | undefined {
    let refused: RuntimeError | undefined;
    let handing = true;
    const onUnsent = (error: RuntimeError): void => {
      if (handing) refused = error;
      else later(error);
    };
    this.#options.host.links.send(this.route.nodeRid, command, { traffic: "data", onUnsent });
    handing = false;
    return refused;
  }

  #nextPlace(): Place {
    const { clock, deadlines } = this.#options.host.config;
    const fedBeforeMs = this.#lastFedMs;
    const sequence = this.#nextSequence++;
    this.#lastFedMs = clock.nowMs();
    const resumes = this.#lastFedMs - fedBeforeMs > deadlines.followMs * RESUMES_AFTER_PART_OF_FOLLOW;
    const head = { ...this.#headOf(sequence), ...(resumes ? { metadata: resumed } : {}) };
    return { sequence, fedBeforeMs, head };
  }

  /** The message was refused at once and has had no place: the next one takes it, and no marker is needed. */
  #takeBack({ sequence, fedBeforeMs }: Place): void {
    this.#nextSequence = sequence;
    this.#lastFedMs = fedBeforeMs;
  }

  #answered(sequence: bigint, answer: Answer): void {
    if (answer.ok) return;
    if (answer.result && runCodes.has(answer.result.failureCode)) return;
    // No answer in all that time, or this node closes: that says nothing about the place.
    if (!answer.result && (answer.error.code === "timedOut" || answer.error.code === "closed")) return;
    if (isStale(answer.error)) this.#options.onStale();
    this.#holes.fill(sequence);
  }

  #headOf(sequence: bigint): Head {
    const { sessionRid, bindingGeneration } = this;
    return {
      operation: { high: this.operationHigh, low: sequence },
      hopCount: 0,
      target: this.route,
      sessionTail: { sessionRid, bindingGeneration, sessionSequence: sequence },
    };
  }

  #sendMarker(sequence: bigint): boolean {
    return this.#options.host.links.send(
      this.route.nodeRid,
      { command: "actorSend", ...this.#headOf(sequence), payload: emptyPayload(GONE_PACKET) },
      { traffic: "data", onUnsent: () => this.#holes.fillLater(sequence) },
    );
  }
}

function isStale({ code }: RuntimeError): boolean {
  return code === "stale" || code === "notFound";
}
