import { LruMap, nodeNameText } from "@rehome/core";
import type { AuthorityRow, PageNeed, RowNeeds, RowPage, RowSnapshot, SeenLease } from "@rehome/core";
import { generationFrom, leaseFrom, nodeField, objectFrom } from "./rows.ts";
import type { LeaseInRow } from "./rows.ts";

/* What goes to the scripts and what comes back, as the scripts have it. */

/** A lease as this store sees it. `writes` counts the writes under it; it never falls. */
export interface RedisLease extends SeenLease {
  readonly writes: bigint;
}

export interface RedisSnapshot extends RowSnapshot {
  readonly leases: ReadonlyMap<string, RedisLease | undefined>;
}

/** What a script says; bulk strings come as bytes. */
export type Reply = Buffer | number | null | readonly Reply[];

const NO_BYTES = Buffer.alloc(0);
const NO_TERMS: RowSnapshot["terms"] = new Map();
/** Above every key that begins with what stands before it: keys are printable ASCII. */
const ABOVE_EVERY_CHARACTER = "\x7f";

/** What a script is to fetch, as it takes it. */
export function needsArguments(needs: RowNeeds): string[] {
  const { objects, leases, nodes, mesh, page } = needs;
  const parts = [String(objects.length), ...objects];
  const isMore = leases.length > 0 || nodes.length > 0 || needs.lastLeaseGeneration || mesh !== undefined;
  if (!isMore && page === undefined) return parts;
  parts.push(String(leases.length), ...leases, String(nodes.length));
  for (const { meshName, nodeRid } of nodes) parts.push(nodeField(meshName, nodeRid));
  parts.push(needs.lastLeaseGeneration ? "1" : "0");
  parts.push(...(mesh === undefined ? ["0"] : ["1", mesh]));
  if (page !== undefined) parts.push(...pageArguments(page));
  return parts;
}

function pageArguments({ prefix, after, bounds }: PageNeed): string[] {
  const from = after !== undefined && after >= prefix ? `(${after}` : `[${prefix}`;
  return [from, `(${prefix}${ABOVE_EVERY_CHARACTER}`, String(bounds.rows), String(bounds.payloadBytes)];
}

/** Reads what a script has fetched. Throws where that is not what the script sends: the data in Redis are damaged. */
export function snapshotFrom(
  reply: readonly Reply[],
  needs: RowNeeds,
  by: { readonly aheadUs: number; readonly leases: LeaseReader },
): RedisSnapshot {
  const answer = new AnswerReader(reply, by.leases);
  const nowUs = Number(answer.text()) * 1_000_000 + Number(answer.text()) + by.aheadUs;
  const objects = new Map<string, AuthorityRow | undefined>();
  for (const key of needs.objects) objects.set(key, answer.object(key));
  for (const ownerId of needs.leases) answer.leases.set(ownerId, answer.countedLease(ownerId));
  for (const { meshName, nodeRid } of needs.nodes)
    answer.nodes.set(nodeNameText(meshName, nodeRid), answer.generation());
  const last = answer.isAtEnd ? 0n : answer.generation();
  const mesh = needs.mesh === undefined ? undefined : answer.mesh();
  const page = needs.page === undefined ? undefined : answer.page();
  return {
    nowMs: nowUs / 1000,
    objects,
    leases: answer.leases,
    terms: NO_TERMS,
    nodes: answer.nodes,
    lastLeaseGeneration: needs.lastLeaseGeneration ? last : undefined,
    mesh,
    page,
  };
}

/** Takes what a script has fetched, item by item, after the first, which says that it is that. */
class AnswerReader {
  readonly leases = new Map<string, RedisLease | undefined>();
  readonly nodes = new Map<string, bigint>();
  readonly #reply: readonly Reply[];
  readonly #leaseReader: LeaseReader;
  #at = 1;

  constructor(reply: readonly Reply[], leaseReader: LeaseReader) {
    this.#reply = reply;
    this.#leaseReader = leaseReader;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#reply.length;
  }

  text(): string {
    return this.#bytes()!.toString();
  }

  generation(): bigint {
    return generationFrom(this.#bytes());
  }

  /** A row with the leases of its owner and its reservation's owner. */
  object(key: string): AuthorityRow | undefined {
    const [row, payload, owner, maker] = [this.#bytes(), this.#bytes(), this.#bytes(), this.#bytes()];
    if (row === null) return undefined;
    const object = objectFrom(key, row, ownBytes(payload));
    this.#bring(object.owner.ownerId, owner);
    if (object.reservation !== undefined) this.#bring(object.reservation.owner.ownerId, maker);
    return object;
  }

  countedLease(ownerId: string | undefined): RedisLease | undefined {
    const [row, owned, writes] = [this.#bytes(), this.#bytes(), this.#bytes()];
    const [reservations, generation] = [this.#take(), this.#bytes()];
    if (row === null) return undefined;
    const lease = ownerId === undefined ? leaseFrom(row) : this.#leaseReader.lease(ownerId, row);
    const { meshName, nodeRid } = lease.row.owner;
    this.nodes.set(nodeNameText(meshName, nodeRid), generationFrom(generation));
    const counted = { ...lease.row, owned: Number(owned ?? 0) };
    return {
      revision: lease.revision,
      row: counted,
      reservations: reservations as number,
      writes: writes === null ? 0n : BigInt(writes.toString()),
    };
  }

  mesh(): RedisLease[] {
    const found = Array.from({ length: this.#take() as number }, () => this.countedLease(undefined)!);
    for (const lease of found) this.leases.set(lease.row.owner.ownerId, lease);
    return found.sort((one, other) => (one.row.owner.nodeRid < other.row.owner.nodeRid ? -1 : 1));
  }

  page(): RowPage {
    const [more, count] = [this.#take(), this.#take()];
    const rows = Array.from({ length: count as number }, () => this.object(this.text())!);
    return { rows, more: more === 1 };
  }

  /** Notes a lease that came with an object. Empty: it has come before. */
  #bring(ownerId: string, row: Buffer | null): void {
    if (row?.length === 0) return;
    const lease = row === null ? undefined : this.#leaseReader.lease(ownerId, row);
    this.leases.set(ownerId, lease === undefined ? undefined : { ...lease, reservations: undefined, writes: 0n });
  }

  #bytes(): Buffer | null {
    return this.#take() as Buffer | null;
  }

  #take(): Reply {
    if (this.isAtEnd) throw new Error("The answer is too short.");
    const item = this.#reply[this.#at]!;
    this.#at += 1;
    return item;
  }
}

/** A plain array of its own, not a view of all that came in one piece. */
function ownBytes(bytes: Buffer | null): Uint8Array {
  return new Uint8Array(bytes ?? NO_BYTES);
}

/** More than the nodes that one client has to do with. */
const REMEMBERED_LEASES = 64;

/** Reads rows of leases, which come with every object and seldom change. */
export class LeaseReader {
  readonly #known = new LruMap<string, { readonly bytes: Buffer; readonly lease: LeaseInRow }>(REMEMBERED_LEASES);

  lease(ownerId: string, bytes: Buffer): LeaseInRow {
    const known = this.#known.get(ownerId);
    if (known?.bytes.equals(bytes) === true) return known.lease;
    const lease = leaseFrom(bytes);
    // A copy: what came is a piece of a larger one.
    this.#known.set(ownerId, { bytes: Buffer.from(bytes), lease });
    return lease;
  }
}
