import { afterEach, describe, expect, test } from "vitest";
import { Ending } from "../src/ending.ts";

let ending: Ending;
afterEach(() => ending.close());

async function settled(promise: Promise<void>): Promise<boolean> {
  return Promise.race([
    promise.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);
}

describe("Ending", () => {
  test("a signal ends the run and lets what is under way arrive", async () => {
    ending = new Ending();
    expect(await settled(ending.ended)).toBe(false);
    ending.signal(1_000);
    expect([await settled(ending.ended), await settled(ending.hurry), await settled(ending.now)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(ending.failure).toBeUndefined();
  });

  test("the same Ctrl-C passed on by npm is one signal, another one later ends all waiting", async () => {
    ending = new Ending();
    ending.signal(1_000);
    ending.signal(1_020);
    expect(await settled(ending.now)).toBe(false);
    ending.signal(2_000);
    expect([await settled(ending.hurry), await settled(ending.now)]).toEqual([true, true]);
  });

  test("the first failure is the one that is told, also when it comes after the end", async () => {
    const timers: (() => void)[] = [];
    ending = new Ending((_delayMs, fn) => {
      timers.push(fn);
      return () => undefined;
    });
    ending.finish();
    expect(timers).toEqual([]);
    ending.fail("node-a died");
    ending.fail("node-b died");
    expect(ending.isEnded).toBe(true);
    expect(ending.failure).toBe("node-a died");
    expect(await settled(ending.hurry)).toBe(false);
    timers[0]!();
    expect(await settled(ending.hurry)).toBe(true);
  });
});
