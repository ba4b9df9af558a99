/** Who says what became of a message: nothing yet, an answer, that it was not run, or that nobody can tell. */
export type Told = "nothing" | "answered" | "notRun" | "unknown";

/** One message as its sender accounts for it. */
export interface MessageAccount {
  readonly id: number;
  readonly kind: "send" | "request";
  /** The sender's stream: what goes from it to one actor runs in the order of the ids (I4). */
  readonly stream: string;
  readonly actorId: string;
  readonly sentAtMs: number;
  told: Told;
  toldWhat: string;
  /** Nobody waits any more to hear of it. */
  abandoned: boolean;
  /** Where it ran. */
  ranOn: string | undefined;
  ranAtMs: number;
}

/**
 * One life of an actor, as its own turns account for it: from `create` on, or from what an earlier life saved, until its
 * node is lost.
 */
export interface LifeAccount {
  readonly life: number;
  readonly actorId: string;
  /** By the store, at its first turn. */
  objectGeneration: bigint | undefined;
  readonly from: "new" | "savedState";
  turns: number;
  chain: number;
  /** Node that runs a turn of it now. */
  running: string | undefined;
  lastTurnOn: string | undefined;
  /** The last message of each stream that ran. */
  readonly lastOf: Map<string, number>;
  pushes: number;
  /** By spot. */
  readonly joins: Map<string, JoinAccount>;
  readonly timers: Map<number, TimerAccount>;
}

export interface JoinAccount {
  asked: number;
  answered: number;
  /** How many answers there were when it last asked. Two wishes for one spot at a time are one (O2). */
  answeredBefore: number;
}

export interface TimerAccount {
  readonly setAtMs: number;
  readonly delayMs: number;
  fired: boolean;
}

/** What one push says, and to whom it was sent. */
export interface PushAccount {
  readonly life: number;
  readonly number: number;
  readonly actorId: string;
  readonly atMs: number;
  readonly to: readonly string[];
  readonly receivedBy: Set<string>;
  /** Its node reported it as dropped. */
  dropped: boolean;
}

/** What an actor keeps as its state, and so what moves. */
export interface LifeState {
  life: number;
  turns: number;
  chain: number;
  pushes: number;
}
