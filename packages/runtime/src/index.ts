export { defineActor, defineSpot, type ActorType, type SpotType } from "./define.ts";
export type { NodeCounts } from "./counts.ts";
export { startNode } from "./node.ts";
export { keepNode, type KeepingEnd, type KeptNode } from "./kept-node.ts";
export { drainOnSignal, type ProcessLike, type TerminationOptions } from "./drain/termination.ts";
export { RuntimeError, type RuntimeErrorCode } from "./errors.ts";
export { payloadOf, valueOf, type Payload } from "./payload.ts";
export { systemClock, systemRandom } from "@rehome/system";
export { defaultDeadlines, defaultLimits, type Deadlines, type Limits } from "./config.ts";
export type {
  ActorAddress,
  ActorContext,
  ActorDefinition,
  ActorInfo,
  Admission,
  BoundSession,
  DrainOptions,
  JoinResult,
  Message,
  MoveOptions,
  MoveResult,
  Node,
  NodeEvent,
  NodeOptions,
  RequestOptions,
  Session,
  SessionHandler,
  ShutdownOptions,
  SpotDefinition,
  SpotInfo,
} from "./api.ts";
export type { DrainFailure, DrainProgress, DrainReason, DrainResult, StayedUnit } from "@rehome/core";
