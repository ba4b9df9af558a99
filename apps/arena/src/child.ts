import { rmSync } from "node:fs";
import type { FromChild, ToChild } from "./ipc.ts";

/** After this a process that is told to stop goes without having closed everything. */
const CLOSE_MS = 4_000;

/** What a process of the arena is started with: `node FILE NAME [DIRECTORY]`. */
export interface ChildArguments {
  readonly name: string;
  /** The private directory of the run, if there is one. */
  readonly directory: string | undefined;
}

/** One process of the arena, as the code that runs in it sees it. */
export interface ChildProcess {
  readonly name: string;
  /** To the main process. */
  tell(message: FromChild): void;
  /** Says why this process cannot go on, and ends it. */
  fail(message: string): void;
  /** Called when this process shall end, the latest first. */
  onClose(close: () => Promise<void>): void;
}

/**
 * Runs a process of the arena: hands the main process's messages to `handle`, ends when told to, and ends by itself when
 * the main process is gone. The signals that a terminal sends to all processes at once are left to the main process.
 */
export function runChild(handle: (child: ChildProcess, message: ToChild) => Promise<void> | void): void {
  const [name = "?", directory] = process.argv.slice(2);
  const closers: (() => Promise<void>)[] = [];
  let ending = false;

  const child: ChildProcess = {
    name,
    tell(message) {
      // A main process that is gone cannot be told anything; "disconnect" ends this one.
      if (process.connected) process.send!(message, undefined, undefined, () => undefined);
    },
    fail(message) {
      child.tell({ type: "failed", message });
      void end(1);
    },
    onClose: (close) => void closers.unshift(close),
  };

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.on("uncaughtException", (error) => child.fail(textOf(error)));
  process.on("unhandledRejection", (error) => child.fail(textOf(error)));
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  process.on("disconnect", () => void end(1));
  // The main process may have gone before this line was reached: then there is no event any more.
  if (!process.connected) void end(1);
  process.on("message", (message: ToChild) => {
    if (message.type === "stop") void end(0);
    else Promise.resolve(handle(child, message)).catch((error: unknown) => child.fail(textOf(error)));
  });

  async function end(exitCode: number): Promise<void> {
    if (ending) return;
    ending = true;
    const timer = setTimeout(() => leave(exitCode), CLOSE_MS);
    for (const close of closers) await close().catch(() => undefined);
    clearTimeout(timer);
    leave(exitCode);
  }

  function leave(exitCode: number): void {
    if (!process.connected) removeOrphaned(directory);
    process.exit(exitCode);
  }
}

/** Without a main process there is nobody else to remove the directory; whoever ends last leaves nothing. */
function removeOrphaned(directory: string | undefined): void {
  if (directory === undefined) return;
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // Another process may be removing it at the same moment, and does the rest.
  }
}

/** Ends a process with a line that says what to do, and needs no more. */
export class Refusal extends Error {}

/** What was thrown, for the one line that a process leaves behind. */
export function textOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : ` (${textOf(error.cause)})`;
  return `${error.message}${cause}`;
}
