import { RESUMES_AFTER_PART_OF_FOLLOW, type BindingRef, type BindingRoute, type BindingView } from "@rehome/core";
import type { ActorFence, FailureCode, Rid } from "@rehome/wire";
import { GONE_PACKET, payloadBytes, RESUMES_KEY } from "../actors/delivery.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import type { Answer } from "../links/requests.ts";
import { payloadOf } from "../payload.ts";
import { failedAnswer, type Letter, type MarkerLetter, type RequestLetter, type SendLetter } from "./letters.ts";

/** One-way messages on their way whose ticket is remembered for a refusal: twice what a hold takes (H1). */
const MAX_RECENT = 2_048;
/** A marker that found no room is sent again after this, for as long as a receiver waits for a missing message (N4). */
const MARKER_RETRY_MS = 100;

/** Results that say the handler had its turn: the message's place is taken, no marker is due. */
const runCodes: ReadonlySet<FailureCode> = new Set(["workerFailed", "requestRejected", "handlerNotFound"]);

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
  ended = false;
  readonly #options: BindingOptions;
  readonly #recent = new Map<bigint, SendLetter>();
  readonly #holes = new Map<bigint, number>();
  #nextSequence = 1n;
  #lastFedMs = Number.NEGATIVE_INFINITY;

  constructor(options: BindingOptions) {
    this.#options = options;
    this.sessionRid = options.sessionRid;
    this.bindingGeneration = options.bindingGeneration;
    this.operationHigh = options.operationHigh;
    this.actorType = options.actorType;
    this.route = options.route;
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

  repoint(route: BindingRoute): void {
    this.route = { actor: this.route.actor, ...route };
  }

  /** Hands a message to the link of the binding's route, under its number. Only while no seal stands. */
  feed(letter: SendLetter | RequestLetter | MarkerLetter): void {
    switch (letter.kind) {
      case "send":
        this.#feedSend(letter);
        return;
      case "request":
        if (!letter.settled) this.#feedRequest(letter);
        return;
      case "marker":
        this.#feedMarker(letter.sequence);
        return;
    }
  }

  /** Nobody can tell whether the message at this place was run; its place is filled all the same (N5). */
  lostWithLink(sequence: bigint, error: RuntimeError): void {
    const letter = this.#recent.get(sequence);
    this.#recent.delete(sequence);
    if (letter) this.#options.onRefused(letter.ticket, error);
  }

  /** A 200 for the message at this place; true when the place is to be filled by a marker now. */
  refused(sequence: bigint, error: RuntimeError): boolean {
    if (this.#holes.has(sequence)) {
      this.#retryMarker(sequence);
      return false;
    }
    const letter = this.#recent.get(sequence);
    this.#recent.delete(sequence);
    if (letter) this.#options.onRefused(letter.ticket, error);
    if (error.code === "stale" || error.code === "notFound") this.#options.onStale();
    return error.code !== "handlerNotFound";
  }

  #feedSend(letter: SendLetter): void {
    const sequence = this.#nextSequence++;
    this.#bound(this.#recent.set(sequence, letter));
    this.#options.host.links.send(
      this.route.nodeRid,
      { command: "actorSend", ...this.#common(sequence), payload: letter.payload },
      {
        traffic: "data",
        onUnsent: (error) => {
          this.lostWithLink(sequence, error);
          this.#retryMarkerSoon(sequence);
        },
      },
    );
  }

  #feedRequest(letter: RequestLetter): void {
    letter.expiry.cancel();
    letter.settled = true;
    const { host } = this.#options;
    const sequence = this.#nextSequence++;
    const correlation = host.requests.open({
      kind: "actorRequest",
      what: `request "${letter.payload.packetName}" to actor "${this.actorId}"`,
      timeoutMs: Math.max(1, letter.deadlineMs - host.config.clock.nowMs()),
      operation: { high: this.operationHigh, low: sequence },
      settle: (answer) => {
        this.#answered(sequence, answer);
        letter.settle(answer);
      },
    });
    host.requests.sentTo(correlation, this.route.nodeRid);
    host.links.send(
      this.route.nodeRid,
      { command: "actorRequest", correlation, ...this.#common(sequence), payload: letter.payload },
      { traffic: "data", onUnsent: (error) => host.requests.fail(correlation, error) },
    );
  }

  #answered(sequence: bigint, answer: Answer): void {
    if (answer.ok || this.ended) return;
    const { code } = answer.error;
    if (answer.result && runCodes.has(answer.result.failureCode)) return;
    // A time-out says nothing about the place: the message is on its way or has run.
    if (code === "timedOut" || code === "closed") return;
    if (code === "stale" || code === "notFound") this.#options.onStale();
    this.#retryMarkerSoon(sequence);
  }

  #common(sequence: bigint) {
    const { sessionRid, bindingGeneration } = this;
    const { clock, deadlines } = this.#options.host.config;
    const now = clock.nowMs();
    const resumes = now - this.#lastFedMs > deadlines.followMs * RESUMES_AFTER_PART_OF_FOLLOW;
    this.#lastFedMs = now;
    return {
      ...(resumes ? { metadata: [[RESUMES_KEY, "1"]] as [string, string][] } : {}),
      operation: { high: this.operationHigh, low: sequence },
      hopCount: 0,
      target: this.route,
      sessionTail: { sessionRid, bindingGeneration, sessionSequence: sequence },
    };
  }

  #feedMarker(sequence: bigint): void {
    if (this.ended) return;
    const { host } = this.#options;
    if (!this.#holes.has(sequence)) {
      this.#bound(this.#holes.set(sequence, host.config.clock.nowMs() + host.config.deadlines.followMs));
    }
    host.links.send(
      this.route.nodeRid,
      { command: "actorSend", ...this.#common(sequence), payload: payloadOf(GONE_PACKET) },
      { traffic: "data", onUnsent: () => this.#retryMarker(sequence) },
    );
  }

  #retryMarkerSoon(sequence: bigint): void {
    const { host } = this.#options;
    host.config.clock.after(0, () => this.#offerMarker(sequence));
  }

  #retryMarker(sequence: bigint): void {
    const { clock } = this.#options.host.config;
    if (clock.nowMs() + MARKER_RETRY_MS > (this.#holes.get(sequence) ?? 0)) return;
    clock.after(MARKER_RETRY_MS, () => this.#offerMarker(sequence));
  }

  #offerMarker(sequence: bigint): void {
    if (!this.ended) this.#options.host.sessions.offer(this, { kind: "marker", sequence });
  }

  #bound(places: Map<bigint, unknown>): void {
    if (places.size <= MAX_RECENT) return;
    for (const oldest of places.keys()) {
      places.delete(oldest);
      return;
    }
  }
}

/** What a letter counts against the limits of a hold. */
export function letterBytes(letter: Letter): number {
  return letter.kind === "send" || letter.kind === "request" ? payloadBytes(letter.payload) : 0;
}

/** Tells whoever sent a letter that it was not run. */
export function failLetter(
  letter: Letter,
  error: RuntimeError,
  onRefused: (ticket: bigint, error: RuntimeError) => void,
): void {
  switch (letter.kind) {
    case "send":
      onRefused(letter.ticket, error);
      return;
    case "request":
      letter.expiry.cancel();
      if (!letter.settled) letter.settle(failedAnswer(error));
      letter.settled = true;
      return;
    case "unbind":
      letter.resolve();
      return;
    case "marker":
      return;
  }
}
