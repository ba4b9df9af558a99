import type { AuthorityStore, Clock, DrainProgress, DrainResult, Log, Random, Transport } from "@rehome/core";
import type { Rid } from "@rehome/wire";
import type { ActorType, SpotType } from "./define.ts";
import type { RuntimeError } from "./errors.ts";
import type { Payload } from "./payload.ts";
import type { Deadlines, Limits } from "./config.ts";
import type { NodeCounts } from "./counts.ts";

/** A client session that is bound to the actor. */
export interface BoundSession {
  readonly sessionRid: Rid;
  /** Sends to this session only; in order with every other push of the actor to it (`protocol.md` I4). */
  push(name: string, value?: unknown): void;
}

/** What a handler is told about the message besides its value. */
export interface Message {
  readonly name: string;
  readonly kind: "send" | "request";
  /** The client that sent it, or `undefined` when a node or an actor did. */
  readonly session: BoundSession | undefined;
}

/** Names an actor: its stable type and its global id. */
export interface ActorAddress {
  readonly type: string;
  readonly id: string;
}

export interface RequestOptions {
  /** How long to wait for the answer; the default is `Deadlines.requestMs`. */
  readonly timeoutMs?: number;
}

/**
 * The answer to `ActorContext.join` (`protocol.md` J1). It comes once while nodes live. After a node was lost, an `accepted`
 * one may be told again, with the same `operation`; the spot may be lost by then (`ctx.spotId` says where the actor is).
 */
export type JoinResult =
  | {
      readonly outcome: "accepted";
      /** Names this join. */
      readonly operation: string;
      readonly spotId: string;
      readonly reply: unknown;
    }
  | {
      readonly outcome: "rejected";
      readonly operation: string;
      readonly spotId: string;
      readonly reason: string;
      readonly reply: unknown;
    };

/**
 * What a handler can do. It belongs to one copy of the actor: once the actor has moved away, every call on the old copy's
 * context throws `closed`.
 */
export interface ActorContext<S> {
  state: S;
  readonly actorId: string;
  readonly actorType: string;
  readonly nodeRid: Rid;
  /** The spot that the actor is in, or `undefined` for the node's entry spot. */
  readonly spotId: string | undefined;
  readonly sessions: readonly BoundSession[];
  /** Sends to every bound session. */
  push(name: string, value?: unknown): void;
  /** One-way; what is refused or of unknown outcome is reported to the node's `observe`. */
  send(to: ActorAddress, name: string, value?: unknown): void;
  /** Rejects with a RuntimeError. */
  request(to: ActorAddress, name: string, value?: unknown, options?: RequestOptions): Promise<unknown>;
  /** Asks for a place in a spot, wherever it is. Acts after this turn; the answer comes to `onJoin`. */
  join(spotId: string, value?: unknown): void;
  /** Runs `onTimer` with this name once, after `delayMs`. Moves along; setting it again replaces it. */
  setTimer(name: string, delayMs: number): void;
  clearTimer(name: string): void;
  /**
   * Saves what `capture` gives now, so that the actor can begin with it if its node is lost (`afterLoss`). Resolves once the
   * store has it. It is the state alone: timers, messages and sessions are not saved, and a later message may be lost with the
   * node though its effect was not. Rejects with a RuntimeError: `handlerFailed` (capture threw), `tooLarge`, `storeUnavailable`
   * (nothing was saved), `outcomeUnknown` (nobody can tell), `backpressured`, `closed` (the actor has moved on), `notOwner`,
   * `leaseLost`, `dataLoss` (what the store held was not what was saved before; save again).
   */
  save(): Promise<void>;
  /**
   * Ends the actor for good, after this turn: messages that have not run are refused (`notFound`), bound sessions are told that
   * they have lost it, what it saved goes. A later `getOrCreate` makes a new one.
   */
  destroy(): void;
}

