/** Names and numbers of the enums of `wire.md` sections 2 and 3. A value carries the name, the bytes the number. */

/** `wire.md` section 2, `role`. */
export const roles = { source: 1, target: 2, coordinator: 3 } as const;
export type Role = keyof typeof roles;

/** How a request ended (`wire.md` section 2). */
export const terminalResults = {
  ok: 0,
  timedOut: 101,
  notFound: 102,
  terminated: 103,
  protocolError: 104,
  internalError: 105,
  rejected: 106,
  conflict: 107,
  busy: 108,
  notConnected: 109,
  invalidArgument: 110,
  invalidState: 111,
  notSupported: 112,
  backpressured: 113,
} as const;
export type TerminalResult = keyof typeof terminalResults;

/** What exactly went wrong (`wire.md` section 2). 23…32 are reserved. */
export const failureCodes = {
  none: 0,
  actorRouteNotFound: 1,
  actorCreateFailed: 2,
  actorAlreadyExists: 3,
  actorTypeMismatch: 4,
  spotCreateFailed: 5,
  spotRouteNotFound: 6,
  spotTypeMismatch: 7,
  actorSessionNotBound: 8,
  handlerNotFound: 9,
  routeHandlerNotFound: 10,
  actorDispatchHandlerNotFound: 11,
  payloadDecodeFailed: 12,
  routeNotConnected: 13,
  requestTargetNotFound: 14,
  requestRejected: 15,
  requestProtocolError: 16,
  requestFailed: 17,
  workerQueueFull: 18,
  workerTimedOut: 19,
  workerFailed: 20,
  actorLocationStale: 21,
  actorCreateRejected: 22,
  spotGenerationStale: 33,
  spotMoving: 34,
  relocationDataLost: 35,
} as const;
export type FailureCode = keyof typeof failureCodes;

/** The kind of operation that a correlation belongs to (`wire.md` section 2). It selects a reply's tail (3.2). */
export const operationKinds = {
  none: 0,
  nodeRequest: 1,
  channelRequest: 2,
  spotRequest: 3,
  actorRequest: 4,
  actorLookup: 5,
  actorDestroy: 6,
  actorJoin: 7,
  actorLeave: 8,
  streamBind: 9,
  streamUnbind: 10,
  streamClose: 11,
  instanceSpotRequest: 12,
  userSpotCreate: 13,
  userSpotClose: 14,
  actorCreate: 15,
} as const;
export type OperationKind = keyof typeof operationKinds;

/** Why a handshake was refused (`wire.md` section 3, command 3). */
export const rejectReasons = {
  protocolVersionUnsupported: 1,
  topologyMismatch: 2,
  identityMismatch: 3,
  securityIdentityMismatch: 4,
  channelMismatch: 5,
  lifecycleGenerationStale: 6,
  descriptorRevisionStale: 7,
  capabilityMismatch: 8,
  runtimeNotServing: 9,
  duplicateConnection: 10,
  invalidDescriptor: 11,
  resourceLimit: 12,
} as const;
export type RejectReason = keyof typeof rejectReasons;

/** What a node says of itself in an admission (`wire.md` 3.1). */
export const runtimeStates = { preparing: 0, serving: 1, draining: 2, stopped: 3, error: 4 } as const;
export type RuntimeState = keyof typeof runtimeStates;

/** How the answer of a 33 was taken (`wire.md` section 3, command 46). */
export const replyRelayStatuses = { terminalReceived: 1, alreadyTerminal: 2 } as const;
export type ReplyRelayStatus = keyof typeof replyRelayStatuses;

/** Kinds of a frozen record (`wire.md` section 2). */
export const recordKinds = {
  nodeSend: 1,
  nodeRequest: 2,
  channelSend: 3,
  channelRequest: 4,
  spotSend: 5,
  spotRequest: 6,
  spotMulticast: 7,
  actorSend: 9,
  actorRequest: 10,
} as const;
export type RecordKind = keyof typeof recordKinds;

/** Ids of the commands (`wire.md` section 3). */
export const commandIds = {
  hello: 1,
  admit: 2,
  reject: 3,
  update: 4,
  livenessProbe: 5,
  livenessAck: 6,
  reply: 20,
  actorSend: 24,
  actorRequest: 25,
  actorLookup: 26,
  actorDestroy: 27,
  actorJoin: 28,
  actorLeft: 29,
  relocationReady: 30,
  relocationData: 31,
  replyRelay: 33,
  relocationCutover: 34,
  boundSessionSend: 36,
  actorJoined: 37,
  boundSessionBind: 38,
  relocationPrepare: 40,
  sessionRelocationSeal: 42,
  sessionRelocationSealed: 43,
  sessionRelocationRoute: 44,
  replyRelayAck: 46,
  actorCreate: 49,
  messageFollow: 50,
  boundSessionReplaced: 51,
  relocationState: 52,
  relocationFailed: 53,
  sendRefused: 200,
} as const;
export type CommandName = keyof typeof commandIds;
