import type {
  ActorFence,
  ActorRef,
  Admission,
  Coordinator,
  FollowRoute,
  FrozenRecord,
  Id128,
  Metadata,
  PayloadEnvelope,
  RelocationObject,
  ReplyRelayContext,
  ReplyTail,
  RequestSource,
  Reservation,
  RouteUpdate,
  Session,
  SessionBinding,
  SessionTail,
  SpotFence,
  SpotRef,
  Target,
} from "./composites.ts";
import type { FailureCode, RejectReason, ReplyRelayStatus, Role, TerminalResult } from "./enums.ts";
import type { Rid } from "./rid.ts";

/** 1: opens the handshake. */
export interface Hello {
  readonly command: "hello";
  readonly admission: Admission;
}

/** 2: accepts a {@link Hello}. */
export interface Admit {
  readonly command: "admit";
  readonly admission: Admission;
}

/** 3: refuses a {@link Hello}. */
export interface Reject {
  readonly command: "reject";
  readonly reason: RejectReason;
}

/** 4: what a node says of itself has changed. */
export interface Update {
  readonly command: "update";
  readonly admission: Admission;
}

/** 5. */
export interface LivenessProbe {
  readonly command: "livenessProbe";
  readonly probeId: bigint;
}

/** 6: answers a {@link LivenessProbe}. */
export interface LivenessAck {
  readonly command: "livenessAck";
  readonly probeId: bigint;
}

/** 20: the terminal result of a request. */
export interface Reply {
  readonly command: "reply";
  readonly correlation: bigint;
  readonly terminalResult: TerminalResult;
  readonly failureCode: FailureCode;
  /** Only when the result is `ok` and the operation has one (`wire.md` 3.2). */
  readonly tail?: ReplyTail;
  readonly payload?: PayloadEnvelope;
}

interface ActorMessage {
  /** 0–8: how often the message has been forwarded. */
  readonly hopCount: number;
  readonly sourceActor?: ActorRef;
  readonly target: ActorFence;
  readonly sessionTail?: SessionTail;
  readonly metadata?: Metadata;
  readonly payload: PayloadEnvelope;
}

/** 24: a one-way message to an actor. */
export interface ActorSend extends ActorMessage {
  readonly command: "actorSend";
  /** Both zero: nobody waits to hear that it was not run. */
  readonly operation: Id128;
}

/** 25: a request to an actor. */
export interface ActorRequest extends ActorMessage {
  readonly command: "actorRequest";
  readonly correlation: bigint;
  readonly operation: Id128;
}

/** 26. */
export interface ActorLookup {
  readonly command: "actorLookup";
  readonly correlation: bigint;
  readonly actorId: string;
}

/** 27. */
export interface ActorDestroy {
  readonly command: "actorDestroy";
  readonly correlation: bigint;
  readonly actor: ActorFence;
}

/** 28: asks the spot's node whether the actor may join. */
export interface ActorJoin {
  readonly command: "actorJoin";
  readonly correlation: bigint;
  readonly actor: ActorFence;
  readonly entry: boolean;
  readonly targetSpot: SpotFence;
  readonly payload?: PayloadEnvelope;
}

/** 29. */
export interface ActorLeft {
  readonly command: "actorLeft";
  readonly actor: ActorRef;
  readonly previousSpot: SpotRef;
  readonly authorityOwnerGeneration: bigint;
}

/** 30: the target has restored the unit and waits for what the hold gathered. */
export interface RelocationReady {
  readonly command: "relocationReady";
  readonly relocation: Id128;
  readonly targetAttemptGeneration: bigint;
  readonly coordinator: Coordinator;
  readonly target: Target;
  readonly object: RelocationObject;
  readonly senderRole: Role;
}

/** 31: one message that was held, or that is forwarded after the move. */
export interface RelocationData {
  readonly command: "relocationData";
  readonly relocation: Id128;
  readonly targetAttemptGeneration: bigint;
  readonly coordinator: Coordinator;
  readonly senderRole: Role;
  readonly object: RelocationObject;
  readonly record: FrozenRecord;
}

/** 33: the terminal result of a request that moved, on its way to the requester's node. */
export interface ReplyRelay {
  readonly command: "replyRelay";
  readonly operation: Id128;
  readonly replyRouteId: bigint;
  readonly context: ReplyRelayContext;
  readonly terminalResult: TerminalResult;
  readonly failureCode: FailureCode;
  readonly payload?: PayloadEnvelope;
}

/** 34: the source has sent all that it held and runs nothing more until the store has spoken. */
export interface RelocationCutover {
  readonly command: "relocationCutover";
  readonly relocation: Id128;
  readonly targetAttemptGeneration: bigint;
  readonly coordinator: Coordinator;
  readonly senderRole: Role;
  readonly object: RelocationObject;
  readonly boundaryRecordCount: bigint;
  /** Over the bytes of the frozen records of the 31s, in order. */
  readonly boundaryChecksumCrc32c: number;
}

/** 36: a push to a bound client. */
export interface BoundSessionSend {
  readonly command: "boundSessionSend";
  readonly actor: ActorFence;
  readonly expectedBindingGeneration: bigint;
  readonly payload: PayloadEnvelope;
}

/** 37: an actor has come to a spot, perhaps from another node: a hint to look at the store. */
export interface ActorJoined {
  readonly command: "actorJoined";
  readonly actor: ActorRef;
  readonly previousSpot?: SpotRef;
  readonly currentSpot: SpotRef;
  readonly authorityOwnerGeneration: bigint;
}

