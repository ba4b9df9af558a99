import { expect, test } from "vitest";
import type { ClientError } from "@rehome/client";
import { FAILURE_CODES, type FailureCode } from "@rehome/client/protocol";
import type { Node, RuntimeErrorCode } from "@rehome/runtime";
import type { SessionNode } from "../src/index.ts";
import { FakeNode, payload, runtimeError, valueOf } from "./fake-node.ts";
import { clientOf, gatewayOn, sleep, until } from "./tools.ts";

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    return (error as ClientError).code;
  }
  return "nothing went wrong";
};

test("a client binds, sends, requests, is pushed to and unbinds", async () => {
  const node = new FakeNode();
  node.answer = (id, message) => payload("answer", { from: id, got: valueOf(message) });
  const gateway = await gatewayOn(node);
  const client = clientOf(gateway.url);
  const states: string[] = [];
  client.on("state", ({ state }) => states.push(state));

  const binding = await client.bind("Player", "ann");
  expect(binding.created).toBe(true);
  const pushes: unknown[] = [];
  binding.onPush((name, value) => pushes.push([name, value]));
  expect(binding.send("move", { x: 1 })).toBe(1);
  expect(binding.send("move", { x: 2 })).toBe(2);
  expect(await binding.request("where", { now: true })).toEqual({ from: "ann", got: { now: true } });
  expect(node.actor("ann").received.map(({ kind, value }) => [kind, value])).toEqual([
    ["send", { x: 1 }],
    ["send", { x: 2 }],
    ["request", { now: true }],
  ]);
  node.push("ann", "hit", 7);
  await until(() => pushes.length === 1);
  expect(pushes).toEqual([["hit", 7]]);
  await binding.unbind();
  expect(node.actor("ann").bound.size).toBe(0);
  expect(() => binding.send("move", 1)).toThrow(expect.objectContaining({ code: "actorSessionNotBound" }));
  await client.close();
  expect(states).toEqual(["connected", "closed"]);
  await until(() => gateway.stats().sessions === 0);
  expect(node.sessions[0]!.closed).toBe(true);
});

test("values keep their kind: JSON, bytes, nothing", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node);
  const binding = await clientOf(gateway.url).bind("Echo", "e");
  const bytes = new Uint8Array([0, 1, 255]);
  expect(await binding.request("echo", bytes)).toEqual(bytes);
  expect(await binding.request("echo", undefined)).toBeUndefined();
  expect(await binding.request("echo", { deep: [1, "ü", null] })).toEqual({ deep: [1, "ü", null] });
  expect(await codeOf(binding.request("echo", 1n))).toBe("invalidArgument");
  expect(await codeOf(binding.request("~gone"))).toBe("invalidArgument");
});

test("errors of the node keep their code, and those of foreign code their secrets", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node);
  const binding = await clientOf(gateway.url).bind("Echo", "e");
  for (const code of ["notFound", "busy", "timedOut", "outcomeUnknown", "handlerNotFound", "leaseLost"]) {
    node.answer = () => Promise.reject(runtimeError(code, `about ${code}`));
    await expect(binding.request("x")).rejects.toMatchObject({ code, message: `about ${code}` });
  }
  node.answer = () => Promise.reject(runtimeError("handlerFailed", "password is hunter2"));
  await expect(binding.request("x")).rejects.toMatchObject({
    code: "handlerFailed",
    message: "The actor's handler failed.",
  });
  node.answer = () => {
    throw new TypeError("secret path /etc");
  };
  await expect(binding.request("x")).rejects.toMatchObject({ code: "failed", message: "The gateway failed." });
});

test("the protocol knows every code of the runtime, and the runtime's nodes fit the gateway", () => {
  const codes: readonly FailureCode[] = FAILURE_CODES satisfies readonly (RuntimeErrorCode | FailureCode)[];
  const everyCode: (code: RuntimeErrorCode) => FailureCode = (code) => code;
  const everyNode: (node: Node) => SessionNode = (node) => node;
  expect(new Set(codes).size).toBe(codes.length);
  expect([everyCode, everyNode].length).toBe(2);
});

test("a request that is not answered rejects as timedOut", async () => {
  const node = new FakeNode();
  node.answer = () => new Promise(() => undefined);
  const gateway = await gatewayOn(node);
  const binding = await clientOf(gateway.url).bind("Echo", "e");
  expect(await codeOf(binding.request("x", 1, { timeoutMs: 30 }))).toBe("timedOut");
});

test("I2: a refused send is reported with the sequence that the client knows it by", async () => {
  const node = new FakeNode();
  node.onSend = (_id, message) => (valueOf(message) === "bad" ? runtimeError("backpressured") : undefined);
  const gateway = await gatewayOn(node);
  const client = clientOf(gateway.url);
  const refused: [number, string][] = [];
  client.on("sendRefused", ({ sequence, error }) => refused.push([sequence, error.code]));
  const binding = await client.bind("Echo", "e");
  binding.send("a", "good");
  await binding.request("a", "good");
  const bad = binding.send("a", "bad");
  binding.send("a", "good");
  await until(() => refused.length === 1);
  // Refused by the gateway, so the node never numbers it: later numbers differ by one.
  const before = node.onSend;
  node.onSend = () => {
    throw runtimeError("invalidArgument");
  };
  const thrown = binding.send("a", "good");
  await until(() => refused.length === 2);
  node.onSend = before;
  await binding.request("a", "good");
  const later = binding.send("a", "bad");
  await until(() => refused.length === 3);
  expect(refused).toEqual([
    [bad, "backpressured"],
    [thrown, "invalidArgument"],
    [later, "backpressured"],
  ]);
});

