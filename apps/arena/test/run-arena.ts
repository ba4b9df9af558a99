import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const POLL_MS = 20;
/** For a busy machine; what is waited for here takes a second at most. */
const PATIENCE_MS = 60_000;

export interface ArenaResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Time from the last `mark` (or the start) to the exit. */
  readonly tookMs: number;
}

/** An arena that runs as a user would run it, with a private directory for its temporary files. */
export class RunningArena {
  readonly done: Promise<ArenaResult>;
  /** Where it puts its temporary files; must be empty afterwards. */
  readonly temporary = mkdtempSync(join(tmpdir(), "arena-e2e-"));
  readonly #process: ChildProcess;
  readonly #pids = new Map<string, number>();
  #stdout = "";
  #stderr = "";
  #markedAtMs = performance.now();

  constructor(args: readonly string[]) {
    if (!existsSync(MAIN)) throw new Error("the arena is not built: run `npm run build` first");
    this.#process = spawn(process.execPath, [MAIN, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TMPDIR: this.temporary },
    });
    this.#process.stdout!.setEncoding("utf8").on("data", (text: string) => (this.#stdout += text));
    this.#process.stderr!.setEncoding("utf8").on("data", (text: string) => (this.#stderr += text));
    this.done = new Promise((resolve) => {
      this.#process.once("close", (exitCode, signal) => {
        const tookMs = performance.now() - this.#markedAtMs;
        resolve({ exitCode, signal, stdout: this.#stdout, stderr: this.#stderr, tookMs });
      });
    });
  }

  get output(): string {
    return this.#stdout + this.#stderr;
  }

  /** The time to the exit is counted from here. */
  mark(): void {
    this.#markedAtMs = performance.now();
  }

  /** Waits until the output matches. */
  async sees(pattern: RegExp): Promise<RegExpExecArray> {
    const endsAtMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = pattern.exec(this.output);
      if (found !== null) return found;
      if (performance.now() > endsAtMs || this.#process.exitCode !== null) {
        throw new Error(`${String(pattern)} never came:\n${this.output}`);
      }
      await sleep(POLL_MS);
    }
  }

  /** Pid of one of its processes, by name. */
  async pidOf(name: string): Promise<number> {
    const [, list] = await this.sees(/processes: (.*);/);
    for (const [, each, pid] of list!.matchAll(/([\w-]+) (\d+)/g)) this.#pids.set(each!, Number(pid));
    return this.#pids.get(name)!;
  }

  /** The program that one of its processes runs, by name. */
  async programOf(name: string): Promise<string> {
    return readlinkSync(`/proc/${await this.pidOf(name)}/exe`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** What it has left behind: processes and files. */
  async leftovers(): Promise<string[]> {
    if (/processes: /.test(this.output)) await this.pidOf("clients");
    const processes = [...this.#pids].filter(([, pid]) => isAlive(pid)).map(([name, pid]) => `${name} ${pid}`);
    return [...processes, ...readdirSync(this.temporary)];
  }

  /** Waits until nothing is left behind, for the case that nobody is there to wait for. */
  async leavesNothing(): Promise<void> {
    const endsAtMs = performance.now() + PATIENCE_MS;
    for (let left = await this.leftovers(); left.length > 0; left = await this.leftovers()) {
      if (performance.now() > endsAtMs) throw new Error(`left behind: ${left.join(", ")}`);
      await sleep(POLL_MS);
    }
  }

  /** After a failed test: ends what the test has started. */
  async clean(): Promise<void> {
    this.#process.kill("SIGKILL");
    for (const pid of this.#pids.values()) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    await this.done;
    rmSync(this.temporary, { recursive: true, force: true });
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The last line of stdout. */
export function jsonOf(result: ArenaResult): Record<string, unknown> {
  return JSON.parse(result.stdout.trimEnd().split("\n").at(-1)!) as Record<string, unknown>;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
