import { describe, expect, test } from "vitest";
import { helpText, parseOptions } from "../src/options.ts";

const parse = (...args: string[]) => parseOptions(args, () => 77);

function wrong(...args: string[]): string {
  const parsed = parse(...args);
  if (parsed.kind !== "wrong") throw new Error(`${args.join(" ")} was taken`);
  return parsed.message;
}

describe("options", () => {
  test("every default is filled in", () => {
    expect(parse()).toEqual({
      kind: "run",
      config: {
        seconds: 30,
        clients: 60,
        nodes: 3,
        rate: 20,
        stateBytes: 2_048,
        seed: 77,
        json: false,
        keep: false,
        sabotage: undefined,
        runtime: "node",
        store: undefined,
        port: 0,
      },
    });
  });

  test("every option is read", () => {
    const args = "--seconds 2.5 --clients=7 --nodes 2 --rate 0.5 --state-bytes 100 --seed 9 --json --keep";
    const parsed = parse(
      ...args.split(" "),
      "--sabotage",
      "double",
      "--runtime",
      "mixed",
      "--store",
      "sqlite:x.db",
      "--port",
      "8080",
    );
    expect(parsed).toEqual({
      kind: "run",
      config: {
        seconds: 2.5,
        clients: 7,
        nodes: 2,
        rate: 0.5,
        stateBytes: 100,
        seed: 9,
        json: true,
        keep: true,
        sabotage: "double",
        runtime: "mixed",
        store: "sqlite:x.db",
        port: 8_080,
      },
    });
  });

  test.each([
    [["--frobnicate"], /frobnicate/],
    [["extra"], /extra/],
    [["--seconds", "0"], /--seconds takes a number from 1 to 86400, not "0"/],
    [["--seconds", "soon"], /--seconds takes/],
    [["--seconds"], /seconds/],
    [["--clients", "1.5"], /--clients takes a whole number from 1 to 5000, not "1.5"/],
    [["--nodes", "1"], /--nodes takes a whole number from 2 to 16/],
    [["--rate", "1e3"], /--rate takes/],
    [["--port", "70000"], /--port takes/],
    [["--state-bytes=-1"], /--state-bytes takes/],
    [["--state-bytes", "-1"], /--state-bytes takes a whole number from 0 to 33554432, not "-1"/],
    [["--rate", "-.5", "--json"], /--rate takes a number from 0.1 to 1000, not "-.5"/],
    [["--store", "-1"], /--store/],
    [["--runtime", "deno"], /--runtime takes node, bun, mixed, not "deno"/],
    [["--sabotage", "melt"], /--sabotage takes drop, double, reorder, not "melt"/],
    [["--store", ""], /--store takes/],
    [["--store", "x.db"], /--store takes sqlite:PATH, redis:.* or postgres:.*, not "x.db"/],
    [["--store", "sqlite:"], /--store takes/],
    [["--store", "sqlite://x.db"], /--store takes/],
    [["--store", "mysql://127.0.0.1/x"], /--store takes/],
    [["--store", "redis:"], /--store takes/],
    [["--store", "redis://h:6379/abc"], /--store takes/],
    [["--store", "postgres://"], /--store takes/],
    [["--store", "redis://h:1/0?schema=x"], /--store takes/],
    [["--store", "redis://h:1/0?prefix="], /--store "redis:.*prefix is 1 to 200 printable/],
    [["--store", "redis://h:1/0?prefix=a%7Bb%7D"], /prefix is 1 to 200 printable/],
    [["--store", "redis://h:1/4294967296"], /number of a database/],
    [
      ["--store", "postgres://me:secret@h/db?schema=pg_x"],
      /"postgres:\/\/me:\*\*\*@h\/db\?schema=pg_x": .*schema is 1 to 63/,
    ],
    [["--store", "postgres://h/db?schema="], /schema is 1 to 63/],
    [["--store", "postgres://h/db?sslrootcert=/nowhere"], /cannot read the url or the files/],
    [["--store", "http://me:secret@h/x"], /not "http:\/\/me:\*\*\*@h\/x"/],
    [["--json=yes"], /json/],
  ])("%j is refused in one line", (args, expected) => {
    const message = wrong(...args);
    expect(message).toMatch(expected);
    expect(message).toMatch(/--help/);
    expect(message).not.toContain("\n");
  });

  test("the help names every option", () => {
    expect(parse("--help")).toEqual({ kind: "help" });
    const names = "seconds clients nodes rate state-bytes seed json keep sabotage runtime store port help";
    for (const name of names.split(" ")) expect(helpText()).toContain(`--${name}`);
  });
});