/** An actor type as the application writes it. `S` is the type of the state. */
export interface ActorDefinition<S> {
  /** Stable type: the name under which the store and other nodes know it. */
  readonly type: string;
  /** Version of what `capture` gives, from 1; `restore` is told the version that the state was captured under. */
  readonly version?: number;
  /** The state of a new actor. `ctx.state` is not there yet. */
  create(ctx: ActorContext<S>): S | Promise<S>;
  /** By message name. What a handler returns, or resolves to, answers a request. One turn at a time. */
  readonly on: Readonly<Record<string, (ctx: ActorContext<S>, value: never, message: Message) => unknown>>;
  /** The state as a value that JSON can hold, or as bytes. Called between turns. */
  capture(state: S): unknown;
  /** Builds the state from what `capture` gave, on the new node, before anything runs there. */
  restore(value: never, info: { readonly version: number }): S | Promise<S>;
  /**
   * What becomes of the actor after its node was lost (`protocol.md` L3). `restore`, the default: it begins with what `ctx.save`
   * kept last, or new if it never saved. `new`: it always begins new. Either is reported as `ActorRecreated`.
   */
  readonly afterLoss?: "restore" | "new";
  onJoin?(ctx: ActorContext<S>, result: JoinResult): unknown;
  onTimer?(ctx: ActorContext<S>, name: string): unknown;
  onBind?(ctx: ActorContext<S>, session: BoundSession): unknown;
  onUnbind?(ctx: ActorContext<S>, session: { readonly sessionRid: Rid }): unknown;
}

export type Admission =
  | { readonly accept: true; readonly reply?: unknown }
  | { readonly accept: false; readonly reason: string; readonly reply?: unknown };

/** A spot type: a place on one node that actors join. It moves with all its members if it has `capture` and `restore`. */
export interface SpotDefinition<S> {
  readonly type: string;
  /** Version of what `capture` gives, from 1; `restore` is told the version that the state was captured under. */
  readonly version?: number;
  create(value: unknown): S;
  /** The state as a value that JSON can hold, or as bytes. Called while none of its members runs. */
  capture?(state: S): unknown;
  /** Builds the state from what `capture` gave, on the new node, before anything runs there. */
  restore?(value: never, info: { readonly version: number }): S | Promise<S>;
  /** Asked before anything stops; without it everybody is accepted. */
  admit?(state: S, actor: { readonly actorType: string; readonly actorId: string }, value: unknown): Admission;
  /** After the actor has arrived; not when the spot moves with it. An error is reported and changes nothing (`protocol.md` O8). */
  onJoin?(state: S, actor: { readonly actorType: string; readonly actorId: string }): void;
  /** After the actor has left. An error is reported and changes nothing. */
  onLeave?(state: S, actor: { readonly actorType: string; readonly actorId: string }): void;
}

/** What happened on a node, for operators and measurements. `atMs` is the node's monotonic clock. */
export type NodeEvent =
  /** The last turn on the source has ended. Of a spot that moves, one for each member. */
  | { readonly type: "MovePaused"; readonly relocation: string; readonly actorId: string; readonly atMs: number }
  /** Turns can start on the target. Of a spot that moves, one for each member. */
  | { readonly type: "MoveOpened"; readonly relocation: string; readonly actorId: string; readonly atMs: number }
  /**
   * On the source, once for each move. `steps` says how long after the pause each step was reached, in ms. A spot that
   * moved with its members has its `spotId` here and no `actorId`; an actor that moved has no `spotId`.
   */
  | {
      readonly type: "MoveEnded";
      readonly relocation: string;
      readonly actorId: string | undefined;
      readonly spotId: string | undefined;
      readonly kind: "relocate" | "join";
      readonly outcome: "committed" | "superseded" | "aborted";
      readonly reason: string | undefined;
      readonly steps: Readonly<Record<string, number>>;
    }
  /**
   * On the target: a unit that came could not be built, and goes on at its source. What `restore` threw is the `cause` of
   * `error`: it is told here alone, the caller of the move hears of a `targetRefused`. Ids as in `MoveEnded`.
   */
  | {
      readonly type: "RestoreFailed";
      readonly relocation: string;
      readonly actorId: string | undefined;
      readonly spotId: string | undefined;
      readonly error: RuntimeError;
    }
  /** A one-way message of this node or its actors was not run (`protocol.md` I2), or nobody can tell. */
  | { readonly type: "SendRefused"; readonly to: ActorAddress; readonly name: string; readonly error: RuntimeError }
  /** A push found no room on the link to the session's node, was lost with it, or was made outside a turn by a copy that moved away. */
  | { readonly type: "PushDropped"; readonly actorId: string; readonly name: string; readonly reason: string }
  /**
   * The store named an owner that is gone: the actor was made again, from its last saved state or new (`afterLoss`). Seen
   * once, by the node that made it or, if nothing had been saved, by the one that had it made.
   */
  | {
      readonly type: "ActorRecreated";
      readonly actorType: string;
      readonly actorId: string;
      readonly from: "savedState" | "new";
    }
  /** What the store holds for the actor is not what was saved there: saved state and open join answers are lost. */
  | { readonly type: "SavedDataLost"; readonly actorType: string; readonly actorId: string }
  /** A join was accepted and its answer did not reach the actor; it is told when the actor is next made (`protocol.md` J3). */
  | { readonly type: "JoinAnswerUndelivered"; readonly actorId: string; readonly reason: string }
  /**
   * A handler or another callback threw, or gave what cannot be used; `error` says what. A request that a handler refuses with
   * `rejected` is no failure.
   */
  | { readonly type: "CallbackFailed"; readonly actorId: string; readonly callback: string; readonly error: unknown }
  /** The store did not renew the lease: if it does not within `remainingMs`, this run ends (`protocol.md` L1). */
  | { readonly type: "LeaseUnrenewed"; readonly reason: string; readonly remainingMs: number }
  /** After one or more of those: the store is back in time. */
  | { readonly type: "LeaseRenewed" }
  /**
   * As it started: an earlier run of this node, `nodeGeneration`, had a lease that stood. It crashed a moment ago, or it is a
   * process that runs under the same name; that one ends with `NodeFailed` when it next renews its lease.
   */
  | { readonly type: "EarlierRunReplaced"; readonly nodeGeneration: bigint }
  /**
   * The node cannot go on: it lost its lease, because the store was away or another process was started under its name, as
   * `error` says. It has stopped running turns.
   */
  | { readonly type: "NodeFailed"; readonly error: RuntimeError };

