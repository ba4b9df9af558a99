import { describe, expect, it } from "vitest";
import { run } from "./support/io.ts";
import { lookup } from "./support/frames.ts";
import { sound, testFolder } from "./support/vectors.ts";

const { fileOf, leftOvers, programOf } = testFolder();

const path = fileOf("sound.json", sound);
const verify = (command: string, ...options: string[]) => run(["verify", "--impl", command, ...options, path]);

describe("rehome verify --impl", () => {
  it("asks the program everything that the line protocol can ask", async () => {
    const { code, out, err } = await verify(programOf("good"));
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe("sound.json  26 passed, 0 different, 0 skipped\n");
  });

  it("takes any command line of the shell", async () => {
    const { code } = await verify(`cat | ${programOf("good")} | cat`);
    expect(code).toBe(0);
  });

  it("shows where the program differs, as for this implementation", async () => {
    const command = programOf("wrong", {
      "lookup encode": { frames: [lookup.replace("61", "62")] },
      "lookup decode": { value: { ...sound.valid[0].value, correlation: 7 } },
    });
    const { code, out, err } = await verify(command);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("frames[0]: first difference at byte 14");
    expect(out).toContain('  value.correlation\n    expected  "7"\n    actual    7\n');
    expect(out).toContain("24 passed, 2 different");
  });

  it("is not broken by answers of any shape", async () => {
    const { code, out } = await verify(programOf("wrong-shape"));
    expect(code).toBe(1);
    expect(out).toContain('  actual    {"nonsense":{"deep":[1,{"x":null}]}}\n');
  });

  it.each([
    ["dies-at-once", /failed after 0 answers: it ended with exit code 3\n.*\n {2}\| cannot\n {2}\| start\n/s],
    [
      "dies",
      /failed after 20 answers: it ended with exit code 101\n {2}asked: \{"op".*\n {2}\| panic: \\u\{1b\}\[31mred\n/,
    ],
    ["is-killed", /failed after 20 answers: it was ended by SIGSEGV|exit code 139/],
    ["garbage", /its answer is not a JSON object: "<html>"/],
    ["array", /its answer is not a JSON object: "\[\]"/],
    ["not-utf8", /something that is not UTF-8/],
    ["greets", /its answer is not a JSON object: "ready"|without being asked: "ready"/],
    ["swaps", /out of order: to question 0 of 16 it gave the answer to question 1/],
    ["says-goodbye", /wrote a line without being asked: "goodbye"/],
    // Whoever started it may hold the output open.
    ["closes-output", /it closed its output|did not answer within 3000 ms/],
  ])("a program that %s: told, exit code 1", async (mode, message) => {
    const { code, err } = await verify(programOf(mode), "--deadline-ms", "3000");
    expect(err).toMatch(message);
    expect(code).toBe(1);
    expect(await leftOvers()).toEqual([]);
  });

  it("a command that there is none of: told, exit code 1", async () => {
    const { code, err } = await verify("no-such-program-anywhere");
    expect(err).toContain("exit code 127");
    expect(code).toBe(1);
  });

  it("a program that hangs: ended after the deadline, with all that it started", async () => {
    const { code, out, err } = await verify(`cat | ${programOf("hangs")} | cat`, "--deadline-ms", "3000");
    expect(err).toContain("it did not answer within 3000 ms");
    expect(code).toBe(1);
    expect(out).toBe("sound.json  4 passed, 0 different, 0 skipped, 22 not answered\n");
    expect(await leftOvers()).toEqual([]);
  });

  it("a program that answers without end: refused at the limit of a line", async () => {
    const { code, err } = await verify(programOf("floods"));
    expect(err).toContain("a line of more than 150994944 bytes");
    expect(code).toBe(1);
    expect(await leftOvers()).toEqual([]);
  });

  it("a program that answers twice: its answers are not taken for those of the next questions", async () => {
    const { code } = await verify(programOf("echoes"));
    expect(code).toBe(1);
  });

  it("a program that does not end with its input: ended, and told", async () => {
    const { code, err } = await verify(programOf("never-ends"), "--deadline-ms", "3000");
    expect(err).toContain("had not ended 3000 ms after its input had");
    expect(code).toBe(0);
    expect(await leftOvers()).toEqual([]);
  });

  it("does not wait for what a program leaves behind", async () => {
    const pids = fileOf("left.pids", "");
    const { code } = await verify(`sleep 300 & echo $! > "${pids}"; ${programOf("good")}`);
    expect(code).toBe(0);
    expect(await leftOvers()).toEqual([]);
  });
});
