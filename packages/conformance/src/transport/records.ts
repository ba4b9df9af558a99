import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { ACKNOWLEDGE, helloBytes, recordBytes } from "./raw-peer.ts";
import { patternBytes } from "./bytes.ts";
import { inScene, later, sameFrames, until } from "./scene.ts";
import type { MakeTransport, SceneNode } from "./scene.ts";

const MIB = 1024 * 1024;

export function recordTests(make: MakeTransport): void {
  describe("records", () => {
    fidelityTests(make);
    backpressureTests(make);
  });
}

function fidelityTests(make: MakeTransport): void {
  it(
    "N1: arrive whole, in order and once, in both directions, in all sizes",
    inScene(make, async (scene) => {
      const [a, b] = await scene.pair();
      const there = Array.from({ length: 3_000 }, (_, index) => mixedRecord(index));
      const back = Array.from({ length: 3_000 }, (_, index) => mixedRecord(index + 7));
      await Promise.all([sendAll(a, b, there), sendAll(b, a, back)]);
      await until("all records", () => b.records.length >= there.length && a.records.length >= back.length);
      expect(there.every((frames, index) => sameFrames(b.records[index], frames))).toBe(true);
      expect(back.every((frames, index) => sameFrames(a.records[index], frames))).toBe(true);
      expect([a.records.length, b.records.length]).toEqual([back.length, there.length]);
    }),
  );

  it(
    "are copied or owned: neither end sees what the other does with its bytes afterwards",
    inScene(make, async (scene) => {
      const [a, b] = await scene.pair();
      const buffer = new Uint8Array(600);
      const kept: (readonly Uint8Array[])[] = [];
      b.onRecord = (frames) => void kept.push(frames);
      for (let index = 0; index < 500; index += 1) {
        buffer.fill(index % 251);
        a.transport.send(b.rid, [buffer, buffer.subarray(0, index % 40)], index % 2 ? "data" : "control");
        if (index % 100 === 0) await later(1);
      }
      buffer.fill(255);
      await until("all records", () => kept.length === 500);
      const spoilt = kept.filter(
        (frames, index) => !frames.every((frame) => frame.every((byte) => byte === index % 251)),
      );
      expect(spoilt.length).toBe(0);
    }),
  );

  it(
    "T5: arrive whole when every byte comes by itself, within lengths and within characters",
    inScene(make, async (scene) => {
      const a = await scene.node("a");
      const peer = await scene.raw(a);
      const text = "é 漢字 🙂 ~";
      const bytes = Buffer.concat([
        helloBytes(a.identity, ridFromText("dripping")),
        recordBytes(1, new TextEncoder().encode(text)),
        recordBytes(2, new TextEncoder().encode(`${text}${text}`), new Uint8Array(0), Uint8Array.of(9)),
      ]);
      for (const byte of bytes) {
        peer.socket.write(Uint8Array.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await until("both records", () => a.records.length === 2);
      expect(a.texts).toEqual([text, `${text}${text}`]);
      expect(a.records[1]?.map((frame) => frame.length)).toEqual([new TextEncoder().encode(text).length * 2, 0, 1]);
    }),
  );

  it(
    "T6: many small ones one after the other do not wait for a timer of the network",
    inScene(make, async (scene) => {
      const [a, b] = await scene.pair();
      const rounds = 100;
      b.onRecord = () => {
        if (b.records.length % 2 === 0) b.sendText(a, "answer");
      };
      const startedAt = performance.now();
      for (let round = 1; round <= rounds; round += 1) {
        // In two writes, of which the second would wait for the first one's acknowledgement.
        a.sendText(b, "half a question");
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        a.sendText(b, "the other half");
        await until("an answer", () => a.records.length === round);
      }
      // With a 40 ms stall each it takes four seconds; without, a fraction of one.
      expect(performance.now() - startedAt).toBeLessThan(rounds * 20);
    }),
  );

  it(
    "are sent from within the handler in the order of the calls",
    inScene(make, async (scene) => {
      const [a, b] = await scene.pair();
      b.onRecord = (frames) => {
        for (let copy = 0; copy < 3; copy += 1) b.transport.send(a.rid, frames, copy === 1 ? "control" : "data");
      };
      for (let index = 0; index < 300; index += 1) a.sendText(b, `${index}`);
      await until("all answers", () => a.records.length === 900);
      expect(a.texts).toEqual(Array.from({ length: 900 }, (_, index) => `${Math.floor(index / 3)}`));
    }),
  );
}

function backpressureTests(make: MakeTransport): void {
  const limits = { queueMarkBytes: 256 * 1024, maxDataBytes: 4 * MIB, controlReserveBytes: MIB };

  it(
    "N3, I8: data is refused before the queue passes its limit, control finds room, and their order holds",
    inScene(make, async (scene) => {
      const a = await scene.node("a", { limits });
      const b = await scene.node("b");
      const proxy = await scene.proxy(b);
      await scene.link(a, b, { ...b.address, endpoint: proxy.endpoint });
      proxy.pause();
      const expected: number[] = [];
      const answers = new Set<string>();
      for (let index = 0; ; index += 1) {
        const frame = patternBytes(16 * 1024, index);
        const answer = a.transport.send(b.rid, [frame], "data");
        answers.add(answer);
        if (answer === "refused") break;
        expected.push(index);
      }
      expect(answers).toEqual(new Set(["accepted", "backedUp", "refused"]));
      expect(expected.length * 16 * 1024).toBeLessThanOrEqual(4 * MIB);
      for (let index = 0; index < 20; index += 1) {
        expect(a.transport.send(b.rid, [patternBytes(16 * 1024, 10_000 + index)], "control")).toBe("backedUp");
        expected.push(10_000 + index);
      }
      expect(a.sendText(b, "x".repeat(16 * 1024))).toBe("refused");
      expect(a.ofType("LinkDrained").length).toBe(0);
      proxy.resume();
      await until("room", () => a.ofType("LinkDrained").length === 1);
      await until("all records", () => b.records.length === expected.length);
      const wrong = expected.filter((seed, index) => !sameFrames(b.records[index], [patternBytes(16 * 1024, seed)]));
      expect(wrong).toEqual([]);
      expect(a.sendText(b, "again")).toBe("accepted");
    }),
  );

  it(
    "N2: a peer that takes nothing, not even control, is lost, and everything is reported",
    inScene(make, async (scene) => {
      const a = await scene.node("a", { limits });
      const peer = await scene.greet(a, ridFromText("deaf"));
      peer.socket.pause();
      const frame = new Uint8Array(64 * 1024);
      let queued = 0;
      while (a.transport.send(peer.rid, [frame], "control") !== "noLink") queued += 1;
      await until("the loss", () => a.ofType("LinkLost").length === 1);
      expect(a.ofType("LinkLost")[0]?.unacknowledged.length).toBe(queued);
      expect(queued * frame.length).toBeLessThanOrEqual(5 * MIB);
    }),
  );

  it(
    "are acknowledged: soon, cumulatively, and only once the handler has had them",
    inScene(make, async (scene) => {
      const a = await scene.node("a");
      const peer = await scene.greet(a, ridFromText("peer"));
      for (let number = 1; number <= 10; number += 1) peer.record(number, Uint8Array.of(number));
      await until("an acknowledgement", () => peer.bodies(ACKNOWLEDGE).at(-1)?.readBigUInt64BE() === 10n);
      expect(a.records.length).toBe(10);
      expect(peer.bodies(ACKNOWLEDGE).length).toBeLessThan(10);
    }),
  );

  it(
    "of a larger size than the limit are answered tooLarge and harm nothing",
    inScene(make, async (scene) => {
      const [a, b] = await scene.pair({ maxRecordBytes: 1_000 });
      expect(a.transport.send(b.rid, [new Uint8Array(1_001)], "data")).toBe("tooLarge");
      expect(a.transport.send(b.rid, [new Uint8Array(1_000)], "data")).toBe("accepted");
      await until("the record", () => b.records.length === 1);
      expect(a.story).toEqual(["LinkUp"]);
    }),
  );
}

/** Mostly small, some of a state chunk's size, some empty frames. */
function mixedRecord(index: number): Uint8Array[] {
  if (index % 500 === 499) return [patternBytes(60, index), patternBytes(256 * 1024, index)];
  if (index % 50 === 49) return [patternBytes(20_000 + index, index)];
  return [patternBytes(index % 300, index), patternBytes(index % 7, index)];
}

/** Sends as fast as the link takes it. */
async function sendAll(from: SceneNode, to: SceneNode, records: readonly Uint8Array[][]): Promise<void> {
  for (const [index, frames] of records.entries()) {
    const answer = from.transport.send(to.rid, frames, index % 3 === 0 ? "control" : "data");
    if (answer === "accepted") continue;
    expect(answer).toBe("backedUp");
    const drained = from.ofType("LinkDrained").length;
    await until("room", () => from.ofType("LinkDrained").length > drained);
  }
}
