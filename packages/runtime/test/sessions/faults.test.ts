import type { CommandName } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { payloadOf, valueOf } from "../../src/index.ts";
import { ownerOf, readTally } from "../support/cluster.ts";
import { cutAt, isCommand, moveOn, numbers, pause, startClient, until, type Client } from "./client.ts";

let client: Client;
afterEach(() => client.cluster.close());

/** What the actor has seen, in order, once it has seen this number or the client was told that it was not run. */
async function seenUpTo(n: number): Promise<number[]> {
  let seen: number[] = [];
  for (let tries = 0; !seen.includes(n); tries++) {
    if (tries > 200) throw new Error(`${n} is never seen; the last was ${seen.at(-1)}`);
    await pause(10);
    // The link that the test breaks may be the one that this goes over.
    seen = await readTally(client.gate, "t").then(
      (tally) => tally.seen,
      () => seen,
    );
  }
  return seen;
}

/** Each number ran once and in order, or the client was told; nothing is both `ran` and refused for certain. */
function expectAccountedFor(seen: readonly number[], sent: readonly number[]): void {
  expect(seen).toEqual([...seen].sort((one, other) => one - other));
  expect(new Set(seen).size).toBe(seen.length);
  const told = client.refusedNumbers();
  expect(new Set(told).size).toBe(told.length);
  expect(sent.filter((n) => !seen.includes(n) && !told.includes(n))).toEqual([]);
  const certain = client.refused.flatMap(({ code }, index) => (code === "outcomeUnknown" ? [] : [told[index]!]));
  expect(certain.filter((n) => seen.includes(n))).toEqual([]);
}

describe("N2, N5: a link that breaks", () => {
  it("N2, N5: what was on its way is reported as unknown, and what comes later does not wait for it", async () => {
    client = await startClient();
    const owner = ownerOf(client.cluster, "t");
    for (const n of numbers(20)) client.send(n);
    await seenUpTo(20);
    client.cluster.network.stall(client.gate.rid, owner.rid);
    for (const n of numbers(10, 21)) client.send(n);
    await pause(5);
    client.cluster.network.cut(client.gate.rid, owner.rid);
    client.cluster.network.resume(client.gate.rid, owner.rid);
    await until("all are reported", () => client.refused.length === 10);
    for (const n of numbers(10, 31)) client.send(n);
    const seen = await seenUpTo(40);
    expect(seen).toEqual([...numbers(20), ...numbers(10, 31)]);
    expect(client.refusedNumbers()).toEqual(numbers(10, 21));
    expect(client.refused.map(({ code }) => code)).toEqual(Array(10).fill("outcomeUnknown"));
    expect(client.lost).toEqual([]);
  });

  it("N2: a request on its way is answered once, with outcomeUnknown, and the next one works", async () => {
    client = await startClient();
    const owner = ownerOf(client.cluster, "t");
    client.cluster.network.stall(client.gate.rid, owner.rid);
    const asked = client.session.request("t", payloadOf("ask", 1)).then(valueOf, (error: unknown) => error);
    await pause(5);
    client.cluster.network.cut(client.gate.rid, owner.rid);
    client.cluster.network.resume(client.gate.rid, owner.rid);
    expect(await asked).toMatchObject({ code: "outcomeUnknown" });
    expect(valueOf(await client.session.request("t", payloadOf("ask", 2)))).toBe(4);
  });

  const broken: CommandName[] = [
    "actorSend",
    "actorRequest",
    "reply",
    "replyRelay",
    "replyRelayAck",
    "boundSessionSend",
    "sessionRelocationSeal",
    "sessionRelocationSealed",
    "sessionRelocationRoute",
  ];
  it.each(broken)("I2, I3, I4, S20: at %s, while the actor moves back and forth", async (name) => {
    client = await startClient({ deadlines: { moveMs: 500, storeResolutionMs: 300, sealMs: 1_000, connectMs: 500 } });
    const cut = cutAt(client.cluster, name, client.gate.rid);
    const sent: number[] = [];
    const answers: Promise<unknown>[] = [];
    let n = 0;
    for (let round = 0; round < 12; round++) {
      const moved = moveOn(client).catch(() => undefined);
      for (let count = 0; count < 5; count++) {
        client.send(++n);
        sent.push(n);
        client.send(++n, "announce");
        const asked = ++n;
        answers.push(client.session.request("t", payloadOf("ask", asked)).catch(() => undefined));
        if (count === 2) await pause(1);
      }
      await moved;
    }
    await Promise.all(answers);
    client.send(++n);
    const seen = (await seenUpTo(n)).filter((number) => sent.includes(number));
    expect(cut.done).toBe(true);
    expectAccountedFor(seen, sent);
    expect(client.pushes).toEqual([...client.pushes].sort((one, other) => one - other));
    expect(new Set(client.pushes).size).toBe(client.pushes.length);
    expect(client.lost).toEqual([]);
    await moveOn(client);
  });

  it("tells the client when its actor is lost with its node, and what waited for it", async () => {
    client = await startClient({ deadlines: { leaseMs: 300, connectMs: 200 } });
    const owner = ownerOf(client.cluster, "t");
    await owner.close();
    client.send(1);
    await until("the client is told", () => client.lost.length === 1);
    expect(client.lost[0]).toMatchObject({ code: "notFound" });
    await until("the message is reported", () => client.refused.length === 1);
    expect(await client.session.bind("tally", "t")).toEqual({ created: true });
  });
});

