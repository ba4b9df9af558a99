import { describe, expect, it } from "vitest";
import type { ByteStream } from "../src/byte-stream.ts";
import { Outbox } from "../src/outbox.ts";
import { RecordPool } from "../src/record-pool.ts";
import { SLAB_BYTES, SlabPool } from "../src/slab-pool.ts";
import { UnitReader } from "../src/unit-reader.ts";
import { encodeNumberUnit, PREFACE, readFrames, unitKind } from "../src/units.ts";
import { concat, sameBytes, someBytes } from "./support/bytes.ts";
import { seeded } from "./support/fake-network.ts";
import { World } from "./support/nodes.ts";

/** Sends bytes from where they lie, and some time after it has taken them. */
class SlowStream implements ByteStream {
  readonly remote = "test";
  readonly proven = undefined;
  /** What the bytes were when they were taken. */
  readonly expected: Uint8Array[] = [];
  readonly sent: Uint8Array[] = [];
  readonly memory = new Set<unknown>();
  takes = Number.POSITIVE_INFINITY;
  private held: Uint8Array[] = [];

  start(): void {}
  close(): void {}
  destroy(): void {}

  get heldBytes(): number {
    return this.held.reduce((sum, { length }) => sum + length, 0);
  }

  write(bytes: Uint8Array): number {
    const taken = bytes.subarray(0, Math.min(bytes.length, this.takes));
    this.memory.add(bytes.buffer);
    this.expected.push(taken.slice());
    this.held.push(taken);
    return taken.length;
  }

  send(writes: number): void {
    for (const bytes of this.held.splice(0, writes)) this.sent.push(bytes.slice());
  }
}

function append(outbox: Outbox, frames: readonly Uint8Array[]): void {
  outbox.appendRecord(frames, Outbox.recordBytes(frames));
}

describe("memory of what goes out", () => {
  it("N1: serves again only when its records are acknowledged and the socket has done with it", () => {
    for (let seed = 1; seed <= 4; seed += 1) {
      const random = seeded(seed);
      const pool = new SlabPool();
      const links = [0, 1, 2].map(() => ({ outbox: new Outbox(pool), stream: new SlowStream(), records: 0 }));
      const all = [...links.map(({ stream }) => stream)];
      for (let turn = 0; turn < 400; turn += 1) {
        const link = links[Math.floor(random() * links.length)]!;
        const { outbox, stream } = link;
        for (let count = random() * 4; count > 0; count -= 1) {
          append(outbox, [new Uint8Array(random() * 20_000).fill((link.records += 1))]);
          // What follows a record in its slab is not sent when the record is acknowledged.
          outbox.appendUnit(encodeNumberUnit(unitKind.acknowledge, link.records));
        }
        stream.takes = random() < 0.2 ? Math.floor(random() * 50_000) : Number.POSITIVE_INFINITY;
        if (random() < 0.5) outbox.writeTo(stream);
        else outbox.writeFullSlabsTo(stream);
        // A peer may acknowledge what is still under way to it.
        if (random() < 0.3) outbox.acknowledge(outbox.lastNumber);
        stream.send(Math.floor(random() * 5));
        if (random() < 0.02) {
          const next = { outbox: new Outbox(pool), stream: new SlowStream(), records: link.records };
          next.outbox.continueFrom(outbox, outbox.acknowledgedThrough);
          links[links.indexOf(link)] = next;
          all.push(next.stream);
        }
      }
      for (const stream of all) {
        stream.send(Number.POSITIVE_INFINITY);
        expect(sameBytes(concat(stream.sent), concat(stream.expected))).toBe(true);
      }
    }
  });

  it("N1: of a link that goes on over another connection is left to the socket of the earlier one", () => {
    const pool = new SlabPool();
    const first = { outbox: new Outbox(pool), stream: new SlowStream() };
    // Past the small slabs that a link begins with, then a whole slab of records and nothing else.
    for (let count = 0; count < 64; count += 1) append(first.outbox, [new Uint8Array(1_000)]);
    append(first.outbox, [new Uint8Array(SLAB_BYTES - 17).fill(1)]);
    append(first.outbox, [Uint8Array.of(2)]);
    first.outbox.writeTo(first.stream);
    const next = { outbox: new Outbox(pool), stream: new SlowStream() };
    next.outbox.continueFrom(first.outbox, 0);
    append(next.outbox, [Uint8Array.of(3)]);
    next.outbox.writeTo(next.stream);
    next.stream.send(Number.POSITIVE_INFINITY);
    next.outbox.acknowledge(next.outbox.lastNumber);
    for (let count = 0; count < 20; count += 1) pool.take().fill(0xee);
    first.stream.send(Number.POSITIVE_INFINITY);
    expect(sameBytes(concat(first.stream.sent), concat(first.stream.expected))).toBe(true);
  });

  it("is not new to the process for each slab, on a link whose records arrive", () => {
    const outbox = new Outbox(new SlabPool());
    const stream = new SlowStream();
    for (let count = 0; count < 60; count += 1) {
      for (let part = 0; part < 16; part += 1) append(outbox, [new Uint8Array(SLAB_BYTES / 8)]);
      outbox.writeTo(stream);
      stream.send(Number.POSITIVE_INFINITY);
      if (count % 2 === 0) outbox.acknowledge(outbox.lastNumber);
    }
    expect(stream.expected.length).toBeGreaterThan(120);
    expect(stream.memory.size).toBeLessThan(20);
  });

  it("is kept for later up to 1 MiB", () => {
    const pool = new SlabPool();
    const slabs = Array.from({ length: 100 }, () => pool.take());
    for (const slab of slabs) pool.give(slab);
    const again = Array.from({ length: 100 }, () => pool.take());
    expect(again.filter((slab) => slabs.includes(slab)).length).toBe(16);
    expect(again.every((slab) => slab.length === SLAB_BYTES)).toBe(true);
  });

  it("N1: shared by the links of a node, mixes nothing up while connections are cut", async () => {
    for (let seed = 1; seed <= 3; seed += 1) {
      const random = seeded(seed * 31);
      const world = new World({ seed, capacity: 1 << 18, writeTakes: (n) => Math.ceil(n * random()) });
      const a = await world.node("a");
      const others = [await world.node("b"), await world.node("c")];
      for (const other of others) a.transport.connect(other.address);
      world.run();
      const sent = others.map((): Uint8Array[] => []);
      for (let turn = 0; turn < 400; turn += 1) {
        const index = Math.floor(random() * others.length);
        const frame = new Uint8Array(random() * 30_000).fill(turn);
        if (a.transport.send(others[index]!.rid, [frame], "data") !== "refused") sent[index]!.push(frame);
        for (let steps = random() * 6; steps > 0; steps -= 1) world.network.step();
        if (random() < 0.1) world.clock.advance(20, () => world.network.step());
        const open = world.network.streams.filter((stream) => !stream.isClosed);
        if (random() > 0.01 || open.length === 0) continue;
        const cut = open[Math.floor(random() * open.length)]!;
        cut.reset("cut");
        cut.other.reset("cut");
      }
      world.advance(10_000);
      for (const [index, { records }] of others.entries()) {
        expect(records.length).toBe(sent[index]!.length);
        expect(records.every(({ frames }, at) => sameBytes(frames[0]!, sent[index]![at]!))).toBe(true);
      }
    }
  });
});

