import type { Id128, SpotFence } from "@rehome/wire";
import type { WriteOutcome } from "../owner-writes/state.ts";
import type { SpotPlace } from "../ports/authority-store.ts";

/** What the spot said. `reply` is whatever the host carries an answer in; the machine hands it on. */
export type SpotAnswer<Reply> =
  | { readonly type: "accepted"; readonly reply: Reply }
  | { readonly type: "rejected"; readonly reason: string; readonly reply: Reply | undefined }
  /** The spot moves, or has moved since the store was asked (H7). */
  | { readonly type: "moved"; readonly reason: string };

/** What the actor is told when it did not come into the spot. */
export interface JoinRefusal<Reply> {
  readonly reason: string;
  readonly reply: Reply | undefined;
}

/** Where the spot is. */
export type SpotFound =
  | { readonly type: "here"; readonly place: SpotPlace }
  | { readonly type: "elsewhere"; readonly spot: SpotFence }
  /** There is none, or its node cannot take the actor. */
  | { readonly type: "unavailable"; readonly reason: string }
  /** It is on its way to another node, or to this one (H7). */
  | { readonly type: "moving"; readonly reason: string };

/** What stands in the journal's way (J5). `told`: this node knows that the actor has had that answer. */
export type JournalOccupant =
  | { readonly type: "none" }
  | { readonly type: "prepared"; readonly operation: Id128 }
  | { readonly type: "committed"; readonly operation: Id128; readonly told: "told" | "untold" };

export type JoinState<Reply> =
  | { readonly type: "finding" }
  /** In a spot of this node: the hold is provisional until the spot's word and the store's (H2). */
  | { readonly type: "admitting"; readonly place: SpotPlace }
  | { readonly type: "clearingHere"; readonly place: SpotPlace; readonly reply: Reply }
  | { readonly type: "placing"; readonly place: SpotPlace; readonly reply: Reply }
  /** By a move: the source's machine holds provisionally and will ask for its check. */
  | { readonly type: "starting"; readonly spot: SpotFence }
  | { readonly type: "asking"; readonly spot: SpotFence }
  | { readonly type: "clearing"; readonly spot: SpotFence; readonly reply: Reply }
  | { readonly type: "preparing"; readonly spot: SpotFence; readonly reply: Reply }
  /** The answer is written, or may be (J2); the move goes its way. */
  | { readonly type: "moving" }
  /** The check has failed; the source gives back what it held. */
  | { readonly type: "refused"; readonly refusal: JoinRefusal<Reply> }
  /** The same, but the spot is only on its way: it is looked up again. */
  | { readonly type: "missed"; readonly reason: string }
  /** Until the spot has arrived somewhere. */
  | { readonly type: "pausing"; readonly reason: string }
  | { readonly type: "ended" };

export type JoinInput<Reply> =
  | { readonly type: "SpotLooked"; readonly found: SpotFound }
  | { readonly type: "SpotAnswered"; readonly answer: SpotAnswer<Reply> }
  /** Whatever stood in the journal's way has been dealt with, as far as it went. */
  | { readonly type: "JournalCleared"; readonly outcome: WriteOutcome }
  | { readonly type: "JournalWritten"; readonly outcome: WriteOutcome }
  /** The source's machine wants its check. */
  | { readonly type: "CheckAsked" }
  /** The move has ended. `gone`: the actor is not here any more, and whoever has it tells it. */
  | { readonly type: "MoveEnded"; readonly outcome: "gone" }
  | { readonly type: "MoveEnded"; readonly outcome: "undone"; readonly reason: string }
  /** Undone because the spot was leaving the target at that moment. */
  | { readonly type: "MoveEnded"; readonly outcome: "spotMoved"; readonly reason: string }
  /** The timer has fired. */
  | { readonly type: "RetryDue" };

export type JoinEffect<Reply> =
  /** Answer with `SpotLooked`. */
  | { readonly type: "FindSpot" }
  /** Provisionally (H2). */
  | { readonly type: "HoldIngress" }
  /** Answer with `SpotAnswered`. */
  | { readonly type: "AskSpotHere" }
  | { readonly type: "AskSpotThere"; readonly spot: SpotFence }
  /** Answer with `JournalCleared`. */
  | { readonly type: "DiscardRecord"; readonly operation: Id128 }
  | { readonly type: "MarkDelivered"; readonly operation: Id128 }
  /** Place and answer in one write (J6). Answer with `JournalWritten`. */
  | { readonly type: "WritePlace"; readonly place: SpotPlace; readonly reply: Reply }
  /** J2. Answer with `JournalWritten`. */
  | { readonly type: "WritePrepared"; readonly spot: SpotFence; readonly reply: Reply }
  /** J5: what this join has prepared; it waits while a move stands on the version (O6). */
  | { readonly type: "DiscardPrepared" }
  /** Answer with `CheckAsked` when the source's machine asks, and with `MoveEnded`. */
  | { readonly type: "StartMove"; readonly spot: SpotFence }
  /** The source's check: `grant` travels in the payload. */
  | { readonly type: "PassCheck"; readonly place: SpotPlace; readonly reply: Reply }
  | { readonly type: "FailCheck"; readonly reason: string }
  | { readonly type: "LeaveSpot" }
  | { readonly type: "ArriveInSpot"; readonly place: SpotPlace }
  /** The answer is in the journal: deliver it from there (J3). */
  | { readonly type: "Deliver" }
  /** As a message of its own (J1). */
  | { readonly type: "Refuse"; readonly refusal: JoinRefusal<Reply> }
  | { readonly type: "GiveBackHold" }
  /** Answer with `RetryDue`. */
  | { readonly type: "StartTimer"; readonly delayMs: number }
  | { readonly type: "Settle" };

export interface JoinStep<Reply> {
  readonly state: JoinState<Reply>;
  readonly effects: readonly JoinEffect<Reply>[];
}

/** What a join is told from the start. */
export interface JoinConfig {
  /** Until when a spot that moves is looked up again. */
  readonly deadlineAtMs: number;
  /** What the journal holds now. Nothing else changes it while the join is under way: the actor has one move at a time (O2). */
  occupant(): JournalOccupant;
}
