import type { ObjectWrite, RowBundle, RowGuards, RowWrites } from "@rehome/core";
import type { Argument } from "./connection.ts";
import type { RedisSnapshot } from "./exchange.ts";
import { generationText, leaseId, leaseText, nextRevision, nodeField, objectText, reservationMember } from "./rows.ts";

/** The lease under which a bundle writes, and how many writes under it there are at least. */
export interface WriterGuard {
  readonly leaseId: string;
  readonly writes: bigint;
}

/* The numbers of the keys, as in `KEY_NAMES`. */
const ACTIVE = "2";
const RESERVATIONS = "3";
const LEASES = "4";
/** In place of a score: the member goes. */
const REMOVE = "";
const ABSENT = "";

/** A bundle as the script takes it, after what it is to fetch. `nonce` is for a run that begins. */
export function bundleArguments(
  bundle: RowBundle,
  snapshot: RedisSnapshot,
  extras: { readonly writer: WriterGuard | undefined; readonly nonce: string },
): Argument[] {
  return new BundleWriter(bundle, snapshot, extras.nonce).arguments(extras.writer);
}

class BundleWriter {
  readonly #bundle: RowBundle;
  readonly #snapshot: RedisSnapshot;
  readonly #nonce: string;
  /** Fields to look at, and what the first of them must begin with. */
  readonly #fields: string[] = [];
  readonly #beginnings: string[] = [];
  /** Of counts among the fields. */
  readonly #places = new Map<string, string>();
  readonly #sets: Argument[] = [];
  readonly #deletions: string[] = [];
  readonly #sortedSets: string[] = [];

  constructor(bundle: RowBundle, snapshot: RedisSnapshot, nonce: string) {
    this.#bundle = bundle;
    this.#snapshot = snapshot;
    this.#nonce = nonce;
  }

  arguments(writer: WriterGuard | undefined): Argument[] {
    const { guards, writes } = this.#bundle;
    this.#addGuards(guards);
    this.#addWrites(writes);
    const written = writer === undefined ? ["", ""] : [this.#placeOf(`w:${writer.leaseId}`), String(writer.writes)];
    const loads = guards.loads.flatMap(({ lease, limit }) => {
      const id = leaseId(lease);
      return [this.#placeOf(`c:${id}`), id, String(limit)];
    });
    const owned = writes.owned.flatMap(({ lease, by }) => [this.#placeOf(`c:${leaseId(lease)}`), String(by)]);
    const ended = writes.removeLeasesEndedAtMs;
    return [
      String(guards.fromMs),
      String(guards.untilMs),
      String(this.#fields.length),
      ...this.#fields,
      String(this.#beginnings.length),
      ...this.#beginnings,
      ...written,
      String(guards.loads.length),
      ...loads,
      ended === undefined ? "" : String(ended),
      String(this.#sets.length),
      ...this.#sets,
      String(this.#deletions.length),
      ...this.#deletions,
      String(writes.owned.length),
      ...owned,
      String(this.#sortedSets.length / 3),
      ...this.#sortedSets,
    ];
  }

  #addGuards(guards: RowGuards): void {
    for (const { key, version } of guards.objects) this.#guard(`o:${key}`, version);
    for (const { ownerId, revision } of guards.leases) this.#guard(`l:${ownerId}`, revision);
    for (const node of guards.nodes) {
      this.#guard(`n:${nodeField(node.meshName, node.nodeRid)}`, node.generation || undefined);
    }
    if (guards.lastLeaseGeneration !== undefined) this.#guard("last-lease", guards.lastLeaseGeneration || undefined);
  }

  #guard(field: string, version: bigint | string | undefined): void {
    this.#fields.push(field);
    this.#beginnings.push(version === undefined ? ABSENT : `${version}|`);
  }

  #placeOf(count: string): string {
    const known = this.#places.get(count);
    if (known !== undefined) return known;
    const place = String(this.#fields.push(count));
    this.#places.set(count, place);
    return place;
  }

  #addWrites(writes: RowWrites): void {
    for (const object of writes.objects) this.#addObject(object);
    for (const lease of writes.leases) this.#addLease(lease);
    for (const node of writes.nodes) {
      this.#sets.push(`n:${nodeField(node.meshName, node.nodeRid)}`, generationText(node.generation));
    }
    const { lastLeaseGeneration } = writes;
    if (lastLeaseGeneration !== undefined) this.#sets.push("last-lease", generationText(lastLeaseGeneration));
  }

  #addObject({ row, previous }: ObjectWrite): void {
    const { key, payload } = row;
    this.#sets.push(`o:${key}`, objectText(row));
    if (payload !== previous?.payload) {
      if (payload.length > 0) this.#sets.push(`p:${key}`, viewOf(payload));
      else this.#deletions.push(`p:${key}`);
    }
    const [isActive, wasActive] = [row.state === "active", previous?.state === "active"];
    if (isActive !== wasActive) this.#sortedSets.push(ACTIVE, isActive ? "0" : REMOVE, key);
    const [reservation, old] = [row.reservation, previous?.reservation];
    if (reservation === old) return;
    if (old !== undefined) this.#sortedSets.push(RESERVATIONS, REMOVE, reservationMember(key, old));
    if (reservation !== undefined) this.#sortedSets.push(RESERVATIONS, "0", reservationMember(key, reservation));
  }

  /** With a lease go its counts; a guard says that it is still the one of the snapshot. */
  #addLease({ ownerId, row }: RowWrites["leases"][number]): void {
    const there = this.#snapshot.leases.get(ownerId);
    const isSame = row !== undefined && there?.row.owner.ownerLeaseGeneration === row.owner.ownerLeaseGeneration;
    if (there !== undefined && !isSame) {
      const old = leaseId(there.row.owner);
      this.#deletions.push(`c:${old}`, `w:${old}`);
    }
    if (row === undefined) {
      this.#deletions.push(`l:${ownerId}`);
      this.#sortedSets.push(LEASES, REMOVE, ownerId);
      return;
    }
    const revision = isSame ? nextRevision(there.revision) : `${this.#nonce}.1`;
    this.#sets.push(`l:${ownerId}`, leaseText(row, revision));
    this.#sortedSets.push(LEASES, String(row.endsAtMs), ownerId);
    const id = leaseId(row.owner);
    if (!isSame) this.#sets.push(`c:${id}`, "0", `w:${id}`, "0");
  }
}

/** The client encodes strings and Buffers only. */
function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
