import { describe, expect, it } from "vitest";
import { run } from "./support/io.ts";
import { lookup } from "./support/frames.ts";
import { sound, testFolder } from "./support/vectors.ts";

const { fileOf } = testFolder();

const changed = (part: object): string => fileOf("changed.json", { ...sound, ...part });
const [valid] = sound.valid;

describe("rehome verify", () => {
  it("counts what passes", async () => {
    const { code, out, err } = await run(["verify", fileOf("sound.json", sound)]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe("sound.json  26 passed, 0 different, 0 skipped\n");
  });

  it("sums up several files", async () => {
    const path = fileOf("sound.json", sound);
    const { code, out } = await run(["verify", path, path]);
    expect(code).toBe(0);
    expect(out).toMatch(/\ntotal {7}52 passed, 0 different, 0 skipped\n$/);
  });

  it("shows differing bytes beside each other and marks the first", async () => {
    const frames = [`${lookup.slice(0, 30)}62${lookup.slice(32)}00`];
    const { code, out } = await run(["verify", changed({ valid: [{ ...valid, frames }], derived: [] })]);
    expect(code).toBe(1);
    expect(out).toContain("differs: lookup (encode)\n  a lookup of an actor\n");
    expect(out).toContain(
      [
        "  frames[0]: first difference at byte 15 (expected 22 bytes, got 21)",
        "    offset  expected                 actual",
        "         0  5a 4d 01 1a 00 00 00 00  5a 4d 01 1a 00 00 00 00",
        "         8  00 00 00 00 07 07 61 62  00 00 00 00 07 07 61 63",
        "                                 ^^                       ^^",
        "        16  74 6f 72 2d 31 00        74 6f 72 2d 31",
      ].join("\n"),
    );
    expect(out).toContain("changed.json  3 passed, 2 different, 0 skipped\n");
  });

  it("shows differing fields of a value, and what came instead of an error", async () => {
    const other = { ...valid.value, actorId: "actor-2", correlation: "18446744073709551615" };
    const { out } = await run(["verify", changed({ valid: [{ ...valid, value: other }], derived: [] })]);
    expect(out).toContain('  value.actorId\n    expected  "actor-2"\n    actual    "actor-1"\n');
    expect(out).toContain('    expected  "18446744073709551615"\n    actual    "7"\n');
    const invalid = [{ id: "fine", note: "it is not", frames: [lookup], code: "truncated-field" }];
    const refusal = await run(["verify", changed({ invalid })]);
    expect(refusal.code).toBe(1);
    expect(refusal.out).toContain(`  asked  ${lookup}\n`);
    expect(refusal.out).toContain('  expected  {"error":{"code":"truncated-field"}}\n  actual    {"value":{"command":');
  });

  it("compares the field of an error where the case names one", async () => {
    const invalid = [{ ...sound.invalid[1], field: "actorId" }];
    const { code, out } = await run(["verify", changed({ invalid })]);
    expect(code).toBe(1);
    expect(out).toContain('  error.field\n    expected  "actorId"\n    actual    "body"\n');
    expect(out).not.toContain("error.message");
  });

  it("shows as many cases as it is told", async () => {
    const derived = [{ ...sound.derived[0], code: "frame-count" }];
    const shown = async (count: string): Promise<number> => {
      const { out } = await run(["verify", "--show", count, changed({ derived })]);
      expect(out).toContain("21 different");
      return out.match(/^differs: /gm)?.length ?? 0;
    };
    expect(await shown("0")).toBe(0);
    expect(await shown("3")).toBe(3);
    expect(await shown("100")).toBe(21);
  });

  it.each([
    ["is missing", "no-such-file.json", undefined],
    ["is a folder", "/", undefined],
    ["is not JSON", "text.json", "{"],
    ["is something else", "else.json", { format: 1 }],
    ["has a case without bytes", "frames.json", { ...sound, valid: [{ id: "a", note: "", value: {} }] }],
    ["has bytes that are none", "hex.json", { ...sound, invalid: [{ ...sound.invalid[0], frames: ["5A"] }] }],
    ["has a code that is none", "code.json", { ...sound, invalid: [{ ...sound.invalid[0], code: "wrong" }] }],
    ["has a value that is none", "value.json", { ...sound, refused: [{ ...sound.refused[0], value: 7 }] }],
    ["names a case that is not there", "rule.json", { ...sound, derived: [{ ...sound.derived[0], of: ["x"] }] }],
  ])("a file that %s: exit code 2, and nothing is run", async (_, name, content) => {
    const path = content === undefined ? name : fileOf(name, content);
    const { code, out, err } = await run(["verify", fileOf("sound.json", sound), path]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`rehome verify: ${path}: `);
  });
});
