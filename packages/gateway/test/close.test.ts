import { expect, test } from "vitest";
import type { Clock } from "@rehome/core";
import { systemClock } from "@rehome/system";
import { startGateway } from "../src/index.ts";
import { FakeNode, payload } from "./fake-node.ts";
import { clientOf, gatewayOn, RawClient, sleep, until } from "./tools.ts";

/** Sockets of this process. */
const sockets = (): number => process.getActiveResourcesInfo().filter((kind) => kind.startsWith("TCP")).length;

/** A clock that knows its running timers. */
function watchedClock(): Clock & { readonly running: Set<object> } {
  const running = new Set<object>();
  return {
    ...systemClock,
    running,
    after(delayMs, fn) {
      const timer = systemClock.after(delayMs, () => {
        running.delete(timer);
        fn();
      });
      running.add(timer);
      return {
        cancel: () => {
          running.delete(timer);
          timer.cancel();
        },
      };
    },
  };
}

test("close() lets clients finish what is under way, and they go on elsewhere", async () => {
  const node = new FakeNode();
  let answer = (): void => undefined;
  node.answer = (_id, message) => new Promise((resolve) => (answer = () => resolve(message)));
  const first = await gatewayOn(node, { deadlines: { goingAwaySpreadMs: 5 } });
  const second = await gatewayOn(node);
  const client = clientOf([first.url, second.url]);
  const events: string[] = [];
  client.on("goingAway", () => events.push("goingAway"));
  client.on("resumed", ({ resumed }) => events.push(`resumed ${resumed}`));
  client.on("bindingLost", ({ rebinding }) => events.push(`lost, rebinding ${rebinding}`));
  client.on("rebound", () => events.push("rebound"));
  client.on("sendRefused", () => events.push("sendRefused"));
  const binding = await client.bind("Echo", "e");
  for (let n = 1; n <= 20; n++) binding.send("n", n);
  const request = binding.request("n", "slow");
  await until(() => node.actor("e").received.length === 21);
  const closed = first.close();
  await until(() => events.length === 1);
  // For the next gateway already.
  binding.send("n", "next");
  await sleep(20);
  expect(first.stats().connections).toBe(1);
  answer();
  expect(await request).toBe("slow");
  await closed;
  await until(() => node.actor("e").received.length === 22);
  expect(node.actor("e").received.at(-1)!.value).toBe("next");
  expect(events).toEqual(["goingAway", "lost, rebinding true", "resumed false", "rebound"]);
  expect(first.stats()).toMatchObject({ connections: 0, sessions: 0, cuts: {} });
  expect(second.stats()).toMatchObject({ connections: 1, sessions: 1 });
});

test("R1: close() ends in time, whatever clients and node do, and leaves no socket and no timer", async () => {
  const before = sockets();
  const clock = watchedClock();
  const node = new FakeNode();
  node.onClose = () => new Promise(() => undefined);
  node.answer = () => new Promise(() => undefined);
  const gateway = await startGateway({ node, clock, deadlines: { closeMs: 200 } });
  // One that never answers, a close frame included; one that says nothing; one that waits for an answer; one away.
  const stopped = await RawClient.greet(gateway.url);
  stopped.socket.pause();
  const silent = new RawClient(gateway.url);
  await silent.open();
  const client = clientOf(gateway.url);
  const binding = await client.bind("Echo", "e");
  const request = binding.request("n", 1).catch((error: { code: string }) => error.code);
  const away = await RawClient.greet(gateway.url);
  away.socket.terminate();
  await until(() => gateway.stats().detachedSessions === 1);
  const beganMs = performance.now();
  await Promise.all([gateway.close(), gateway.close()]);
  expect(performance.now() - beganMs).toBeLessThan(1_000);
  expect(await request).toBe("outcomeUnknown");
  expect(gateway.stats()).toMatchObject({ connections: 0, sessions: 0, detachedSessions: 0 });
  expect(node.sessions.every(({ closed }) => closed)).toBe(true);
  expect(await silent.untilClosed()).toMatchObject({ code: 4501 });
  await client.close();
  stopped.socket.terminate();
  await until(() => sockets() === before);
  expect(clock.running.size).toBe(0);
});

test("clients leave no socket and no timer behind", async () => {
  const node = new FakeNode();
  node.answer = (_id, message) => (node.actor("e").received.length === 1 ? message : new Promise(() => undefined));
  const gateway = await gatewayOn(node);
  const before = sockets();
  const clock = watchedClock();
  const client = clientOf(gateway.url, { clock });
  const binding = await client.bind("Echo", "e");
  await binding.request("n", 1);
  const open = binding.request("n", 2).catch((error: { code: string }) => error.code);
  const unreachable = clientOf("ws://127.0.0.1:1", { clock });
  const bind = unreachable.bind("Echo", "e").catch((error: { code: string }) => error.code);
  await sleep(30);
  await Promise.all([client.close(), unreachable.close()]);
  expect([await bind, await open]).toEqual(["closed", "closed"]);
  await until(() => sockets() === before);
  expect(clock.running.size).toBe(0);
});

test("what a client says while the gateway is closing is still handed on; binds are not", async () => {
  const node = new FakeNode();
  node.answer = (_id, message) => message;
  const gateway = await gatewayOn(node, { deadlines: { closeMs: 300 } });
  const client = await RawClient.greet(gateway.url);
  client.say(1, { kind: "bind", binding: 1, actorType: "Echo", actorId: "e" });
  await until(() => client.frames.length === 1);
  const rude = await RawClient.greet(gateway.url);
  const closed = gateway.close();
  // Gone without a word: nobody waits for it to come back.
  rude.socket.terminate();
  await until(() => client.packets.some(({ goingAway }) => goingAway !== undefined));
  client.say(2, { kind: "send", binding: 1, sequence: 1, payload: payload("n", 1) });
  client.say(3, { kind: "bind", binding: 2, actorType: "Echo", actorId: "f" });
  await until(() => client.frames.length === 2);
  expect(client.frames[1]).toMatchObject({ kind: "bindFailed", failure: { code: "goingAway" } });
  expect(node.actor("e").received.length).toBe(1);
  expect(await client.untilClosed()).toMatchObject({ code: 4501 });
  await closed;
  expect(node.sessions.map((session) => session.closed)).toEqual([true, true]);
  expect(gateway.stats()).toMatchObject({ sessions: 0, connections: 0 });
});
