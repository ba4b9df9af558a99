import type {
  AuthorityRow,
  LeaseRow,
  OwnerLease,
  RowBundle,
  RowGuards,
  RowNeeds,
  RowPage,
  RowSnapshot,
  RowWrites,
  SeenLease,
  SeenTerm,
} from "@rehome/core";
import { MemoryTables, nodeNameText } from "@rehome/core";

/**
 * A database that knows no rules: it gives the rows that are asked for, and writes a bundle if its guards hold. It is the
 * shortest one that does what `OptimisticCall` asks of a database, and a model for those over a network.
 */
export class RowDatabase {
  /** Objects, node generations and the count of leases; `ownsAtMost` and paging are the memory store's. */
  readonly tables = new MemoryTables();
  readonly #revisions = new Map<string, number>();
  nowMs = 0;

  fetch(needs: RowNeeds): RowSnapshot {
    const { tables } = this;
    const page = this.#page(needs);
    const mesh = needs.mesh === undefined ? undefined : tables.leases(needs.mesh).map((row) => this.#seen(row, true));
    const objects = new Map(needs.objects.map((key) => [key, tables.object(key)]));
    const leases = new Map<string, SeenLease | undefined>();
    const terms = new Map<string, SeenTerm>();
    for (const row of objects.values()) this.#bringTermsOf(row, leases, terms);
    for (const row of page?.rows ?? []) this.#bringLeasesOf(row, leases);
    for (const ownerId of needs.leases) leases.set(ownerId, this.#lease(ownerId, true));
    const nodes = new Map<string, bigint>();
    const named = [...needs.nodes, ...[...leases.values(), ...(mesh ?? [])].flatMap((seen) => seen?.row.owner ?? [])];
    for (const { meshName, nodeRid } of named) {
      nodes.set(nodeNameText(meshName, nodeRid), tables.nodeGeneration(meshName, nodeRid));
    }
    const lastLeaseGeneration = needs.lastLeaseGeneration ? tables.lastLeaseGeneration() : undefined;
    return { nowMs: this.nowMs, objects, leases, terms, nodes, lastLeaseGeneration, mesh, page };
  }

  apply({ guards, writes }: RowBundle): boolean {
    if (!this.#stands(guards)) return false;
    this.#write(writes);
    return true;
  }

  #page({ page }: RowNeeds): RowPage | undefined {
    return page === undefined ? undefined : this.tables.activeObjects(page.prefix, page.after, page.bounds);
  }

  /** Of every other object as much as most calls need, so that both ways are gone. */
  #bringTermsOf(
    row: AuthorityRow | undefined,
    leases: Map<string, SeenLease | undefined>,
    terms: Map<string, SeenTerm>,
  ): void {
    const lease = row === undefined ? undefined : this.#lease(row.owner.ownerId, false);
    if (row === undefined || lease === undefined || row.version % 2n === 0n) return this.#bringLeasesOf(row, leases);
    terms.set(row.owner.ownerId, { owner: lease.row.owner, endsAtMs: lease.row.endsAtMs, revision: lease.revision });
  }

  #bringLeasesOf(row: AuthorityRow | undefined, leases: Map<string, SeenLease | undefined>): void {
    for (const owner of [row?.owner, row?.reservation?.owner]) {
      if (owner !== undefined) leases.set(owner.ownerId, this.#lease(owner.ownerId, false));
    }
  }

  #lease(ownerId: string, isNamed: boolean): SeenLease | undefined {
    const row = this.tables.lease(ownerId);
    return row === undefined ? undefined : this.#seen(row, isNamed);
  }

  #seen(row: LeaseRow, isNamed: boolean): SeenLease {
    const reservations = isNamed ? this.tables.reservationsOf(row.owner, this.nowMs) : undefined;
    return { row, revision: this.#revisionOf(row.owner.ownerId)!, reservations };
  }

  #revisionOf(ownerId: string): string | undefined {
    return this.tables.lease(ownerId) === undefined ? undefined : String(this.#revisions.get(ownerId));
  }

  #stands(guards: RowGuards): boolean {
    const { tables, nowMs } = this;
    return (
      nowMs >= guards.fromMs &&
      nowMs < guards.untilMs &&
      guards.objects.every(({ key, version }) => tables.object(key)?.version === version) &&
      guards.leases.every(({ ownerId, revision }) => this.#revisionOf(ownerId) === revision) &&
      guards.nodes.every((node) => tables.nodeGeneration(node.meshName, node.nodeRid) === node.generation) &&
      (guards.lastLeaseGeneration === undefined || tables.lastLeaseGeneration() === guards.lastLeaseGeneration) &&
      guards.loads.every(({ lease, limit }) => this.#ownsAtMost(lease, limit))
    );
  }

  #ownsAtMost(lease: OwnerLease, limit: number): boolean {
    const row = this.tables.lease(lease.ownerId);
    return row !== undefined && this.tables.ownsAtMost(row, limit, this.nowMs);
  }

  #write(writes: RowWrites): void {
    const { tables } = this;
    for (const { row } of writes.objects) tables.putObject(row);
    if (writes.removeLeasesEndedAtMs !== undefined) tables.removeEndedLeases(writes.removeLeasesEndedAtMs);
    for (const { ownerId, row } of writes.leases) {
      if (row === undefined) tables.removeLease(ownerId);
      else this.#putLease(row);
    }
    for (const { lease, by } of writes.owned) tables.changeOwned(lease, by);
    for (const node of writes.nodes) tables.putNodeGeneration(node.meshName, node.nodeRid, node.generation);
    if (writes.lastLeaseGeneration !== undefined) tables.putLastLeaseGeneration(writes.lastLeaseGeneration);
  }

  #putLease(row: LeaseRow): void {
    const { ownerId, ownerLeaseGeneration } = row.owner;
    const there = this.tables.lease(ownerId);
    const isSame = there?.owner.ownerLeaseGeneration === ownerLeaseGeneration;
    this.tables.putLease({ ...row, owned: isSame ? there.owned : row.owned });
    this.#revisions.set(ownerId, (this.#revisions.get(ownerId) ?? 0) + 1);
  }
}
