import { spawnSync } from "node:child_process";
import { accessSync, constants, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { run } from "./support/io.ts";

describe("rehome", () => {
  it("says what it is", async () => {
    expect(await run(["--version"])).toEqual({ code: 0, out: `${manifest.version}\n`, err: "" });
    const { code, out, err } = await run(["--help"]);
    expect([code, err]).toEqual([0, ""]);
    for (const command of ["codec", "verify", "inspect"]) expect(out).toContain(`rehome ${command}`);
  });

  it.each(["codec", "verify", "inspect"])("%s --help tells how to use it", async (command) => {
    const { code, out, err } = await run([command, "--help"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(`Usage: rehome ${command}`);
  });

  it.each([
    [[]],
    [["decode"]],
    [["--nonsense"]],
    [["constructor"]],
    [["codec", "--nonsense"]],
    [["codec", "file"]],
    [["verify", "--impl"]],
    [["verify", "--impl", " "]],
    [["verify", "--deadline-ms", "0"]],
    [["verify", "--deadline-ms", "1e3"]],
    [["verify", "--deadline-ms", "9999999999999"]],
    [["verify", "--show", "-1"]],
    [["verify", "--lacks", "everything"]],
    [["inspect", "--operation"]],
    [["inspect", "--operation", "nonsense", "00"]],
    [["inspect", "--operation", "toString", "00"]],
  ])("%j: how to use it, exit code 2", async (args) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^rehome.*: .*\n\nUsage: rehome /);
  });

  it("shows nothing to a terminal that it would act on", async () => {
    const { err } = await run(["\u001b[31m\u0007\u202e"]);
    expect(err).toContain("\\u{1b}[31m\\u{7}\\u{202e}");
  });

  it("says that it has to be built first, as npm links it before anything is", () => {
    const folder = mkdtempSync(join(tmpdir(), "rehome-cli-"));
    try {
      mkdirSync(join(folder, "bin"));
      cpSync(new URL("../bin/rehome.js", import.meta.url), join(folder, "bin", "rehome.mjs"));
      const { status, stderr } = spawnSync(process.execPath, [join(folder, "bin", "rehome.mjs")], { encoding: "utf8" });
      expect([status, stderr]).toEqual([1, "rehome is not built yet: run `npm run build` first\n"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("may be executed, as the link that npm makes wants it", () => {
    accessSync(new URL("../bin/rehome.js", import.meta.url), constants.X_OK);
  });
});
