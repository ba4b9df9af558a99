import type { TransactionBody } from "./store.ts";
import { joinNeeds } from "./row-exchange.ts";
import type { ObjectWrite, RowBundle, RowNeeds, RowSnapshot } from "./row-exchange.ts";
import { SnapshotTables } from "./snapshot-tables.ts";

/**
 * How often a call decides anew because others changed what it stood on. At each conflict some other call has succeeded, so
 * that this many at once get through; more are told that the store is overrun.
 */
export const MAX_OPTIMISTIC_TRIES = 1000;

/** What the driver of a call does next. */
export type OptimisticStep<A> =
  /** Read these rows, all at one moment; then `fetched`. */
  | { readonly do: "fetch"; readonly needs: RowNeeds }
  /** Check and write in one atomic step; then `applied`, or `conflicted`. `needs` are the rows that a conflict shall bring. */
  | { readonly do: "apply"; readonly bundle: RowBundle; readonly needs: RowNeeds; readonly answer: A }
  | { readonly do: "settle"; readonly answer: A }
  /** Others were faster {@link MAX_OPTIMISTIC_TRIES} times. Nothing was written. */
  | { readonly do: "giveUp" };

/**
 * One call of a store whose database answers asynchronously, as a machine without I/O: it decides over a snapshot of rows,
 * and what it decided takes effect only if those rows still stand when it is written.
 *
 * The driver does what the last step says and hands the outcome in; when it does not know the outcome of an `apply`, it
 * answers `unknown` and is done with the call.
 */
export class OptimisticCall<A> {
  readonly #body: TransactionBody<A>;
  readonly #longestMs: number;
  #needs: RowNeeds;
  #tries = 0;

  /**
   * `needs`: what the body is expected to look at; what it looks at besides costs another round trip. `longestMs`: how long
   * after a snapshot its decision may still be written.
   */
  constructor(body: TransactionBody<A>, needs: RowNeeds, longestMs: number) {
    this.#body = body;
    this.#needs = needs;
    this.#longestMs = longestMs;
  }

  /**
   * `remembered`: rows as the database showed them a moment ago, not necessarily all at the same moment, and a time that it showed
   * no later than that. A write that is right for them is tried at once, since its guards hold only if they are still the same;
   * nothing else is decided by them.
   */
  begin(remembered?: RowSnapshot): OptimisticStep<A> {
    const guess = remembered === undefined ? undefined : this.#guess(remembered);
    return guess ?? { do: "fetch", needs: this.#needs };
  }

  fetched(snapshot: RowSnapshot): OptimisticStep<A> {
    if (this.#tries === MAX_OPTIMISTIC_TRIES) return { do: "giveUp" };
    this.#tries += 1;
    const { nowMs } = snapshot;
    const tables = new SnapshotTables(snapshot, nowMs + this.#longestMs);
    const answer = this.#body(tables, nowMs);
    const { missing } = tables;
    if (missing !== undefined) {
      this.#needs = joinNeeds(this.#needs, missing);
      return { do: "fetch", needs: this.#needs };
    }
    const { bundle } = tables;
    // What writes nothing was true at the snapshot's moment, which lies within the call.
    return bundle === undefined ? { do: "settle", answer } : { do: "apply", bundle, needs: this.#needs, answer };
  }

  /** Times that a bundle writes count from the snapshot, which therefore has to be of this call. */
  #guess(remembered: RowSnapshot): OptimisticStep<A> | undefined {
    const tables = new SnapshotTables(remembered, remembered.nowMs + this.#longestMs);
    const answer = this.#body(tables, remembered.nowMs);
    const { missing, bundle } = tables;
    if (missing !== undefined || bundle === undefined || writesTimes(bundle)) return undefined;
    return { do: "apply", bundle, needs: this.#needs, answer };
  }

  /** A guard did not hold and nothing was written. `snapshot`: the rows as they were then, if the database brought them. */
  conflicted(snapshot: RowSnapshot | undefined): OptimisticStep<A> {
    return snapshot === undefined ? this.begin() : this.fetched(snapshot);
  }
}

function writesTimes({ writes }: RowBundle): boolean {
  const hasNewReservation = ({ row, previous }: ObjectWrite) =>
    row.reservation !== undefined && row.reservation !== previous?.reservation;
  return (
    writes.leases.length > 0 || writes.removeLeasesEndedAtMs !== undefined || writes.objects.some(hasNewReservation)
  );
}
