import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { FromChild, FromChildOf, ToChild } from "./ipc.ts";
import type { Launch } from "./runtimes.ts";

export type Role = "node" | "gateway" | "clients";

/** A process that ended, or cannot go on, while it was needed. */
export interface Casualty {
  readonly child: Child;
  /** For example `died (SIGKILL)`. */
  readonly what: string;
  /** The process said so itself, in a line that says what to do. */
  readonly message: string | undefined;
  /** The signal that ended it. */
  readonly signal: NodeJS.Signals | undefined;
}

/** A wait for a process that did not answer in time. */
export class NoAnswer extends Error {}

/** One process that the arena has started. */
export class Child {
  readonly name: string;
  readonly role: Role;
  readonly exited: Promise<void>;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<string, (message: FromChild) => void>();

  constructor(name: string, role: Role, process: ChildProcess) {
    this.name = name;
    this.role = role;
    this.#process = process;
    this.exited = new Promise((resolve) => {
      process.once("exit", () => resolve());
      process.once("error", () => resolve());
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Does nothing if the process is gone: its end is reported elsewhere. */
  tell(message: ToChild): void {
    if (this.#process.connected) this.#process.send(message, () => undefined);
  }

  /** Tells it something and waits for one message of that type. Rejects with NoAnswer. */
  ask<T extends FromChild["type"]>(message: ToChild, answer: T, withinMs: number): Promise<FromChildOf<T>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(answer);
        reject(new NoAnswer(`${this.name} (pid ${this.pid}) did not answer "${message.type}" within ${withinMs} ms`));
      }, withinMs);
      this.#waiting.set(answer, (found) => {
        clearTimeout(timer);
        resolve(found as FromChildOf<T>);
      });
      void this.exited.then(() => {
        clearTimeout(timer);
        reject(new NoAnswer(`${this.name} (pid ${this.pid}) is gone`));
      });
      this.tell(message);
    });
  }

  /** Gives a message to whoever waits for it; says whether anybody did. */
  deliver(message: FromChild): boolean {
    const waiting = this.#waiting.get(message.type);
    this.#waiting.delete(message.type);
    waiting?.(message);
    return waiting !== undefined;
  }

  kill(): void {
    this.#process.kill("SIGKILL");
  }
}

export interface SupervisorEvents {
  /** Anything that nobody waits for. */
  onMessage(child: Child, message: FromChild): void;
  /** At most once per process, and not for one that was told to stop. */
  onCasualty(casualty: Casualty): void;
}

/** Starts the processes, notices when one ends, and makes sure in the end that all have. */
export class Supervisor {
  readonly #directory: string | undefined;
  readonly #events: SupervisorEvents;
  readonly #children: Child[] = [];
  readonly #casualties = new Set<Child>();
  #stopping = false;

  /** @param directory the private directory of the run, which orphaned processes remove */
  constructor(directory: string | undefined, events: SupervisorEvents) {
    this.#directory = directory;
    this.#events = events;
  }

  get children(): readonly Child[] {
    return this.#children;
  }

  start(name: string, role: Role, launch: Launch): Child {
    const file = fileURLToPath(new URL(`./${role}-process.js`, import.meta.url));
    const process = fork(file, this.#directory === undefined ? [name] : [name, this.#directory], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      ...launch,
    });
    const child = new Child(name, role, process);
    this.#children.push(child);
    process.on("message", (message: FromChild) => {
      if (message.type === "failed") this.#casualty(child, "failed", { message: message.message });
      else if (!child.deliver(message)) this.#events.onMessage(child, message);
    });
    process.on("error", (error) => this.#casualty(child, `failed (${error.message})`));
    process.on("exit", (code, signal) => {
      this.#casualty(child, `died (${signal ?? `exit code ${code}`})`, { signal: signal ?? undefined });
    });
    return child;
  }

  /** Tells all to stop, waits until they have, and kills those that have not in time. */
  async stop(withinMs: number, now: Promise<void>): Promise<void> {
    this.#stopping = true;
    for (const child of this.#children) child.tell({ type: "stop" });
    const all = Promise.all(this.#children.map((child) => child.exited));
    await within(Promise.race([all, now]), withinMs);
    for (const child of this.#children) child.kill();
    await all;
  }

  #casualty(child: Child, what: string, more: { message?: string; signal?: NodeJS.Signals | undefined } = {}): void {
    if (this.#stopping || this.#casualties.has(child)) return;
    this.#casualties.add(child);
    this.#events.onCasualty({ child, what, message: more.message, signal: more.signal });
  }
}

/** Waits for a promise, but no longer than that. */
export async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([promise, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
