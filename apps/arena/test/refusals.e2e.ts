import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { RunningArena, type ArenaResult } from "./run-arena.ts";

let arena: RunningArena;
afterEach(() => arena.clean());

function expectOneLine(result: ArenaResult, pattern: RegExp): void {
  expect(result.stderr).toMatch(pattern);
  expect(result.stderr.trimEnd().split("\n").length).toBe(1);
  expect(result.stdout).not.toMatch(/PASSED|FAILED/);
}

describe("what cannot work ends with one line that says what to do", () => {
  test("an option that does not exist", async () => {
    arena = new RunningArena(["--frobnicate"]);
    const result = await arena.done;
    expectOneLine(result, /--frobnicate.*--help/);
    expect(result.exitCode).toBe(2);
    expect(result.stdout).toBe("");
  });

  test("a port that somebody else uses", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    arena = new RunningArena(["--port", String(port)]);
    const result = await arena.done;
    server.close();
    expectOneLine(result, new RegExp(`port ${port} .*--port`, "i"));
    expect(result.exitCode).toBe(1);
    expect(await arena.leftovers()).toEqual([]);
  });

  test("a store file that is no database", async () => {
    arena = new RunningArena(["--help"]);
    await arena.done;
    const path = join(arena.temporary, "corrupt.db");
    writeFileSync(path, "this is no database, and it is long enough to have had a header ".repeat(40));
    const before = readFileSync(path);
    const other = new RunningArena(["--store", `sqlite:${path}`]);
    const result = await other.done;
    await other.clean();
    expectOneLine(result, /corrupt\.db.*--store/);
    expect(result.exitCode).toBe(1);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test.each(["nowhere/store.db", "directory"])("a store that cannot be written: %s", async (name) => {
    arena = new RunningArena(["--help"]);
    await arena.done;
    mkdirSync(join(arena.temporary, "directory"));
    const path = join(arena.temporary, name);
    const other = new RunningArena(["--store", `sqlite:${path}`]);
    const result = await other.done;
    await other.clean();
    expectOneLine(result, /--store/);
    expect(result.stderr).toContain(arena.temporary);
    expect(result.exitCode).toBe(1);
  });
});

test("--help explains itself and exits 0", async () => {
  arena = new RunningArena(["--help"]);
  const result = await arena.done;
  expect(result.stdout).toContain("--state-bytes");
  expect(result.exitCode).toBe(0);
});

test("--store keeps its file, and a second run can use it again", async () => {
  arena = new RunningArena(["--help"]);
  await arena.done;
  const path = join(arena.temporary, "kept.db");
  for (let run = 0; run < 2; run++) {
    const each = new RunningArena(["--seconds", "1", "--clients", "3", "--store", `sqlite:${path}`]);
    const result = await each.done;
    expect(result.exitCode, result.stdout + result.stderr).toBe(0);
    expect(await each.leftovers()).toEqual([]);
    await each.clean();
  }
  expect(existsSync(path)).toBe(true);
});
