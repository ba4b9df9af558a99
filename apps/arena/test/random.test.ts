import { expect, test } from "vitest";
import { SeededRandom } from "../src/random.ts";

const draw = (random: SeededRandom) => Array.from({ length: 8 }, () => random.next());

test("the same seed and names give the same numbers, others give others", () => {
  expect(draw(new SeededRandom(1, "a", 2))).toEqual(draw(new SeededRandom(1, "a", 2)));
  expect(draw(new SeededRandom(1, "a", 2))).not.toEqual(draw(new SeededRandom(1, "a", 3)));
  expect(draw(new SeededRandom(1, "a"))).not.toEqual(draw(new SeededRandom(2, "a")));
  expect(draw(new SeededRandom(0))).not.toEqual(draw(new SeededRandom(1)));
});

test("numbers are spread evenly", () => {
  const random = new SeededRandom(9);
  const counts = Array.from({ length: 10 }, () => 0);
  for (let i = 0; i < 10_000; i++) counts[random.below(10)]!++;
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
