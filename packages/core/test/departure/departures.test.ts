import { describe, expect, it } from "vitest";
import { Departures, LONGEST_DEPARTURE_RETRY_MS, type Departure } from "../../src/departure/departures.ts";
import { CoreError } from "../../src/errors.ts";

const first: Departure = { actorId: "user:42", objectGeneration: 3n, authorityOwnerGeneration: 10n };
const second: Departure = { ...first, authorityOwnerGeneration: 12n };
const third: Departure = { ...first, objectGeneration: 4n, authorityOwnerGeneration: 14n };

describe("O9: departures", () => {
  it("a second departure of the same id waits for the first", () => {
    const departures = new Departures();
    expect(departures.begin(first)).toBe("begin");
    expect(departures.begin(second)).toBe("wait");
    expect(departures.begin(third)).toBe("wait");
    expect(departures.begin({ ...first, actorId: "user:43" })).toBe("begin");
    expect(departures.done(first)).toEqual(second);
    expect(departures.done(second)).toEqual(third);
    expect(departures.done(third)).toBeUndefined();
    expect(departures.size).toBe(1);
    expect(departures.begin(first)).toBe("begin");
  });

  it("O10: the same departure again does nothing", () => {
    const departures = new Departures();
    departures.begin(first);
    departures.begin(second);
    expect(departures.begin({ ...first })).toBe("repeat");
    expect(departures.begin({ ...second })).toBe("repeat");
    departures.done(first);
    expect(departures.done(second)).toBeUndefined();
  });

  it("is retried with growing delay, up to a limit, and afresh for the next", () => {
    const departures = new Departures();
    departures.begin(first);
    departures.begin(second);
    expect([1, 2, 3].map(() => departures.failed(first))).toEqual([100, 200, 400]);
    for (let n = 0; n < 2_000; n++) expect(departures.failed(first)).toBeLessThanOrEqual(LONGEST_DEPARTURE_RETRY_MS);
    expect(departures.failed(first)).toBe(LONGEST_DEPARTURE_RETRY_MS);
    departures.done(first);
    expect(departures.failed(second)).toBe(100);
  });

  it("is fenced by the generation it leaves: only the one that runs can fail or be done", () => {
    const departures = new Departures();
    departures.begin(first);
    departures.begin(second);
    for (const other of [second, third, { ...first, objectGeneration: 2n }, { ...first, actorId: "x" }]) {
      expect(() => departures.done(other)).toThrow(CoreError);
      expect(() => departures.failed(other)).toThrow(CoreError);
    }
  });

  it("ends when the node stops, and names what was not done", () => {
    const departures = new Departures();
    departures.begin(first);
    departures.begin(second);
    expect(departures.stop()).toEqual([first, second]);
    expect(departures.size).toBe(0);
  });
});
