import { assert, CoreError } from "../errors.ts";
import type { HandedOver } from "../source/effects.ts";
import { DEFAULT_HOLD_LIMITS, type HoldLimits } from "./limits.ts";

/** `provisional`: a join was asked for but is not granted yet (H2). */
export type HoldMode = "provisional" | "full";

/** What an operation that ended leaves to do with the records of its hold. */
export interface ReleasedRecords<T> {
  /** To the new owner, in this order; if there is none, each is refused (H5). */
  readonly forward: readonly T[];
  /** Handed to a target that is not the owner: report each as outcome unknown (I2). */
  readonly unknown: readonly T[];
}

/**
 * The messages that arrive for a unit while it moves (`protocol.md` section 6), for whichever member, in arrival order, bounded by count and
 * bytes (H1). Records that were sent to the target stay here until the store has spoken, and count.
 *
 * One operation opens a hold and only that one may promote or end it: another's try throws `holdNotOwned` (H2). Once ended
 * it holds nothing; a further call throws `holdEnded`.
 */
export class IngressHold<T> {
  readonly #operationId: string;
  readonly #limits: HoldLimits;
  #mode: HoldMode;
  #records: T[] = [];
  #bytes = 0;
  #relayed = 0;
  #ended = false;

  constructor(operationId: string, mode: HoldMode, limits: HoldLimits = DEFAULT_HOLD_LIMITS) {
    assert(limits.maxRecords >= 1 && limits.maxBytes >= 1, "A hold has room for something.");
    this.#operationId = operationId;
    this.#mode = mode;
    this.#limits = limits;
  }

  get operationId(): string {
    return this.#operationId;
  }

  get mode(): HoldMode {
    return this.#mode;
  }

  get size(): number {
    return this.#records.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * H1: takes a record of `bytes` bytes, or answers `overflow` at once: its sender is then told
   * `backpressured`, and nothing is held.
   */
  offer(record: T, bytes: number): "held" | "overflow" {
    this.#assertOpen();
    assert(Number.isSafeInteger(bytes) && bytes >= 0, "A record has a number of bytes.");
    const { maxRecords, maxBytes } = this.#limits;
    if (this.#records.length >= maxRecords || this.#bytes + bytes > maxBytes) return "overflow";
    this.#records.push(record);
    this.#bytes += bytes;
    return "held";
  }

  /** H2: the join was granted. A hold that is full already stays as it is. */
  promote(operationId: string): void {
    this.#assertOwner(operationId);
    this.#mode = "full";
  }

  /**
   * H3: what has arrived since the last snapshot, for the 31s before the 34. What arrives later is in the next one, or is
   * forwarded. The records stay held.
   */
  snapshot(operationId: string): readonly T[] {
    this.#assertOwner(operationId);
    assert(this.#mode === "full", "Nothing is relayed from a provisional hold.");
    const fresh = this.#records.slice(this.#relayed);
    this.#relayed = this.#records.length;
    return fresh;
  }

  /** H4: all records in arrival order, relayed ones included, for the front of the actor's queue. Ends the hold. */
  giveBack(operationId: string): readonly T[] {
    this.#assertOwner(operationId);
    return this.#end();
  }

  /**
   * F2, H5: what the target does not have, and what became unknown, by what was handed over before. `queued` is what had not run
   * when turns stopped: it is in the payload, and shares the fate of what was relayed. Ends the hold.
   */
  release(operationId: string, handedOver: HandedOver, queued: readonly T[] = []): ReleasedRecords<T> {
    this.#assertOwner(operationId);
    const relayed = this.#relayed;
    assert(handedOver !== "nothing" || relayed === 0, "Something was handed over: a snapshot was taken.");
    const records = this.#end();
    const handed = [...queued, ...records.slice(0, relayed)];
    const kept = records.slice(relayed);
    return {
      forward: handedOver === "nothing" ? [...handed, ...kept] : kept,
      unknown: handedOver === "unknown" ? handed : [],
    };
  }

  #end(): readonly T[] {
    const records = this.#records;
    this.#records = [];
    this.#bytes = 0;
    this.#relayed = 0;
    this.#ended = true;
    return records;
  }

  #assertOwner(operationId: string): void {
    this.#assertOpen();
    if (operationId === this.#operationId) return;
    throw new CoreError(
      "holdNotOwned",
      `Operation ${operationId} did not open this hold, ${this.#operationId} did; answer busy and try again later.`,
    );
  }

  #assertOpen(): void {
    if (this.#ended) throw new CoreError("holdEnded", `The hold of operation ${this.#operationId} has ended.`);
  }
}
