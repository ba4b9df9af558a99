import { describe, expect, it } from "vitest";
import { parseOptions, usage } from "../src/options.ts";

const parse = (...args: string[]) => parseOptions(args, ["codec"]);

describe("parseOptions", () => {
  it("measures on both runtimes by default", () => {
    expect(parse("codec")).toEqual({
      kind: "run",
      bench: "codec",
      options: { json: false, runtimes: ["node", "bun"], seconds: 60, time: "wall", only: "" },
    });
  });

  it("takes what it is told", () => {
    expect(
      parse("codec", "--json", "--runtime", "bun", "--seconds", "2.5", "--only", "42", "--time", "cpu"),
    ).toMatchObject({
      kind: "run",
      options: { json: true, runtimes: ["bun"], seconds: 2.5, only: "42", time: "cpu" },
    });
  });

  it("shows its help", () => {
    expect(parse("--help")).toEqual({ kind: "help" });
    expect(usage({ codec: "about the codec" })).toContain("about the codec");
  });

  it.each([
    [[], "which bench"],
    [["spots"], '"spots"'],
    [["codec", "codec"], "too many"],
    [["codec", "--runtime", "deno"], '"deno"'],
    [["codec", "--seconds", "0"], '"0"'],
    [["codec", "--seconds", "1e3"], '"1e3"'],
    [["codec", "--seconds", "."], '"."'],
    [["codec", "--seconds", ""], "--seconds"],
    [["codec", "--seconds"], "--seconds"],
    [["codec", "--time", "user"], '"user"'],
    [["codec", "--fast"], "--fast"],
    [["codec", "--json=1"], "--json"],
  ])("refuses %j and says what is wrong", (args, about) => {
    const parsed = parse(...args);
    expect(parsed.kind).toBe("wrong");
    expect((parsed as { message: string }).message).toContain(about);
  });
});
