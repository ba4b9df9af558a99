import { describe, expect, it } from "vitest";
import type { TransportLimits } from "../src/limits.ts";
import { concat } from "./support/bytes.ts";
import { seeded } from "./support/fake-network.ts";
import type { FakeStream, NetworkOptions } from "./support/fake-network.ts";
import { World } from "./support/nodes.ts";
import type { TestNode } from "./support/nodes.ts";

/** Quick, so that an attempt that was cut in its handshake does not take the time that a link has to answer a probe. */
const LIMITS: Partial<TransportLimits> = { reconnectMaxMs: 100, handshakeTimeoutMs: 500, ackDelayMs: 5 };
/** Past the handshake, which takes some 300 bytes each way, and into records, acknowledgements and probes. */
const OFFSETS = 800;

/** Enough for the largest record: what never fits into the life of a connection never arrives. */
const LONG_LIFE = 3_000;

/** Thousands of connections take seconds, and more on a busy machine. */
const TIMEOUT_MS = 120_000;

/** What one node sends to the other: numbered, of many sizes, with characters of two bytes. */
class Sender {
  readonly sent: string[] = [];
  private readonly from: TestNode;
  private readonly to: TestNode;

  constructor(from: TestNode, to: TestNode) {
    this.from = from;
    this.to = to;
  }

  send(): void {
    const number = this.sent.length;
    const filling = number % 200 === 199 ? 1_000 : (number * 7) % 60;
    const text = `${number} ${"é".repeat(filling)}`;
    const answer = this.from.send(this.to, text, number % 3 === 0 ? "control" : "data");
    if (answer === "accepted" || answer === "backedUp") this.sent.push(text);
  }

  /** Everything has arrived, once and in order, on one link that was never lost. */
  check(): void {
    // Not the texts themselves: a difference would print megabytes.
    const wrong = this.to.texts.findIndex((text, index) => text !== this.sent[index]);
    expect([wrong, this.to.texts.length]).toEqual([-1, this.sent.length]);
    expect([this.to.ofType("LinkUp").length, this.to.ofType("LinkLost").length]).toEqual([1, 0]);
  }
}

function everyOffset(options: { network: NetworkOptions; bothDial: boolean; tell: "both" | "oneEnd" }) {
  return async () => {
    const world = new World(options.network);
    const a = await world.node("a", { limits: LIMITS });
    const b = await world.node("b", { limits: LIMITS });
    const senders = [new Sender(a, b), new Sender(b, a)];
    let connections = 0;
    const cutAt = [new Set<number>(), new Set<number>()];
    world.network.onConnection = (near, far) => {
      connections += 1;
      // Every other one lives long enough for a probe and its answer: a link that is never heard of again is lost.
      const offset = connections % 2 === 0 ? LONG_LIFE : Math.floor((connections - 1) / 4);
      const direction = Math.floor((connections - 1) / 2) % 2;
      const cut = direction === 0 ? far : near;
      cut.cutAfter = offset;
      cut.onCut = () => {
        cutAt[direction]!.add(offset);
        const silent = options.tell === "oneEnd" ? [near, far][connections % 2] : undefined;
        for (const end of [near, far]) if (end !== silent) end.reset("cut");
      };
    };
    a.transport.connect(b.address);
    if (options.bothDial) b.transport.connect(a.address);
    while (connections <= 4 * OFFSETS + 4) {
      for (const sender of senders) for (let count = 0; count < 4; count += 1) sender.send();
      world.advance(10);
    }
    world.advance(1_000);
    for (const sender of senders) sender.check();
    for (const offsets of cutAt)
      expect(Array.from({ length: OFFSETS }, (_, offset) => offset).filter((at) => !offsets.has(at))).toEqual([]);
    expect(a.ofType("LinkResumed").length).toBeGreaterThan(OFFSETS);
    expect(world.openStreams).toBe(2);
  };
}

describe("N1: a connection that is cut at every byte offset, each way, under traffic", () => {
  it(
    "T1: loses, doubles and reorders nothing, with short writes and one dialler",
    everyOffset({ network: shortWrites(11), bothDial: false, tell: "both" }),
    TIMEOUT_MS,
  );

  it(
    "nor with reads of any size and both ends dialling again",
    everyOffset({ network: { seed: 5, readSize: sizes(3) }, bothDial: true, tell: "both" }),
    TIMEOUT_MS,
  );

  it(
    "T2: nor if one end does not learn of it, and the old connection's bytes and end come late",
    everyOffset({ network: { seed: 8, readSize: sizes(4) }, bothDial: true, tell: "oneEnd" }),
    TIMEOUT_MS,
  );
});

describe("N1: whatever happens to connections, as long as each end hears of the other in time", () => {
  it("every record arrives once and in order, over short writes, cuts, late bytes and replays of old connections", async () => {
    let resumed = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = seeded(seed * 104_729);
      const world = new World(shortWrites(seed));
      const a = await world.node("a", { limits: LIMITS });
      const b = await world.node("b", { limits: LIMITS });
      const senders = [new Sender(a, b), new Sender(b, a)];
      const ended: FakeStream[] = [];
      world.network.onConnection = (near, far) => void ended.push(near, far);
      a.transport.connect(b.address);
      b.transport.connect(a.address);
      for (let turn = 0; turn < 300; turn += 1) {
        senders[random() < 0.5 ? 0 : 1]!.send();
        for (let steps = random() * 60; steps > 0; steps -= 1) world.network.step();
        const open = world.network.streams.filter((stream) => !stream.isClosed);
        if (random() < 0.1 && open.length > 0) {
          const stream = open[Math.floor(random() * open.length)]!;
          stream.reset("cut");
          if (random() < 0.5) stream.other.reset("cut");
        }
        if (random() < 0.1) replay(world, ended, random);
        if (random() < 0.5) world.clock.advance(random() * 40, () => world.network.step());
      }
      world.advance(10_000);
      for (const sender of senders) sender.check();
      resumed += a.ofType("LinkResumed").length;
    }
    expect(resumed).toBeGreaterThan(500);
  });
});

/** Sends what had arrived on some earlier connection once more, on one of its own, as a network that repeats might. */
function replay(world: World, streams: readonly FakeStream[], random: () => number): void {
  const old = streams[Math.floor(random() * streams.length)];
  if (old === undefined || !old.isClosed || !old.remote.startsWith("from")) return;
  const target = old.remote.replace("from a dialer of ", "");
  world.network.raw(target).write(concat(old.history));
}

function shortWrites(seed: number): NetworkOptions {
  const random = seeded(seed);
  return {
    seed,
    capacity: 4_000,
    readSize: sizes(seed + 1),
    writeTakes: (offered) => [0, 1, Math.max(0, offered - 1), offered][Math.floor(random() * 4)]!,
  };
}

function sizes(seed: number): (available: number) => number {
  const random = seeded(seed);
  return (available) => (random() < 0.3 ? 1 : 1 + Math.floor(random() * available));
}
