import { expect, it } from "vitest";
import { ContenderFailure, ContenderProcess } from "../src/contender-process.ts";

const assignment = {
  bench: "codec",
  input: "42",
  operation: "encode",
  contender: "wire",
  warmUpMs: 1,
  sampleMs: 1,
  time: "wall",
} as const;

it("says so when its program cannot be started", async () => {
  const starting = ContenderProcess.start({ command: "/no/such/runtime", arguments: [] }, assignment);
  await expect(starting).rejects.toThrow(ContenderFailure);
  await expect(starting).rejects.toThrow(/wire, encode of 42 .*ENOENT/);
});

it("says so, and what it complained of, when it ends before it is ready", async () => {
  const command = process.execPath;
  const starting = ContenderProcess.start({ command, arguments: ["-e", "console.error('out of order')"] }, assignment);
  await expect(starting).rejects.toThrow(/has ended.*out of order/);
});
