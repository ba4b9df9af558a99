/** What a worker process measures: one operation of one contender, and nothing else in that process. */
export interface Task {
  /**
   * Runs the operation `count` times in a loop of its own, and keeps the results where the compiler cannot prove that
   * nobody looks at them. What it waits for, if it does, is part of the operation.
   */
  run(count: number): void | Promise<void>;
  /** Bytes that one operation makes or reads. */
  readonly bytes: number;
  /** Throws unless what the operation last gave is right. */
  check(): void;
}

/** Says which task a worker process takes. */
export interface TaskName {
  readonly bench: string;
  /** The input: which record, how many bytes. */
  readonly input: string;
  readonly operation: string;
  readonly contender: string;
}

export const timeKinds = ["wall", "cpu"] as const;
/** What is taken: the time that passes, or what the process has of its processors, all threads together. */
export type TimeKind = (typeof timeKinds)[number];

/** How often and how long a task is run. */
export interface Plan {
  readonly warmUpMs: number;
  /** How long one sample should last. */
  readonly sampleMs: number;
  readonly time: TimeKind;
}
