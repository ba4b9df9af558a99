/**
 * Why a move did not happen. `code` is for programs, `message` for people and says what to do.
 *
 * - `deadlineExceeded`: a step was not done in time. `targetRefused`: the target answered 53, or its answer to the check
 *   was no. `stateIncompatible`: the target cannot read the payload, or knows its type as something else. `targetUnavailable`: no link to the target, not serving, or lost. `sealRefused`: a session owner answered 53.
 *   `sessionOwnerUnavailable`: a session owner lives but cannot be reached. `captureFailed`: `capture` threw or gave
 *   something that cannot be sent. `stateTooLarge`: past a limit of `protocol.md` T4. `staleOwner`: the store names another
 *   owner than this node. `storeUnavailable`: the store gave no answer. `aborted`: someone asked for the abort.
 *   `joinRejected`: the spot said no. `spotMoved`: the spot that was to be joined moves or has moved; look it up again.
 *   `relocationDisabled`: objects of this type do not move. `ownerUndecided`: the deadline passed without evidence; the
 *   unit stays closed (O5).
 */
export type MoveFailureCode =
  | "deadlineExceeded"
  | "targetRefused"
  | "stateIncompatible"
  | "targetUnavailable"
  | "sealRefused"
  | "sessionOwnerUnavailable"
  | "captureFailed"
  | "stateTooLarge"
  | "staleOwner"
  | "storeUnavailable"
  | "aborted"
  | "joinRejected"
  | "spotMoved"
  | "relocationDisabled"
  | "ownerUndecided";

export interface MoveFailure {
  readonly code: MoveFailureCode;
  readonly message: string;
  readonly cause?: unknown;
  /** The member that it is about, where one member of a unit stood in the way. */
  readonly actorId?: string;
}
