import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { TransportEnd } from "./end.ts";
import type { MakeEnd } from "./end.ts";
import type { PeerCommand, PeerReport } from "./protocol.ts";

/** Where the nodes of one end run. */
export interface PairEnd {
  /** For the title of the tests, for example `Bun`. */
  readonly name: string;
  /** Called once, before the first test. */
  start(onReport: (report: PeerReport) => void): Promise<RunningEnd> | RunningEnd;
}

export interface RunningEnd {
  /** Has the commands carried out in one tick. */
  run(commands: readonly PeerCommand[]): void;
  /** Rejects if the end has not lived through the tests. */
  stop(): Promise<void>;
}

/** An end in the process of the tests. */
export function localEnd(name: string, make: MakeEnd): PairEnd {
  return {
    name,
    start: (onReport) => {
      const end = new TransportEnd(make, onReport);
      const run = (commands: readonly PeerCommand[]) => {
        for (const command of commands) end.run(command);
      };
      return { run, stop: () => Promise.resolve() };
    },
  };
}

/** An end in a process of its own: a program that calls `runTransportEnd`. */
export function childEnd(name: string, command: string, args: readonly string[]): PairEnd {
  return {
    name,
    start: (onReport) => {
      const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
      return new ChildEnd(child, onReport);
    },
  };
}

class ChildEnd implements RunningEnd {
  private readonly child: ChildProcess;
  private readonly exit: Promise<string>;
  private stderr = "";

  constructor(child: ChildProcess, onReport: (report: PeerReport) => void) {
    this.child = child;
    createInterface({ input: child.stdout! }).on("line", (line) => {
      for (const report of JSON.parse(line) as PeerReport[]) onReport(report);
    });
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    // Whoever writes to a child that is gone hears of it when it is stopped.
    child.stdin!.on("error", () => undefined);
    this.exit = new Promise((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("close", (code, signal) => resolve(code === 0 ? "" : `exit code ${code}, signal ${signal}`));
    });
  }

  run(commands: readonly PeerCommand[]): void {
    this.child.stdin!.write(`${JSON.stringify(commands)}\n`);
  }

  async stop(): Promise<void> {
    this.child.stdin!.end();
    const trouble = (await this.exit) + this.stderr;
    if (trouble !== "") throw new Error(`The child process of an end did not live through the tests: ${trouble}`);
  }
}