describe("I2: what is refused is told, once, under its own number", () => {
  it("S17, M3: an overfull hold, with requests in between", async () => {
    client = await startClient({ limits: { holdMessages: 50 } });
    client.session.send("t", payloadOf("slow", { number: 0, ms: 100 }));
    await pause(5);
    const moved = moveOn(client);
    await pause(5);
    const asked = [1, 2].map((n) => client.session.request("t", payloadOf("ask", n)).then(valueOf));
    for (const n of numbers(200, 3)) client.send(n);
    expect(client.refused).toEqual([]);
    const late = client.session.request("t", payloadOf("ask", 203)).catch((error: unknown) => error);
    await moved;
    expect(await Promise.all(asked)).toEqual([2, 4]);
    expect(await late).toMatchObject({ code: "backpressured" });
    client.send(204);
    expect(await seenUpTo(204)).toEqual([0, ...numbers(50), 204]);
    expect(client.refusedNumbers()).toEqual(numbers(152, 51).filter((n) => n <= 202));
  });

  it("I2, N5: a full mailbox refuses thousands at once, and each is told", async () => {
    client = await startClient({ limits: { mailboxMessages: 100 } });
    const owner = ownerOf(client.cluster, "t");
    client.session.send("t", payloadOf("slow", { number: 0, ms: 1_000 }));
    await pause(5);
    // All arrive together, while that turn runs.
    client.cluster.network.stall(client.gate.rid, owner.rid);
    for (const n of numbers(6_000)) client.send(n);
    client.cluster.network.resume(client.gate.rid, owner.rid);
    await until("the rest is refused", () => client.refused.length === 5_900);
    await seenUpTo(100);
    client.send(6_001);
    expect(await seenUpTo(6_001)).toEqual([0, ...numbers(100), 6_001]);
    expect(client.refusedNumbers()).toEqual(numbers(5_900, 101));
  });

  it("N5: a request whose refusal comes after its client gave up leaves no hole", async () => {
    client = await startClient({ limits: { mailboxMessages: 2 } });
    const owner = ownerOf(client.cluster, "t");
    client.session.send("t", payloadOf("slow", { number: 0, ms: 60 }));
    await pause(5);
    client.send(1);
    client.send(2);
    client.cluster.network.stall(owner.rid, client.gate.rid);
    const asked = client.session.request("t", payloadOf("ask", 3), { timeoutMs: 20 });
    await expect(asked).rejects.toMatchObject({ code: "timedOut" });
    await pause(60);
    client.cluster.network.resume(owner.rid, client.gate.rid);
    client.send(4);
    expect(await seenUpTo(4)).toEqual([0, 1, 2, 4]);
  });

  it("N5: what the link refuses at once has had no place, and what comes later does not wait for it", async () => {
    client = await startClient({ limits: { pendingRecordsPerPeer: 10 } });
    const owner = ownerOf(client.cluster, "t");
    client.cluster.network.cut(client.gate.rid, owner.rid);
    for (const n of numbers(20)) client.send(n);
    const asked = client.session.request("t", payloadOf("ask", 21)).catch((error: unknown) => error);
    expect(await asked).toMatchObject({ code: "backpressured" });
    await seenUpTo(10);
    client.send(22);
    expect(await seenUpTo(22)).toEqual([...numbers(10), 22]);
    expect(client.refusedNumbers()).toEqual(numbers(10, 11));
  });

  it("N5: a marker that finds no room is tried again at a walking pace", async () => {
    client = await startClient({ limits: { mailboxMessages: 1 } });
    let markers = 0;
    client.cluster.network.watch = (_from, _to, frames) => {
      // Of bound sessions only: the flags say so.
      if (frames[0]![4]! > 1 && Buffer.from(frames.at(-1)!).includes("~gone")) markers++;
      return true;
    };
    client.session.send("t", payloadOf("slow", { number: 0, ms: 250 }));
    await pause(5);
    client.send(1);
    client.send(2);
    await until("it is refused", () => client.refused.length === 1);
    await seenUpTo(1);
    client.send(3);
    expect(await seenUpTo(3)).toEqual([0, 1, 3]);
    expect(markers).toBeLessThan(8);
    expect(client.refused.length).toBe(1);
  });

  it("a handler that throws does not stop what else is to be told", async () => {
    client = await startClient({ limits: { holdMessages: 1 } });
    const told: unknown[] = [];
    const session = client.gate.openSession({
      onPush: () => {
        throw new Error("the handler fails");
      },
      onSendRefused: (_actorId, sequence) => {
        told.push(sequence);
        throw new Error("the handler fails");
      },
      onBindingLost: () => undefined,
    });
    await session.bind("tally", "t");
    session.send("t", payloadOf("announce", 1));
    session.send("t", payloadOf("nonsense"));
    session.send("t", payloadOf("nonsense"));
    await until("both are told", () => told.length === 2);
    expect(client.cluster.logs.filter(({ event }) => event === "session.handlerFailed")).toHaveLength(3);
    expect(valueOf(await session.request("t", payloadOf("ask", 4)))).toBe(8);
  });

  it("numbers requests and one-way messages alike, as a client does", async () => {
    client = await startClient();
    expect(client.session.send("t", payloadOf("note", 1))).toBe(1n);
    await client.session.request("t", payloadOf("ask", 2));
    expect(client.session.send("t", payloadOf("note", 3))).toBe(3n);
  });

  it("a message to an actor that is not bound, after its number was given", async () => {
    client = await startClient();
    const sequence = client.session.send("nobody", payloadOf("note", 1));
    expect(client.refused).toEqual([]);
    await pause(1);
    expect(client.refused).toEqual([{ sequence, code: "actorSessionNotBound" }]);
  });
});

