import { describe, expect, it } from "vitest";
import type { DerivedCases, Json } from "../src/vectors/index.ts";
import {
  expandVectors,
  isExpected,
  loadVectorFile,
  runVectors,
  VectorFileError,
  wireImplementation,
  type VectorImplementation,
} from "../src/vectors/index.ts";

const base = {
  id: "base",
  note: "n",
  value: { command: "x", list: [{ a: "1" }] } as const,
  frames: ["0a0b02cccc", "ee"],
};

function file(derived: readonly object[], more: Record<string, Json> = {}): ReturnType<typeof loadVectorFile> {
  const content = { format: 1, family: "commands", valid: [base], invalid: [], refused: [], derived, ...more };
  return loadVectorFile(JSON.stringify(content));
}
/** What a rule makes of {@link base}: the frames or values that are asked for. */
function made(rule: Partial<DerivedCases> & { rule: string }): unknown[] {
  const whole = { id: "r", note: "n", of: ["base"], code: "invalid-field", ...rule };
  return [...expandVectors(file([whole]))]
    .slice(2)
    .map(({ request }) => (request.op === "decode" ? request.frames : "value" in request && request.value));
}

describe("what the rules make", () => {
  it("cutAtEveryByte: each frame's beginnings, none of them whole", () => {
    expect(made({ rule: "cutAtEveryByte" })).toEqual([
      ["", "ee"],
      ["0a", "ee"],
      ["0a0b", "ee"],
      ["0a0b02", "ee"],
      ["0a0b02cc", "ee"],
      ["0a0b02cccc", ""],
    ]);
  });

  it("appendToEachFrame, addFrame, dropLastFrames", () => {
    expect(made({ rule: "appendToEachFrame", bytes: "77" })).toEqual([
      ["0a0b02cccc77", "ee"],
      ["0a0b02cccc", "ee77"],
    ]);
    expect(made({ rule: "addFrame", frames: ["", "88"] })).toEqual([
      ["0a0b02cccc", "ee", ""],
      ["0a0b02cccc", "ee", "88"],
    ]);
    expect(made({ rule: "dropLastFrames", atLeast: 0 })).toEqual([[], ["0a0b02cccc"]]);
  });

  it("overwrite: as many bytes as are written, at every place", () => {
    const places = [
      { frame: 0, at: 3, field: "f" },
      { frame: 1, at: 0 },
    ];
    expect(made({ rule: "overwrite", places, with: ["11", "22"] })).toEqual([
      ["0a0b0211cc", "ee"],
      ["0a0b0222cc", "ee"],
      ["0a0b02cccc", "11"],
      ["0a0b02cccc", "22"],
    ]);
    expect(() => made({ rule: "overwrite", places: [{ frame: 1, at: 0 }], with: ["1122"] })).toThrow(RangeError);
  });

  it("claimLength: the length alone; growBody: the body and every length around it", () => {
    const body = { frame: 0, at: 2, width: 1 } as const;
    expect(made({ rule: "claimLength", bodies: [{ ...body, from: 0, to: 1 }] })).toEqual([
      ["0a0b00cccc", "ee"],
      ["0a0b01cccc", "ee"],
    ]);
    const around = [{ frame: 0, at: 0, width: 2 }];
    expect(made({ rule: "growBody", bodies: [{ ...body, around }], bytes: "0505" })).toEqual([
      ["0a0d04cccc0505", "ee"],
    ]);
  });

  it("replaceValue: one value at a path, and the others as they were", () => {
    expect(made({ rule: "replaceValue", paths: [{ path: ["list", 0, "a"] }], with: ["2", null] })).toEqual([
      { command: "x", list: [{ a: "2" }] },
      { command: "x", list: [{ a: null }] },
    ]);
  });

  it("gives every derived case an id of its own, and makes it only when it is asked for", () => {
    const rule = { id: "r", note: "n", of: ["base"], code: "truncated-field", rule: "cutAtEveryByte" };
    const ids = [...expandVectors(file([rule]))].map(({ id }) => id);
    expect(ids).toEqual([
      "base",
      "base",
      "r/base/0.0",
      "r/base/0.1",
      "r/base/0.2",
      "r/base/0.3",
      "r/base/0.4",
      "r/base/1.0",
    ]);
    let asked = 0;
    const askAll = (): void => {
      for (const { id } of expandVectors(file([{ ...rule, of: ["nobody"] }]))) asked += id === "base" ? 1 : 0;
    };
    expect(askAll).toThrow(/no valid case nobody/);
    expect(asked).toBe(2);
  });
});

