import { expandVectors } from "./expand.ts";
import type { Need, VectorFile } from "./file.ts";
import { isExpected, type VectorCheck, type VectorImplementation, type VectorRequest } from "./protocol.ts";

/** A check that did not give the expected answer. */
export interface VectorDifference extends VectorCheck {
  /** The answer; `undefined` when the implementation threw. */
  readonly actual: unknown;
  /** What the implementation threw instead of answering. */
  readonly thrown?: unknown;
}

export interface VectorReport {
  readonly passed: number;
  readonly failed: number;
  /** Checks that the implementation has no function for, or that it lacks something for. */
  readonly skipped: number;
  /** The first of the failed checks, at most `keep`. */
  readonly differences: readonly VectorDifference[];
}

export interface RunOptions {
  /** How many requests may be open at once; answers are awaited in order. 1 if left out. */
  readonly inFlight?: number;
  /** How many differences the report keeps. 100 if left out. */
  readonly keep?: number;
  /** What the implementation's language cannot say: cases that need it are skipped. */
  readonly lacks?: readonly Need[];
}

/** Asks an implementation everything that a file asks, and compares. Never throws because of an answer. */
export async function runVectors(
  file: VectorFile,
  implementation: VectorImplementation,
  { inFlight = 1, keep = 100, lacks = [] }: RunOptions = {},
): Promise<VectorReport> {
  const lacking: ReadonlySet<string> = new Set(lacks);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const differences: VectorDifference[] = [];
  const open: { readonly check: VectorCheck; readonly answer: Promise<Outcome> }[] = [];

  const settle = async (): Promise<void> => {
    const { check, answer } = open.shift()!;
    const outcome = await answer;
    if (!("thrown" in outcome) && isExpected(check.expected, outcome.actual)) {
      counts.passed++;
      return;
    }
    counts.failed++;
    if (differences.length < keep) differences.push({ ...check, ...outcome });
  };

  for (const check of expandVectors(file)) {
    const answer = (check.needs !== undefined && lacking.has(check.needs)) || ask(implementation, check.request);
    if (typeof answer === "boolean") {
      counts.skipped++;
      continue;
    }
    open.push({ check, answer });
    if (open.length >= inFlight) await settle();
  }
  while (open.length > 0) await settle();
  return { ...counts, differences };
}

interface Outcome {
  readonly actual: unknown;
  readonly thrown?: unknown;
}

/** The answer to come, or `false` if the implementation has no such function. */
function ask(implementation: VectorImplementation, request: VectorRequest): Promise<Outcome> | false {
  if (implementation[request.op] === undefined) return false;
  const asked = implementation as unknown as Record<string, (request: VectorRequest) => Promise<unknown>>;
  return (async (): Promise<Outcome> => {
    try {
      return { actual: await asked[request.op]!(request) };
    } catch (thrown) {
      return { actual: undefined, thrown };
    }
  })();
}
