import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { NodeStream } from "../../src/sockets/node-stream.ts";

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Two ends of a connection. Nothing is read at the second one until it is resumed. */
async function pair(): Promise<[Socket, Socket]> {
  const server = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const near = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  const far = await accepted;
  server.close();
  sockets.push(near, far);
  far.on("error", () => undefined);
  return [near, far];
}

interface Heard {
  drains: number;
  reasons: string[];
}

function start(stream: NodeStream): Heard {
  const heard: Heard = { drains: 0, reasons: [] };
  stream.start({
    onData: () => undefined,
    onDrain: () => (heard.drains += 1),
    onClose: (reason) => heard.reasons.push(reason),
  });
  return heard;
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; !condition() && turn < 5_000; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(condition()).toBe(true);
}

describe("a socket as a stream of bytes", () => {
  it("holds what the operating system has not taken yet, and nothing of the rest", async () => {
    const [near, far] = await pair();
    const stream = new NodeStream(near);
    start(stream);
    await until(() => !near.connecting);
    let taken = stream.write(new Uint8Array(1_000));
    expect(stream.heldBytes).toBe(0);
    for (let count = 0; count < 1_000; count += 1) taken += stream.write(new Uint8Array(64 * 1024));
    expect(stream.heldBytes).toBeGreaterThan(0);
    let read = 0;
    far.on("data", (chunk: Buffer) => (read += chunk.length)).resume();
    await until(() => read === taken);
    await until(() => stream.heldBytes === 0);
  });

  it("takes no more while Node's buffer is full, and says when there is room", async () => {
    const [near, far] = await pair();
    const stream = new NodeStream(near);
    const heard = start(stream);
    let taken = 0;
    for (let count = 0; count < 1_000; count += 1) taken += stream.write(new Uint8Array(64 * 1024));
    expect(taken).toBeGreaterThan(0);
    expect(near.writableLength).toBeLessThan(512 * 1024);
    expect(stream.write(Uint8Array.of(1))).toBe(0);
    expect(heard.drains).toBe(0);
    let read = 0;
    far.on("data", (chunk: Buffer) => (read += chunk.length)).resume();
    await until(() => heard.drains > 0 && read === taken);
    expect(stream.write(Uint8Array.of(1))).toBe(1);
    await until(() => read === taken + 1);
  });

  it("closes once, with what it took sent, or at once when it is dropped", async () => {
    const [near, far] = await pair();
    const stream = new NodeStream(near);
    const heard = start(stream);
    const bytes: Buffer[] = [];
    far.on("data", (chunk: Buffer) => bytes.push(chunk)).resume();
    stream.write(Uint8Array.of(1, 2, 3));
    stream.close();
    expect(stream.write(Uint8Array.of(4))).toBe(0);
    await until(() => heard.reasons.length === 1);
    expect([...Buffer.concat(bytes)]).toEqual([1, 2, 3]);
    stream.destroy();
    const dropped = new NodeStream((await pair())[0]);
    const second = start(dropped);
    dropped.destroy();
    dropped.destroy();
    expect(second.reasons).toEqual([]);
    await until(() => second.reasons.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect([heard.reasons.length, second.reasons.length]).toEqual([1, 1]);
  });

  it("names the error that ended it, even one from before anybody listened", async () => {
    const [near, far] = await pair();
    const stream = new NodeStream(near);
    near.resume();
    far.resetAndDestroy();
    await until(() => near.destroyed);
    await new Promise((resolve) => setImmediate(resolve));
    const heard = start(stream);
    await until(() => heard.reasons.length === 1);
    expect(heard.reasons).toEqual(["ECONNRESET"]);
  });
});
