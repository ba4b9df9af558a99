import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expandVectors, loadVectorFile } from "@rehome/conformance/vectors";
import { afterAll } from "vitest";
import { lookup } from "./frames.ts";

const value = { command: "actorLookup", correlation: "7", actorId: "actor-1" };

/** A sound file: one record, written and read, cut at every byte, and refused with something behind it. */
export const sound = {
  $schema: "schema",
  format: 1,
  family: "commands",
  about: "a lookup",
  valid: [{ id: "lookup", note: "a lookup of an actor", value, frames: [lookup] }],
  invalid: [
    { id: "lookup-zero", note: "no correlation", frames: [lookup.replace("07", "00")], code: "invalid-field" },
    { id: "lookup-extra", note: "a byte too many", frames: [`${lookup}00`], code: "trailing-byte", field: "body" },
  ],
  refused: [{ id: "lookup-nobody", note: "no id", value: { ...value, actorId: "" }, code: "invalid-field" }],
  derived: [{ id: "lookup-cut", note: "cut short", rule: "cutAtEveryByte", of: ["lookup"], code: "truncated-field" }],
} as const;

export interface Folder {
  /** Writes a file, text as it is and anything else as JSON. */
  readonly fileOf: (name: string, content: unknown) => string;
  /** The command of a program that knows the answers of {@link sound}, but for those that are changed, and misbehaves. */
  readonly programOf: (mode: string, changed?: Readonly<Record<string, unknown>>) => string;
  /**
   * Which of the programs, and of whatever else wrote its process id into a `.pids` file, are still there. A zombie counts
   * when it is ours: orphans are for the machine's first process to bury.
   */
  readonly leftOvers: () => Promise<number[]>;
}

/** A folder for the tests of one file, which goes with them. */
export function testFolder(): Folder {
  const folder = mkdtempSync(join(tmpdir(), "rehome-verify-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const fileOf = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  return {
    fileOf,
    programOf: (mode, changed = {}) => {
      const answers: Record<string, unknown> = {};
      for (const { id, request, expected } of expandVectors(loadVectorFile(JSON.stringify(sound)))) {
        answers[JSON.stringify(request)] = changed[`${id} ${request.op}`] ?? expected;
      }
      const script = fileURLToPath(new URL("program.mjs", import.meta.url));
      const words = [process.execPath, script, mode, fileOf(`answers-${mode}.json`, answers)];
      return words.map((word) => `"${word}"`).join(" ");
    },
    leftOvers: async () => {
      // A killed process takes a moment to go, and nobody has to wait for one that is not a child.
      for (let tries = 0; tries < 100 && livingIn(folder).length > 0; tries++) await setTimeout(20);
      return livingIn(folder);
    },
  };
}

function livingIn(folder: string): number[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".pids"));
  const pids = files.flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n").map(Number));
  return pids.filter((pid) => isThere(pid) && !isOrphanZombie(pid));
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function isOrphanZombie(pid: number): boolean {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return state === "Z" && Number(parent) !== process.pid;
  } catch {
    return false; // Not Linux, or it is gone after all.
  }
}