describe("I4: the end of a seal", () => {
  it("I4, S11: what was held goes before what is sent at the very moment of the release", async () => {
    client = await startClient();
    let step: "sealed" | "released" | "sent" = "sealed";
    client.cluster.network.watch = (_from, to, frames) => {
      if (to !== client.gate.rid) return true;
      // Called between two records of one link, with nothing in between.
      if (step === "released") {
        client.send(100);
        step = "sent";
      }
      if (step === "sealed" && isCommand(frames, "sessionRelocationRoute")) step = "released";
      return true;
    };
    client.session.send("t", payloadOf("slow", { number: 0, ms: 30 }));
    for (let count = 0; count < 5; count++) client.send(count, "announce");
    await pause(5);
    const moved = moveOn(client);
    await pause(5);
    for (const n of numbers(10)) client.send(n);
    await moved;
    expect(await seenUpTo(100)).toEqual([0, ...numbers(10), 100]);
  });
});

describe("bindings that only one side knows", () => {
  it("a bind whose answer is lost is bound again, and the actor moves freely", async () => {
    client = await startClient();
    await client.session.unbind("t");
    const cut = cutAt(client.cluster, "reply", client.gate.rid);
    await client.session.bind("tally", "t");
    expect(cut.done).toBe(true);
    await moveOn(client);
    client.send(1);
    expect(await seenUpTo(1)).toEqual([1]);
  });

  it("a bind that the client gave up does not keep the actor from moving", async () => {
    client = await startClient({ deadlines: { createMs: 100 } });
    await client.session.unbind("t");
    const owner = ownerOf(client.cluster, "t");
    client.cluster.network.stall(owner.rid, client.gate.rid);
    await expect(client.session.bind("tally", "t")).rejects.toMatchObject({ code: "timedOut" });
    client.cluster.network.resume(owner.rid, client.gate.rid);
    await pause(50);
    await moveOn(client);
  });

  it("S4: what the actor's node still has of a binding that is over is ended when it shows", async () => {
    client = await startClient({ deadlines: { createMs: 100 } });
    const owner = ownerOf(client.cluster, "t");
    // Neither the unbind nor its repeats get through.
    client.cluster.network.stall(client.gate.rid, owner.rid);
    await client.session.unbind("t");
    let dropped = false;
    client.cluster.network.watch = (_from, _to, frames) => {
      if (dropped || !isCommand(frames, "boundSessionBind")) return true;
      dropped = true;
      return false;
    };
    client.cluster.network.resume(client.gate.rid, owner.rid);
    await until("the unbind is lost", () => dropped);
    const refusals = () => client.cluster.logs.filter(({ event }) => event === "seal.refused").length;
    await moveOn(client).catch(() => undefined);
    if (refusals() > 0) await pause(100);
    await moveOn(client);
  });
});

