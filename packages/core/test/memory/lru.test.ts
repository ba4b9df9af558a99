import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CoreError } from "../../src/errors.ts";
import { LruMap } from "../../src/memory/lru.ts";

describe("LruMap", () => {
  it("I8: never holds more than its capacity, and tells what went", () => {
    const lru = new LruMap<string, number>(2);
    expect(lru.set("a", 1)).toBeUndefined();
    expect(lru.set("b", 2)).toBeUndefined();
    expect(lru.set("c", 3)).toEqual(["a", 1]);
    expect([...lru]).toEqual([
      ["b", 2],
      ["c", 3],
    ]);
    expect(lru.size).toBe(2);
  });

  it("get and set refresh an entry, has and peek do not", () => {
    const lru = new LruMap<string, number>(2);
    lru.set("a", 1);
    lru.set("b", 2);
    expect(lru.get("a")).toBe(1);
    expect(lru.set("c", 3)).toEqual(["b", 2]);
    expect(lru.peek("a")).toBe(1);
    expect(lru.has("a")).toBe(true);
    expect(lru.set("d", 4)).toEqual(["a", 1]);
    lru.set("c", 30);
    expect(lru.set("e", 5)).toEqual(["d", 4]);
    expect(lru.get("c")).toBe(30);
  });

  it("keeps a value of undefined apart from a missing one", () => {
    const lru = new LruMap<string, undefined>(1);
    expect(lru.get("a")).toBeUndefined();
    expect(lru.size).toBe(0);
    lru.set("a", undefined);
    expect(lru.get("a")).toBeUndefined();
    expect(lru.has("a")).toBe(true);
  });

  it("refuses a capacity that bounds nothing", () => {
    for (const capacity of [0, -1, 1.5, NaN, Infinity]) expect(() => new LruMap(capacity)).toThrow(CoreError);
  });

  it("behaves as a list sorted by last use, for any sequence of calls", () => {
    const key = fc.integer({ min: 0, max: 6 });
    const call = fc.oneof(
      fc.record({ op: fc.constant("set" as const), key }),
      fc.record({ op: fc.constant("get" as const), key }),
      fc.record({ op: fc.constant("peek" as const), key }),
      fc.record({ op: fc.constant("delete" as const), key }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(call), (capacity, calls) => {
        const lru = new LruMap<number, number>(capacity);
        const model: [number, number][] = [];
        const indexOf = (wanted: number) => model.findIndex(([k]) => k === wanted);
        calls.forEach(({ op, key }, index) => {
          const at = indexOf(key);
          const known = model[at];
          if (op === "set") {
            lru.set(key, index);
            if (at >= 0) model.splice(at, 1);
            model.push([key, index]);
            if (model.length > capacity) model.shift();
          } else if (op === "get") {
            expect(lru.get(key)).toBe(known?.[1]);
            if (known) model.push(...model.splice(at, 1));
          } else if (op === "peek") {
            expect(lru.peek(key)).toBe(known?.[1]);
          } else {
            expect(lru.delete(key)).toBe(at >= 0);
            if (at >= 0) model.splice(at, 1);
          }
          expect([...lru]).toEqual(model);
        });
      }),
    );
  });
});
