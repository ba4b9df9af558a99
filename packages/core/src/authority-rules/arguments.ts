import type {
  AcquireRequest,
  CommitRequest,
  NodeDescriptor,
  OwnerIdentity,
  OwnerLease,
  PublishRequest,
  ReserveRequest,
  SpotPlace,
} from "../ports/authority-store.ts";
import type { Rid } from "@rehome/wire";
import { assert } from "../errors.ts";
import { MAX_GENERATION } from "./records.ts";

/** `text16` of `wire.md` section 2: no text that a store keeps is longer on the wire. */
const MAX_TEXT_CHARACTERS = 4096;
/** `blob` of `wire.md` section 2. */
export const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;
/** `zla1:a:255:` and 255 bytes written `%XX` are 776; the rest is for keys to come. */
const KEY = /^[\x21-\x7e]{1,1024}$/;
const KEY_PREFIX = /^[\x21-\x7e]{0,1024}$/;
/** Databases cut text at a NUL or refuse it, and replace what is not UTF-8. */
const NOT_STORABLE = /\p{Cs}/u;

/** Authority keys are printable ASCII (`wire.md` section 5), and so have the same order in every database. */
export function assertKey(key: string): void {
  assert(
    KEY.test(key),
    "a key is 1 to 1024 printable ASCII characters: build it with actorAuthorityKey or spotAuthorityKey",
  );
}

export function assertPrefix(prefix: string): void {
  assert(KEY_PREFIX.test(prefix), "a prefix of keys is at most 1024 printable ASCII characters");
}

export function assertText(name: string, text: string): void {
  const storable = text.length >= 1 && text.length <= MAX_TEXT_CHARACTERS && !text.includes("\0");
  assert(
    storable && !NOT_STORABLE.test(text),
    `${name} is 1 to ${MAX_TEXT_CHARACTERS} characters without NUL or lone surrogates`,
  );
}

export function assertDuration(name: string, durationMs: number): void {
  assert(Number.isFinite(durationMs) && durationMs > 0, `${name} is a finite number of milliseconds above 0`);
}

export function assertLimit(limit: number): void {
  assert(Number.isSafeInteger(limit) && limit >= 1, "a limit is an integer of 1 or more");
}

export function assertLease(lease: OwnerLease): void {
  assertText("ownerId", lease.ownerId);
}

function assertRid(rid: Rid): void {
  assert(rid.length >= 1 && rid.length <= 255, "a rid has 1 to 255 bytes");
}

function assertOwner(owner: OwnerIdentity): void {
  assertLease(owner);
  assertText("meshName", owner.meshName);
  assertRid(owner.nodeRid);
}

function assertPlace(place: SpotPlace | undefined): void {
  if (place === undefined) return;
  assertText("spotId", place.spotId);
  const { objectGeneration } = place;
  assert(objectGeneration >= 1n && objectGeneration <= MAX_GENERATION, "an objectGeneration is 1 to 2^63-1");
}

export function assertReserve(request: ReserveRequest): void {
  assertKey(request.key);
  assertText("stableType", request.stableType);
  assertText("reservationId", request.reservationId);
  assertDuration("ttlMs", request.ttlMs);
  assertOwner(request.owner);
}

export function assertCommit(request: CommitRequest): void {
  assertOwner(request.owner);
  assert(request.relocation.high !== 0n || request.relocation.low !== 0n, "a relocation id is never zero");
  assert(request.participants.length > 0, "a commit has at least one participant");
  for (const participant of request.participants) {
    assertKey(participant.key);
    assertPlace(participant.place);
    const digestBytes = participant.membershipDigest.length;
    assert(digestBytes === 0 || digestBytes === 32, "a membership digest has 32 bytes, or none");
  }
  const keys = new Set(request.participants.map((participant) => participant.key));
  assert(keys.size === request.participants.length, "no key takes part in a commit twice");
}

export function assertPublish(request: PublishRequest): void {
  assertKey(request.key);
  assertLease(request.lease);
  assertPlace(request.place?.spot);
  const payloadBytes = request.payload?.length ?? 0;
  assert(payloadBytes <= MAX_PAYLOAD_BYTES, `a payload has at most ${MAX_PAYLOAD_BYTES} bytes`);
}

export function assertAcquire(request: AcquireRequest): void {
  assertText("ownerId", request.ownerId);
  assertText("meshName", request.meshName);
  assertRid(request.nodeRid);
  assertDuration("durationMs", request.durationMs);
}

export function assertDescriptor(descriptor: NodeDescriptor): void {
  assertOwner(descriptor.owner);
  assertText("endpoint", descriptor.endpoint);
  for (const stableType of descriptor.stableTypes) assertText("stableType", stableType);
  const { placementWeight, capacity } = descriptor;
  assert(
    Number.isInteger(placementWeight) && placementWeight >= 0 && placementWeight <= 100,
    "placementWeight is 0 to 100",
  );
  assert(Number.isSafeInteger(capacity) && capacity >= 0, "capacity is an integer of 0 or more");
}
