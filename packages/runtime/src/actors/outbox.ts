import { dropsCachedRoute, LruMap, RESUMES_AFTER_PART_OF_FOLLOW } from "@rehome/core";
import type { ActorFence, Command, FailureCode, SendRefused } from "@rehome/wire";
import type { ActorAddress } from "../api.ts";
import { asRuntimeError, errorOfWire, RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import type { Answer } from "../links/requests.ts";
import type { LostLink } from "../links/links.ts";
import { assertSize, payloadOf, type Payload } from "../payload.ts";
import { GONE_PACKET, RESUMES_KEY, SEQUENCE_KEY } from "./delivery.ts";
import type { Sender } from "./outgoing.ts";

/** Pairs of sender and receiver that are remembered; only what is on its way is lost with a forgotten one. */
const MAX_LANES = 10_000;
/**
 * One-way messages per lane that can be sent again when a node answers that the actor has moved: twice what a hold takes
 * (H1). The refusal of an older one is still reported, without its name.
 */
const MAX_RECENT_PER_LANE = 2_048;
/** Pause before a marker is sent again. It is tried for as long as a receiver waits for a missing message (N4). */
const MARKER_RETRY_MS = 100;
/** What such a refusal's message is called. */
const FORGOTTEN_NAME = "(forgotten)";
/** Look-ups for one message: an actor that moves faster than this is refused as `notConnected`. */
const MAX_TRIES = 5;
const RETRY_PAUSE_MS = 20;
const UINT64_BYTES = 8;

/** A message on its way from a sender to a receiver. */
interface Letter {
  readonly to: ActorAddress;
  readonly payload: Payload;
  /** For a request: what to do with its answer, and until when to try. */
  readonly request: { readonly settle: (answer: Answer) => void; readonly deadlineMs: number } | undefined;
  /** The place in the stream, once it was first sent, and the receiver that the number belongs to. */
  place: { readonly sequence: bigint; readonly objectGeneration: bigint } | undefined;
  tries: number;
}

/** A place that a marker is to fill: of which receiver, and until when one that got lost or found no room is sent again. */
interface Hole {
  readonly objectGeneration: bigint;
  readonly untilMs: number;
}

/** Everything between one sender and one receiver: keeps order while the receiver is looked up. */
interface Lane {
  readonly id: bigint;
  readonly sender: Sender;
  readonly to: ActorAddress;
  /** Waiting for a route, in order. */
  readonly waiting: Letter[];
  /** One-way messages sent lately, by sequence. */
  readonly recent: Map<bigint, Letter>;
  /** Places that markers were sent for (N5). */
  readonly holes: Map<bigint, Hole>;
  locating: boolean;
  lastSentMs: number;
}

const staleCodes: ReadonlySet<FailureCode> = new Set(["actorLocationStale", "routeNotConnected", "actorRouteNotFound"]);

/** Messages of this node and its actors to other actors: numbered (`protocol.md` N4), looked up, retried when a route was stale. */
export class Outbox {
  readonly #host: Host;
  readonly #lanes: LruMap<string, Lane>;
  readonly #lanesById = new Map<bigint, Lane>();

  constructor(host: Host) {
    this.#host = host;
    this.#lanes = new LruMap(MAX_LANES);
    host.links.handle("sendRefused", (_peer, command) => this.#onRefused(command));
    host.links.handle("messageFollow", (peer, command) => {
      const cached = command.source.kind === "actor" && host.directory.cachedRoute(command.source.actor.actor.actorId);
      if (cached && dropsCachedRoute(cached, peer.nodeRid, command)) host.directory.drop(cached);
    });
    host.links.onLost((lost) => this.#onLost(lost));
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

  #post(sender: Sender, letter: Letter): void {
    assertSize(letter.payload, this.#host.config.limits.messageBytes);
    const lane = this.#laneOf(sender, letter.to);
    sender.posted();
    lane.waiting.push(letter);
    this.#flush(lane);
  }

  #laneOf(sender: Sender, to: ActorAddress): Lane {
    const key = `${sender.serial}:${to.id}`;
    const known = this.#lanes.get(key);
    if (known) return known;
    const bytes = this.#host.config.random.bytes(UINT64_BYTES);
    const id = new DataView(bytes.buffer, bytes.byteOffset, UINT64_BYTES).getBigUint64(0) || 1n;
    const lane: Lane = {
      id,
      sender,
      to,
      waiting: [],
      recent: new Map(),
      holes: new Map(),
      locating: false,
      lastSentMs: Number.NEGATIVE_INFINITY,
    };
    const evicted = this.#lanes.set(key, lane);
    if (evicted) this.#lanesById.delete(evicted[1].id);
    this.#lanesById.set(id, lane);
    return lane;
  }

  #flush(lane: Lane): void {
    if (lane.locating) return;
    while (lane.waiting.length > 0) {
      const route = this.#host.directory.cachedRoute(lane.to.id);
      if (!route) {
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
    for (const letter of lane.waiting.splice(0)) {
      this.#refused(letter, error);
      if (!letter.place) lane.sender.settled();
    }
  }

  #transmit(lane: Lane, letter: Letter, route: ActorFence): void {
    const { objectGeneration } = route.actor;
    if (letter.place && letter.place.objectGeneration !== objectGeneration) {
      letter.place = undefined;
      this.#refused(letter, new RuntimeError("stale", `actor "${letter.to.id}" was made anew meanwhile`));
      return;
    }
    if (!letter.place) {
      letter.place = { sequence: lane.sender.positions.next(letter.to, objectGeneration), objectGeneration };
      lane.sender.settled();
    }
    letter.tries++;
    const onUnsent = (error: RuntimeError): void => this.#retry(lane, letter, route, error);
    if (!letter.request) {
      this.#bound(lane.recent.set(letter.place.sequence, letter));
      this.#host.links.send(route.nodeRid, this.#command(lane, letter, route, undefined), {
        traffic: "data",
        onUnsent,
      });
      return;
    }
    const correlation = this.#host.requests.open({
      kind: "actorRequest",
      what: `request "${letter.payload.packetName}" to actor "${letter.to.id}"`,
      timeoutMs: Math.max(1, letter.request.deadlineMs - this.#host.config.clock.nowMs()),
      operation: { high: lane.id, low: letter.place.sequence },
      settle: (answer) => this.#onAnswer(lane, letter, route, answer),
    });
    this.#host.requests.sentTo(correlation, route.nodeRid);
    this.#host.links.send(route.nodeRid, this.#command(lane, letter, route, correlation), {
      traffic: "data",
      onUnsent: (error) => this.#host.requests.fail(correlation, error),
    });
  }

  #command(lane: Lane, letter: Letter, route: ActorFence, correlation: bigint | undefined): Command {
    const sequence = letter.place!.sequence;
    const rest = {
      hopCount: 0,
      ...(lane.sender.actor ? { sourceActor: lane.sender.actor } : {}),
      target: route,
      metadata: this.#metadata(lane, sequence),
      payload: letter.payload,
      operation: { high: lane.id, low: sequence },
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
      if (answer.result) this.#fillPlace(lane, letter);
      letter.request!.settle(answer);
    }
  }

  #onRefused(command: SendRefused): void {
    if (this.#host.sessions.onSendRefused(command)) return;
    const lane = this.#lanesById.get(command.operation.high);
    if (!lane) return;
    const route = this.#host.directory.cachedRoute(lane.to.id);
    if (lane.holes.has(command.operation.low)) {
      if (route && staleCodes.has(command.failureCode)) this.#host.directory.drop(route);
      this.#sendMarkerLater(lane, command.operation.low);
      return;
    }
    const known = lane.recent.get(command.operation.low);
    const letter = known ?? forgottenLetter(lane, command.operation.low, route);
    lane.recent.delete(command.operation.low);
    const error = errorOfWire(command, `message "${letter.payload.packetName}" to actor "${letter.to.id}"`);
    if (known && staleCodes.has(command.failureCode)) this.#retry(lane, letter, route, error);
    else {
      this.#fillPlace(lane, letter);
      this.#refused(letter, error);
    }
  }

  /** The message was certainly not run; with a stale route it is looked up and sent again in its old place. */
  #retry(lane: Lane, letter: Letter, route: ActorFence | undefined, error: RuntimeError): void {
    const late = letter.request !== undefined && this.#host.config.clock.nowMs() >= letter.request.deadlineMs;
    if (error.code === "backpressured" || letter.tries >= MAX_TRIES || late || this.#host.stopped()) {
      this.#fillPlace(lane, letter);
      this.#refused(letter, error);
      return;
    }
    if (route) this.#host.directory.drop(route);
    this.#host.config.clock.after(letter.tries > 1 ? RETRY_PAUSE_MS : 0, () => {
      lane.waiting.unshift(letter);
      this.#flush(lane);
    });
  }

  /** N5: the place of a message that will not be run is filled, so that those behind it do not wait for it. */
  #fillPlace(lane: Lane, { place }: Letter): void {
    if (!place || lane.holes.has(place.sequence)) return;
    const { clock, deadlines } = this.#host.config;
    const { objectGeneration, sequence } = place;
    this.#bound(lane.holes.set(sequence, { objectGeneration, untilMs: clock.nowMs() + deadlines.followMs }));
    this.#sendMarker(lane, sequence);
  }

  #sendMarker(lane: Lane, sequence: bigint): void {
    const hole = lane.holes.get(sequence);
    if (!hole || this.#host.stopped()) return;
    const { directory, config, links } = this.#host;
    const route = directory.cachedRoute(lane.to.id);
    if (!route) {
      directory.locate(lane.to.id, config.deadlines.requestMs).then(
        () => this.#sendMarker(lane, sequence),
        // An actor that is gone waits for nothing.
        (error: unknown) =>
          error instanceof RuntimeError && error.code === "storeUnavailable" && this.#sendMarkerLater(lane, sequence),
      );
      return;
    }
    const { objectGeneration } = hole;
    if (route.actor.objectGeneration !== objectGeneration) return;
    const place = { sequence, objectGeneration };
    const marker: Letter = { to: lane.to, payload: payloadOf(GONE_PACKET), request: undefined, place, tries: 0 };
    links.send(route.nodeRid, this.#command(lane, marker, route, undefined), {
      traffic: "data",
      onUnsent: () => this.#sendMarkerLater(lane, sequence),
    });
  }

  /** The marker was refused, was lost, or found no room. */
  #sendMarkerLater(lane: Lane, sequence: bigint): void {
    const { clock } = this.#host.config;
    const untilMs = lane.holes.get(sequence)?.untilMs;
    if (untilMs === undefined || clock.nowMs() + MARKER_RETRY_MS > untilMs) return;
    clock.after(MARKER_RETRY_MS, () => this.#sendMarker(lane, sequence));
  }

  #bound(places: Map<bigint, unknown>): void {
    if (places.size <= MAX_RECENT_PER_LANE) return;
    for (const oldest of places.keys()) {
      places.delete(oldest);
      return;
    }
  }

  #refused(letter: Letter, error: RuntimeError): void {
    if (letter.request) letter.request.settle({ ok: false, error, result: undefined });
    else this.#host.config.observe({ type: "SendRefused", to: letter.to, name: letter.payload.packetName, error });
  }

  /** N2: what the other side did not acknowledge may or may not have arrived. Requests settle in `Requests`. */
  #onLost(lost: LostLink): void {
    for (const command of lost.unacknowledged) {
      if (command.command !== "actorSend" && command.command !== "actorRequest") continue;
      const lane = command.sessionTail ? undefined : this.#lanesById.get(command.operation.high);
      if (!lane) continue;
      const sequence = command.operation.low;
      if (command.payload.packetName === GONE_PACKET) {
        this.#sendMarkerLater(lane, sequence);
        continue;
      }
      const letter: Letter = lane.recent.get(sequence) ?? {
        to: lane.to,
        payload: command.payload,
        request: undefined,
        place: { sequence, objectGeneration: command.target.actor.objectGeneration },
        tries: 1,
      };
      lane.recent.delete(sequence);
      // The route may be of a node that is gone: the store says.
      this.#host.directory.drop(command.target);
      this.#fillPlace(lane, letter);
      if (command.command === "actorRequest") continue;
      const error = new RuntimeError(
        "outcomeUnknown",
        `message "${letter.payload.packetName}" to actor "${letter.to.id}": the link was lost`,
      );
      this.#refused(letter, error);
    }
  }
}

function forgottenLetter(lane: Lane, sequence: bigint, route: ActorFence | undefined): Letter {
  const place = route && { sequence, objectGeneration: route.actor.objectGeneration };
  return { to: lane.to, payload: payloadOf(FORGOTTEN_NAME), request: undefined, place, tries: MAX_TRIES };
}
