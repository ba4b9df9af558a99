import type { Rid, SessionRelocationRoute } from "@rehome/wire";
import { sessionRelocationKey } from "@rehome/wire";
import { assert } from "../errors.ts";
import { LruMap } from "../memory/lru.ts";

/** As many as ended identities are remembered by a session owner (S14): one more would not be recognised there anyway. */
export const DEFAULT_OWED_ROUTES = 4_096;

interface Owed {
  readonly peer: Rid;
  readonly command: SessionRelocationRoute;
  readonly untilMs: number;
}

/**
 * The 44s that a node has sent and still owes (`protocol.md` S20): they are repeated on every new link to the session owner,
 * oldest first and before any new 42, until the seal that they end must have ended by itself.
 */
export class OwedRoutes {
  readonly #keepMs: number;
  readonly #owed: LruMap<string, Owed>;

  /** `sealDeadlineMs` is the session owners' (S5): a seal that a 44 follows was set before the 44 was owed. */
  constructor(sealDeadlineMs: number, capacity: number = DEFAULT_OWED_ROUTES) {
    assert(sealDeadlineMs > 0, "A seal has a deadline.");
    this.#keepMs = sealDeadlineMs;
    this.#owed = new LruMap(capacity);
  }

  get size(): number {
    return this.#owed.size;
  }

  /**
   * Keeps a 44 that is about to be sent. Of one identity only the first is kept: a second route would not be accepted
   * (S7). Answers the oldest one when it had to make room; report it.
   */
  owe(peer: Rid, command: SessionRelocationRoute, now: number): SessionRelocationRoute | undefined {
    this.#expire(now);
    const key = sessionRelocationKey(command);
    if (this.#owed.has(key)) return undefined;
    const gone = this.#owed.set(key, { peer, command, untilMs: now + this.#keepMs });
    return gone?.[1].command;
  }

  /** What to send again on a new link to this node, oldest first and before anything else. */
  linkUp(peer: Rid, now: number): readonly SessionRelocationRoute[] {
    this.#expire(now);
    return [...this.#owed.values()].filter((owed) => owed.peer === peer).map(({ command }) => command);
  }

  #expire(now: number): void {
    for (const [key, { untilMs }] of this.#owed) {
      // Entries are in the order of their time: the first that lives ends the search.
      if (untilMs > now) break;
      this.#owed.delete(key);
    }
  }
}
