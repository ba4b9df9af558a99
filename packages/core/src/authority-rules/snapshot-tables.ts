import type { Rid } from "@rehome/wire";
import { assert } from "../errors.ts";
import type { OwnerLease } from "../ports/authority-store.ts";
import { sameLease } from "./records.ts";
import { nodeNameText, rowNeeds } from "./row-exchange.ts";
import type { NodeName, ObjectWrite, PageNeed, RowBundle, RowNeeds, RowSnapshot, SeenLease } from "./row-exchange.ts";
import type { AuthorityRow, AuthorityTables, LeaseRow, LeaseTerm, PageBounds, RowPage } from "./tables.ts";

/**
 * The tables that a transaction's body sees over a snapshot. It notes what the body looked at and what it wrote. A row that
 * the snapshot lacks is noted as missing and shown as if it were not there: what the body then makes of it is void.
 */
export class SnapshotTables implements AuthorityTables {
  readonly #snapshot: RowSnapshot;
  readonly #objectGuards = new Map<string, bigint | undefined>();
  readonly #leaseGuards = new Map<string, string | undefined>();
  readonly #nodeGuards = new Map<string, NodeName & { readonly generation: bigint }>();
  readonly #loads: { readonly lease: OwnerLease; readonly limit: number }[] = [];
  #lastLeaseGuard: bigint | undefined;
  #untilMs: number;
  /** Rows that no guard can cover were read. */
  #hasUnguarded = false;

  readonly #missingObjects = new Set<string>();
  readonly #missingLeases = new Set<string>();
  readonly #missingNodes: NodeName[] = [];
  #missesLastLease = false;
  #missingMesh: string | undefined;
  #missingPage: PageNeed | undefined;

  readonly #objects: ObjectWrite[] = [];
  readonly #leases: { readonly ownerId: string; readonly row: LeaseRow | undefined }[] = [];
  readonly #owned: { readonly lease: OwnerLease; readonly by: number }[] = [];
  readonly #nodes: (NodeName & { readonly generation: bigint })[] = [];
  #removeLeasesEndedAtMs: number | undefined;
  #lastLease: bigint | undefined;
  #hasWrites = false;

  /** What the body decides must have taken effect before `untilMs` of the store's clock. */
  constructor(snapshot: RowSnapshot, untilMs: number) {
    this.#snapshot = snapshot;
    this.#untilMs = untilMs;
  }

