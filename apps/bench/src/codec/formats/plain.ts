/**
 * Records in the form that a general-purpose encoder takes: the same fields, but with something else in place of every
 * bigint, role and byte string. Written out by hand, since a generic walk over the properties is several times slower and
 * would flatter this project's codec.
 */
import type {
  ActorFence,
  ActorRef,
  Coordinator,
  FrozenRecord,
  Id128,
  RelocationData,
  Role,
  Rid,
  RouteUpdate,
  Session,
  SessionRelocationRoute,
  SessionRelocationSeal,
  SessionRelocationSealed,
} from "@rehome/wire";

/** What stands for the three kinds of value, and the way there and back. */
export interface Leaves<Long, RoleName, Bytes> {
  long(value: bigint): Long;
  bigint(long: Long): bigint;
  roleTo(role: Role): RoleName;
  roleFrom(role: RoleName): Role;
  bytesTo(bytes: Uint8Array): Bytes;
  bytesFrom(bytes: Bytes): Uint8Array;
}

export interface PlainId<L> {
  readonly high: L;
  readonly low: L;
}
export interface PlainCoordinator<L> {
  readonly ownerId: string;
  readonly leaseGeneration: L;
  readonly nodeRid: string;
  readonly nodeGeneration: L;
  readonly expectedAuthorityStoreVersion: string;
}
export interface PlainActor<L> {
  readonly actorId: string;
  readonly objectGeneration: L;
}
export interface PlainFence<L> {
  readonly actor: PlainActor<L>;
  readonly nodeRid: string;
  readonly nodeGeneration: L;
  readonly authorityOwnerGeneration: L;
  readonly ownerLeaseGeneration: L;
}
export interface PlainSession<L> {
  readonly ownerNodeRid: string;
  readonly ownerNodeGeneration: L;
  readonly ownerId: string;
  readonly ownerLeaseGeneration: L;
  readonly sessionRid: string;
  readonly bindingGeneration: L;
}
export interface PlainSealed<L> {
  readonly relocation: PlainId<L>;
  readonly coordinator: PlainCoordinator<L>;
  readonly actor: PlainFence<L>;
  readonly session: PlainSession<L>;
}
export interface PlainSeal<L, R> extends PlainSealed<L> {
  readonly senderRole: R;
}
export interface PlainRoute<L, R> {
  readonly relocation: PlainId<L>;
  readonly coordinator: PlainCoordinator<L>;
  readonly senderRole: R;
  readonly actor: PlainActor<L>;
  readonly session: PlainSession<L>;
  readonly commit?: PlainCommit<L> | null;
  readonly abort?: { readonly currentAuthorityOwnerGeneration: L } | null;
}
export interface PlainCommit<L> {
  readonly previousAuthorityOwnerGeneration: L;
  readonly targetAuthorityOwnerGeneration: L;
  readonly targetNodeRid: string;
  readonly targetNodeGeneration: L;
  readonly targetOwnerLeaseGeneration?: L | null;
}
export interface PlainMessage<L, B> {
  readonly source: {
    readonly nodeRid: string;
    readonly nodeGeneration: L;
    readonly ownerId: string;
    readonly ownerLeaseGeneration: L;
    readonly actor: PlainActor<L>;
    readonly sessionRid: string;
    readonly bindingGeneration: L;
    readonly sessionSequence: L;
  };
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
  readonly operation: PlainId<L>;
  readonly target: PlainFence<L>;
  readonly payload: { readonly packetName: string; readonly contentType: string; readonly data: B };
}
export interface PlainData<L, R, B> {
  readonly relocation: PlainId<L>;
  readonly targetAttemptGeneration: L;
  readonly coordinator: PlainCoordinator<L>;
  readonly senderRole: R;
  readonly actor: PlainActor<L> & { readonly authorityOwnerGeneration: L };
  readonly record: PlainMessage<L, B>;
}

type Numbers<L> = Pick<Leaves<L, unknown, unknown>, "long" | "bigint">;

function idTo<L>(of: Numbers<L>, id: Id128): PlainId<L> {
  return { high: of.long(id.high), low: of.long(id.low) };
}
function idFrom<L>(of: Numbers<L>, id: PlainId<L>): Id128 {
  return { high: of.bigint(id.high), low: of.bigint(id.low) };
}

function coordinatorTo<L>(of: Numbers<L>, value: Coordinator): PlainCoordinator<L> {
  return {
    ownerId: value.ownerId,
    leaseGeneration: of.long(value.leaseGeneration),
    nodeRid: value.nodeRid,
    nodeGeneration: of.long(value.nodeGeneration),
    expectedAuthorityStoreVersion: value.expectedAuthorityStoreVersion,
  };
}
function coordinatorFrom<L>(of: Numbers<L>, value: PlainCoordinator<L>): Coordinator {
  return {
    ownerId: value.ownerId,
    leaseGeneration: of.bigint(value.leaseGeneration),
    nodeRid: value.nodeRid as Rid,
    nodeGeneration: of.bigint(value.nodeGeneration),
    expectedAuthorityStoreVersion: value.expectedAuthorityStoreVersion,
  };
}

