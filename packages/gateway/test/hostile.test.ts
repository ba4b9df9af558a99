import { connect as connectTcp } from "node:net";
import { systemClock } from "@rehome/system";
import { expect, test } from "vitest";
import { encodeClientFrame, encodeClientPacket, type ClientFrame } from "@rehome/client/protocol";
import { FakeNode } from "./fake-node.ts";
import { atEnd, clientOf, gatewayOn, RawClient, sleep, until, upgraded } from "./tools.ts";

const data = (bytes: number) => ({
  packetName: "n",
  contentType: "application/octet-stream",
  data: new Uint8Array(bytes),
});
const bind = (binding: number, actorId: string): ClientFrame => ({ kind: "bind", binding, actorType: "Echo", actorId });
const send = (binding: number, sequence: number, bytes = 0): ClientFrame => {
  return { kind: "send", binding, sequence, payload: data(bytes) };
};
const request = (binding: number, sequence: number): ClientFrame => {
  return { kind: "request", binding, sequence, payload: data(0), timeoutMs: 0 };
};

/** What each of these does has to cost its own connection, with a code and a reason, and nothing else. */
const misdeeds: Record<string, { code: number; act: (client: RawClient) => unknown; before?: true }> = {
  "a text message": { code: 4400, act: ({ socket }) => socket.send("hello") },
  "a text message for a hello": { code: 4400, before: true, act: ({ socket }) => socket.send("hello") },
  "random bytes": { code: 4400, act: ({ socket }) => socket.send(new Uint8Array([255, 255, 255, 255, 0, 1, 2])) },
  "random bytes for a hello": {
    code: 4400,
    before: true,
    act: ({ socket }) => socket.send(new Uint8Array(99).fill(7)),
  },
  "a truncated packet": {
    code: 4400,
    act: ({ socket }) =>
      socket.send(encodeClientPacket({ first: 1, frames: [encodeClientFrame(bind(1, "x"))] }).slice(0, -3)),
  },
  "a bind to what is not UTF-8": { code: 4400, act: (client) => client.say(1, bind(1, "\ud800")) },
  "a frame of no kind": { code: 4400, act: (client) => client.send({ first: 1, frames: [new Uint8Array(0)] }) },
  "frames before the hello": {
    code: 4400,
    before: true,
    act: (client) => client.say(1, bind(1, "x")),
  },
  "frames with the hello": {
    code: 4400,
    before: true,
    act: (client) => {
      const hello = { protocolVersion: 1, token: "", resume: undefined };
      client.send({ hello, first: 1, frames: [encodeClientFrame(bind(1, "x"))] });
    },
  },
  "an empty packet for a hello": { code: 4400, before: true, act: (client) => client.send({}) },
  "a second hello": { code: 4400, act: (client) => client.hello() },
  "a frame number too high": { code: 4400, act: (client) => client.say(2, bind(1, "x")) },
  "a frame number of zero": { code: 4400, act: (client) => client.say(0, bind(1, "x")) },
  "an acknowledgement of what was never sent": { code: 4400, act: (client) => client.send({ acknowledged: 9 }) },
  "a number that is too large": {
    code: 4400,
    act: ({ socket }) => socket.send(new Uint8Array([16, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1])),
  },
  "a binding that was never made": { code: 4400, act: (client) => client.say(1, send(7, 1)) },
  "a binding number used twice": { code: 4400, act: (client) => client.say(1, bind(1, "x"), bind(1, "y")) },
  "a binding number of zero": { code: 4400, act: (client) => client.say(1, bind(0, "x")) },
  "a message over the limit": { code: 1009, act: ({ socket }) => socket.send(new Uint8Array(11_000)) },
  "a hello over its limit": {
    code: 1009,
    before: true,
    act: (client) => client.hello({ token: "x".repeat(11_000) }),
  },
  "a flood of frames": {
    code: 4429,
    act: (client) => {
      client.say(1, bind(1, "x"));
      for (let n = 2; n < 200; n++) client.say(n, send(1, n));
    },
  },
  "a flood of frames in one packet": {
    code: 4429,
    act: (client) => client.say(1, bind(1, "x"), ...Array.from({ length: 150 }, (_, n) => send(1, n + 1))),
  },
  "a flood of empty packets": {
    code: 4429,
    act: (client) => {
      for (let n = 0; n < 200; n++) client.send({});
    },
  },
  "a flood of pings": {
    code: 4429,
    act: async ({ socket }: RawClient) => {
      // Many in one tick are cut by the WebSocket library itself.
      for (let n = 0; n < 200 && socket.readyState === socket.OPEN; n++) {
        socket.ping();
        if (n % 10 === 0) await sleep(1);
      }
    },
  },
  "a flood of repeats": {
    code: 4429,
    act: (client) => {
      for (let n = 0; n < 200; n++) client.say(1, bind(1, "x"));
    },
  },
};

