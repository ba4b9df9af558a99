import { createHmac } from "node:crypto";
import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import type { Connection } from "../src/connection.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { PeerTable } from "../src/peer-table.ts";
import { encodeUnit, PREFACE, unitKind } from "../src/units.ts";
import { greet, helloBytes, RawNode, recordUnit } from "./support/raw-node.ts";
import { World } from "./support/nodes.ts";
import type { NodeSettings, TestNode } from "./support/nodes.ts";

const KIB = 1024;
const { maxHandshakeBytes, maxPendingHandshakes, handshakeTimeoutMs } = DEFAULT_LIMITS;

/** The bounds of section 7 of `docs/transport.md`, with the limits that a node has if nobody changes them. */
async function withGoodPeer(settings: NodeSettings = {}) {
  const world = new World();
  const a = await world.node("a", settings);
  const good = await world.node("good", settings);
  good.transport.connect(a.address);
  world.run();
  return { world, a, good };
}

/** What a connection that `target` has accepted holds in memory: what came of a unit, and what is to go out. */
function heldBy(target: TestNode): { incoming: number; outgoing: number }[] {
  const { open } = (target.transport as unknown as { phase: { mesh: { open: Set<Connection> } } }).phase.mesh;
  return [...open].map((connection) => {
    const { reader, outbox } = connection as unknown as {
      reader: { held: Uint8Array };
      outbox: { slabs: { bytes: Uint8Array }[] };
    };
    return {
      incoming: reader.held.length,
      outgoing: outbox.slabs.reduce((sum, { bytes }) => sum + bytes.length, 0),
    };
  });
}

function acceptedOpen(world: World): number {
  return world.network.streams.filter((stream) => stream.remote.startsWith("from") && !stream.isClosed).length;
}

describe("what strangers can cost", () => {
  it("64 connections, 5 s each, and twice 16 KiB and 4 KiB of memory for each, however they begin", async () => {
    const { world, a, good } = await withGoodPeer();
    const almost = new Uint8Array(maxHandshakeBytes - 1);
    const beginnings = [
      new Uint8Array(0),
      PREFACE.subarray(0, 3),
      // A unit that never ends, of the largest size that is allowed, and of one that may be skipped.
      Buffer.concat([PREFACE, Uint8Array.of(unitKind.open, 0, 0, maxHandshakeBytes >> 8, 0), almost]),
      Buffer.concat([PREFACE, Uint8Array.of(0x90, 0, 0, maxHandshakeBytes >> 8, 0), almost]),
    ];
    for (let count = 0; count < 400; count += 1) {
      const stranger = world.raw(a);
      world.run();
      stranger.write(beginnings[count % beginnings.length]!);
      world.run();
      expect(acceptedOpen(world)).toBeLessThanOrEqual(maxPendingHandshakes + 1);
    }
    const held = heldBy(a);
    expect(held.length).toBe(maxPendingHandshakes + 1);
    for (const { incoming, outgoing } of held) {
      expect(incoming).toBeLessThanOrEqual(2 * maxHandshakeBytes);
      expect(outgoing).toBeLessThanOrEqual(4 * KIB);
    }
    // Dripping on does not make it any longer.
    for (let ms = 0; ms < handshakeTimeoutMs; ms += 100) world.advance(100);
    expect(acceptedOpen(world)).toBe(1);
    expect(good.story).toEqual(["LinkUp"]);
  });

  it("nothing but their reading, for endless units that may be skipped", async () => {
    const { world, a } = await withGoodPeer();
    const stranger = world.raw(a);
    world.run();
    stranger.write(PREFACE);
    const skipped = encodeUnit(0x90, new Uint8Array(10 * KIB));
    for (let count = 0; count < 200; count += 1) {
      stranger.write(skipped);
      world.advance(10);
      for (const { incoming, outgoing } of heldBy(a))
        expect([incoming <= 32 * KIB, outgoing <= 4 * KIB]).toEqual([true, true]);
    }
    world.advance(handshakeTimeoutMs);
    expect(stranger.closed).toBeDefined();
  });

  it("with a shared secret no more: a flood of hellos that prove nothing is bounded alike", async () => {
    let hmacs = 0;
    const hmacSha256 = (key: Uint8Array, message: Uint8Array) => {
      hmacs += 1;
      return new Uint8Array(createHmac("sha256", key).update(message).digest());
    };
    const sharedSecret = { secrets: [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)], hmacSha256 };
    const { world, a, good } = await withGoodPeer({ sharedSecret });
    hmacs = 0;
    const hello = helloBytes(a, "b", {
      admission: { securityIdentity: "shared-secret" },
      terms: { nonce: new Uint8Array(32) },
    });
    for (let count = 0; count < 300; count += 1) {
      const stranger = world.raw(a);
      world.run();
      stranger.write(hello);
      world.run();
      expect(stranger.received.length).toBe(PREFACE.length + 5 + 32);
      expect(acceptedOpen(world)).toBeLessThanOrEqual(maxPendingHandshakes + 1);
      if (count % 3 !== 0) continue;
      stranger.write(encodeUnit(unitKind.proof, new Uint8Array(32)));
      world.run();
      expect(stranger.closed).toBeDefined();
    }
    // One for each secret and proof, nothing for a hello.
    expect(hmacs).toBe(100 * sharedSecret.secrets.length);
    expect(good.story).toEqual(["LinkUp"]);
    world.advance(handshakeTimeoutMs);
    expect(acceptedOpen(world)).toBe(1);
  });

  it("one line of the log per kind of event and second", async () => {
    const { world, a } = await withGoodPeer();
    for (let count = 0; count < 500; count += 1) {
      const stranger = world.raw(a);
      world.run();
      stranger.write(count % 2 ? new Uint8Array(9) : helloBytes(a, "x", { admission: { meshName: "other" } }));
      world.advance(10);
    }
    const lines = a.logged.filter(({ event }) => event.startsWith("connection."));
    // Two kinds, over five seconds.
    expect(lines.length).toBeLessThanOrEqual(2 * 6);
    const told = lines.reduce((sum, { fields }) => sum + 1 + Number(fields["suppressed"] ?? 0), 0);
    expect(told).toBeGreaterThan(350);
  });
});

