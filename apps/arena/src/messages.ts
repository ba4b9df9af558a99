/** What travels between the arena's clients and actors. Numbers run from 1; a mark is 32 random bits that go with them. */

export const ACTOR_TYPE = "arena-actor";
export const SPOT_TYPE = "arena-hall";

/** What an actor is made from. */
export interface ActorSeed {
  readonly stateBytes: number;
  readonly padSeed: number;
}

/** `say` (one-way) and `ask` (request) share one line of numbers. */
export interface NumberedMessage {
  readonly client: string;
  readonly n: number;
  readonly mark: number;
}

/** The last message of a client: the actor makes no more pushes after it. */
export interface AskMessage extends NumberedMessage {
  readonly rest?: true;
}

export interface Answer {
  /** The question's number. */
  readonly n: number;
  /** The answer's own number. */
  readonly answer: number;
  /** Pushes made so far. */
  readonly pushes: number;
}

export interface Push {
  readonly n: number;
  readonly mark: number;
}

/** The order to join a spot. */
export interface GoMessage {
  readonly spotId: string;
}

/** What the judge's question is answered with is an ActorAccount. */
export const messageNames = { say: "say", ask: "ask", go: "go", account: "account", push: "push" } as const;
