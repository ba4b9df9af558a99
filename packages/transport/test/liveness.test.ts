import { encodeRecord } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { encodeFramesUnit, unitKind } from "../src/units.ts";
import { greet } from "./support/raw-node.ts";
import { World } from "./support/nodes.ts";

describe("L2", () => {
  it("an idle link lives on answered probes alone", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    world.advance(10 * 60_000);
    expect([...a.story, ...b.story]).toEqual(["LinkUp", "LinkUp"]);
  });

  it("a silent peer is lost 15 s after its last answer, not before", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    world.advance(7_000);
    world.freezeAll();
    // The last answer came at 5 s.
    world.advance(12_999);
    expect(a.story).toEqual(["LinkUp"]);
    world.advance(1);
    expect(a.ofType("LinkLost").map(({ reason }) => reason)).toEqual(["livenessTimeout"]);
    expect(b.ofType("LinkLost").map(({ reason }) => reason)).toEqual(["livenessTimeout"]);
  });

  it("T2: a peer that dies within a record is noticed just so, and its successor is not hurt by its end", async () => {
    const world = new World({ readSize: () => 3 });
    const [a, b] = await world.pair();
    const old = [...world.network.streams];
    a.send(b, "never whole");
    world.freezeAll();
    world.advance(15_000);
    world.advance(1_000);
    expect(a.story).toEqual(["LinkUp", "LinkLost", "LinkUp"]);
    expect(a.ofType("LinkLost")[0]!.unacknowledged.length).toBe(1);
    for (const stream of old) {
      stream.frozen = false;
      stream.reset("late");
    }
    a.send(b, "whole");
    world.run();
    expect(b.texts).toEqual(["whole"]);
    expect(a.story).toEqual(["LinkUp", "LinkLost", "LinkUp"]);
  });

  it("other traffic, wrong and repeated answers do not count", async () => {
    const world = new World();
    const a = await world.node("a");
    const peer = greet(world, a, "b");
    const probes = () => peer.commands().filter(({ command }) => command === "livenessProbe");
    world.advance(5_000);
    expect(probes().length).toBe(1);
    const probeId = (probes()[0] as { probeId: bigint }).probeId;
    const answer = (id: bigint) =>
      peer.write(encodeFramesUnit(unitKind.connection, encodeRecord({ command: "livenessAck", probeId: id })));
    answer(probeId);
    world.run();
    for (let number = 1; number <= 14; number += 1) {
      peer.record(number, "busy");
      answer(probeId);
      answer(probeId + 1n === 1n << 64n ? 1n : probeId + 1n);
      world.advance(1_000);
    }
    expect(a.ofType("LinkLost").length).toBe(0);
    world.advance(1_000);
    expect(a.ofType("LinkLost").map(({ reason }) => reason)).toEqual(["livenessTimeout"]);
    expect(a.records.length).toBe(14);
  });

  it("probes every 5 s, each with an id of its own", async () => {
    const world = new World();
    const a = await world.node("a");
    const peer = greet(world, a, "b");
    world.advance(14_000);
    const ids = peer.commands().flatMap((command) => (command.command === "livenessProbe" ? [command.probeId] : []));
    expect(ids.length).toBe(2);
    expect(new Set(ids).size).toBe(2);
  });

  it("time in which this process stood still is not held against the peer", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    world.advance(6_000);
    world.clock.suspend(60_000);
    world.advance(10_000);
    expect([...a.story, ...b.story]).toEqual(["LinkUp", "LinkUp"]);
  });

  it("answers a probe at once", async () => {
    const world = new World();
    const a = await world.node("a");
    const peer = greet(world, a, "b");
    peer.write(encodeFramesUnit(unitKind.connection, encodeRecord({ command: "livenessProbe", probeId: 77n })));
    world.run();
    expect(peer.commands()).toContainEqual({ command: "livenessAck", probeId: 77n });
  });
});