for (const [name, { code, before, ...misdeed }] of Object.entries(misdeeds)) {
  test(`${name} costs its own connection`, async () => {
    const node = new FakeNode();
    const limits = { maxMessageBytes: 10_000, messagesPerSecond: 10, burstMessages: 100 };
    const gateway = await gatewayOn(node, { limits });
    const honest = clientOf(gateway.url);
    const binding = await honest.bind("Echo", "honest");
    const client = before ? new RawClient(gateway.url) : await RawClient.greet(gateway.url);
    await client.open();
    await misdeed.act(client);
    const closed = await client.untilClosed();
    expect(closed.code).toBe(code);
    if (code >= 4_000) expect(closed.reason).not.toBe("");
    // The session of a client that does such things is not kept for it.
    await until(() => gateway.stats().sessions === 1);
    expect(await binding.request("n", 1)).toBe(1);
    expect(honest.state).toBe("connected");
  });
}

test("bytes that are no WebSocket frames end their connection", async () => {
  const gateway = await gatewayOn(new FakeNode());
  const honest = await clientOf(gateway.url).bind("Echo", "honest");
  const socket = await upgraded(gateway.url);
  socket.write(Buffer.alloc(64, 0xff));
  await until(() => socket.heard.length > 0);
  // A close frame with 1002.
  expect([...Buffer.concat(socket.heard)]).toEqual([0x88, 2, 0x03, 0xea]);
  await until(() => gateway.stats().connections === 1);
  expect(gateway.stats().cuts).toEqual({ protocolError: 1 });
  expect(await honest.request("n", 1)).toBe(1);
});

test("a fault in handling one client's message ends that client's connection only", async () => {
  const node = new FakeNode();
  let faulty = false;
  const nowMs = (): number => {
    if (!faulty) return systemClock.nowMs();
    faulty = false;
    throw new Error("a fault");
  };
  const gateway = await gatewayOn(node, { clock: { ...systemClock, nowMs } });
  const raw = await RawClient.greet(gateway.url);
  faulty = true;
  raw.send({});
  expect(await raw.untilClosed()).toMatchObject({ code: 4500 });
  const client = clientOf(gateway.url);
  const binding = await client.bind("Echo", "e");
  const lost: string[] = [];
  client.on("bindingLost", ({ error }) => lost.push(error.code));
  node.answer = () => undefined;
  await expect(binding.request("n", 1)).rejects.toMatchObject({ code: "outcomeUnknown" });
  expect(gateway.stats().cuts).toEqual({ internalError: 2 });
  node.answer = (_id, message) => message;
  await until(() => binding.bound);
  expect(await binding.request("n", 2)).toBe(2);
});

test("who says nothing is cut: no hello, and no HTTP either", async () => {
  const gateway = await gatewayOn(new FakeNode(), { deadlines: { helloMs: 50 } });
  const silent = new RawClient(gateway.url);
  const { hostname, port } = new URL(gateway.url);
  const mute = connectTcp(Number(port), hostname).resume();
  atEnd(() => mute.destroy());
  let muteClosed = false;
  mute.on("close", () => (muteClosed = true));
  expect(await silent.untilClosed()).toMatchObject({ code: 4408 });
  await until(() => muteClosed);
});

test("who answers no pings is cut, and its session waits for it", async () => {
  const gateway = await gatewayOn(new FakeNode(), { deadlines: { pingMs: 20, silenceMs: 60 } });
  const client = await RawClient.greet(gateway.url);
  client.autoPong = false;
  // Other traffic is no answer (L2).
  let said = 0;
  while (client.closed === undefined && said < 100) {
    client.send({ first: ++said, frames: [encodeClientFrame(bind(said, `x${said}`))] });
    await sleep(5);
  }
  expect(said).toBeLessThan(100);
  await client.untilClosed();
  expect(gateway.stats()).toMatchObject({ cuts: { silent: 1 }, detachedSessions: 1 });
});

test("I8: bindings and outstanding requests are limited, and over the limit refused", async () => {
  const node = new FakeNode();
  node.answer = () => new Promise(() => undefined);
  const gateway = await gatewayOn(node, { limits: { maxBindings: 2, maxOutstandingRequests: 3 } });
  const client = clientOf(gateway.url);
  const binding = await client.bind("Echo", "a");
  await client.bind("Echo", "b");
  await expect(client.bind("Echo", "c")).rejects.toMatchObject({ code: "limitExceeded" });
  const open = [1, 2, 3].map((n) => binding.request("n", n).catch((error: { code: string }) => error.code));
  await expect(binding.request("n", 4)).rejects.toMatchObject({ code: "backpressured" });
  await client.close();
  expect(await Promise.all(open)).toEqual(["closed", "closed", "closed"]);
});

test("I8: answered requests make room for others", async () => {
  const gateway = await gatewayOn(new FakeNode(), { limits: { maxOutstandingRequests: 3 } });
  const binding = await clientOf(gateway.url).bind("Echo", "a");
  for (let n = 0; n < 20; n++) expect(await binding.request("n", n)).toBe(n);
});

