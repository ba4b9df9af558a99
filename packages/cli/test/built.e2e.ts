import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { seal } from "./support/frames.ts";
import { sound, testFolder } from "./support/vectors.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const linked = "node_modules/.bin/rehome";
const runtimes = [
  { runtime: "Node", command: "node", first: [linked] },
  { runtime: "Bun", command: `${root}node_modules/.bin/bun`, first: ["--bun", linked] },
];
const { fileOf, leftOvers, programOf } = testFolder();
/** A 52 of 100 kB. */
const wideValue = {
  command: "relocationState",
  relocation: { high: "1", low: "1" },
  targetAttemptGeneration: "1",
  coordinator: {
    ownerId: "owner",
    leaseGeneration: "1",
    nodeRid: "node",
    nodeGeneration: "1",
    expectedAuthorityStoreVersion: "v1",
  },
  senderRole: "source",
  object: { kind: "actor", actorId: "actor", objectGeneration: "1", authorityOwnerGeneration: "1" },
  chunkOrdinal: 0,
  chunkData: "00".repeat(100_000),
};
const question = '{"op":"crc32c","hex":["313233343536373839"]}\n';

describe.each(runtimes)("the built command on $runtime", ({ command, first }) => {
  const run = (args: readonly string[], input = "") =>
    spawnSync(command, [...first, ...args], { cwd: root, input, encoding: "utf8", maxBuffer: 1 << 28 });
  const start = (args: readonly string[]): ChildProcess =>
    spawn(command, [...first, ...args], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });

  it("verifies the shipped vectors", () => {
    const { status, stdout, stderr } = run(["verify"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/\ntotal +\d{5} passed, 0 different, 0 skipped\n$/);
  });

  it.each(runtimes)("verifies the line protocol of its own kind on $runtime", (other) => {
    const impl = [other.command, ...other.first, "codec"].join(" ");
    const { status, stdout, stderr } = run(["verify", "--impl", impl, "test-vectors/commands-sessions.json"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^commands-sessions.json {2}\d+ passed, 0 different, 0 skipped\n$/);
  });

  it("inspects, with the exit code for it", () => {
    expect(run(["inspect", seal]).status).toBe(0);
    expect(run(["inspect", "-"], seal.slice(0, -2)).status).toBe(1);
    expect(run(["inspect"], "nonsense").status).toBe(2);
    expect(run(["nonsense"]).status).toBe(2);
  });

  it("answers at once, and ends only with its input", async () => {
    const codec = start(["codec"]);
    for (let asked = 0; asked < 3; asked++) {
      codec.stdin!.write(question);
      const [answer] = (await once(codec.stdout!, "data")) as [Buffer];
      expect(answer.toString()).toBe('{"crc32c":3808858755}\n');
      await setTimeout(100);
    }
    expect(codec.exitCode).toBeNull();
    codec.stdin!.end('{"op":"crc32c","hex":[]}');
    const [last] = (await once(codec.stdout!, "data")) as [Buffer];
    expect(last.toString()).toBe('{"crc32c":0}\n');
    const [code] = (await once(codec, "exit")) as [number | null];
    expect(code).toBe(0);
  });

  it("loses no answer on the way out, however many there are", () => {
    const count = 20_000;
    const { status, stdout } = run(["codec"], question.repeat(count));
    expect(status).toBe(0);
    expect(stdout).toBe('{"crc32c":3808858755}\n'.repeat(count));
  });

  it("does not run ahead of a reader that is slow", async () => {
    const codec = start(["codec"]);
    codec.stdin!.on("error", () => undefined);
    // Every answer is about as long as its question, and nobody takes one.
    const question = `${JSON.stringify({ op: "encode", value: wideValue })}\n`;
    const [count, mayHoldBytes] = [200, 8 << 20];
    for (let left = count; left > 0; left--) codec.stdin!.write(question);
    await setTimeout(2000);
    expect(codec.stdin!.writableLength).toBeGreaterThan(count * question.length - mayHoldBytes);
    let answers = 0;
    codec.stdout!.setEncoding("latin1").on("data", (text: string) => {
      answers += text.split("\n").length - 1;
    });
    codec.stdin!.end();
    await once(codec, "close");
    expect(answers).toBe(count);
  });

  it("ends quietly when its reader goes", () => {
    const shell = spawnSync("sh", ["-c", `yes '${question.trim()}' | "$0" "$@" codec | head -n 1`, command, ...first], {
      cwd: root,
      encoding: "utf8",
    });
    expect([shell.stdout, shell.stderr]).toEqual(['{"crc32c":3808858755}\n', ""]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("takes the program under test along when it gets %s", async (signal) => {
    const verify = start(["verify", "--impl", programOf("hangs"), fileOf("sound.json", sound)]);
    await setTimeout(1500);
    verify.kill(signal);
    const [, ended] = (await once(verify, "exit")) as [number | null, string | null];
    expect(ended).toBe(signal);
    expect(await leftOvers()).toEqual([]);
  });
});
