import type { Transport } from "@rehome/core";
import { ridFromText } from "@rehome/wire";
import { beforeEach, describe, expect, it } from "vitest";
import { Dice } from "../src/random.ts";
import { Network } from "../src/world/network.ts";
import { Process } from "../src/world/process.ts";
import { Trace } from "../src/world/trace.ts";
import { VirtualTime } from "../src/world/virtual-time.ts";

const LIVENESS_MS = 600;
const A = ridFromText("a");
const B = ridFromText("b");

let time: VirtualTime;
let network: Network;
let a: Seat;
let b: Seat;

interface Seat {
  readonly transport: Transport;
  readonly process: Process;
  /** Records by their last byte, and events by their name; a loss with how much of it is unacknowledged. */
  readonly heard: (number | string)[];
}

async function seat(name: string): Promise<Seat> {
  const process = new Process(name, time, { unixOffsetMs: 0, rate: 1 });
  const transport = network.transport(process);
  const heard: Seat["heard"] = [];
  const lease = { ownerId: name, ownerLeaseGeneration: 1n };
  const rest = { meshName: "m", applicationVersion: 1n, placementWeight: 1 };
  await transport.listen(
    { nodeRid: ridFromText(name), nodeGeneration: 1n, lease, ...rest },
    {
      onRecord: (_peer, [frame]) => heard.push(frame!.at(-1)!),
      onLink: (event) => heard.push(event.type === "LinkLost" ? `LinkLost ${event.unacknowledged.length}` : event.type),
    },
  );
  return { transport, process, heard };
}

const pass = (ms: number): Promise<void> => time.runUntil(time.nowMs + ms);

function send(from: Seat, to: typeof A, first: number, last: number): void {
  for (let at = first; at <= last; at++) {
    expect(from.transport.send(to, [Uint8Array.of(0, 0, 0, 0, 0, at)], "data")).toBe("accepted");
  }
}

const numbers = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

beforeEach(async () => {
  time = new VirtualTime();
  const slowMs = { least: 5, most: 50 };
  const terms = { latencyMs: { least: 0.2, most: 2 }, slow: 0.2, slowMs, backedUpAt: 1_000, fullAt: 1_000 };
  network = new Network({
    ...{ time, trace: new Trace(time), dice: new Dice(1, "network") },
    terms: { ...terms, livenessMs: LIVENESS_MS, repeatedControl: 0 },
  });
  a = await seat("a");
  b = await seat("b");
  a.transport.connect({ nodeRid: B, nodeGeneration: 1n, endpoint: "sim://b" });
  await pass(100);
  for (const { heard } of [a, b]) expect(heard.splice(0)).toEqual(["LinkUp"]);
});

describe("a connection that is lost and resumed in time", () => {
  it("N1: delivers everything late, in order and exactly once, after LinkResumed, and loses no link", async () => {
    for (let round = 0; round < 20; round++) {
      const first = round * 12;
      send(a, B, first, first + 3);
      send(b, A, first, first + 3);
      await pass(round % 3);
      const resume = network.interrupt(A, B)!;
      send(a, B, first + 4, first + 7);
      send(b, A, first + 4, first + 7);
      await pass(LIVENESS_MS / 2);
      for (const { heard } of [a, b]) expect(heard.length).toBeLessThan(5);
      expect(a.transport.peer(B)?.nodeRid).toBe(B);
      resume();
      send(a, B, first + 8, first + 11);
      send(b, A, first + 8, first + 11);
      await pass(200);
      for (const { heard } of [a, b]) {
        const all = heard.splice(0);
        expect(all.filter((each) => typeof each === "number")).toEqual(numbers(first, first + 11));
        expect(all.filter((each) => typeof each === "string")).toEqual(["LinkResumed"]);
        expect(all.indexOf("LinkResumed")).toBeLessThan(all.indexOf(first + 4));
      }
    }
  });

  it("N1: acknowledges over the new connection what came over the old one", async () => {
    send(a, B, 1, 1);
    await pass(60);
    network.interrupt(A, B)!();
    await pass(60);
    network.cut(A, B);
    expect(b.heard).toContain(1);
    expect(a.heard.at(-1)).toBe("LinkLost 0");
  });

  it("L2: is a lost link when it takes too long, and nothing of it is delivered any more", async () => {
    const resume = network.interrupt(A, B)!;
    send(a, B, 1, 4);
    await pass(LIVENESS_MS * 2);
    resume();
    await pass(300);
    expect(a.heard).toEqual(["LinkLost 4", "LinkUp"]);
    expect(b.heard).toEqual(["LinkLost 0", "LinkUp"]);
  });

  it("is left alone by a node that dies meanwhile", async () => {
    const resume = network.interrupt(A, B)!;
    b.process.onDeath = () => network.died(b.process);
    b.process.kill();
    resume();
    await pass(LIVENESS_MS * 2);
    expect(a.heard.filter((each) => each !== "ConnectFailed")).toEqual(["LinkLost 0"]);
  });
});
