import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Launcher } from "./runtimes.ts";
import { SAMPLE, type Assignment, type WorkerMessage } from "./worker-messages.ts";

/** Longer than any warm-up and sample lasts on a slow and busy machine. */
const SILENCE_MS = 60_000;

/** A contender could not be measured; the message says which and why. */
export class ContenderFailure extends Error {
  override readonly name = "ContenderFailure";
}

/**
 * One contender in a process of its own: what another has taught the compiler about shared functions, and what it has left
 * on the heap, is not there. It sleeps between its samples.
 */
export class ContenderProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #title: string;
  /** Resolves when the process is gone and all that it said has been read. */
  readonly #gone: Promise<void>;
  #errors = "";
  #runtime = "";
  #bytes = 0;

  /** Starts it, and resolves when it is warm. Rejects with {@link ContenderFailure}. */
  static async start(launcher: Launcher, assignment: Assignment): Promise<ContenderProcess> {
    const contender = new ContenderProcess(launcher, assignment);
    try {
      const message = await contender.#next();
      if (message.type !== "ready") throw contender.#failure("spoke before it was ready");
      contender.#runtime = message.runtime;
      contender.#bytes = message.bytes;
      return contender;
    } catch (error) {
      await contender.close();
      throw error;
    }
  }

  private constructor(launcher: Launcher, assignment: Assignment) {
    const { contender, operation, input } = assignment;
    this.#title = `${contender}, ${operation} of ${input} by ${launcher.command}`;
    const worker = fileURLToPath(new URL("worker.js", import.meta.url));
    this.#child = spawn(launcher.command, [...launcher.arguments, worker, JSON.stringify(assignment)], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    const output = createInterface({ input: this.#child.stdout! });
    this.#lines = output[Symbol.asyncIterator]();
    this.#gone = new Promise((resolve) => {
      this.#child.on("close", resolve);
      this.#child.on("error", (error) => {
        this.#errors += error.message;
        // A process that could not be started has an output that never ends.
        output.close();
        resolve();
      });
    });
    // A write to a process that has died fails; that it died shows when its answer is awaited.
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.#errors += text));
  }

  /** With its version. */
  get runtime(): string {
    return this.#runtime;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Nanoseconds per operation. Rejects with {@link ContenderFailure}. */
  async sample(): Promise<number> {
    this.#child.stdin!.write(`${SAMPLE}\n`);
    const message = await this.#next();
    if (message.type !== "sample") throw this.#failure("gave something else than a sample");
    return message.nsPerOperation;
  }

  /** Ends the process and resolves when it is gone. */
  async close(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#gone;
  }

  async #next(): Promise<WorkerMessage> {
    const silence = setTimeout(() => {
      this.#errors += `nothing heard for ${SILENCE_MS} ms`;
      this.#child.kill("SIGKILL");
    }, SILENCE_MS);
    try {
      const line = await this.#lines.next();
      if (line.done === true) {
        await this.close();
        throw this.#failure("has ended");
      }
      return JSON.parse(line.value) as WorkerMessage;
    } finally {
      clearTimeout(silence);
    }
  }

  #failure(what: string): ContenderFailure {
    return new ContenderFailure(`${this.#title}: ${what}. ${this.#errors}`.trim());
  }
}
