import type { LinkLossReason } from "@rehome/core";
import { encodeRecord } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { encodeFramesUnit, unitKind } from "../src/units.ts";
import { acknowledgement, greet } from "./support/raw-node.ts";
import { World } from "./support/nodes.ts";
import type { TestNode } from "./support/nodes.ts";

const LIMITS = {
  maxRecordBytes: 1_000,
  queueMarkBytes: 10_000,
  maxDataBytes: 20_000,
  controlReserveBytes: 5_000,
};

function losses(node: TestNode): LinkLossReason[] {
  return node.ofType("LinkLost").map(({ reason }) => reason);
}

/** Sends until the answer is another one, and says how often it was the first. */
function sendWhile(answer: string, send: () => string): number {
  for (let count = 0; ; count += 1) if (send() !== answer) return count;
}

describe("a queue that fills", () => {
  it("I8: answers backedUp past its mark, then refuses data, and says when there is room again", async () => {
    const world = new World();
    const [a, b] = await world.pair(LIMITS);
    for (const stream of world.network.streams) stream.frozen = true;
    const text = "x".repeat(983);
    const accepted = sendWhile("accepted", () => a.send(b, text));
    expect(accepted).toBe(10);
    const backedUp = sendWhile("backedUp", () => a.send(b, text));
    expect(1 + accepted + backedUp).toBe(20);
    expect(a.send(b, text)).toBe("refused");
    expect(a.story).toEqual(["LinkUp"]);
    for (const stream of world.network.streams) stream.frozen = false;
    world.run();
    world.advance(100);
    expect(a.story).toEqual(["LinkUp", "LinkDrained"]);
    expect(b.records.length).toBe(20);
    expect(a.send(b, text)).toBe("accepted");
  });

  it("N3: has room for control when data is refused, and keeps their order", async () => {
    const world = new World();
    const [a, b] = await world.pair(LIMITS);
    for (const stream of world.network.streams) stream.frozen = true;
    const expected: string[] = [];
    let number = 0;
    const send = (traffic: "control" | "data") => {
      const text = `${traffic} ${(number += 1)}`.padEnd(483);
      const answer = a.send(b, text, traffic);
      if (answer === "accepted" || answer === "backedUp") expected.push(text);
      return answer;
    };
    while (send("data") !== "refused") if (number % 7 === 0) send("control");
    for (let count = 0; count < 9; count += 1) expect(send("control")).toBe("backedUp");
    expect(send("data")).toBe("refused");
    for (const stream of world.network.streams) stream.frozen = false;
    world.run();
    world.advance(100);
    expect(b.texts).toEqual(expected);
    expect(losses(a)).toEqual([]);
  });

  it("N2: loses the link when even control finds no room, and reports every record", async () => {
    const world = new World();
    const [a, b] = await world.pair(LIMITS);
    world.freezeAll();
    const text = "x".repeat(983);
    while (a.send(b, text) !== "refused");
    expect(sendWhile("backedUp", () => a.send(b, text, "control"))).toBe(5);
    expect(a.send(b, text, "control")).toBe("noLink");
    expect(a.story).toEqual(["LinkUp"]);
    world.run();
    expect(losses(a)).toEqual(["resendBufferFull"]);
    expect(a.ofType("LinkLost")[0]!.unacknowledged.length).toBe(25);
  });

  it("counts what a peer reads and does not acknowledge", async () => {
    const world = new World();
    const a = await world.node("a", { limits: LIMITS });
    const peer = greet(world, a, "b");
    const send = () => a.transport.send(peer.rid, [new Uint8Array(983)], "data");
    expect(sendWhile("accepted", send)).toBe(10);
    world.run();
    peer.write(acknowledgement(5));
    world.run();
    expect(a.story).toEqual(["LinkUp"]);
    peer.write(acknowledgement(6));
    world.run();
    expect(a.story).toEqual(["LinkUp", "LinkDrained"]);
    expect(sendWhile("accepted", send)).toBe(5);
  });

  it("says no more than once that there is room, and only to who was told to wait", async () => {
    const world = new World();
    const [a, b] = await world.pair(LIMITS);
    a.send(b, "small");
    world.advance(100);
    expect(a.story).toEqual(["LinkUp"]);
    for (let count = 0; count < 15; count += 1) a.send(b, "x".repeat(983));
    world.run();
    world.advance(100);
    world.advance(100);
    expect(a.story).toEqual(["LinkUp", "LinkDrained"]);
  });

  it("answers tooLarge for what no link to that peer can carry, and nobody waits for LinkDrained", async () => {
    const world = new World();
    const a = await world.node("a", { limits: { maxRecordBytes: 2_000 } });
    const b = await world.node("b", { limits: { maxRecordBytes: 1_000 } });
    a.transport.connect(b.address);
    world.run();
    const frames = (count: number, bytes: number) => Array.from({ length: count }, () => new Uint8Array(bytes));
    expect(a.transport.send(b.rid, frames(1, 1_001), "data")).toBe("tooLarge");
    expect(a.transport.send(b.rid, [new Uint8Array(500), new Uint8Array(501)], "control")).toBe("tooLarge");
    expect(a.transport.send(b.rid, [], "control")).toBe("tooLarge");
    expect(a.transport.send(b.rid, frames(9, 1), "data")).toBe("tooLarge");
    expect(a.transport.send(b.rid, frames(2, 500), "data")).toBe("accepted");
    world.run();
    world.advance(1_000);
    expect(b.records.length).toBe(1);
    expect(a.logged.map(({ event }) => event)).toContain("record.tooLarge");
    expect(a.story).toEqual(["LinkUp"]);
  });
});

describe("a peer that writes and does not read", () => {
  it("gets one acknowledgement to wait for, however much it sends", async () => {
    const world = new World({ capacity: 100 });
    const a = await world.node("a");
    const peer = greet(world, a, "b");
    peer.raw.stream.frozen = true;
    for (let number = 1; number <= 5_000; number += 1) {
      peer.record(number, "endless");
      if (number % 50 === 0) world.advance(1);
    }
    world.advance(1_000);
    expect(a.records.length).toBe(5_000);
    peer.raw.stream.frozen = false;
    world.run();
    const acknowledgements = peer.units.filter(({ kind }) => kind === unitKind.acknowledge);
    expect(acknowledgements.length).toBeLessThan(12);
    expect(peer.acknowledged).toBe(5_000);
  });

  it("is cut off when it asks and asks and does not take the answers", async () => {
    const world = new World({ capacity: 100 });
    const a = await world.node("a");
    const peer = greet(world, a, "b");
    peer.raw.stream.frozen = true;
    for (let count = 1; count <= 30; count += 1) {
      const probe = encodeRecord({ command: "livenessProbe", probeId: BigInt(count) });
      peer.write(encodeFramesUnit(unitKind.connection, probe));
      world.run();
    }
    expect(losses(a)).toEqual(["protocolViolation"]);
  });
});