describe("what an admitted peer can cost", () => {
  it("one connection, however often it connects, and no copy of what is queued to it", async () => {
    const { world, a, good } = await withGoodPeer();
    const first = greet(world, a, "b");
    for (let count = 0; count < 64; count += 1) a.transport.send(first.rid, [new Uint8Array(64 * KIB)], "data");
    const queued = () => heldBy(a).reduce((sum, { outgoing }) => sum + outgoing, 0);
    const before = queued();
    for (let attempt = 2; attempt <= 100; attempt += 1) {
      greet(world, a, "b", helloBytes(a, "b", { terms: { receivedThrough: 0, attempt } }));
      // The good peer's is the other one.
      expect(acceptedOpen(world)).toBe(2);
    }
    expect(queued()).toBeLessThan(before + 16 * KIB);
    expect(a.ofType("LinkResumed").length).toBe(99);
    expect(good.story).toEqual(["LinkUp"]);
  });

  it("twice what has come of one record, and its link 15 s after its last answer, if the record never ends", async () => {
    const { world, a } = await withGoodPeer();
    const peer = greet(world, a, "b");
    const header = recordUnit(1, "").slice(0, 5);
    new DataView(header.buffer).setUint32(1, 2_000_000);
    peer.write(header);
    let sent = header.length;
    while (a.ofType("LinkLost").length === 0) {
      peer.write(new Uint8Array(5_000));
      sent += 5_000;
      world.advance(100);
      const incoming = Math.max(...heldBy(a).map((held) => held.incoming));
      expect(incoming).toBeLessThanOrEqual(2 * sent);
    }
    expect(a.ofType("LinkLost").map(({ reason }) => reason)).toEqual(["livenessTimeout"]);
    expect(sent / 5_000).toBeLessThanOrEqual(151);
    expect(peer.raw.closed).toBeDefined();
    expect(heldBy(a).every(({ incoming }) => incoming === 0)).toBe(true);
  });

  it("nothing that stays, for endless records: what has been handed on is not kept", async () => {
    const { world, a } = await withGoodPeer();
    const peer = greet(world, a, "b");
    for (let number = 1; number <= 3_000; number += 1) {
      peer.record(number, "x".repeat(1_000));
      if (number % 100 === 0) world.advance(1);
      for (const { incoming, outgoing } of heldBy(a))
        expect([incoming <= 4 * KIB, outgoing <= 64 * KIB]).toEqual([true, true]);
    }
    expect(a.records.length).toBe(3_000);
  });
});

describe("nodes that are gone", () => {
  it("are remembered 4,096 at a time, and those that are linked or wanted are never forgotten", () => {
    const table = new PeerTable();
    const wanted = table.findOrAdd(ridFromText("wanted"));
    wanted.dialer = {} as never;
    for (let count = 0; count < 10_000; count += 1) table.findOrAdd(ridFromText(`gone ${count}`)).knownGeneration = 7n;
    expect(table.all().length).toBe(4_096);
    expect(table.find(wanted.nodeRid)).toBe(wanted);
    expect(table.find(ridFromText("gone 0"))).toBeUndefined();
    expect(table.find(ridFromText("gone 9999"))?.knownGeneration).toBe(7n);
  });

  it("hold a link of the 1,024 for 15 s after their last answer, and no longer", async () => {
    const { world, a } = await withGoodPeer({ limits: { maxLinks: 3 } });
    greet(world, a, "b").raw.stream.destroy();
    greet(world, a, "c").raw.stream.destroy();
    world.run();
    expect(new RawNode(greet(world, a, "d").raw, "d").commands()).toEqual([
      { command: "reject", reason: "resourceLimit" },
    ]);
    world.advance(15_000);
    expect(
      greet(world, a, "d")
        .commands()
        .map(({ command }) => command),
    ).toContain("admit");
  });
});
