/** A program that speaks the line protocol, as a child process that cannot hurt: it may die, hang or talk nonsense. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { systemClock } from "@rehome/system";
import { maxLineBytes } from "../codec.ts";
import { CliError } from "../errors.ts";
import { linesOf, textOf } from "../lines.ts";
import { safeText } from "../show.ts";

/** What is kept of a program's standard error, to be shown when it fails. */
const maxComplaintCharacters = 2000;
const maxEchoCharacters = 200;
/** How long a program's output may stay open once it has ended: something that it started may hold it. */
const drainMs = 500;
/** How long a program gets at most to end once its input has ended. */
const maxEndMs = 5000;
/** What a terminal or a supervisor ends us with; the program is in a group of its own and would not hear of it. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface ProgramOptions {
  /** A command line for the system's shell. */
  readonly command: string;
  /** How long an answer may take after the answer before it, or after its question if that came later. */
  readonly deadlineMs: number;
}

interface Question {
  readonly line: string;
  readonly answered: (answer: object) => void;
  readonly failed: (error: CliError) => void;
}

/** Asks a program one line at a time or several; answers come in the order of the questions. */
export class Program {
  readonly #options: ProgramOptions;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #open: Question[] = [];
  readonly #ended: Promise<void>;
  #failure: CliError | undefined;
  #deadline: { cancel(): void } | undefined;
  #complaint = "";
  #answers = 0;
  #closing = false;

  constructor(options: ProgramOptions) {
    this.#options = options;
    const isPosix = process.platform !== "win32";
    // A group of its own, so that whatever the shell starts can be ended with it.
    this.#child = spawn(options.command, { shell: true, detached: isPosix, stdio: "pipe" });
    this.#ended = this.#watchEnd();
    this.#child.stdin.on("error", () => undefined); // Its end tells more.
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-maxComplaintCharacters);
    });
    void this.#read();
    for (const signal of endings) process.once(signal, this.#onSignal);
  }

  /** How many answers came. */
  get answers(): number {
    return this.#answers;
  }

  /** Why this program can answer nothing more. */
  get failure(): CliError | undefined {
    return this.#failure;
  }

  /** The answer to a request. Rejects with {@link CliError} `program-failed`, as does everything asked later. */
  ask(request: object): Promise<object> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((answered, failed) => {
      const line = JSON.stringify(request);
      this.#open.push({ line, answered, failed });
      if (this.#open.length === 1) this.#awaitAnswer();
      this.#child.stdin.write(`${line}\n`);
    });
  }

  /**
   * Ends the program's input and waits, not for long, until the program has ended. The result says what was wrong with its
   * end, if anything was.
   */
  async close(): Promise<string | undefined> {
    this.#closing = true;
    const endMs = Math.min(maxEndMs, this.#options.deadlineMs);
    this.#child.stdin.end();
    let remark: string | undefined;
    const timer = systemClock.after(endMs, () => {
      remark = `the program had not ended ${endMs} ms after its input had`;
      this.#kill();
    });
    await this.#ended;
    timer.cancel();
    for (const signal of endings) process.off(signal, this.#onSignal);
    return remark;
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    this.#kill();
    process.kill(process.pid, signal);
  };

  /** Settles once the process is gone, and with it its output. */
  #watchEnd(): Promise<void> {
    const child = this.#child;
    return new Promise((resolve) => {
      const end = (how: string): void => {
        if (this.#open.length > 0 || !this.#closing) this.#fail(`it ${how}`);
        resolve();
      };
      child.once("error", (error) => end(`could not be started: ${error.message}`));
      child.once("exit", (code, signal) => {
        const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
        this.#kill(); // What it left behind in its group.
        const stop = this.#afterLastAnswer(() => {
          child.stdout.destroy();
          child.stderr.destroy();
          end(how);
        });
        child.once("close", () => {
          stop();
          end(how);
        });
      });
    });
  }

  /** Runs `give` once no answer has come for a while, unless the function that it returns is called before. */
  #afterLastAnswer(give: () => void): () => void {
    let seen = this.#answers;
    const check = (): void => {
      if (this.#answers === seen) return give();
      seen = this.#answers;
      timer = systemClock.after(drainMs, check);
    };
    let timer = systemClock.after(drainMs, check);
    return () => timer.cancel();
  }

  async #read(): Promise<void> {
    try {
      for await (const line of linesOf(this.#child.stdout, maxLineBytes)) {
        if ("tooLong" in line) this.#fail(`it answered a line of more than ${maxLineBytes} bytes`);
        else this.#take(textOf(line.bytes));
        if (this.#failure !== undefined) return;
      }
      // Most often it ends right now, and its exit code tells more.
      systemClock.after(drainMs, () => {
        if (this.#open.length > 0) this.#fail("it closed its output");
      });
    } catch {
      // The output broke off: the end of the process tells more.
    }
  }

  #take(line: string | undefined): void {
    const question = this.#open[0];
    if (line === undefined) return this.#fail("it answered something that is not UTF-8");
    const shown = `"${safeText(line, maxEchoCharacters)}"`;
    if (question === undefined) return this.#fail(`it wrote a line without being asked: ${shown}`);
    const answer = objectIn(line);
    if (answer === undefined) return this.#fail(`its answer is not a JSON object: ${shown}`);
    this.#answers++;
    this.#open.shift();
    this.#deadline?.cancel();
    if (this.#open.length > 0) this.#awaitAnswer();
    question.answered(answer);
  }

  #awaitAnswer(): void {
    const { deadlineMs } = this.#options;
    this.#deadline = systemClock.after(deadlineMs, () =>
      this.#fail(`it did not answer within ${deadlineMs} ms (does it write out each line at once?)`),
    );
  }

  #fail(reason: string): void {
    if (this.#failure !== undefined) return;
    this.#deadline?.cancel();
    const next = this.#open[0];
    const asked = next === undefined ? "" : `\n  asked: ${safeText(next.line, maxEchoCharacters)}`;
    const said = this.#complaint
      .trim()
      .split("\n")
      .map((line) => (line === "" ? "" : `\n  | ${safeText(line, maxComplaintCharacters)}`))
      .join("");
    const after = `after ${this.#answers} ${this.#answers === 1 ? "answer" : "answers"}`;
    this.#failure = new CliError("program-failed", `the program failed ${after}: ${reason}${asked}${said}`);
    this.#kill();
    for (const { failed } of this.#open.splice(0)) failed(this.#failure);
  }

  #kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child.kill("SIGKILL");
      else process.kill(-pid, "SIGKILL");
    } catch {
      // Nothing of it is left.
    }
  }
}

function objectIn(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
