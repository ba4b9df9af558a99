/** What a worker process and its parent say to each other: one JSON value a line, on the worker's stdin and stdout. */
import type { Plan, TaskName } from "./task.ts";

/** The worker's only argument, as JSON. */
export interface Assignment extends TaskName, Plan {}

/** The parent asks for one sample with this line, and ends the worker by closing its stdin. */
export const SAMPLE = "sample";

export type WorkerMessage =
  | { readonly type: "ready"; readonly runtime: string; readonly bytes: number; readonly operationsPerSample: number }
  | { readonly type: "sample"; readonly nsPerOperation: number };