function actorTo<L>(of: Numbers<L>, value: ActorRef): PlainActor<L> {
  return { actorId: value.actorId, objectGeneration: of.long(value.objectGeneration) };
}
function actorFrom<L>(of: Numbers<L>, value: PlainActor<L>): ActorRef {
  return { actorId: value.actorId, objectGeneration: of.bigint(value.objectGeneration) };
}

function fenceTo<L>(of: Numbers<L>, value: ActorFence): PlainFence<L> {
  return {
    actor: actorTo(of, value.actor),
    nodeRid: value.nodeRid,
    nodeGeneration: of.long(value.nodeGeneration),
    authorityOwnerGeneration: of.long(value.authorityOwnerGeneration),
    ownerLeaseGeneration: of.long(value.ownerLeaseGeneration),
  };
}
function fenceFrom<L>(of: Numbers<L>, value: PlainFence<L>): ActorFence {
  return {
    actor: actorFrom(of, value.actor),
    nodeRid: value.nodeRid as Rid,
    nodeGeneration: of.bigint(value.nodeGeneration),
    authorityOwnerGeneration: of.bigint(value.authorityOwnerGeneration),
    ownerLeaseGeneration: of.bigint(value.ownerLeaseGeneration),
  };
}

function sessionTo<L>(of: Numbers<L>, value: Session): PlainSession<L> {
  return {
    ownerNodeRid: value.ownerNodeRid,
    ownerNodeGeneration: of.long(value.ownerNodeGeneration),
    ownerId: value.ownerId,
    ownerLeaseGeneration: of.long(value.ownerLeaseGeneration),
    sessionRid: value.sessionRid,
    bindingGeneration: of.long(value.bindingGeneration),
  };
}
function sessionFrom<L>(of: Numbers<L>, value: PlainSession<L>): Session {
  return {
    ownerNodeRid: value.ownerNodeRid as Rid,
    ownerNodeGeneration: of.bigint(value.ownerNodeGeneration),
    ownerId: value.ownerId,
    ownerLeaseGeneration: of.bigint(value.ownerLeaseGeneration),
    sessionRid: value.sessionRid as Rid,
    bindingGeneration: of.bigint(value.bindingGeneration),
  };
}

export function sealTo<L, R, B>(of: Leaves<L, R, B>, value: SessionRelocationSeal): PlainSeal<L, R> {
  return {
    relocation: idTo(of, value.relocation),
    coordinator: coordinatorTo(of, value.coordinator),
    senderRole: of.roleTo(value.senderRole),
    actor: fenceTo(of, value.actor),
    session: sessionTo(of, value.session),
  };
}
export function sealFrom<L, R, B>(of: Leaves<L, R, B>, value: PlainSeal<L, R>): SessionRelocationSeal {
  return {
    command: "sessionRelocationSeal",
    relocation: idFrom(of, value.relocation),
    coordinator: coordinatorFrom(of, value.coordinator),
    senderRole: of.roleFrom(value.senderRole) as SessionRelocationSeal["senderRole"],
    actor: fenceFrom(of, value.actor),
    session: sessionFrom(of, value.session),
  };
}

export function sealedTo<L, R, B>(of: Leaves<L, R, B>, value: SessionRelocationSealed): PlainSealed<L> {
  return {
    relocation: idTo(of, value.relocation),
    coordinator: coordinatorTo(of, value.coordinator),
    actor: fenceTo(of, value.actor),
    session: sessionTo(of, value.session),
  };
}
export function sealedFrom<L, R, B>(of: Leaves<L, R, B>, value: PlainSealed<L>): SessionRelocationSealed {
  return {
    command: "sessionRelocationSealed",
    relocation: idFrom(of, value.relocation),
    coordinator: coordinatorFrom(of, value.coordinator),
    actor: fenceFrom(of, value.actor),
    session: sessionFrom(of, value.session),
  };
}

export function routeTo<L, R, B>(of: Leaves<L, R, B>, value: SessionRelocationRoute): PlainRoute<L, R> {
  const { route } = value;
  return {
    relocation: idTo(of, value.relocation),
    coordinator: coordinatorTo(of, value.coordinator),
    senderRole: of.roleTo(value.senderRole),
    actor: actorTo(of, value.actor),
    session: sessionTo(of, value.session),
    commit: route.action === "commit" ? commitTo(of, route) : null,
    abort:
      route.action === "abort"
        ? { currentAuthorityOwnerGeneration: of.long(route.currentAuthorityOwnerGeneration) }
        : null,
  };
}
export function routeFrom<L, R, B>(of: Leaves<L, R, B>, value: PlainRoute<L, R>): SessionRelocationRoute {
  return {
    command: "sessionRelocationRoute",
    relocation: idFrom(of, value.relocation),
    coordinator: coordinatorFrom(of, value.coordinator),
    senderRole: of.roleFrom(value.senderRole),
    actor: actorFrom(of, value.actor),
    session: sessionFrom(of, value.session),
    route: updateFrom(of, value),
  };
}

