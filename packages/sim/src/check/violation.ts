/** The rules that a run is held against: those of `docs/protocol.md` section 2, and what must be true of any run. */
export type Rule =
  | "I1"
  | "I2"
  | "I3"
  | "I4"
  | "I5"
  | "I6"
  | "I7"
  | "I8"
  | "I9"
  /** An actor is in a spot that lives elsewhere, or in none that knows of it. */
  | "H7"
  /** What an actor begins with after its node was lost. */
  | "L3"
  /** A machine's own invariants. */
  | "core"
  /** An error that no code expected. */
  | "internal"
  /** Something is left over, stuck or unanswered once all faults have ended. */
  | "settled";

/** A rule that did not hold in a run. */
export interface Violation {
  readonly rule: Rule;
  readonly atMs: number;
  readonly text: string;
  /** Words that the lines of the trace have in common that tell how it came about. */
  readonly about: readonly string[];
}

export type Report = (rule: Rule, text: string, about?: readonly string[]) => void;
