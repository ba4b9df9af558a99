import { describe, expect, test } from "vitest";
import { mix, Track } from "../src/account/track.ts";

function trackOf(...numbers: number[]): Track {
  const track = new Track();
  for (const n of numbers) track.note(n, n * 7);
  return track;
}

describe("Track", () => {
  test("numbers in order leave nothing but the last one, the count and the hash", () => {
    const record = trackOf(1, 2, 3).toJSON();
    expect(record).toEqual({ ...trackOf().toJSON(), last: 3, count: 3, hash: record.hash });
    expect(trackOf(1, 2, 3).anomalies).toBe(0);
  });

  test("a number that is left out is missing", () => {
    expect(trackOf(1, 2, 4, 7).toJSON().missing).toEqual([
      [3, 3],
      [5, 6],
    ]);
  });

  test("a number that comes again is repeated, at once and later", () => {
    expect(trackOf(1, 1, 2, 3, 1).toJSON()).toMatchObject({ repeated: 2, late: 0, count: 5, missing: [] });
  });

  test("a number that comes after a higher one is late, once, and no longer missing", () => {
    expect(trackOf(1, 3, 2, 2).toJSON()).toMatchObject({ late: 1, repeated: 1, missing: [] });
  });

  test("what is no number of the line is strange", () => {
    expect(trackOf(0, -1, 1.5, Number.NaN, 1).toJSON()).toMatchObject({ strange: 4, last: 1, count: 5 });
  });

  test("a line with more gaps than it can remember stays small and still counts them", () => {
    const track = new Track();
    for (let n = 1; n <= 2_000; n += 2) track.note(n, 0);
    const record = track.toJSON();
    expect(record.missing.length).toBe(64);
    expect(track.anomalies).toBe(999);
    expect(JSON.stringify(record).length).toBeLessThan(1_500);
  });

  test("goes on from its record as if it had never been interrupted", () => {
    const whole = trackOf(1, 3, 2, 5);
    const moved = new Track(JSON.parse(JSON.stringify(trackOf(1, 3))) as ReturnType<Track["toJSON"]>);
    moved.note(2, 14);
    moved.note(5, 35);
    expect(moved.toJSON()).toEqual(whole.toJSON());
  });

  test("the hash tells another order and another mark", () => {
    const hash = (...pairs: [number, number][]) => pairs.reduce((h, [n, mark]) => mix(h, n, mark), 0);
    expect(hash([1, 5], [2, 6])).not.toBe(hash([2, 6], [1, 5]));
    expect(hash([1, 5], [2, 6])).not.toBe(hash([1, 6], [2, 5]));
    expect(hash([1, 5])).not.toBe(hash([1, 4]));
  });
});