export interface NodeOptions {
  readonly meshName: string;
  /** Names the node within the mesh; 1–255 bytes. */
  readonly name: string;
  readonly transport: Transport;
  readonly store: AuthorityStore;
  readonly actors?: readonly ActorType[];
  readonly spots?: readonly SpotType[];
  /** Which build this is; actors move to the same or a newer one. Default 1. */
  readonly applicationVersion?: bigint;
  /** Share of new actors, 0–100; 0 takes none. Default 50. */
  readonly placementWeight?: number;
  /** The most actors and spots that this node may own. Default 100,000. */
  readonly capacity?: number;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly limits?: Partial<Limits>;
  readonly deadlines?: Partial<Deadlines>;
  /** Must not throw. */
  readonly observe?: (event: NodeEvent) => void;
}

export interface MoveResult {
  readonly relocation: string;
  readonly outcome: "committed" | "superseded";
}

export interface ActorInfo {
  readonly actorType: string;
  readonly actorId: string;
  readonly spotId: string | undefined;
  readonly phase: "running" | "moving";
}

export interface SpotInfo {
  readonly spotType: string;
  readonly spotId: string;
  /** Ids of the actors that are in it. */
  readonly members: readonly string[];
  readonly phase: "running" | "moving";
}

export interface DrainOptions {
  /** For all of it, in ms. Default 30,000. */
  readonly deadlineMs?: number;
  /** The exact application version that targets must have, for example that of a new build. Default: this node's own. */
  readonly applicationVersion?: bigint;
  /** Ends this caller's wait; the drain goes on. */
  readonly signal?: AbortSignal;
  /** Called whenever a unit has moved or failed. */
  readonly onProgress?: (progress: DrainProgress) => void;
}

export interface MoveOptions {
  /** The name of the node to move to. */
  readonly to: string;
  /** At most `Deadlines.moveMs`, which is the default. */
  readonly deadlineMs?: number;
}

export interface ShutdownOptions {
  /** For what was accepted to end, in ms. Default `Deadlines.closeMs`. */
  readonly deadlineMs?: number;
}