test("H7: a bind of an actor on the move is tried again until it can be had", async () => {
  const node = new FakeNode();
  let tries = 0;
  node.onBind = () => {
    if (++tries < 4) throw runtimeError("busy");
  };
  const gateway = await gatewayOn(node);
  await clientOf(gateway.url).bind("Echo", "e");
  expect(tries).toBe(4);
  node.onBind = () => {
    throw runtimeError("typeUnknown");
  };
  expect(await codeOf(clientOf(gateway.url).bind("Nope", "n"))).toBe("typeUnknown");
});

test("a bind that the node never answers fails in time, and its late success is undone", async () => {
  const node = new FakeNode();
  let release = (): void => undefined;
  node.onBind = () => new Promise<void>((resolve) => (release = resolve));
  const gateway = await gatewayOn(node, { deadlines: { bindMs: 40 } });
  const client = clientOf(gateway.url);
  expect(await codeOf(client.bind("Echo", "e"))).toBe("timedOut");
  expect(await codeOf(client.bind("Echo", "e"))).toBe("busy");
  node.onBind = () => undefined;
  release();
  await sleep(10);
  expect(node.actor("e").bound.size).toBe(0);
  expect((await client.bind("Echo", "e")).bound).toBe(true);
});

test("a bind that the client gives up is undone when it succeeds", async () => {
  const node = new FakeNode();
  let release = (): void => undefined;
  node.onBind = () => new Promise<void>((resolve) => (release = resolve));
  const gateway = await gatewayOn(node);
  const client = clientOf(gateway.url);
  expect(await codeOf(client.bind("Echo", "e", { timeoutMs: 40 }))).toBe("timedOut");
  await sleep(10);
  release();
  await until(() => node.actor("e").bound.size === 0);
  node.onBind = () => undefined;
  expect((await client.bind("Echo", "e")).bound).toBe(true);
});

test("an actor can be bound once per client, and again after the unbind", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node);
  const client = clientOf(gateway.url);
  const binding = await client.bind("Echo", "e");
  expect(await codeOf(client.bind("Echo", "e"))).toBe("alreadyBound");
  const unbound = binding.unbind();
  const again = await client.bind("Echo", "e");
  await unbound;
  expect(await again.request("echo", 1)).toBe(1);
  expect(client.bindings()).toEqual([again]);
});

test("pushes that come with the answer to the bind reach a handler that is added after it", async () => {
  const node = new FakeNode();
  node.onBind = (_type, id) => {
    queueMicrotask(() => {
      for (let n = 1; n <= 3; n++) node.push(id, "early", n);
    });
    setTimeout(() => {
      for (let n = 4; n <= 5; n++) node.push(id, "early", n);
    }, 10);
  };
  const gateway = await gatewayOn(node);
  const binding = await clientOf(gateway.url).bind("Echo", "e");
  await sleep(20);
  const seen: unknown[] = [];
  binding.onPush((_name, value) => seen.push(value));
  node.push("e", "late", 6);
  await until(() => seen.length === 6);
  expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
});

test("a binding that the actor's side ends is reported, with its requests, and not made again", async () => {
  const node = new FakeNode();
  node.answer = () => new Promise(() => undefined);
  const gateway = await gatewayOn(node);
  const client = clientOf(gateway.url);
  const lost: unknown[] = [];
  client.on("bindingLost", ({ binding, error, rebinding }) => lost.push([binding.actorId, error.code, rebinding]));
  const binding = await client.bind("Echo", "e");
  const other = await client.bind("Echo", "other");
  const request = codeOf(binding.request("x"));
  await until(() => node.actor("e").received.length === 1);
  node.sessions[0]!.handler.onBindingLost("e", runtimeError("stale"));
  expect(await request).toBe("outcomeUnknown");
  expect(lost).toEqual([["e", "stale", false]]);
  expect(other.bound).toBe(true);
  expect((await client.bind("Echo", "e")).bound).toBe(true);
});

test("a binding that is lost before the node has granted it is told as granted, then lost", async () => {
  const node = new FakeNode();
  node.onBind = (_type, id) => node.sessions[0]!.handler.onBindingLost(id, runtimeError("stale"));
  const gateway = await gatewayOn(node);
  const client = clientOf(gateway.url);
  const lost: string[] = [];
  client.on("bindingLost", ({ error }) => lost.push(error.code));
  const binding = await client.bind("Echo", "e");
  await until(() => lost.length === 1);
  expect([lost[0], binding.bound]).toEqual(["stale", false]);
});

test("listeners that throw are reported and disturb nothing", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node);
  const client = clientOf(gateway.url);
  const failed: unknown[] = [];
  client.on("handlerFailed", ({ error }) => {
    failed.push((error as Error).message);
  });
  const binding = await client.bind("Echo", "e");
  const seen: unknown[] = [];
  binding.onPush(() => {
    throw new Error("mine");
  });
  binding.onPush((_name, value) => seen.push(value));
  node.push("e", "p", 1);
  node.push("e", "p", 2);
  await until(() => seen.length === 2);
  expect(failed).toEqual(["mine", "mine"]);
});

test("close() waits until what was sent is taken, and rejects what is open", async () => {
  const node = new FakeNode();
  node.answer = () => new Promise(() => undefined);
  const gateway = await gatewayOn(node);
  const client = clientOf(gateway.url);
  const binding = await client.bind("Echo", "e");
  for (let n = 0; n < 500; n++) binding.send("n", n);
  const request = codeOf(binding.request("x"));
  await client.close();
  expect(await request).toBe("closed");
  expect(node.actor("e").received.length).toBe(501);
  expect(await codeOf(client.bind("Echo", "f"))).toBe("closed");
  expect(client.state).toBe("closed");
});
