import { actorAuthorityKey, ridFromText, spotAuthorityKey, type ActorFence, type Session } from "@rehome/wire";
import type { UnitMember } from "../../src/move/unit.ts";
import type { AuthorityRecord, ReadAnswer } from "../../src/ports/authority-store.ts";
import type { SourceConfig } from "../../src/source/config.ts";
import type { SourceInput } from "../../src/source/inputs.ts";
import {
  actorFence,
  BASE,
  config,
  failed,
  joined,
  ownRecord,
  ready,
  RELOCATION,
  Run,
  sealed,
  self,
  session,
  targetOwner,
} from "./fixtures.ts";

/** A spot `hall` with members of generations of their own. */
export const SPOT = 5n;
export const SPOT_OWN = 30n;
export const GENERATIONS: Readonly<Record<string, bigint>> = { m1: 11n, m2: 7n, m3: 19n };
export const memberIds = Object.keys(GENERATIONS);

export function memberFence(actorId: string): ActorFence {
  const authorityOwnerGeneration = GENERATIONS[actorId]!;
  return { ...actorFence, actor: { actorId, objectGeneration: 2n }, authorityOwnerGeneration };
}

export const spotFence = {
  spot: { spotId: "hall", objectGeneration: SPOT },
  nodeRid: self.nodeRid,
  nodeGeneration: self.nodeGeneration,
  authorityOwnerGeneration: SPOT_OWN,
  ownerLeaseGeneration: self.ownerLeaseGeneration,
};

export function spotConfig(ids: readonly string[] = memberIds): SourceConfig {
  const members = ids.map((id): UnitMember => ({ fence: memberFence(id), stableType: "user" }));
  return { ...config, unit: { kind: "userSpot", fence: spotFence, stableType: "hall", members } };
}

export const spotObject = {
  kind: "userSpot",
  spotId: "hall",
  objectGeneration: SPOT,
  authorityOwnerGeneration: SPOT_OWN,
} as const;

export const spotRecord: AuthorityRecord = {
  ...ownRecord,
  key: spotAuthorityKey("hall"),
  kind: "userSpot",
  stableType: "hall",
  objectGeneration: SPOT,
  authorityOwnerGeneration: SPOT_OWN,
};
export const movedSpot: AuthorityRecord = {
  ...spotRecord,
  storeVersion: "v2",
  authorityOwnerGeneration: SPOT_OWN + 1n,
  owner: targetOwner,
  relocation: RELOCATION,
};

export function memberRecord(actorId: string): AuthorityRecord {
  return {
    ...ownRecord,
    key: actorAuthorityKey(actorId),
    storeVersion: `base-${actorId}`,
    objectGeneration: 2n,
    authorityOwnerGeneration: GENERATIONS[actorId]!,
    place: spotFence.spot,
  };
}

/** What the commit wrote: each generation is the store's, and no two are alike. */
export function movedMember(actorId: string): AuthorityRecord {
  const own = memberRecord(actorId);
  return {
    ...own,
    storeVersion: `moved-${actorId}`,
    authorityOwnerGeneration: own.authorityOwnerGeneration + 3n,
    owner: targetOwner,
    relocation: RELOCATION,
  };
}

export function found(record: AuthorityRecord, ownerLeaseLive = true): ReadAnswer {
  return { outcome: "found", reading: { record, ownerLeaseLive } };
}

export const spotRead = (record: AuthorityRecord): SourceInput => ({ type: "AuthorityRead", answer: found(record) });

/** Answers for these members, in their order; `change` says otherwise about one of them. */
export function membersRead(
  records: (actorId: string) => AuthorityRecord,
  change: Readonly<Record<string, ReadAnswer>> = {},
  ids: readonly string[] = memberIds,
): SourceInput {
  return { type: "MembersRead", answers: ids.map((id) => change[id] ?? found(records(id))) };
}

/** m1 has two clients, m2 has one, m3 has none. */
export const bound: readonly { readonly actorId: string; readonly session: Session }[] = [
  { actorId: "m1", session: session("s1") },
  { actorId: "m1", session: session("s2", self.nodeRid) },
  { actorId: "m2", session: session("s3", ridFromText("g2"), 4n) },
];

export function sealedFor({ actorId, session: of }: (typeof bound)[number]): SourceInput {
  const input = sealed(of);
  return { ...input, command: { ...input.command, actor: memberFence(actorId) } };
}

const about = { object: spotObject } as const;
export const spotReady: SourceInput = { ...ready, command: { ...ready.command, ...about } };
export const spotFailed: SourceInput = { ...failed, command: { ...failed.command, ...about } };

/** A 37 that names one of the members. */
export function joinedOf(actorId: string): Extract<SourceInput, { type: "JoinedReceived" }> {
  const { authorityOwnerGeneration } = movedMember(actorId);
  const actor = { actorId, objectGeneration: 2n };
  return { ...joined, command: { ...joined.command, actor, authorityOwnerGeneration } };
}

export const stateCaptured: SourceInput = {
  type: "StateCaptured",
  payload: { totalLength: 2_049n, chunkCount: 3, checksumCrc32c: 77 },
};

/** The inputs of a spot's move that goes well, in order. */
export const SPOT_FLOW: readonly SourceInput[] = [
  { type: "CheckPassed" },
  { type: "TurnsStopped", bindings: bound },
  spotRead(spotRecord),
  membersRead(memberRecord),
  ...bound.map(sealedFor),
  stateCaptured,
  spotReady,
  joinedOf("m1"),
  spotRead(movedSpot),
  membersRead(movedMember),
];

/** A run that has taken this many steps of it. */
export function spotRun(steps: number, given: SourceConfig = spotConfig()): Run {
  return new Run(given).give(...SPOT_FLOW.slice(0, steps));
}
export const STEPS = {
  readingMembers: 3,
  sealing: 4,
  capturing: 7,
  transferring: 8,
  cutOver: 9,
  verdict: 10,
  owners: 11,
};
export const baseVersionOf = (): string => BASE;
