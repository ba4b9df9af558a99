import { assert } from "../errors.ts";

/** The cleanup after one incarnation of an actor has left this node, named by the generation that it leaves. */
export interface Departure {
  readonly actorId: string;
  readonly objectGeneration: bigint;
  /** Only remains of exactly this authority generation may be touched (`protocol.md` O9). */
  readonly authorityOwnerGeneration: bigint;
}

/**
 * - `begin`: do it now.
 * - `wait`: an earlier departure of the same id is not done; `done` of that one will name this one.
 * - `repeat`: this very departure is known already; do nothing (O10).
 */
export type DepartureAdmission = "begin" | "wait" | "repeat";

/** O9: the first retry comes when a busy store has had time to breathe, the last ones seldom enough not to keep it busy. */
export const FIRST_DEPARTURE_RETRY_MS = 100;
export const LONGEST_DEPARTURE_RETRY_MS = 10_000;

interface Line {
  attempts: number;
  readonly departures: Departure[];
}

/**
 * O9: departures of one id happen one after the other, each is retried with growing delay until it is done or the node
 * stops, and none touches an incarnation that came later. Bounded by the moves that one actor can have made: a next one
 * starts only when the actor has come back.
 */
export class Departures {
  readonly #lines = new Map<string, Line>();

  get size(): number {
    return this.#lines.size;
  }

  begin(departure: Departure): DepartureAdmission {
    const line = this.#lines.get(departure.actorId);
    if (line === undefined) {
      this.#lines.set(departure.actorId, { attempts: 0, departures: [departure] });
      return "begin";
    }
    if (line.departures.some((known) => isSame(known, departure))) return "repeat";
    line.departures.push(departure);
    return "wait";
  }

  /** A try failed: how long to wait before the next one, in ms. */
  failed(departure: Departure): number {
    const line = this.#current(departure);
    const delayMs = FIRST_DEPARTURE_RETRY_MS * 2 ** line.attempts;
    line.attempts++;
    return Math.min(delayMs, LONGEST_DEPARTURE_RETRY_MS);
  }

  /** It is done; answers the one that waited for it, which begins now. */
  done(departure: Departure): Departure | undefined {
    const line = this.#current(departure);
    line.departures.shift();
    line.attempts = 0;
    const next = line.departures[0];
    if (next === undefined) this.#lines.delete(departure.actorId);
    return next;
  }

  /** The node stops: nothing is retried any more. Answers what was not done, to be reported. */
  stop(): readonly Departure[] {
    const undone = [...this.#lines.values()].flatMap(({ departures }) => departures);
    this.#lines.clear();
    return undone;
  }

  #current(departure: Departure): Line {
    const line = this.#lines.get(departure.actorId);
    const current = line?.departures[0];
    assert(line !== undefined && current !== undefined && isSame(current, departure), "This departure has begun.");
    return line;
  }
}

function isSame(one: Departure, other: Departure): boolean {
  return (
    one.objectGeneration === other.objectGeneration && one.authorityOwnerGeneration === other.authorityOwnerGeneration
  );
}
