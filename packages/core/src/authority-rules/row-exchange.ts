import type { Rid } from "@rehome/wire";
import type { OwnerLease } from "../ports/authority-store.ts";
import type { AuthorityRow, LeaseRow, LeaseTerm, PageBounds, RowPage } from "./tables.ts";

/*
 * What goes to and fro between the rules and a database that answers asynchronously: the rows that a call needs, what the
 * database holds of them at one moment, and what it shall change if that still stands.
 */

/** The rows that a call needs to know. Those of no object or lease are asked for like any others. */
export interface RowNeeds {
  /** Keys of objects. With each come the leases of its owner and of its reservation's owner. */
  readonly objects: readonly string[];
  /** Owner ids. With each lease come the generation of its node and the number of its reservations. */
  readonly leases: readonly string[];
  readonly nodes: readonly NodeName[];
  readonly lastLeaseGeneration: boolean;
  /** All leases of this mesh, each with what comes with a lease that is named. */
  readonly mesh: string | undefined;
  /** A page of active objects, with the leases of their reservations' owners. */
  readonly page: PageNeed | undefined;
}

export interface NodeName {
  readonly meshName: string;
  readonly nodeRid: Rid;
}

export interface PageNeed {
  readonly prefix: string;
  readonly after: string | undefined;
  readonly bounds: PageBounds;
}

/**
 * What the database holds, all of it at one moment. A key of a map whose value is `undefined` says that there is no such
 * row; a key that is not there says nothing. More than what was asked for is welcome.
 */
export interface RowSnapshot {
  /** The store's own clock, read before the rows or together with them. */
  readonly nowMs: number;
  readonly objects: ReadonlyMap<string, AuthorityRow | undefined>;
  readonly leases: ReadonlyMap<string, SeenLease | undefined>;
  /** Of leases that are not among those, by owner id, what tells whether they stand: all that most calls need of them. */
  readonly terms: ReadonlyMap<string, SeenTerm>;
  /** By {@link nodeNameText}; 0 before the first run. */
  readonly nodes: ReadonlyMap<string, bigint>;
  readonly lastLeaseGeneration: bigint | undefined;
  /** In the order of their nodes' rids. */
  readonly mesh: readonly SeenLease[] | undefined;
  readonly page: RowPage | undefined;
}

export interface SeenLease {
  readonly row: LeaseRow;
  /** Another one after every write of the row; `owned` does not count. Opaque. */
  readonly revision: string;
  /** Reservations of this lease that end after the snapshot's `nowMs`; `undefined` where nobody asked. */
  readonly reservations: number | undefined;
}

export interface SeenTerm extends LeaseTerm {
  /** Of the row, as in {@link SeenLease}. */
  readonly revision: string;
}

/**
 * One atomic step: if every guard holds, all writes; otherwise none.
 *
 * Times in it come from the snapshot that it stands on, which was taken during the same call: whoever counts a lease from
 * the moment of calling counts it shorter than the store does.
 */
export interface RowBundle {
  readonly guards: RowGuards;
  readonly writes: RowWrites;
}

/** What the call's decision stood on. */
export interface RowGuards {
  /**
   * The store's own clock, read in the same step, is at or after `fromMs` and before `untilMs`: in between no lease and no
   * reservation that was looked at has ended. It also is the last moment at which a late request can still take effect.
   */
  readonly fromMs: number;
  readonly untilMs: number;
  /** The row has this version, or there is none. */
  readonly objects: readonly { readonly key: string; readonly version: bigint | undefined }[];
  /** The row has this revision, or there is none. */
  readonly leases: readonly { readonly ownerId: string; readonly revision: string | undefined }[];
  readonly nodes: readonly (NodeName & { readonly generation: bigint })[];
  readonly lastLeaseGeneration: bigint | undefined;
  /**
   * The lease's active objects and its reservations that end after the store's clock are `limit` or fewer. It is a bound
   * and not an exact number, so that many creations at once do not undo one another.
   */
  readonly loads: readonly { readonly lease: OwnerLease; readonly limit: number }[];
}

/** Rows are written whole. Every row that is written has a guard, unless its comment says otherwise. */
export interface RowWrites {
  readonly objects: readonly ObjectWrite[];
  /** First of all writes, and without guards: forgets every lease that ended at or before this time. */
  readonly removeLeasesEndedAtMs: number | undefined;
  /**
   * `row` undefined: forget it. `owned` of a row counts only for a lease that is new; for one that is there it stays as it
   * is in the database, because `owned` below changes it without a guard.
   */
  readonly leases: readonly { readonly ownerId: string; readonly row: LeaseRow | undefined }[];
  /** Adds to `owned` of that very lease; without guards, and nothing if it is not there any more. After `leases`. */
  readonly owned: readonly { readonly lease: OwnerLease; readonly by: number }[];
  readonly nodes: readonly (NodeName & { readonly generation: bigint })[];
  readonly lastLeaseGeneration: bigint | undefined;
}

export interface ObjectWrite {
  readonly row: AuthorityRow;
  /** What was there; its payload is the same array as the row's if it stays as it is. */
  readonly previous: AuthorityRow | undefined;
}

/** Names a node unambiguously, whatever the two are: the length says where the mesh name ends. */
export function nodeNameText(meshName: string, nodeRid: Rid): string {
  return `${meshName.length}:${meshName}${nodeRid}`;
}

const NO_NEEDS: RowNeeds = {
  objects: [],
  leases: [],
  nodes: [],
  lastLeaseGeneration: false,
  mesh: undefined,
  page: undefined,
};

/** The needs that are named, and no others. */
export function rowNeeds(some: Partial<RowNeeds>): RowNeeds {
  return { ...NO_NEEDS, ...some };
}

/** Both. Of a mesh or a page there can be only one in a call. */
export function joinNeeds(one: RowNeeds, other: RowNeeds): RowNeeds {
  return {
    objects: [...new Set([...one.objects, ...other.objects])],
    leases: [...new Set([...one.leases, ...other.leases])],
    nodes: [...one.nodes, ...other.nodes],
    lastLeaseGeneration: one.lastLeaseGeneration || other.lastLeaseGeneration,
    mesh: one.mesh ?? other.mesh,
    page: one.page ?? other.page,
  };
}