describe("S5: a seal that nobody ends", () => {
  it("S5, S7: the store says where the actor is; what was held goes there, and the late 44 changes nothing", async () => {
    client = await startClient({ deadlines: { moveMs: 150, storeResolutionMs: 100, sealMs: 400 } });
    const [a, b] = client.cluster.nodes;
    const { network } = client.cluster;
    network.watch = (from, to, frames) => {
      // The answer to the seal gets through; nothing that ends it does.
      if (to === client.gate.rid && isCommand(frames, "sessionRelocationSeal")) {
        network.stall(a!.rid, client.gate.rid);
        network.stall(b!.rid, client.gate.rid);
      }
      return true;
    };
    const moved = moveOn(client);
    await until("it is sealed", () => network.stalled.size > 0);
    await pause(2);
    for (const n of numbers(10)) client.send(n);
    await moved;
    expect((await readTally(a!, "t")).seen).toEqual([]);
    await pause(500);
    expect((await readTally(a!, "t")).seen).toEqual(numbers(10));
    expect(client.cluster.logs.some(({ event }) => event === "seal.deadlinePassed")).toBe(true);
    network.watch = () => true;
    network.resume(a!.rid, client.gate.rid);
    network.resume(b!.rid, client.gate.rid);
    client.send(11, "announce");
    await until("the push arrives", () => client.pushes.length === 1);
    expect(client.cluster.logs.some(({ event }) => event === "route.repeated")).toBe(true);
    expect({ refused: client.refused, lost: client.lost }).toEqual({ refused: [], lost: [] });
    await moveOn(client);
  });
});
