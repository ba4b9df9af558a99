import { dropsCachedRoute, RESUMES_AFTER_PART_OF_FOLLOW } from "@rehome/core";
import type { ActorFence, Command, FailureCode, SendRefused } from "@rehome/wire";
import type { ActorAddress } from "../api.ts";
import { asRuntimeError, errorOfWire, RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import type { Answer } from "../links/requests.ts";
import type { LostLink } from "../links/links.ts";
import { assertName } from "../names.ts";
import { assertSize, emptyPayload, type Payload } from "../payload.ts";
import { GONE_PACKET, RESUMES_KEY, SEQUENCE_KEY } from "./delivery.ts";
import { Lanes, type Lane, type Letter, type Place } from "./lanes.ts";
import type { Sender } from "./outgoing.ts";

/** Pause before a marker is sent again. It is tried for as long as a receiver waits for a missing message (N4). */
const MARKER_RETRY_MS = 100;
/** What such a refusal's message is called. */
const FORGOTTEN_NAME = "(forgotten)";
/** Look-ups for one message: an actor that moves faster than this is refused as `notConnected`. */
const MAX_TRIES = 5;
const RETRY_PAUSE_MS = 20;
const staleCodes: ReadonlySet<FailureCode> = new Set(["actorLocationStale", "routeNotConnected", "actorRouteNotFound"]);

/** Messages of this node and its actors to other actors: numbered (`protocol.md` N4), looked up, retried when a route was stale. */
export class Outbox {
  readonly #host: Host;
  readonly #lanes: Lanes;
  /** Letters that wait here, to be looked up or tried again. */
  readonly #waiting = new Set<Letter>();
  #closed = false;

  constructor(host: Host) {
    this.#host = host;
    this.#lanes = new Lanes(host.config.random);
    host.links.handle("sendRefused", (_peer, command) => this.#onRefused(command));
    host.links.handle("messageFollow", (peer, command) => {
      const cached = command.source.kind === "actor" && host.directory.cachedRoute(command.source.actor.actor.actorId);
      if (cached && dropsCachedRoute(cached, peer.nodeRid, command)) host.directory.drop(cached);
    });
    host.links.onLost((lost) => this.#onLost(lost));
  }

  /** How many messages wait for a look-up or another try. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** D5: nothing is looked up or tried again any more; whoever sent what waits here is told. */
  close(): void {
    this.#closed = true;
    for (const letter of this.#waiting) {
      this.#fillPlace(letter.place);
      this.#refused(letter, new RuntimeError("notConnected", "its sender's node closed before it could be sent"));
    }
  }

  /** Throws `tooLarge`. */
  send(sender: Sender, to: ActorAddress, payload: Payload): void {
    this.#post(sender, { to, payload, request: undefined, place: undefined, tries: 0 });
  }

  request(
    sender: Sender,
    to: ActorAddress,
    payload: Payload,
    timeoutMs = this.#host.config.deadlines.requestMs,
  ): Promise<Payload | undefined> {
    return new Promise((resolve, reject) => {
      const settle = (answer: Answer): void => (answer.ok ? resolve(answer.payload) : reject(answer.error));
      const deadlineMs = this.#host.config.clock.nowMs() + timeoutMs;
      this.#post(sender, { to, payload, request: { settle, deadlineMs }, place: undefined, tries: 0 });
    });
  }

  /** Throws `invalidArgument` for what is no receiver's address, and `tooLarge`. */
  assertPostable(to: Partial<ActorAddress> | undefined, payload: Payload): void {
    assertName("the receiver's type", to?.type);
    assertName("the receiver's id", to?.id);
    assertSize(payload, this.#host.config.limits.messageBytes);
  }

  #post(sender: Sender, letter: Letter): void {
    this.assertPostable(letter.to, letter.payload);
    const lane = this.#lanes.of(sender, letter.to);
    sender.posted();
    lane.waiting.push(letter);
    this.#waiting.add(letter);
    this.#flush(lane);
  }

  #flush(lane: Lane): void {
    if (lane.locating || this.#closed) return;
    while (lane.waiting.length > 0) {
      const { directory } = this.#host;
      const route = directory.cachedRoute(lane.to.id);
      const isPast = route !== undefined && lane.sender.positions.isPast(lane.to, route.actor.objectGeneration);
      if (isPast) directory.drop(route);
      if (!route || isPast) {
        this.#locate(lane);
        return;
      }
      this.#transmit(lane, lane.waiting.shift()!, route);
    }
  }

  #locate(lane: Lane): void {
    lane.locating = true;
    this.#host.directory.locate(lane.to.id, this.#host.config.deadlines.requestMs).then(
      ({ record }) => {
        lane.locating = false;
        if (record.stableType !== lane.to.type) {
          const message = `actor "${lane.to.id}" is of type "${record.stableType}", not "${lane.to.type}"`;
          this.#failWaiting(lane, new RuntimeError("typeMismatch", message));
        }
        this.#flush(lane);
      },
      (error: unknown) => {
        lane.locating = false;
        this.#failWaiting(lane, asRuntimeError(error, "storeUnavailable", `actor "${lane.to.id}" cannot be looked up`));
      },
    );
  }

  #failWaiting(lane: Lane, error: RuntimeError): void {
    if (this.#closed) return;
    for (const letter of lane.waiting.splice(0)) {
      this.#refused(letter, error);
      if (!letter.place) lane.sender.settled();
    }
  }

  #transmit(lane: Lane, letter: Letter, route: ActorFence): void {
    this.#waiting.delete(letter);
    const { objectGeneration } = route.actor;
    if (letter.place && letter.place.numbering.objectGeneration !== objectGeneration) {
      letter.place = undefined;
      this.#refused(letter, new RuntimeError("stale", `actor "${letter.to.id}" was made anew meanwhile`));
      return;
    }
    if (!letter.place) {
      const sequence = lane.sender.positions.next(letter.to, objectGeneration);
      letter.place = { numbering: this.#lanes.numbering(lane, objectGeneration), sequence };
      lane.sender.settled();
    }
    letter.tries++;
    const { numbering, sequence } = letter.place;
    const onUnsent = (error: RuntimeError): void => this.#retry(lane, letter, route, error);
    if (!letter.request) {
      numbering.sent(sequence, letter);
      this.#host.links.send(route.nodeRid, this.#command(letter.place, letter.payload, route), {
        traffic: "data",
        onUnsent,
      });
      return;
    }
    const correlation = this.#host.requests.open({
      kind: "actorRequest",
      what: `request "${letter.payload.packetName}" to actor "${letter.to.id}"`,
      timeoutMs: Math.max(1, letter.request.deadlineMs - this.#host.config.clock.nowMs()),
      operation: { high: numbering.id, low: sequence },
      settle: (answer) => this.#onAnswer(lane, letter, route, answer),
      late: { ms: this.#host.config.deadlines.followMs, settle: (answer) => this.#onLateAnswer(letter, answer) },
    });
    this.#host.requests.sentTo(correlation, route.nodeRid);
    this.#host.links.send(route.nodeRid, this.#command(letter.place, letter.payload, route, correlation), {
      traffic: "data",
      onUnsent: (error) => this.#host.requests.fail(correlation, error),
    });
  }

  #command({ numbering, sequence }: Place, payload: Payload, route: ActorFence, correlation?: bigint): Command {
    const { id, markerId, lane } = numbering;
    const rest = {
      hopCount: 0,
      ...(lane.sender.actor ? { sourceActor: lane.sender.actor } : {}),
      target: route,
      metadata: this.#metadata(lane, sequence),
      payload,
      operation: { high: payload.packetName === GONE_PACKET ? markerId : id, low: sequence },
    };
    return correlation === undefined
      ? { command: "actorSend", ...rest }
      : { command: "actorRequest", correlation, ...rest };
  }

  #metadata(lane: Lane, sequence: bigint): [string, string][] {
    const { clock, deadlines } = this.#host.config;
    const now = clock.nowMs();
    const resumes = now - lane.lastSentMs > deadlines.followMs * RESUMES_AFTER_PART_OF_FOLLOW;
    lane.lastSentMs = now;
    const place: [string, string] = [SEQUENCE_KEY, String(sequence)];
    return resumes ? [place, [RESUMES_KEY, "1"]] : [place];
  }

  #onAnswer(lane: Lane, letter: Letter, route: ActorFence, answer: Answer): void {
    if (answer.ok) letter.request!.settle(answer);
    else if (answer.result && staleCodes.has(answer.result.failureCode)) this.#retry(lane, letter, route, answer.error);
    else if (!answer.result && (answer.error.code === "notConnected" || answer.error.code === "backpressured")) {
      this.#retry(lane, letter, route, answer.error);
    } else {
      // With a lost link, the refusal may have been lost too: a marker that comes second does no harm.
      if (answer.result || answer.error.code === "outcomeUnknown") this.#fillPlace(letter.place);
      letter.request!.settle(answer);
    }
  }

  /** N5: whoever waited has been told that it timed out, and the receiver still waits for its place. */
  #onLateAnswer(letter: Letter, answer: Answer): void {
    if (!answer.ok && answer.error.code !== "closed") this.#fillPlace(letter.place);
  }

  #onRefused(command: SendRefused): void {
    if (this.#host.sessions.onSendRefused(command)) return;
    const known = this.#lanes.byOperation(command.operation.high);
    if (!known) return;
    const { numbering, isMarker } = known;
    const { lane } = numbering;
    const place: Place = { numbering, sequence: command.operation.low };
    const route = this.#host.directory.cachedRoute(lane.to.id);
    if (isMarker || numbering.holeUntilMs(place.sequence) !== undefined) {
      if (route && staleCodes.has(command.failureCode)) this.#host.directory.drop(route);
      this.#sendMarkerLater(place);
      return;
    }
    const sent = numbering.take(place.sequence);
    // The refusal of an earlier try, said again with its link (N2), while the next try waits.
    if (!sent && this.#isWaiting(place)) return;
    const letter = sent ?? forgottenLetter(place);
    const error = errorOfWire(command, `message "${letter.payload.packetName}" to actor "${letter.to.id}"`);
    if (sent && staleCodes.has(command.failureCode)) this.#retry(lane, letter, route, error);
    else {
      this.#fillPlace(place);
      this.#refused(letter, error);
    }
  }

  #isWaiting({ numbering, sequence }: Place): boolean {
    for (const { place } of this.#waiting) {
      if (place?.numbering === numbering && place.sequence === sequence) return true;
    }
    return false;
  }

  /** The message was certainly not run; with a stale route it is looked up and sent again in its old place. */
  #retry(lane: Lane, letter: Letter, route: ActorFence | undefined, error: RuntimeError): void {
    const late = letter.request !== undefined && this.#host.config.clock.nowMs() >= letter.request.deadlineMs;
    if (error.code === "backpressured" || letter.tries >= MAX_TRIES || late || this.#host.stopped()) {
      this.#fillPlace(letter.place);
      this.#refused(letter, error);
      return;
    }
    if (route) this.#host.directory.drop(route);
    this.#waiting.add(letter);
    this.#host.config.clock.after(letter.tries > 1 ? RETRY_PAUSE_MS : 0, () => {
      lane.waiting.unshift(letter);
      this.#flush(lane);
    });
  }

  /** N5: the place of a message that will not be run is filled, so that those behind it do not wait for it. */
  #fillPlace(place: Place | undefined): void {
    const { clock, deadlines } = this.#host.config;
    if (place?.numbering.open(place.sequence, clock.nowMs() + deadlines.followMs) === true) this.#sendMarker(place);
  }

  #sendMarker(place: Place): void {
    if (this.#host.stopped()) return;
    const { directory, config, links } = this.#host;
    const { lane, objectGeneration } = place.numbering;
    const route = directory.cachedRoute(lane.to.id);
    if (!route) {
      directory.locate(lane.to.id, config.deadlines.requestMs).then(
        () => this.#sendMarker(place),
        // An actor that is gone waits for nothing.
        (error: unknown) =>
          error instanceof RuntimeError && error.code === "storeUnavailable" && this.#sendMarkerLater(place),
      );
      return;
    }
    if (route.actor.objectGeneration !== objectGeneration) return;
    links.send(route.nodeRid, this.#command(place, emptyPayload(GONE_PACKET), route), {
      traffic: "data",
      onUnsent: () => this.#sendMarkerLater(place),
    });
  }

  /** The marker was refused, was lost, or found no room. */
  #sendMarkerLater(place: Place): void {
    const { clock } = this.#host.config;
    const untilMs = place.numbering.holeUntilMs(place.sequence);
    if (untilMs === undefined || clock.nowMs() + MARKER_RETRY_MS > untilMs) return;
    clock.after(MARKER_RETRY_MS, () => this.#sendMarker(place));
  }

  #refused(letter: Letter, error: RuntimeError): void {
    this.#waiting.delete(letter);
    if (letter.request) letter.request.settle({ ok: false, error, result: undefined });
    else this.#host.config.observe({ type: "SendRefused", to: letter.to, name: letter.payload.packetName, error });
  }

  /** N2: what the other side did not acknowledge may or may not have arrived. Requests settle in `Requests`. */
  #onLost(lost: LostLink): void {
    for (const command of lost.unacknowledged) {
      if (command.command !== "actorSend" && command.command !== "actorRequest") continue;
      const known = command.sessionTail ? undefined : this.#lanes.byOperation(command.operation.high);
      if (!known) continue;
      const { numbering, isMarker } = known;
      const place: Place = { numbering, sequence: command.operation.low };
      if (isMarker) {
        this.#sendMarkerLater(place);
        continue;
      }
      const letter = numbering.take(place.sequence) ?? { ...forgottenLetter(place), payload: command.payload };
      // The route may be of a node that is gone: the store says.
      this.#host.directory.drop(command.target);
      this.#fillPlace(place);
      if (command.command === "actorRequest") continue;
      const error = new RuntimeError(
        "outcomeUnknown",
        `message "${letter.payload.packetName}" to actor "${letter.to.id}": the link was lost`,
      );
      this.#refused(letter, error);
    }
  }
}

function forgottenLetter(place: Place): Letter {
  const { to } = place.numbering.lane;
  return { to, payload: emptyPayload(FORGOTTEN_NAME), request: undefined, place, tries: MAX_TRIES };
}
