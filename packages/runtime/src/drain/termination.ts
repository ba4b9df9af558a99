import type { Clock, DrainProgress, DrainResult } from "@rehome/core";
import { systemClock } from "@rehome/system";
import type { Node } from "../api.ts";
import { withDeadline } from "../deadline.ts";
import { checkTermination } from "./options.ts";

/** Of the process, as far as ending it goes. */
export interface ProcessLike {
  on(signal: string, listener: () => void): unknown;
  off(signal: string, listener: () => void): unknown;
  exit(code: number): void;
}

export interface TerminationOptions {
  /** Default `SIGTERM` and `SIGINT`. A second one, while the first is being obeyed, ends the process at once. */
  readonly signals?: readonly string[];
  /** Of the drain; see `Node.drain`. */
  readonly deadlineMs?: number;
  readonly applicationVersion?: bigint;
  readonly onProgress?: (progress: DrainProgress) => void;
  /**
   * What else must end between drain and shutdown, for example `() => gateway.close()`. It is waited for, in order, for at most
   * `closeMs` (default 5,000) each; what it throws is said and holds nothing up.
   */
  readonly closeFirst?: readonly (() => unknown)[];
  readonly closeMs?: number;
  /** Says what became of it, for people. Default: standard error. */
  readonly say?: (line: string) => void;
  readonly clock?: Clock;
  /** Default: this process. */
  readonly process?: ProcessLike;
}

/** Exit codes: nothing stayed; something stayed, or went wrong; a second signal came. */
const EXIT_MOVED = 0;
const EXIT_BLOCKED = 1;
const DEFAULT_CLOSE_MS = 5_000;

/**
 * On SIGTERM: drains the node, then shuts it down, then ends the process (`protocol.md` D5) with code 0 if nothing stayed, and 1
 * otherwise, naming what did. Gives back how to stop listening. Throws `invalidArgument`.
 */
export function drainOnSignal(node: Node, options: TerminationOptions = {}): () => void {
  checkTermination(options);
  const target: ProcessLike = options.process ?? process;
  const say = options.say ?? ((line: string) => void process.stderr.write(`${line}\n`));
  const signals = options.signals ?? ["SIGTERM", "SIGINT"];
  let isEnding = false;
  const listener = (): void => {
    if (isEnding) {
      say(`node "${node.name}": a second signal; ending at once`);
      target.exit(EXIT_BLOCKED);
      return;
    }
    isEnding = true;
    void end(node, options, say).then((code) => target.exit(code));
  };
  for (const signal of signals) target.on(signal, listener);
  return () => {
    for (const signal of signals) target.off(signal, listener);
  };
}

/** Never rejects: whatever goes wrong is said, and the process ends all the same. */
async function end(node: Node, options: TerminationOptions, say: (line: string) => void): Promise<number> {
  const { deadlineMs, applicationVersion, onProgress, closeFirst = [], closeMs = DEFAULT_CLOSE_MS } = options;
  const { clock = systemClock } = options;
  let code = EXIT_MOVED;
  const attempt = async (what: string, work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      code = EXIT_BLOCKED;
      say(`node "${node.name}": ${what} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await attempt("drain", async () => {
    const request = {
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(applicationVersion === undefined ? {} : { applicationVersion }),
      ...(onProgress === undefined ? {} : { onProgress }),
    };
    const result = await node.drain(request);
    if (!isNothingLeft(result)) code = EXIT_BLOCKED;
    for (const line of linesOf(result)) say(`node "${node.name}": ${line}`);
  });
  for (const close of closeFirst) await attempt("closing", () => withDeadline(clock, closeMs, "it", close));
  await attempt("shutdown", () => node.shutdown());
  return code;
}

/** Everything moved, or the node had been shut down before and had nothing any more. */
function isNothingLeft(result: DrainResult): boolean {
  return (
    result.outcome === "relocated" ||
    (result.reason === "shutdownRequested" && result.done === 0 && result.stayed.length === 0)
  );
}

/** What became of a drain, for people: a line for each unit that stayed. */
function linesOf(result: DrainResult): string[] {
  if (result.outcome === "relocated") return [`drained, ${result.done} moved`];
  if (isNothingLeft(result)) return ["already shut down, nothing to move"];
  const stayed = result.stayed.map(
    ({ kind, id, failure }) => `${kind} "${id}" stayed: ${failure.reason}: ${failure.message}`,
  );
  return [`not drained (${result.reason}): ${result.done} moved, ${result.stayed.length} stayed`, ...stayed];
}