test("a hello is held to a limit of its own", async () => {
  const gateway = await gatewayOn(new FakeNode());
  const client = new RawClient(gateway.url);
  await client.open();
  client.hello({ token: "x".repeat(70_000) });
  expect(await client.untilClosed()).toMatchObject({ code: 4413 });
});

test("a process that was stopped does not cut its clients for what they could not answer", async () => {
  let skewMs = 0;
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + skewMs };
  const gateway = await gatewayOn(new FakeNode(), { clock, deadlines: { pingMs: 40, silenceMs: 400 } });
  const binding = await clientOf(gateway.url).bind("Echo", "a");
  skewMs = 3_600_000;
  await sleep(100);
  expect(await binding.request("n", 1)).toBe(1);
  expect(gateway.stats()).toMatchObject({ cuts: {}, connectionsAccepted: 1 });
});

test("N5: names of the protocol's own are refused from a client, and so is what is no name", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node);
  const client = await RawClient.greet(gateway.url);
  client.say(1, bind(1, "x"));
  await until(() => client.frames.length === 1);
  const names = ["~gone", "~h", "", "a\0b", "x".repeat(256), "ü".repeat(128)];
  for (const [at, packetName] of names.entries()) {
    client.say(at + 2, { kind: "send", binding: 1, sequence: at + 1, payload: { ...data(0), packetName } });
  }
  await until(() => client.frames.length === names.length + 1);
  expect(client.frames.slice(1)).toEqual(
    names.map((_, at) => {
      const failure = expect.objectContaining({ code: "invalidArgument" }) as unknown;
      return { kind: "sendRefused", binding: 1, sequence: at + 1, failure };
    }),
  );
  expect(node.actor("x").received).toEqual([]);
  client.say(names.length + 2, bind(2, ""), bind(3, "y".repeat(256)));
  await until(() => client.frames.length === names.length + 3);
  expect(client.frames.slice(-2)).toMatchObject([
    { kind: "bindFailed", binding: 2, failure: { code: "invalidArgument" } },
    { kind: "bindFailed", binding: 3, failure: { code: "invalidArgument" } },
  ]);
});

test("messages on a binding that is not there yet, or any more, are refused one by one", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node);
  const client = await RawClient.greet(gateway.url);
  client.say(1, bind(1, "x"), send(1, 1), request(1, 2), { kind: "unbind", binding: 1 }, send(1, 3));
  await until(() => client.frames.length === 4);
  expect(client.frames).toMatchObject([
    { kind: "sendRefused", sequence: 1, failure: { code: "actorSessionNotBound" } },
    { kind: "reply", sequence: 2, result: { ok: false, failure: { code: "actorSessionNotBound" } } },
    { kind: "sendRefused", sequence: 3, failure: { code: "actorSessionNotBound" } },
    { kind: "unbound", binding: 1 },
  ]);
  expect(node.actor("x")).toMatchObject({ received: [], bound: new Set() });
});

test("a client that keeps to its limits is never cut, however the network bunches what it sends", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { limits: { messagesPerSecond: 2_000, burstMessages: 64 } });
  const client = clientOf(gateway.url);
  const binding = await client.bind("Echo", "e");
  for (let n = 1; n <= 1_000; n++) binding.send("n", n);
  await until(() => node.actor("e").received.length === 1_000);
  expect(node.actor("e").received.map(({ value }) => value)).toEqual(Array.from({ length: 1_000 }, (_, n) => n + 1));
  expect(gateway.stats().cuts).toEqual({});
});

test("I8: what a client may buffer is bounded, and it is told when there is room again", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node);
  const client = clientOf(gateway.url, { maxBufferedMessages: 10, maxBufferedBytes: 4_000 });
  const binding = await client.bind("Echo", "e");
  let drained = 0;
  client.on("drain", () => drained++);
  let taken = 0;
  const fill = (value: unknown): void => {
    for (; taken < 1_000; taken++) binding.send("n", value);
  };
  expect(() => fill(1)).toThrow(expect.objectContaining({ code: "backpressured" }));
  expect(taken).toBe(10);
  await until(() => drained === 1);
  expect(() => fill("x".repeat(1_000))).toThrow(expect.objectContaining({ code: "backpressured" }));
  expect(taken).toBe(13);
  await until(() => node.actor("e").received.length === 13);
});

test("a message that the gateway would not read is refused before it is sent", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { limits: { maxMessageBytes: 1_000 } });
  const client = clientOf(gateway.url);
  const binding = await client.bind("Echo", "e");
  expect(() => binding.send("n", new Uint8Array(1_000))).toThrow(expect.objectContaining({ code: "tooLarge" }));
  await expect(binding.request("n", new Uint8Array(1_000))).rejects.toMatchObject({ code: "tooLarge" });
  // Many that fit are not put into one packet that does not.
  for (let n = 0; n < 50; n++) binding.send("n", new Uint8Array(800));
  expect(await binding.request("n", 1)).toBe(1);
  expect(gateway.stats().cuts).toEqual({});
});