/** A running node. */
export interface Node {
  readonly name: string;
  readonly rid: Rid;
  readonly nodeGeneration: bigint;
  readonly endpoint: string;
  /** Finds the actor or makes it, on a node of the mesh chosen by weight. Rejects with a RuntimeError. */
  getOrCreate(type: string, actorId: string): Promise<{ readonly created: boolean }>;
  /** One-way, in order with this node's other messages to that actor. Throws `invalidArgument`, `tooLarge`, `closed`. */
  send(type: string, actorId: string, name: string, value?: unknown): void;
  request(type: string, actorId: string, name: string, value?: unknown, options?: RequestOptions): Promise<unknown>;
  /**
   * Ends an actor for good, wherever it lives, after its running turn; see `ActorContext.destroy`. Rejects with `notFound`,
   * `typeMismatch`, `notConnected`, `timedOut` (it was moving all the time), `storeUnavailable`, `outcomeUnknown`.
   */
  destroy(type: string, actorId: string): Promise<void>;
  /**
   * Makes a spot on this node. Rejects with `typeUnknown`, `typeMismatch`, `operationInProgress` (exists elsewhere), `busy`,
   * `storeUnavailable`, and `handlerFailed` when the type's `create` throws: its error is the `cause`.
   */
  createSpot(type: string, spotId: string, value?: unknown): Promise<void>;
  /**
   * Moves an actor that this node owns to another node; an actor that is in a spot leaves it. Resolves once the store
   * names the new owner and this node has departed. Rejects with `moveFailed` (undone, `cause` says why), `notOwner`,
   * `operationInProgress`, `invalidArgument`.
   */
  relocate(actorId: string, options: MoveOptions): Promise<MoveResult>;
  /**
   * Moves a spot of this node to another one, with every actor that is in it: all of them, or none. Joins that are on their
   * way are waited for. Resolves and rejects as `relocate` does; the failure in `cause` has the code `relocationDisabled` when
   * the spot's type cannot move, and names the member (`actorId`) that stood in the way, if one did.
   */
  relocateSpot(spotId: string, options: MoveOptions): Promise<MoveResult>;
  actors(): readonly ActorInfo[];
  spots(): readonly SpotInfo[];
  /** How much it holds at this moment, for operators. */
  counts(): NodeCounts;
  /** Starts a client session that this node owns. */
  openSession(handler: SessionHandler): Session;
  /**
   * Moves everything that lives here to other nodes (`protocol.md` D1–D4): actors that are in no spot one by one, spots with their
   * members. Meanwhile this node takes no new actors, spots, joins or inbound moves; everything that lives here goes on. Resolves
   * with `relocated`, and then the node stays as it is, for `shutdown`; or with `blocked`, with every unit that stayed and why,
   * and then it serves as before. A second call with the same deadline and version shares the first; a different one is `blocked`
   * with `operationInProgress`. Rejects with `invalidArgument`, and with `cancelled` when `signal` ends this caller's wait.
   */
  drain(options?: DrainOptions): Promise<DrainResult>;
  /**
   * Takes nothing new, finishes what was accepted (messages in mailboxes, moves, open requests) for at most `deadlineMs` (default
   * `Deadlines.closeMs`), then closes. What is left then is told to its senders. It moves nothing: `drain` first. Rejects with
   * `invalidArgument` alone, and then nothing has begun.
   */
  shutdown(options?: ShutdownOptions): Promise<void>;
  /** Ends every move, session and actor of this node in bounded time; the lease is released last. */
  close(): Promise<void>;
}

/** One client's session (`protocol.md` section 1), as the gateway uses it. */
export interface Session {
  readonly sessionRid: Rid;
  /** Binds the session to an actor, which is found or made. Repeating it for a bound actor resolves at once. */
  bind(type: string, actorId: string): Promise<{ readonly created: boolean }>;
  unbind(actorId: string): Promise<void>;
  /**
   * One-way. Gives the message's number in this session; a refusal comes to `onSendRefused`. Throws `invalidArgument` for what is
   * no message.
   */
  send(actorId: string, payload: Payload): bigint;
  /** Rejects with a RuntimeError. */
  request(actorId: string, payload: Payload, options?: RequestOptions): Promise<Payload>;
  close(): Promise<void>;
}

/** What a session tells its gateway. No method may throw. */
export interface SessionHandler {
  onPush(actorId: string, payload: Payload): void;
  /** The message was not run and will not be; with code `outcomeUnknown` nobody can tell (`protocol.md` I2). */
  onSendRefused(actorId: string, sequence: bigint, error: RuntimeError): void;
  /** The binding has ended, and not because of `unbind`. */
  onBindingLost(actorId: string, error: RuntimeError): void;
}
