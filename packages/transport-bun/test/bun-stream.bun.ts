import { connect } from "node:net";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { BunStream, socketHandler } from "../src/bun-stream.ts";

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** An accepted stream, and the other end of its connection, at which nothing is read until it is resumed. */
async function pair(): Promise<[BunStream, Socket]> {
  const accepted = Promise.withResolvers<BunStream>();
  const listener = Bun.listen<BunStream | undefined>({
    hostname: "127.0.0.1",
    port: 0,
    allowHalfOpen: true,
    socket: socketHandler((stream) => accepted.resolve(stream)),
  });
  const far = connect({ port: listener.port, host: "127.0.0.1", allowHalfOpen: true }).pause();
  far.on("error", () => undefined);
  cleanups.push(() => far.destroy());
  const stream = await accepted.promise;
  listener.stop();
  return [stream, far];
}

interface Heard {
  bytes: number;
  drains: number;
  reasons: string[];
  /** A call of the stream that is under way. */
  calling: boolean;
  calledBack: boolean;
}

function start(stream: BunStream): Heard {
  const heard: Heard = { bytes: 0, drains: 0, reasons: [], calling: false, calledBack: false };
  const note = () => (heard.calledBack ||= heard.calling);
  stream.start({
    onData: (bytes) => {
      note();
      heard.bytes += bytes.length;
    },
    onDrain: () => {
      note();
      heard.drains += 1;
    },
    onClose: (reason) => {
      note();
      heard.reasons.push(reason);
    },
  });
  return heard;
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; !condition() && turn < 5_000; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(condition()).toBe(true);
}

describe("an accepted socket of Bun as a stream of bytes", () => {
  it("T1: takes what the operating system takes, keeps nothing of the rest, and says when there is room", async () => {
    const [stream, far] = await pair();
    const heard = start(stream);
    const piece = new Uint8Array(1024 * 1024);
    let taken = 0;
    for (let last = piece.length; last === piece.length; taken += last) last = stream.write(piece);
    expect(stream.write(piece)).toBe(0);
    let read = 0;
    far.on("data", (chunk: Buffer) => (read += chunk.length)).resume();
    await until(() => heard.drains > 0 && read === taken);
    expect(stream.write(Uint8Array.of(1))).toBe(1);
    await until(() => read === taken + 1);
  });

  it("T1: closes with what it took on its way, hears the peer out, and closes once", async () => {
    const [stream, far] = await pair();
    const heard = start(stream);
    const taken = stream.write(new Uint8Array(16 * 1024 * 1024));
    stream.close();
    expect(stream.write(Uint8Array.of(1))).toBe(0);
    let read = 0;
    let ended = false;
    far.on("data", (chunk: Buffer) => (read += chunk.length)).on("end", () => (ended = true));
    far.write("still here");
    await until(() => heard.bytes === 10);
    far.resume();
    await until(() => ended);
    expect(read).toBe(taken);
    expect(heard.reasons).toEqual([]);
    far.end();
    await until(() => heard.reasons.length === 1);
    stream.close();
    stream.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(heard.reasons).toEqual(["ended"]);
  });

  it("is closed once the peer has ended, after everything that the peer had sent", async () => {
    const [stream, far] = await pair();
    far.end("all of it");
    await new Promise((resolve) => setTimeout(resolve, 20));
    const heard = start(stream);
    await until(() => heard.reasons.length === 1);
    expect(heard.bytes).toBe(9);
  });

  it("never calls its handler from within a call", async () => {
    const [stream, far] = await pair();
    const heard = start(stream);
    heard.calling = true;
    stream.write(new Uint8Array(32 * 1024 * 1024));
    stream.write(Uint8Array.of(1));
    stream.destroy();
    heard.calling = false;
    await until(() => heard.reasons.length === 1);
    expect(heard.calledBack).toBe(false);
    far.destroy();
  });

  it("names the error that ended it, even one from before anybody listened", async () => {
    for (const early of [false, true]) {
      const [stream, far] = await pair();
      let heard = early ? undefined : start(stream);
      far.resetAndDestroy();
      await new Promise((resolve) => setTimeout(resolve, 20));
      heard ??= start(stream);
      await until(() => heard.reasons.length === 1);
      expect(heard.reasons).toEqual(["ECONNRESET"]);
      expect(stream.write(Uint8Array.of(1))).toBe(0);
    }
  });
});