describe("what counts as the expected answer", () => {
  it("values as JSON: order does not matter, types do", () => {
    expect(isExpected({ value: { a: 1, b: ["2"] } }, { value: { b: ["2"], a: 1 } })).toBe(true);
    for (const actual of [
      { value: { a: "1", b: ["2"] } },
      { value: { a: 1 } },
      { value: { a: 1, b: ["2"], c: 3 } },
      { value: { a: 1, b: { 0: "2" } } },
      null,
      undefined,
      { error: { code: "x" } },
    ]) {
      expect(isExpected({ value: { a: 1, b: ["2"] } }, actual)).toBe(false);
    }
    expect(isExpected({ value: { toString: "x" } }, { value: {} })).toBe(false);
  });

  it("errors by code, and by field where both name one", () => {
    const expected = { error: { code: "invalid-field", field: "a" } };
    expect(isExpected(expected, { error: { code: "invalid-field", field: "a", offset: 5, message: "m" } })).toBe(true);
    expect(isExpected(expected, { error: { code: "invalid-field" } })).toBe(true);
    expect(isExpected(expected, { error: { code: "invalid-field", field: "b" } })).toBe(false);
    expect(isExpected(expected, { error: { code: "trailing-byte", field: "a" } })).toBe(false);
    expect(isExpected({ error: { code: "invalid-field" } }, { error: { code: "invalid-field", field: "b" } })).toBe(
      true,
    );
    for (const actual of [{ value: {} }, { error: "invalid-field" }, {}, null]) {
      expect(isExpected(expected, actual)).toBe(false);
    }
  });
});

describe("runVectors", () => {
  const right: VectorImplementation = {
    ...wireImplementation,
    encode: () => Promise.resolve({ frames: base.frames }),
    decode: () => Promise.resolve({ value: base.value }),
  };

  it("counts, and shows what was asked, expected and answered", async () => {
    expect(await runVectors(file([]), right)).toEqual({ passed: 2, failed: 0, skipped: 0, differences: [] });
    const wrong = { ...right, encode: () => Promise.resolve({ frames: ["00"] }) };
    const report = await runVectors(file([]), wrong);
    expect([report.passed, report.failed]).toEqual([1, 1]);
    expect(report.differences).toEqual([
      {
        id: "base",
        note: "n",
        request: { op: "encode", value: base.value },
        expected: { frames: base.frames },
        actual: { frames: ["00"] },
      },
    ]);
  });

  it("takes whatever an implementation throws for a failed case", async () => {
    const fault = new Error("crashed");
    const throwing = { ...right, encode: () => Promise.reject(fault) };
    const throwingAtOnce: VectorImplementation = {
      ...right,
      encode: () => {
        throw fault;
      },
    };
    for (const implementation of [throwing, throwingAtOnce]) {
      const report = await runVectors(file([]), implementation);
      expect([report.failed, report.differences[0]!.thrown]).toEqual([1, fault]);
    }
  });

  it("keeps only so many differences, and counts all", async () => {
    const rule = { id: "r", note: "n", of: ["base"], code: "truncated-field", rule: "cutAtEveryByte" };
    const report = await runVectors(file([rule]), right, { keep: 2 });
    expect([report.failed, report.differences.length]).toEqual([6, 2]);
  });

  it("has no more requests open than it may, and compares each answer with its own question", async () => {
    const rule = { id: "r", note: "n", of: ["base"], code: "truncated-field", rule: "cutAtEveryByte" };
    let [open, most] = [0, 0];
    const slow = <Answer>(answer: Answer): Promise<Answer> => {
      open++;
      most = Math.max(most, open);
      return new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve((open--, answer)))));
    };
    const implementation = {
      ...right,
      encode: () => slow({ frames: base.frames }),
      decode: ({ frames }: { frames: readonly string[] }) =>
        frames.join() === base.frames.join()
          ? slow({ value: base.value })
          : slow({ error: { code: "truncated-field" } }),
    };
    expect(await runVectors(file([rule]), implementation, { inFlight: 3 })).toMatchObject({ passed: 8, failed: 0 });
    expect(most).toBe(3);
  });

  it("skips what an implementation has no function for, or its language no words", async () => {
    const refused = [{ id: "half", note: "n", value: {}, code: "invalid-field", needs: "lone-surrogates" }];
    const skipping = await runVectors(file([], { refused }), right, { lacks: ["lone-surrogates"] });
    expect([skipping.passed, skipping.failed, skipping.skipped]).toEqual([2, 0, 1]);
    const keys = loadVectorFile(
      JSON.stringify({
        format: 1,
        family: "keys",
        authorityKeys: [],
        refusedIds: [],
        refusedKeys: [],
        identityKeys: [],
        operationKeys: [{ id: "o", note: "n", value: { high: "1", low: "2" }, key: "1:2" }],
      }),
    );
    const lines = Object.fromEntries(Object.entries(wireImplementation).filter(([op]) => op !== "operationKey"));
    expect(await runVectors(keys, lines as unknown as VectorImplementation)).toMatchObject({ passed: 0, skipped: 1 });
    expect(await runVectors(keys, wireImplementation)).toMatchObject({ passed: 1, skipped: 0 });
  });
});

describe("loadVectorFile", () => {
  it.each([
    ["", "not-json"],
    ["null", "not-vectors"],
    ['{"format":2,"family":"crc32c","checksums":[]}', "not-vectors"],
    ['{"format":1,"family":"keys2"}', "not-vectors"],
    ['{"format":1,"family":"crc32c"}', "not-vectors"],
    ['{"format":1,"family":"crc32c","checksums":[{}]}', "not-vectors"],
    ['{"format":1,"family":"crc32c","checksums":[null]}', "not-vectors"],
  ])("refuses %s", (text, code) => {
    let thrown: unknown;
    try {
      loadVectorFile(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(VectorFileError);
    expect((thrown as VectorFileError).code).toBe(code);
  });
});
