import { authorityStoreOver } from "../authority-rules/store.ts";
import type { AuthorityTransactions, TransactionBody } from "../authority-rules/store.ts";
import type { AuthorityStore, UnknownAnswer } from "../ports/authority-store.ts";
import type { Clock } from "../ports/clock.ts";
import { MemoryTables } from "./tables.ts";

export interface MemoryStoreOptions {
  /** The store's own clock: leases and reservations last by its `nowMs`. Nothing else of it is used. */
  readonly clock: Pick<Clock, "nowMs">;
  /** The records, for a test or a simulator that looks at them behind the store's back. Default: none yet. */
  readonly tables?: MemoryTables;
}

/** An {@link AuthorityStore} in the memory of one process. */
export interface MemoryStore extends AuthorityStore {
  /** Another handle on the same records, for another node of this process. Closing one leaves the others open. */
  share(): MemoryStore;
}

/**
 * Keeps the record of who owns what in memory: for tests, the simulator, and several nodes in one process.
 *
 * Every call takes effect before it returns, and its promise is settled: the same calls in the same order give the same
 * answers. After `close` a call answers `unknown`. Everything is gone when the process ends.
 */
export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  const { clock, tables = new MemoryTables() } = options;
  return {
    ...authorityStoreOver(transactionsOver(tables, clock)),
    share: () => createMemoryStore({ clock, tables }),
  };
}

/** Bodies look at everything before they write anything, so that one that throws has changed nothing. */
function transactionsOver(tables: MemoryTables, clock: Pick<Clock, "nowMs">): AuthorityTransactions {
  let open = true;
  function run<A>(body: TransactionBody<A>): Promise<A | UnknownAnswer> {
    if (!open) return Promise.resolve({ outcome: "unknown", reason: "The store is closed. Nothing was written." });
    return Promise.resolve(body(tables, clock.nowMs()));
  }
  return {
    read: run,
    write: run,
    close() {
      open = false;
      return Promise.resolve();
    },
  };
}
