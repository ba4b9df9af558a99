import { LruMap, type Random } from "@rehome/core";
import type { ActorAddress } from "../api.ts";
import type { Answer } from "../links/requests.ts";
import type { Payload } from "../payload.ts";
import type { Sender } from "./outgoing.ts";

/** Pairs of sender and receiver that are remembered; only what is on its way is lost with a forgotten one. */
const MAX_LANES = 10_000;
/**
 * One-way messages per numbering that can be sent again when a node answers that the actor has moved: twice what a hold
 * takes (H1). The refusal of an older one is still reported, without its name.
 */
const MAX_RECENT = 2_048;
/**
 * Places of refused messages per numbering that are still to be filled: what a sender can have refused while one move stalls,
 * several holds' worth. Those beyond are left to the receiver, which waits for them for the follow period (N4).
 */
const MAX_HOLES = 16_384;
const UINT64_BYTES = 8;
/** Of the high half of an operation id: set for markers. */
const MARKER_BIT = 1n;

/** A message on its way from a sender to a receiver. */
export interface Letter {
  readonly to: ActorAddress;
  readonly payload: Payload;
  /** For a request: what to do with its answer, and until when to try. */
  readonly request: { readonly settle: (answer: Answer) => void; readonly deadlineMs: number } | undefined;
  /** The place in the stream, once it was first sent. */
  place: Place | undefined;
  tries: number;
}

export interface Place {
  readonly numbering: Numbering;
  readonly sequence: bigint;
}

/** Everything between one sender and one receiver: keeps order while the receiver is looked up. */
export interface Lane {
  readonly sender: Sender;
  readonly to: ActorAddress;
  /** Waiting for a route, in order. */
  readonly waiting: Letter[];
  /** The receiver's present numbering, and the one before it, of which word may still come. */
  numberings: readonly Numbering[];
  locating: boolean;
  lastSentMs: number;
}

/** The numbers of a lane towards one life of its receiver: one that was made anew counts from 1 again (`protocol.md` N4). */
export class Numbering {
  /** The high half of the operation ids, even; the low one is the sequence. */
  readonly id: bigint;
  readonly lane: Lane;
  readonly objectGeneration: bigint;
  readonly #recent = new Map<bigint, Letter>();
  readonly #holes = new Map<bigint, number>();

  /** The same for markers, so that the refusal of one is never taken for that of a message. */
  get markerId(): bigint {
    return this.id | MARKER_BIT;
  }

  constructor(id: bigint, lane: Lane, objectGeneration: bigint) {
    this.id = id;
    this.lane = lane;
    this.objectGeneration = objectGeneration;
  }

  /** Remembers a one-way message that was sent. */
  sent(sequence: bigint, letter: Letter): void {
    bound(this.#recent.set(sequence, letter), MAX_RECENT);
  }

  /** The one-way message at this place, if it was sent lately; once. */
  take(sequence: bigint): Letter | undefined {
    const letter = this.#recent.get(sequence);
    this.#recent.delete(sequence);
    return letter;
  }

  /** The place is to be filled with a marker (N5), which is tried until then. False when it is known. */
  open(sequence: bigint, untilMs: number): boolean {
    if (this.#holes.has(sequence)) return false;
    bound(this.#holes.set(sequence, untilMs), MAX_HOLES);
    return true;
  }

  /** Until when a marker for this place is tried; `undefined` where none was sent. */
  holeUntilMs(sequence: bigint): number | undefined {
    return this.#holes.get(sequence);
  }
}

/** The lanes of a node, by sender and receiver, and by the operation ids that their messages have. */
export class Lanes {
  readonly #random: Random;
  readonly #lanes = new LruMap<string, Lane>(MAX_LANES);
  readonly #numberings = new Map<bigint, Numbering>();

  constructor(random: Random) {
    this.#random = random;
  }

  of(sender: Sender, to: ActorAddress): Lane {
    const key = `${sender.serial}:${to.id}`;
    const known = this.#lanes.get(key);
    if (known) return known;
    const lane: Lane = {
      sender,
      to,
      waiting: [],
      numberings: [],
      locating: false,
      lastSentMs: Number.NEGATIVE_INFINITY,
    };
    const evicted = this.#lanes.set(key, lane);
    for (const { id } of evicted?.[1].numberings ?? []) this.#numberings.delete(id);
    return lane;
  }

  /** The numbering towards this life of the lane's receiver. */
  numbering(lane: Lane, objectGeneration: bigint): Numbering {
    const [current] = lane.numberings;
    if (current?.objectGeneration === objectGeneration) return current;
    const bytes = this.#random.bytes(UINT64_BYTES);
    const id = new DataView(bytes.buffer, bytes.byteOffset, UINT64_BYTES).getBigUint64(0) & ~MARKER_BIT || 2n;
    const numbering = new Numbering(id, lane, objectGeneration);
    for (const { id: forgotten } of lane.numberings.slice(1)) this.#numberings.delete(forgotten);
    lane.numberings = current ? [numbering, current] : [numbering];
    this.#numberings.set(id, numbering);
    return numbering;
  }

  /** Whose message or marker has this operation id. */
  byOperation(high: bigint): { readonly numbering: Numbering; readonly isMarker: boolean } | undefined {
    const isMarker = (high & MARKER_BIT) !== 0n;
    const numbering = this.#numberings.get(high & ~MARKER_BIT);
    return numbering && { numbering, isMarker };
  }
}

function bound(places: Map<bigint, unknown>, most: number): void {
  if (places.size <= most) return;
  for (const oldest of places.keys()) {
    places.delete(oldest);
    return;
  }
}
