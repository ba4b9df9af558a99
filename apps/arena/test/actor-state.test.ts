import { describe, expect, test } from "vitest";
import { ActorState } from "../src/actor-state.ts";

const seed = { stateBytes: 4_096, padSeed: 11 };

describe("ActorState", () => {
  test("moves with its account, and the padding is found to be whole", () => {
    const state = new ActorState(seed);
    state.awake = true;
    for (let n = 1; n <= 50; n++) state.note({ client: "client-1", n, mark: n }, n % 3 === 0);
    state.nextAnswer();
    state.nextPush();
    const moved = ActorState.restore(state.capture());
    expect(moved.account("a")).toEqual(state.account("a"));
    expect(moved.account("a").damaged).toBe(false);
    expect(moved.awake).toBe(true);
    expect(moved.nextPush()).toEqual(state.nextPush());
  });

  test("is as large as asked for, and never smaller than its account", () => {
    expect(new ActorState(seed).capture().length).toBe(4_096);
    expect(new ActorState({ ...seed, stateBytes: 0 }).capture().length).toBeGreaterThan(100);
    const small = ActorState.restore(new ActorState({ ...seed, stateBytes: 10 }).capture());
    expect(small.account("a").damaged).toBe(false);
  });

  test("a flipped bit in the padding is found, also after further moves", () => {
    const bytes = new ActorState(seed).capture();
    bytes[4_000]! ^= 1;
    const moved = ActorState.restore(ActorState.restore(bytes).capture());
    expect(moved.account("a").damaged).toBe(true);
  });

  test("restores from bytes that lie anywhere in a buffer", () => {
    const bytes = new ActorState(seed).capture();
    const inside = new Uint8Array(bytes.length + 9);
    inside.set(bytes, 9);
    expect(ActorState.restore(inside.subarray(9)).account("a").damaged).toBe(false);
  });

  test("keeps no more than a few clients apart", () => {
    const state = new ActorState(seed);
    for (let i = 0; i < 100; i++) state.note({ client: `client-${i}`, n: 1, mark: 0 }, false);
    const account = state.account("a");
    expect(account.clients.length + account.strangers).toBe(100);
    expect(account.clients.length).toBeLessThan(10);
  });
});