  /** What the body would have needed besides, if anything. */
  get missing(): RowNeeds | undefined {
    const needs = rowNeeds({
      objects: [...this.#missingObjects],
      leases: [...this.#missingLeases],
      nodes: this.#missingNodes,
      lastLeaseGeneration: this.#missesLastLease,
      mesh: this.#missingMesh,
      page: this.#missingPage,
    });
    const { objects, leases, nodes, lastLeaseGeneration, mesh, page } = needs;
    const isComplete = objects.length + leases.length + nodes.length === 0 && mesh === undefined && page === undefined;
    return isComplete && !lastLeaseGeneration ? undefined : needs;
  }

  /** What the body wrote, with all that it stood on; `undefined` if it wrote nothing. */
  get bundle(): RowBundle | undefined {
    if (!this.#hasWrites) return undefined;
    assert(!this.#hasUnguarded, "a call that writes must not stand on a page of objects or on all leases of a mesh");
    return {
      guards: {
        fromMs: this.#snapshot.nowMs,
        untilMs: this.#untilMs,
        objects: [...this.#objectGuards].map(([key, version]) => ({ key, version })),
        leases: [...this.#leaseGuards].map(([ownerId, revision]) => ({ ownerId, revision })),
        nodes: [...this.#nodeGuards.values()],
        lastLeaseGeneration: this.#lastLeaseGuard,
        loads: this.#loads,
      },
      writes: {
        objects: this.#objects,
        removeLeasesEndedAtMs: this.#removeLeasesEndedAtMs,
        leases: this.#leases,
        owned: this.#owned,
        nodes: this.#nodes,
        lastLeaseGeneration: this.#lastLease,
      },
    };
  }

  object(key: string): AuthorityRow | undefined {
    this.#look();
    const row = this.#snapshot.objects.get(key);
    if (row === undefined && !this.#snapshot.objects.has(key)) this.#missingObjects.add(key);
    this.#objectGuards.set(key, row?.version);
    if (row?.reservation !== undefined) this.#dependOnEnd(row.reservation.endsAtMs);
    return row;
  }

  putObject(row: AuthorityRow, previous: AuthorityRow | undefined): void {
    this.#hasWrites = true;
    this.#objects.push({ row, previous });
  }

  activeObjects(prefix: string, after: string | undefined, bounds: PageBounds): RowPage {
    this.#look();
    this.#hasUnguarded = true;
    if (this.#snapshot.page === undefined) this.#missingPage = { prefix, after, bounds };
    return this.#snapshot.page ?? { rows: [], more: false };
  }

  lease(ownerId: string): LeaseRow | undefined {
    this.#look();
    const seen = this.#seenLease(ownerId);
    this.#leaseGuards.set(ownerId, seen?.revision);
    if (seen !== undefined) this.#dependOnEnd(seen.row.endsAtMs);
    return seen?.row;
  }

  leaseTerm(ownerId: string): LeaseTerm | undefined {
    const { leases, terms } = this.#snapshot;
    const term = leases.has(ownerId) ? undefined : terms.get(ownerId);
    if (term === undefined) return this.lease(ownerId);
    this.#look();
    this.#leaseGuards.set(ownerId, term.revision);
    this.#dependOnEnd(term.endsAtMs);
    return term;
  }

  leases(meshName: string): readonly LeaseRow[] {
    this.#look();
    this.#hasUnguarded = true;
    if (this.#snapshot.mesh === undefined) this.#missingMesh = meshName;
    return (this.#snapshot.mesh ?? []).map((seen) => seen.row);
  }

  putLease(row: LeaseRow): void {
    this.#hasWrites = true;
    this.#leases.push({ ownerId: row.owner.ownerId, row });
  }

  removeLease(ownerId: string): void {
    this.#hasWrites = true;
    this.#leases.push({ ownerId, row: undefined });
  }

  removeEndedLeases(nowMs: number): void {
    this.#hasWrites = true;
    this.#removeLeasesEndedAtMs = nowMs;
  }

  changeOwned(lease: OwnerLease, by: number): void {
    this.#hasWrites = true;
    this.#owned.push({ lease, by });
  }

  /** An exact number that many calls change cannot be guarded: a body that writes asks {@link ownsAtMost}. */
  reservationsOf(lease: OwnerLease, nowMs: number): number {
    this.#look();
    this.#hasUnguarded = true;
    return this.#reservations(lease, nowMs);
  }

  ownsAtMost(lease: LeaseRow, limit: number, nowMs: number): boolean {
    this.#look();
    const holds = lease.owned + this.#reservations(lease.owner, nowMs) <= limit;
    if (holds) this.#loads.push({ lease: lease.owner, limit });
    else this.#hasUnguarded = true;
    return holds;
  }

  nodeGeneration(meshName: string, nodeRid: Rid): bigint {
    this.#look();
    const text = nodeNameText(meshName, nodeRid);
    const generation = this.#snapshot.nodes.get(text);
    if (generation === undefined) this.#missingNodes.push({ meshName, nodeRid });
    this.#nodeGuards.set(text, { meshName, nodeRid, generation: generation ?? 0n });
    return generation ?? 0n;
  }

  putNodeGeneration(meshName: string, nodeRid: Rid, generation: bigint): void {
    this.#hasWrites = true;
    this.#nodes.push({ meshName, nodeRid, generation });
  }

  lastLeaseGeneration(): bigint {
    this.#look();
    const generation = this.#snapshot.lastLeaseGeneration;
    if (generation === undefined) this.#missesLastLease = true;
    this.#lastLeaseGuard = generation ?? 0n;
    return generation ?? 0n;
  }

  putLastLeaseGeneration(generation: bigint): void {
    this.#hasWrites = true;
    this.#lastLease = generation;
  }

  #seenLease(ownerId: string): SeenLease | undefined {
    const { leases } = this.#snapshot;
    if (!leases.has(ownerId)) this.#missingLeases.add(ownerId);
    return leases.get(ownerId);
  }

  #reservations(lease: OwnerLease, nowMs: number): number {
    assert(nowMs === this.#snapshot.nowMs, "reservations are counted at the snapshot's own time");
    const { leases, mesh } = this.#snapshot;
    const seen = leases.get(lease.ownerId) ?? mesh?.find((other) => other.row.owner.ownerId === lease.ownerId);
    if (seen !== undefined && !sameLease(seen.row.owner, lease)) return 0;
    if (seen?.reservations === undefined) this.#missingLeases.add(lease.ownerId);
    return seen?.reservations ?? 0;
  }

  /** The decision holds until then at the longest. What had ended already stays so. */
  #dependOnEnd(endsAtMs: number): void {
    if (endsAtMs > this.#snapshot.nowMs) this.#untilMs = Math.min(this.#untilMs, endsAtMs);
  }

  /** Writes are not seen by reads, so that there is nothing to keep in step. */
  #look(): void {
    assert(!this.#hasWrites, "a transaction's body looks at everything before it writes anything");
  }
}
