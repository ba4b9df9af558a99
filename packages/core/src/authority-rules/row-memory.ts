import { LruMap } from "../memory/lru.ts";
import type { RowBundle, RowNeeds, RowSnapshot, SeenLease } from "./row-exchange.ts";
import type { AuthorityRow } from "./tables.ts";

/** Rows that a call has read are written soon or not at all. */
const REMEMBERED_OBJECTS = 256;
/** With the count, at most 4 MiB. Larger payloads are read again, which then is not what takes the time. */
const LARGEST_PAYLOAD_BYTES = 16 * 1024;
const REMEMBERED_LEASES = 64;
/** A decision must be written within a call's deadline after the time that it stands on. */
const LONGEST_AGE_MS = 500;

/** A snapshot whose leases say what a database says of them besides. */
type SnapshotOf<L extends SeenLease> = RowSnapshot & { readonly leases: ReadonlyMap<string, L | undefined> };

/**
 * The rows that the server showed last. A write that stands on them needs no request to read them first: it is refused if they are
 * not the same any more.
 */
export class RowMemory<L extends SeenLease> {
  readonly #objects = new LruMap<string, AuthorityRow>(REMEMBERED_OBJECTS);
  readonly #leases = new LruMap<string, L>(REMEMBERED_LEASES);
  /** The server's clock, and this process's when it was shown. */
  #time: { readonly nowMs: number; readonly seenAtMs: number } | undefined;

  /** What is remembered of these rows, if it is enough for a write. `nowMs`: this process's clock. */
  recall(needs: RowNeeds, nowMs: number): SnapshotOf<L> | undefined {
    const time = this.#time;
    if (time === undefined || nowMs - time.seenAtMs > LONGEST_AGE_MS || needs.objects.length === 0) return undefined;
    const objects = new Map<string, AuthorityRow>();
    for (const key of needs.objects) {
      const row = this.#objects.get(key);
      if (row === undefined) return undefined;
      objects.set(key, row);
    }
    const leases = new Map<string, L>();
    for (const ownerId of needs.leases) {
      const lease = this.#leases.get(ownerId);
      if (lease === undefined) return undefined;
      leases.set(ownerId, lease);
    }
    const nothing = {
      terms: new Map(),
      nodes: new Map(),
      lastLeaseGeneration: undefined,
      mesh: undefined,
      page: undefined,
    };
    return { nowMs: time.nowMs, objects, leases, ...nothing };
  }

  note(snapshot: SnapshotOf<L>, nowMs: number): void {
    this.#time = { nowMs: snapshot.nowMs, seenAtMs: nowMs };
    for (const [key, row] of snapshot.objects) this.#noteObject(key, row);
    for (const [ownerId, lease] of snapshot.leases) this.#noteLease(ownerId, lease);
  }

  /** What was written is what is there now. Rows of leases are the server's to number. */
  noteWrites({ writes }: RowBundle): void {
    for (const { row } of writes.objects) this.#noteObject(row.key, row);
    for (const { ownerId } of writes.leases) this.#leases.delete(ownerId);
  }

  /** Whether this was written nobody knows. */
  forget({ writes }: RowBundle): void {
    for (const { row } of writes.objects) this.#objects.delete(row.key);
    for (const { ownerId } of writes.leases) this.#leases.delete(ownerId);
  }

  /** The server may be another one, that knows less. */
  clear(): void {
    this.#objects.clear();
    this.#leases.clear();
  }

  /** Its own bytes: a caller gets the row's in an answer and may write into them. */
  #noteObject(key: string, row: AuthorityRow | undefined): void {
    if (row === undefined || row.payload.length > LARGEST_PAYLOAD_BYTES) return void this.#objects.delete(key);
    const bytes = { payload: row.payload.slice(), membershipDigest: row.membershipDigest.slice() };
    this.#objects.set(key, { ...row, ...bytes });
  }

  /** One that came with an object has no counts; those that are remembered then are guesses as good as any. */
  #noteLease(ownerId: string, lease: L | undefined): void {
    if (lease === undefined) return void this.#leases.delete(ownerId);
    const known = this.#leases.get(ownerId);
    const isBare = lease.reservations === undefined && known?.revision === lease.revision;
    if (!isBare) this.#leases.set(ownerId, lease);
  }
}