describe("what is sent within one tick", () => {
  it("T6: is on its way as soon as it fills a write, and the rest goes out together", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    const stream = world.network.streams.find(({ remote }) => remote.startsWith("to"))!;
    const before = stream.writes;
    for (let count = 0; count < 400; count += 1) a.transport.send(b.rid, [new Uint8Array(1_000)], "data");
    const early = stream.writes - before;
    // 4, 8, 16 and 32 KiB on the way to slabs of 64 KiB.
    expect([early, stream.heldBytes > 300_000]).toEqual([10, true]);
    world.run();
    expect(b.records.length).toBe(400);
    expect(stream.writes - before).toBe(early + 1);
  });

  it("is not offered to a socket that has no room, but when it says that it has", async () => {
    const world = new World({ capacity: 100_000 });
    const [a, b] = await world.pair();
    const stream = world.network.streams.find(({ remote }) => remote.startsWith("to"))!;
    for (let count = 0; count < 1_000; count += 1) a.transport.send(b.rid, [new Uint8Array(1_000)], "data");
    // The 4, 8, 16 and 32 KiB, and one that did not fit any more.
    expect(stream.writes).toBeLessThan(10);
    world.run();
    expect(b.records.length).toBe(1_000);
  });
});

/** Frames of records as they come out of reads of this size. */
function framesOf(records: readonly Uint8Array[], readBytes: number): Uint8Array[] {
  const outbox = new Outbox();
  for (const record of records) append(outbox, [record]);
  const stream = new SlowStream();
  outbox.writeTo(stream);
  const bytes = concat([PREFACE, ...stream.expected]);
  const frames: Uint8Array[] = [];
  const reader = new UnitReader(
    {
      limitOf: () => 1 << 20,
      onUnit: (_kind, body) => {
        if (body.owned) frames.push(...readFrames(body.bytes, body.start + 8, body.end, 8));
        else frames.push(body.bytes.slice(body.start + 12, body.end));
      },
      onUnknownVersion: () => undefined,
    },
    new RecordPool(),
  );
  for (let at = 0; at < bytes.length; at += readBytes) reader.push(bytes.slice(at, at + readBytes));
  return frames;
}

describe("a record that is kept", () => {
  it("holds on to 64 KiB at most, or else to as much again as itself, whatever it came with", () => {
    const records = Array.from({ length: 300 }, (_, index) =>
      someBytes([3, 168, 1_500, 3_000, 9_000, 40_000][index % 6]!),
    );
    for (const readBytes of [100, 1_460, 8_192, 20_000, 65_536, 524_288]) {
      const frames = framesOf(records, readBytes);
      expect(frames.length).toBe(records.length);
      expect(frames.every((frame, index) => sameBytes(frame, records[index]!))).toBe(true);
      const around = 17;
      for (const frame of frames)
        expect(frame.buffer.byteLength).toBeLessThanOrEqual(Math.max(65_536, 2 * (frame.length + around)));
    }
  });

  it.each([
    ["alone", [16_384]],
    ["with others in a read that is not large", [168, 200, 3_000, 40_000]],
  ])("is where the socket has put it, if it came %s", (_, sizes) => {
    const outbox = new Outbox();
    for (const size of sizes) append(outbox, [someBytes(size)]);
    const stream = new SlowStream();
    outbox.writeTo(stream);
    const read = concat(stream.expected);
    const memory: unknown[] = [];
    const reader = new UnitReader(
      {
        limitOf: () => 1 << 20,
        onUnit: (_kind, { bytes, owned }) => void memory.push(owned && bytes.buffer),
        onUnknownVersion: () => undefined,
      },
      new RecordPool(),
    );
    reader.push(PREFACE);
    reader.push(read);
    expect([memory.length, memory.every((one) => one === read.buffer)]).toEqual([sizes.length, true]);
  });
});
