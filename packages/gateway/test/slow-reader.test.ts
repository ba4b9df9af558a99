import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { FakeNode } from "./fake-node.ts";
import { clientOf, gatewayOn, RawClient, sleep, until } from "./tools.ts";

const MESSAGES = 200;
const MESSAGE_BYTES = 256 * 1024;
const MIB = 1024 * 1024;

/** Bytes of buffers that are alive. */
async function aliveBytes(): Promise<number> {
  const { Bun: bun } = globalThis as { Bun?: { gc(now: boolean): void } };
  if (bun === undefined) setFlagsFromString("--expose-gc");
  const collect = bun === undefined ? (runInNewContext("gc") as () => void) : () => bun.gc(true);
  for (let n = 0; n < 4; n++) {
    collect();
    await sleep(5);
  }
  return process.memoryUsage().arrayBuffers;
}

/** A client that is bound to actor "e" and has stopped reading. */
async function stopped(url: string): Promise<RawClient> {
  const client = await RawClient.greet(url);
  client.say(1, { kind: "bind", binding: 1, actorType: "Echo", actorId: "e" });
  await until(() => client.frames.length === 1);
  client.socket.pause();
  return client;
}

/** Pushes one message after the other, each beginning with its number. */
async function pushAll(node: FakeNode): Promise<void> {
  for (let n = 1; n <= MESSAGES; n++) {
    const data = new Uint8Array(MESSAGE_BYTES);
    new DataView(data.buffer).setUint32(0, n);
    for (const session of node.actor("e").bound) {
      session.handler.onPush("e", { packetName: "big", contentType: "application/octet-stream", data });
    }
    if (n % 20 === 0) await sleep(1);
  }
}

function numbersOf(client: RawClient): number[] {
  return client.frames.flatMap((frame) => {
    if (frame.kind !== "push") return [];
    expect(frame.payload.data.length).toBe(MESSAGE_BYTES);
    const { buffer, byteOffset } = frame.payload.data;
    return [new DataView(buffer, byteOffset).getUint32(0)];
  });
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

test("T4: with room for it, a client that stopped reading gets everything later, in order, once", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { limits: { sendBufferBytes: 64 * MIB } });
  const client = await stopped(gateway.url);
  const before = await aliveBytes();
  await pushAll(node);
  await sleep(50);
  // Held once, not once more in the socket.
  expect((await aliveBytes()) - before).toBeLessThan(MESSAGES * MESSAGE_BYTES + 2 * MIB);
  client.socket.resume();
  await until(() => numbersOf(client).length === MESSAGES);
  expect(numbersOf(client)).toEqual(upTo(MESSAGES));
  expect(client.closed).toBeUndefined();
});

test("T4: without, it is cut before the limit is passed, and told why after what came before", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { limits: { sendBufferBytes: 4 * MIB } });
  const other = await clientOf(gateway.url).bind("Echo", "other");
  const client = await stopped(gateway.url);
  const before = await aliveBytes();
  await pushAll(node);
  expect(gateway.stats().cuts).toEqual({ slowConsumer: 1 });
  expect(node.sessions[1]!.closed).toBe(true);
  expect((await aliveBytes()) - before).toBeLessThan(4 * MIB + MESSAGE_BYTES);
  client.socket.resume();
  const closed = await client.untilClosed();
  expect(closed).toMatchObject({ code: 4430 });
  expect(closed.reason).toContain(`${4 * MIB} bytes`);
  const numbers = numbersOf(client);
  expect(numbers).toEqual(upTo(numbers.length));
  // All that was accepted before the cut: what the limit holds, besides what the system's buffers took.
  expect(numbers.length).toBeGreaterThanOrEqual(15);
  expect(numbers.length).toBeLessThan(MESSAGES);
  expect(await other.request("n", 1)).toBe(1);
});

test("T4: a client that reads and acknowledges nothing is cut as well", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { limits: { sendBufferBytes: 4 * MIB } });
  const client = await stopped(gateway.url);
  client.socket.resume();
  await pushAll(node);
  expect(await client.untilClosed()).toMatchObject({ code: 4430 });
  expect(numbersOf(client)).toEqual(upTo(numbersOf(client).length));
});

test("T4: a client that never reads again is gone by the deadline", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { limits: { sendBufferBytes: 4 * MIB }, deadlines: { cutMs: 60 } });
  const client = await stopped(gateway.url);
  await pushAll(node);
  await until(() => gateway.stats().connections === 0);
  expect(client.closed).toBeUndefined();
});

test("T4: what is pushed to a client that is away counts too; when it is too much the session ends", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { limits: { sendBufferBytes: 4 * MIB } });
  const client = await stopped(gateway.url);
  const { session } = client.packets[0]!.welcome!;
  client.socket.terminate();
  await until(() => gateway.stats().detachedSessions === 1);
  await pushAll(node);
  expect(gateway.stats().sessions).toBe(0);
  const again = await RawClient.greet(gateway.url, { resume: { session, received: 1 } });
  expect(again.answer.welcome).toMatchObject({ resumed: false });
});

test("T4: a client of this project that was cut for being slow starts anew, and its application is told", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { limits: { sendBufferBytes: 4 * MIB } });
  const client = clientOf(gateway.url);
  const lost: string[] = [];
  client.on("bindingLost", ({ error }) => lost.push(error.code));
  const binding = await client.bind("Echo", "e");
  // The client's event loop is this one: it cannot read while this runs.
  for (let n = 0; n < 100; n++) {
    for (const { handler } of node.actor("e").bound) {
      handler.onPush("e", {
        packetName: "big",
        contentType: "application/octet-stream",
        data: new Uint8Array(MESSAGE_BYTES),
      });
    }
  }
  await until(() => lost.length === 1 && binding.bound);
  expect(lost).toEqual(["outcomeUnknown"]);
  expect(await binding.request("n", 1)).toBe(1);
});
