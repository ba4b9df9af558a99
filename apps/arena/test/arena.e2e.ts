import { readdirSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { jsonOf, RunningArena, sleep } from "./run-arena.ts";

let arena: RunningArena;
afterEach(() => arena.clean());

/** A Ctrl-C, a casualty or the end of the time is over and done with after this, on a busy machine too. */
const BOUND_MS = 20_000;

describe("a run", () => {
  test("moves actors without a fault, says so as JSON, and leaves nothing behind", async () => {
    arena = new RunningArena(["--seconds", "4", "--clients", "24", "--seed", "7", "--json"]);
    const result = await arena.done;
    const verdict = jsonOf(result);
    expect(Object.keys(verdict)).toEqual(
      "moves sent received lost duplicated reordered disconnects pauseMs seconds".split(" "),
    );
    expect(verdict, result.stderr).toMatchObject({ lost: 0, duplicated: 0, reordered: 0, disconnects: 0 });
    expect(verdict["moves"]).toBeGreaterThan(10);
    expect(verdict["received"]).toBe(verdict["sent"]);
    expect(verdict["sent"]).toBeGreaterThan(24 * 20 * 2);
    expect(Object.keys(verdict["pauseMs"] as object)).toEqual(["p50", "p99", "max"]);
    expect(result.stdout.trim().split("\n").length).toBe(1);
    expect(result.stderr).toMatch(/s left .*moves \d+/);
    expect(result.exitCode).toBe(0);
    expect(await arena.leftovers()).toEqual([]);
  });

  test("tells people on stdout, and nothing on stderr", async () => {
    arena = new RunningArena(["--seconds", "2", "--clients", "6", "--nodes", "2", "--state-bytes", "300000"]);
    const result = await arena.done;
    expect(result.stderr).toBe("");
    expect(result.stdout).toMatch(/PASSED\n {2}moves +\d+/);
    expect(result.exitCode).toBe(0);
  });

  test.each(["bun", "mixed"])("on %s is no different", async (runtime) => {
    arena = new RunningArena(["--seconds", "4", "--clients", "12", "--nodes", "2", "--runtime", runtime, "--json"]);
    await arena.sees(/s left .*moves [1-9]/);
    const executables = await Promise.all(
      ["node-a", "node-b", "gateway", "clients"].map((name) => arena.programOf(name)),
    );
    expect(executables.map((path) => /bun/.test(path))).toEqual(
      runtime === "bun" ? [true, true, true, false] : [false, true, false, false],
    );
    const result = await arena.done;
    const verdict = jsonOf(result);
    expect(verdict, result.stderr).toMatchObject({ lost: 0, duplicated: 0, reordered: 0, disconnects: 0 });
    expect(verdict["received"]).toBe(verdict["sent"]);
    const { p50, max } = verdict["pauseMs"] as { p50: number; max: number };
    expect(p50).toBeGreaterThan(0);
    expect(max).toBeLessThan(BOUND_MS);
    expect(result.exitCode).toBe(0);
    expect(await arena.leftovers()).toEqual([]);
  });

  test.each([
    ["drop", "lost"],
    ["double", "duplicated"],
    ["reorder", "reordered"],
  ])("is red when the arena itself is sabotaged: %s", async (sabotage, fault) => {
    arena = new RunningArena(["--seconds", "2", "--clients", "6", "--sabotage", sabotage, "--json"]);
    const result = await arena.done;
    const verdict = jsonOf(result);
    for (const each of ["lost", "duplicated", "reordered", "disconnects"]) {
      if (each === fault) expect(verdict[each]).toBeGreaterThan(0);
      else expect(verdict[each]).toBe(0);
    }
    expect(result.exitCode).toBe(1);
    expect(await arena.leftovers()).toEqual([]);
  });
});

describe("kill -9", () => {
  test.each(["node-b", "gateway", "clients"])(
    "of %s is named, ends the run as failed, and leaves nothing",
    async (name) => {
      arena = new RunningArena(["--seconds", "60", "--clients", "12", "--json"]);
      await arena.sees(/s left .*moves [1-9]/);
      const pid = await arena.pidOf(name);
      arena.mark();
      process.kill(pid, "SIGKILL");
      const result = await arena.done;
      expect(result.stderr).toMatch(new RegExp(`${name} \\(\\w+ process, pid ${pid}\\) died \\(SIGKILL\\)`));
      expect(result.stderr).toMatch(/FAILED/);
      expect(jsonOf(result)["moves"]).toBeGreaterThan(0);
      // Each client has one connection, which both other deaths end.
      expect(jsonOf(result)["disconnects"]).toBe(name === "node-b" ? 0 : 12);
      expect(result.exitCode).toBe(1);
      expect(result.tookMs).toBeLessThan(BOUND_MS);
      expect(await arena.leftovers()).toEqual([]);
    },
  );

  test("of a node before anything runs is named too", async () => {
    arena = new RunningArena(["--seconds", "60"]);
    const pid = await arena.pidOf("node-a");
    arena.mark();
    process.kill(pid, "SIGKILL");
    const result = await arena.done;
    expect(result.stderr).toContain(`pid ${pid}) died (SIGKILL)`);
    expect(result.exitCode).toBe(1);
    expect(result.tookMs).toBeLessThan(BOUND_MS);
    expect(await arena.leftovers()).toEqual([]);
  });

  test.each([/processes: /, /s left .*moves [1-9]/])(
    "of the main process at %s leaves no process and no file",
    async (when) => {
      arena = new RunningArena(["--seconds", "60", "--clients", "12"]);
      await arena.sees(when);
      await arena.pidOf("clients");
      arena.signal("SIGKILL");
      await arena.leavesNothing();
    },
  );
});

describe("Ctrl-C", () => {
  test.each([0, 30, 60, 100, 150, 200, 300, 500, 800])("%d ms after the start stops cleanly", async (afterMs) => {
    arena = new RunningArena(["--seconds", "60", "--clients", "12"]);
    await sleep(afterMs);
    arena.mark();
    arena.signal("SIGINT");
    const result = await arena.done;
    // Before Node has read the first line of it, the arena cannot know better.
    if (result.signal !== "SIGINT") {
      expect(result.stdout).toMatch(/PASSED|FAILED|stopped before anything ran/);
      expect([0, 1]).toContain(result.exitCode);
    }
    expect(result.stderr).toBe("");
    expect(result.tookMs).toBeLessThan(BOUND_MS);
    expect(await arena.leftovers()).toEqual([]);
  });

  test("ends --keep with a verdict that can be green", async () => {
    arena = new RunningArena(["--keep", "--seconds", "1", "--clients", "12", "--json"]);
    await arena.sees(/3 s {2}moves [1-9]/);
    arena.mark();
    arena.signal("SIGINT");
    const result = await arena.done;
    expect(jsonOf(result)).toMatchObject({ lost: 0, duplicated: 0, reordered: 0, disconnects: 0 });
    expect(result.exitCode).toBe(0);
    expect(result.tookMs).toBeLessThan(BOUND_MS);
    expect(await arena.leftovers()).toEqual([]);
  });

  test("that reaches all processes at once, and comes twice, is one", async () => {
    arena = new RunningArena(["--seconds", "60", "--clients", "12", "--json"]);
    await arena.sees(/s left .*moves [1-9]/);
    for (const name of ["node-a", "node-b", "node-c", "gateway", "clients"]) {
      process.kill(await arena.pidOf(name), "SIGINT");
    }
    arena.signal("SIGINT");
    arena.signal("SIGINT");
    const result = await arena.done;
    expect(jsonOf(result)).toMatchObject({ lost: 0, duplicated: 0, reordered: 0, disconnects: 0 });
    expect(result.exitCode).toBe(0);
    expect(await arena.leftovers()).toEqual([]);
  });

  test.each([0, 20, 60, 120])("%d ms after the time is over changes nothing", async (afterMs) => {
    arena = new RunningArena(["--seconds", "1", "--clients", "12"]);
    await arena.sees(/gateway: /);
    await sleep(1_000 + afterMs);
    arena.mark();
    arena.signal("SIGTERM");
    const result = await arena.done;
    // A machine that is busy may not have begun by then.
    expect(result.stdout).toMatch(/PASSED|FAILED|stopped before anything ran/);
    expect(result.tookMs).toBeLessThan(BOUND_MS);
    expect(await arena.leftovers()).toEqual([]);
  });

  test("the temporary directory holds the store while it runs", async () => {
    arena = new RunningArena(["--seconds", "60", "--clients", "6"]);
    await arena.sees(/gateway: /);
    expect(readdirSync(arena.temporary).length).toBe(1);
    arena.signal("SIGINT");
    await arena.done;
    expect(readdirSync(arena.temporary)).toEqual([]);
  });
});
