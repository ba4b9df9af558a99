import type { Range } from "./ranges.ts";
import type { TrackRecord } from "./track.ts";

/** What an actor saw and did, by its own books. It lives in the actor's state and moves with it. */
export interface ActorAccount {
  readonly actorId: string;
  /** Messages run, per client. Only the actor's own client should be there. */
  readonly clients: readonly ActorClientAccount[];
  /** Messages of clients beyond those the account has room for. */
  readonly strangers: number;
  /** Answers given; the number of the last one. */
  readonly answers: number;
  /** Pushes made; the number of the last one. */
  readonly pushes: number;
  readonly pushHash: number;
  /** The padding of the state is not what it was when the actor was made. */
  readonly damaged: boolean;
}

export interface ActorClientAccount {
  readonly client: string;
  /** One line of numbers over one-way messages and requests together. */
  readonly messages: TrackRecord;
  /** How many of them were requests. */
  readonly requests: number;
}

/** What a client sent and saw, by its own books. */
export interface ClientAccount {
  readonly client: string;
  readonly actorId: string;
  /** Messages sent, one-way and requests together; the number of the last one. */
  readonly sent: number;
  readonly sentHash: number;
  /** How many of them were requests. */
  readonly requests: number;
  /** The answers' own numbers, noted in the order of the questions: they must be 1, 2, 3, … */
  readonly answers: TrackRecord;
  /** Requests that ended without an answer, or have none yet, except the refused. */
  readonly unanswered: number;
  /** Answers to another question than the one asked. */
  readonly wrongAnswers: number;
  /** Messages whose sender was told that they were not run and will not be (`protocol.md` I2). */
  readonly refused: readonly Range[];
  /** Messages of which the client was told that nobody knows. */
  readonly outcomeUnknown: number;
  /** Refused messages whose numbers are not in `refused`, for want of room. */
  readonly forgotten: number;
  readonly pushes: TrackRecord;
  /** Connections and bindings that ended while they should not. */
  readonly disconnects: number;
  /** Error codes of refusals and failures, with how often each came. */
  readonly errors: Readonly<Record<string, number>>;
}