function commitTo<L>(of: Numbers<L>, route: Extract<RouteUpdate, { action: "commit" }>): PlainCommit<L> {
  const lease = route.targetOwnerLeaseGeneration;
  return {
    previousAuthorityOwnerGeneration: of.long(route.previousAuthorityOwnerGeneration),
    targetAuthorityOwnerGeneration: of.long(route.targetAuthorityOwnerGeneration),
    targetNodeRid: route.targetNodeRid,
    targetNodeGeneration: of.long(route.targetNodeGeneration),
    targetOwnerLeaseGeneration: lease === undefined ? null : of.long(lease),
  };
}
function updateFrom<L>(of: Numbers<L>, { commit, abort }: PlainRoute<L, unknown>): RouteUpdate {
  if (commit) {
    const route = {
      action: "commit",
      previousAuthorityOwnerGeneration: of.bigint(commit.previousAuthorityOwnerGeneration),
      targetAuthorityOwnerGeneration: of.bigint(commit.targetAuthorityOwnerGeneration),
      targetNodeRid: commit.targetNodeRid as Rid,
      targetNodeGeneration: of.bigint(commit.targetNodeGeneration),
    } as const;
    const lease = commit.targetOwnerLeaseGeneration;
    return lease === undefined || lease === null ? route : { ...route, targetOwnerLeaseGeneration: of.bigint(lease) };
  }
  if (!abort) throw new Error("neither a commit nor an abort");
  return { action: "abort", currentAuthorityOwnerGeneration: of.bigint(abort.currentAuthorityOwnerGeneration) };
}

/** Of an actor's message that a bound session sent; the comparison uses no other. */
export function dataTo<L, R, B>(of: Leaves<L, R, B>, value: RelocationData): PlainData<L, R, B> {
  const { object } = value;
  if (object.kind !== "actor") throw new Error(`a ${object.kind} is not part of the comparison`);
  return {
    relocation: idTo(of, value.relocation),
    targetAttemptGeneration: of.long(value.targetAttemptGeneration),
    coordinator: coordinatorTo(of, value.coordinator),
    senderRole: of.roleTo(value.senderRole),
    actor: {
      actorId: object.actorId,
      objectGeneration: of.long(object.objectGeneration),
      authorityOwnerGeneration: of.long(object.authorityOwnerGeneration),
    },
    record: messageTo(of, value.record),
  };
}
export function dataFrom<L, R, B>(of: Leaves<L, R, B>, value: PlainData<L, R, B>): RelocationData {
  return {
    command: "relocationData",
    relocation: idFrom(of, value.relocation),
    targetAttemptGeneration: of.bigint(value.targetAttemptGeneration),
    coordinator: coordinatorFrom(of, value.coordinator),
    senderRole: of.roleFrom(value.senderRole),
    object: {
      kind: "actor",
      actorId: value.actor.actorId,
      objectGeneration: of.bigint(value.actor.objectGeneration),
      authorityOwnerGeneration: of.bigint(value.actor.authorityOwnerGeneration),
    },
    record: messageFrom(of, value.record),
  };
}

function messageTo<L, R, B>(of: Leaves<L, R, B>, record: FrozenRecord): PlainMessage<L, B> {
  const { source, payload, metadata = [] } = record;
  if (record.recordKind !== "actorSend" || source.kind !== "boundSession")
    throw new Error(`a ${record.recordKind} from a ${source.kind} is not part of the comparison`);
  return {
    source: {
      nodeRid: source.nodeRid,
      nodeGeneration: of.long(source.nodeGeneration),
      ownerId: source.ownerId,
      ownerLeaseGeneration: of.long(source.ownerLeaseGeneration),
      actor: actorTo(of, source.actor),
      sessionRid: source.sessionRid,
      bindingGeneration: of.long(source.bindingGeneration),
      sessionSequence: of.long(source.sessionSequence),
    },
    metadata: metadata.map(([key, value]) => ({ key, value })),
    operation: idTo(of, record.operation),
    target: fenceTo(of, record.target),
    payload: {
      packetName: payload.packetName,
      contentType: payload.contentType,
      data: of.bytesTo(payload.data),
    },
  };
}
function messageFrom<L, R, B>(of: Leaves<L, R, B>, record: PlainMessage<L, B>): FrozenRecord {
  const { source, payload } = record;
  return {
    recordKind: "actorSend",
    source: {
      kind: "boundSession",
      nodeRid: source.nodeRid as Rid,
      nodeGeneration: of.bigint(source.nodeGeneration),
      ownerId: source.ownerId,
      ownerLeaseGeneration: of.bigint(source.ownerLeaseGeneration),
      actor: actorFrom(of, source.actor),
      sessionRid: source.sessionRid as Rid,
      bindingGeneration: of.bigint(source.bindingGeneration),
      sessionSequence: of.bigint(source.sessionSequence),
    },
    metadata: record.metadata.map(({ key, value }) => [key, value]),
    operation: idFrom(of, record.operation),
    operationKind: "none",
    target: fenceFrom(of, record.target),
    payload: {
      packetName: payload.packetName,
      contentType: payload.contentType,
      data: of.bytesFrom(payload.data),
    },
  };
}
