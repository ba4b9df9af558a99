import { describe, expect, test } from "vitest";
import { RangeSet } from "../src/account/ranges.ts";
import { SeededRandom } from "../src/random.ts";

const MANY = 1_000;

describe("RangeSet", () => {
  test("joins neighbours and overlaps", () => {
    const set = new RangeSet(MANY);
    set.add(5, 6);
    set.add(1, 2);
    set.add(3);
    expect(set.toJSON()).toEqual([
      [1, 3],
      [5, 6],
    ]);
    set.add(2, 9);
    expect(set.toJSON()).toEqual([[1, 9]]);
    set.add(12, 11);
    expect(set.size).toBe(9);
  });

  test("takes one number out of the middle, the ends, and not at all", () => {
    const set = new RangeSet(MANY, [[1, 5]]);
    expect(set.remove(3)).toBe(true);
    expect(set.remove(1)).toBe(true);
    expect(set.remove(3)).toBe(false);
    expect(set.remove(9)).toBe(false);
    expect(set.toJSON()).toEqual([
      [2, 2],
      [4, 5],
    ]);
  });

  test("past its capacity it gives up the lowest range and says how many numbers that were", () => {
    const set = new RangeSet(2);
    set.add(1, 4);
    set.add(10);
    set.add(20);
    expect(set.toJSON()).toEqual([
      [10, 10],
      [20, 20],
    ]);
    expect(set.forgotten).toBe(4);
  });

  test("counts what two sets have in common", () => {
    const left = new RangeSet(MANY, [
      [1, 10],
      [20, 30],
    ]);
    const right = new RangeSet(MANY, [
      [5, 25],
      [30, 40],
    ]);
    expect(left.countIn(right)).toBe(6 + 6 + 1);
    expect(right.countIn(left)).toBe(13);
  });

  test("agrees with a plain set over random operations", () => {
    const random = new SeededRandom(7, "ranges");
    const set = new RangeSet(MANY);
    const plain = new Set<number>();
    for (let step = 0; step < 3_000; step++) {
      const n = 1 + random.below(60);
      if (random.below(2) === 0) {
        const to = n + random.below(4);
        set.add(n, to);
        for (let i = n; i <= to; i++) plain.add(i);
      } else {
        expect(set.remove(n)).toBe(plain.delete(n));
      }
      expect(set.size).toBe(plain.size);
      expect(set.has(n)).toBe(plain.has(n));
    }
  });
});
