import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { build } from "vite";

/** Where the workspace's packages are found by their TypeScript sources. */
const CONDITION = "rehome-source";

const HERE = dirname(fileURLToPath(import.meta.url));

export interface Program {
  readonly command: string;
  readonly arguments: readonly string[];
  /** Removes what was made for it. */
  remove(): void;
}

/** The Bun of this workspace, whether or not this process runs on it. */
const BUN = join(HERE, "..", "..", "..", "..", "node_modules", ".bin", "bun");

/** The same as a process on Bun, if there is one here. */
export function bunProgramOf(file: string): Program | undefined {
  return existsSync(BUN) ? programOnBun(BUN, file) : undefined;
}

function programOnBun(command: string, file: string): Program {
  return { command, arguments: [`--conditions=${CONDITION}`, join(HERE, file)], remove: () => undefined };
}

/**
 * How to run a TypeScript file of this directory as a process of its own. Bun runs it as it is; for Node, whatever its
 * version, it is bundled first, to a place from where it finds the packages that stay outside.
 */
export async function programOf(file: string): Promise<Program> {
  if (process.versions["bun"] !== undefined) return programOnBun(process.execPath, file);
  const packages = join(HERE, "..", "..", "node_modules");
  mkdirSync(packages, { recursive: true });
  const directory = mkdtempSync(join(packages, ".test-program-"));
  await build({
    configFile: false,
    logLevel: "error",
    ssr: {
      noExternal: [/^@rehome\//],
      resolve: { conditions: [CONDITION, "node", "import", "module", "default"] },
    },
    build: {
      ssr: join(HERE, file),
      outDir: directory,
      minify: false,
      rolldownOptions: { output: { entryFileNames: "program.mjs" }, external: ["@photostructure/sqlite"] },
    },
  });
  const remove = () => rmSync(directory, { recursive: true, force: true });
  return { command: process.execPath, arguments: [join(directory, "program.mjs")], remove };
}

/** A running program that says one JSON value per line. */
export class Child {
  readonly #process: ChildProcess;
  readonly #lines: unknown[] = [];
  readonly #exited: Promise<string>;
  #wake: () => void = () => undefined;

  constructor(program: Program, ...programArguments: string[]) {
    const started = spawn(program.command, [...program.arguments, ...programArguments], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#process = started;
    createInterface({ input: started.stdout }).on("line", (line) => {
      // A process that is killed may leave half a line behind.
      if (line.endsWith("}")) this.#lines.push(JSON.parse(line));
      this.#wake();
    });
    this.#exited = new Promise((resolve) => {
      started.on("close", (code, signal) => {
        resolve(signal ?? String(code));
        this.#wake();
      });
    });
  }

  /** What it has said so far. */
  get lines(): readonly unknown[] {
    return this.#lines;
  }

  say(line: string): void {
    this.#process.stdin!.write(`${line}\n`);
  }

  /** Ends its input. */
  end(): void {
    this.#process.stdin!.end();
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  /** The signal that ended it, or its exit code. */
  exited(): Promise<string> {
    return this.#exited;
  }

  async firstLine(): Promise<unknown> {
    while (this.#lines.length === 0 && this.#process.exitCode === null && this.#process.signalCode === null) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#lines[0];
  }
}