/** 38: binds a session to an actor, or says that a binding has ended. */
export interface BoundSessionBind {
  readonly command: "boundSessionBind";
  readonly correlation: bigint;
  readonly actor: ActorFence;
  readonly sessionRid: Rid;
  readonly binding: SessionBinding;
}

/** 40: opens a move at its target. */
export interface RelocationPrepare {
  readonly command: "relocationPrepare";
  readonly relocation: Id128;
  readonly targetAttemptGeneration: bigint;
  readonly coordinator: Coordinator;
  readonly target: Target;
  readonly initiatorRole: Role;
  readonly object: RelocationObject;
  readonly sourceNodeRid: Rid;
  readonly sourceNodeGeneration: bigint;
  /** Bytes, 0 to 2^38. */
  readonly payloadTotalLength: bigint;
  /** 0–4096. */
  readonly payloadChunkCount: number;
  readonly payloadChecksumCrc32c: number;
  readonly applicationVersion: bigint;
}

/** 42: stop feeding this binding until the move has ended (`protocol.md` section 5). */
export interface SessionRelocationSeal {
  readonly command: "sessionRelocationSeal";
  readonly relocation: Id128;
  readonly coordinator: Coordinator;
  readonly senderRole: "source" | "coordinator";
  readonly actor: ActorFence;
  readonly session: Session;
}

/** 43: answers a 42. */
export interface SessionRelocationSealed {
  readonly command: "sessionRelocationSealed";
  readonly relocation: Id128;
  readonly coordinator: Coordinator;
  readonly actor: ActorFence;
  readonly session: Session;
}

/**
 * 44: ends a seal. `senderRole` is `target` or `coordinator` for a commit and `source` or `coordinator` for an abort
 * (`wire.md` 3.3).
 */
export interface SessionRelocationRoute {
  readonly command: "sessionRelocationRoute";
  readonly relocation: Id128;
  readonly coordinator: Coordinator;
  readonly senderRole: Role;
  readonly actor: ActorRef;
  readonly session: Session;
  readonly route: RouteUpdate;
}

/** 46: acknowledges a 33. */
export interface ReplyRelayAck {
  readonly command: "replyRelayAck";
  readonly relocation: Id128;
  readonly coordinator: Coordinator;
  readonly operation: Id128;
  readonly replyRouteId: bigint;
  readonly requestSource: RequestSource;
  readonly status: ReplyRelayStatus;
}

/** 49. */
export interface ActorCreate {
  readonly command: "actorCreate";
  readonly correlation: bigint;
  readonly operation: Id128;
  readonly sourceNodeRid: Rid;
  readonly sourceNodeGeneration: bigint;
  readonly actorId: string;
  readonly stableType: string;
  readonly reservation: Reservation;
  readonly deadlineUnixMs: bigint;
}

/** 50: tells a sender that its route is stale (`protocol.md` F4). */
export interface MessageFollow {
  readonly command: "messageFollow";
  readonly version: 1;
  readonly source: FollowRoute;
  readonly target: FollowRoute;
  /** 1–8. */
  readonly hopCount: number;
  /** 0–1024. */
  readonly queuedMessages: number;
  /** 0–16,777,216. */
  readonly queuedBytes: number;
  readonly operation: Id128;
  readonly replyRouteId: bigint;
}

/** 51. */
export interface BoundSessionReplaced {
  readonly command: "boundSessionReplaced";
  readonly actor: ActorFence;
  /** Its `bindingGeneration` is the retired one. */
  readonly retired: Session;
}

/** 52: a piece of the payload of a move. */
export interface RelocationState {
  readonly command: "relocationState";
  readonly relocation: Id128;
  readonly targetAttemptGeneration: bigint;
  readonly coordinator: Coordinator;
  readonly senderRole: Role;
  readonly object: RelocationObject;
  /** From 0. */
  readonly chunkOrdinal: number;
  readonly chunkData: Uint8Array;
}

/** 53: a move, or a seal, was refused or given up. */
export interface RelocationFailed {
  readonly command: "relocationFailed";
  readonly relocation: Id128;
  readonly targetAttemptGeneration: bigint;
  readonly coordinator: Coordinator;
  readonly target: Target;
  readonly object: RelocationObject;
  readonly senderRole: Role;
  readonly failureCode: FailureCode;
}

/** 200: a one-way message with a non-zero operation was not run and will not be. */
export interface SendRefused {
  readonly command: "sendRefused";
  readonly operation: Id128;
  readonly terminalResult: TerminalResult;
  readonly failureCode: FailureCode;
}

/** Every record of `wire.md` section 3, told apart by `command`. */
export type Command =
  | Hello
  | Admit
  | Reject
  | Update
  | LivenessProbe
  | LivenessAck
  | Reply
  | ActorSend
  | ActorRequest
  | ActorLookup
  | ActorDestroy
  | ActorJoin
  | ActorLeft
  | RelocationReady
  | RelocationData
  | ReplyRelay
  | RelocationCutover
  | BoundSessionSend
  | ActorJoined
  | BoundSessionBind
  | RelocationPrepare
  | SessionRelocationSeal
  | SessionRelocationSealed
  | SessionRelocationRoute
  | ReplyRelayAck
  | ActorCreate
  | MessageFollow
  | BoundSessionReplaced
  | RelocationState
  | RelocationFailed
  | SendRefused;
