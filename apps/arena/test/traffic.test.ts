import { describe, expect, test } from "vitest";
import { ArenaClient, type ClientBinding } from "../src/arena-client.ts";
import { Traffic } from "../src/traffic.ts";

function client(binding: ClientBinding): ArenaClient {
  return new ArenaClient({ client: "client-1", actorId: "actor-1", seed: 1, sabotage: undefined }, binding);
}

describe("traffic", () => {
  test("sends at the rate asked for", () => {
    const one = client({ send: () => 0, request: () => Promise.resolve({ n: 0, answer: 1, pushes: 0 }) });
    let open = 0;
    const free = { ...one, ready: true, sendNext: () => void open++ } as unknown as ArenaClient;
    const traffic = new Traffic([free], 20, 1);
    for (let now = 0; now <= 10_000; now += 4) traffic.tick(now);
    expect(open).toBeGreaterThanOrEqual(199);
    expect(open).toBeLessThanOrEqual(201);
  });

  test("a client whose requests are not answered stops sending, and does not make up for it in a burst", () => {
    const waiting: (() => void)[] = [];
    const slow = client({
      send: () => 0,
      request: () => new Promise((resolve) => waiting.push(() => resolve({ n: 0, answer: 1, pushes: 0 }))),
    });
    const traffic = new Traffic([slow], 100, 1);
    for (let now = 0; now <= 60_000; now += 4) traffic.tick(now);
    expect(waiting.length).toBe(8);
    expect(slow.sent).toBeLessThan(100);
    const before = slow.sent;
    Object.defineProperty(slow, "ready", { value: true });
    traffic.tick(60_004);
    expect(slow.sent - before).toBeLessThan(30);
  });

  test("quiet means that all requests have ended and the last push has come", async () => {
    const one = client({ send: () => 0, request: () => Promise.resolve({ n: 1, answer: 1, pushes: 2 }) });
    one.rest();
    expect(one.quiet).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
    expect(one.quiet).toBe(false);
    one.onPush({ n: 1, mark: 0 });
    one.onPush({ n: 2, mark: 0 });
    expect(one.quiet).toBe(true);
  });

  test("I2: an error that says the message was not run is a refusal, any other leaves the request unanswered", async () => {
    const fail = (code: string) =>
      client({
        send: () => 0,
        request: () => Promise.reject(Object.assign(new Error(code), { code })),
      });
    for (const [code, refused, unanswered] of [
      ["backpressured", [[1, 1]], 0],
      ["outcomeUnknown", [], 1],
      ["timedOut", [], 1],
    ] as const) {
      const one = fail(code);
      one.rest();
      await new Promise((resolve) => setImmediate(resolve));
      expect(one.account()).toMatchObject({ refused, unanswered, errors: { [code]: 1 } });
    }
  });

  test("a one-way message that was refused is entered by its number, whatever its sequence is", () => {
    let sequence = 100;
    const one = client({ send: () => ++sequence, request: () => new Promise(() => undefined) });
    while (sequence < 110) one.sendNext();
    const numbers = one.sent;
    one.onRefused(110, "backpressured");
    one.onRefused(109, "outcomeUnknown");
    one.onRefused(5, "backpressured");
    expect(one.account()).toMatchObject({ refused: [[numbers, numbers]], outcomeUnknown: 1, forgotten: 1 });
  });

  test("a one-way message that was not taken is refused", () => {
    const full = Object.assign(new Error("full"), { code: "backpressured" });
    const one = client({
      send: () => {
        throw full;
      },
      request: () => new Promise(() => undefined),
    });
    for (let i = 0; i < 20; i++) one.sendNext();
    expect(one.account().refused.length).toBeGreaterThan(0);
    expect(one.account().errors).toHaveProperty("backpressured");
  });
});
