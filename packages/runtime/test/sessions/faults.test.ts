import type { CommandName } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { payloadOf, valueOf } from "../../src/index.ts";
import { ownerOf, readTally } from "../support/cluster.ts";
import { cutAt, isCommand, moveOn, moving, numbers, pause, startClient, until, type Client } from "./client.ts";

let client: Client;
afterEach(() => client.cluster.close());

/** What the actor has seen, in order, once it has seen this number or the client was told that it was not run. */
async function seenUpTo(n: number, reader = client.gate): Promise<number[]> {
  let seen: number[] = [];
  for (let tries = 0; !seen.includes(n); tries++) {
    if (tries > 1_000) throw new Error(`${n} is never seen; the last was ${seen.at(-1)}`);
    await pause(10);
    // The link that the test breaks may be the one that this goes over.
    seen = await readTally(reader, "t").then(
      (tally) => tally.seen,
      () => seen,
    );
  }
  return seen;
}

/** So many 20s have come to the gateway node from now on. */
async function answers(count: number): Promise<void> {
  let seen = 0;
  client.cluster.network.watch = (_from, to, frames) => {
    if (to === client.gate.rid && isCommand(frames, "reply")) seen++;
    return true;
  };
  await until("the answers come", () => seen >= count);
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
    client = await startClient({ deadlines: { moveMs: 2_000, storeResolutionMs: 500, sealMs: 3_000 } });
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
    client = await startClient({ deadlines: { leaseMs: 1_500, connectMs: 200 } });
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
    await client.block();
    const moved = moveOn(client);
    await moving(client);
    const asked = [1, 2].map((n) => client.session.request("t", payloadOf("ask", n)).then(valueOf));
    for (const n of numbers(200, 3)) client.send(n);
    expect(client.refused).toEqual([]);
    const late = client.session.request("t", payloadOf("ask", 203)).catch((error: unknown) => error);
    expect(await late).toMatchObject({ code: "backpressured" });
    client.unblock();
    await moved;
    expect(await Promise.all(asked)).toEqual([2, 4]);
    client.send(204);
    expect(await seenUpTo(204)).toEqual([...numbers(50), 204]);
    expect(client.refusedNumbers()).toEqual(numbers(152, 51));
    expect(new Set(client.refused.map(({ code }) => code))).toEqual(new Set(["backpressured"]));
  });

  it("I2, N5: a full mailbox refuses thousands at once, and each is told", async () => {
    client = await startClient({ limits: { mailboxMessages: 100 } });
    await client.block();
    for (const n of numbers(6_000)) client.send(n);
    await until("the rest is refused", () => client.refused.length === 5_900);
    client.unblock();
    await seenUpTo(100);
    client.send(6_001);
    expect(await seenUpTo(6_001)).toEqual([...numbers(100), 6_001]);
    expect(client.refusedNumbers()).toEqual(numbers(5_900, 101));
  });

  it("N5: a request whose refusal comes after its client gave up leaves no hole", async () => {
    client = await startClient({ limits: { mailboxMessages: 2 } });
    const owner = ownerOf(client.cluster, "t");
    await client.block();
    client.send(1);
    client.send(2);
    client.cluster.network.stall(owner.rid, client.gate.rid);
    const asked = client.session.request("t", payloadOf("ask", 3), { timeoutMs: 20 });
    await expect(asked).rejects.toMatchObject({ code: "timedOut" });
    client.cluster.network.resume(owner.rid, client.gate.rid);
    client.unblock();
    await seenUpTo(2);
    client.send(4);
    expect(await seenUpTo(4)).toEqual([1, 2, 4]);
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
    await client.block();
    client.send(1);
    client.send(2);
    const startedMs = performance.now();
    await until("it is refused", () => client.refused.length === 1);
    await pause(300);
    client.unblock();
    await seenUpTo(1);
    client.send(3);
    expect(await seenUpTo(3)).toEqual([1, 3]);
    expect(markers).toBeGreaterThan(0);
    expect(markers).toBeLessThan((performance.now() - startedMs) / 100 + 2);
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
    let step: "open" | "sealed" | "released" | "sent" = "open";
    client.cluster.network.watch = (from, to, frames) => {
      if (from === client.gate.rid && step === "open" && isCommand(frames, "sessionRelocationSealed")) {
        for (const n of numbers(10)) client.send(n);
        step = "sealed";
      }
      if (to !== client.gate.rid) return true;
      // Called between two records of one link, with nothing in between.
      if (step === "released") {
        client.send(100);
        step = "sent";
      }
      if (step === "sealed" && isCommand(frames, "sessionRelocationRoute")) step = "released";
      return true;
    };
    await client.block();
    for (let count = 0; count < 5; count++) client.send(count, "announce");
    const moved = moveOn(client);
    await moving(client);
    client.unblock();
    await moved;
    expect(await seenUpTo(100)).toEqual([...numbers(10), 100]);
  });

  it("S17: an unbind behind a seal waits for it, and comes after what was held", async () => {
    client = await startClient();
    const order: string[] = [];
    let unbound: Promise<void> | undefined;
    client.cluster.network.watch = (from, to, frames) => {
      if (from === client.gate.rid && isCommand(frames, "sessionRelocationSealed")) {
        client.send(1);
        unbound = client.session.unbind("t");
      }
      if (to === client.gate.rid && isCommand(frames, "sessionRelocationRoute")) order.push("route");
      if (from === client.gate.rid && isCommand(frames, "boundSessionBind")) order.push("unbind");
      if (from === client.gate.rid && isCommand(frames, "actorSend")) order.push("message");
      return true;
    };
    await moveOn(client);
    await unbound;
    expect(order.filter((what, index) => order.indexOf(what) === index)).toEqual(["route", "message", "unbind"]);
    expect(client.lost).toEqual([]);
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
    client = await startClient({ deadlines: { createMs: 500 } });
    await client.session.unbind("t");
    const owner = ownerOf(client.cluster, "t");
    client.cluster.network.stall(owner.rid, client.gate.rid);
    await expect(client.session.bind("tally", "t")).rejects.toMatchObject({ code: "timedOut" });
    const answered = answers(2);
    client.cluster.network.resume(owner.rid, client.gate.rid);
    // To the bind, which comes too late, and to the word that it is not wanted any more.
    await answered;
    await moveOn(client);
  });

  it("S4: what the actor's node still has of a binding that is over is ended when it shows", async () => {
    client = await startClient({ deadlines: { createMs: 500 } });
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
    client = await startClient({ deadlines: { moveMs: 1_000, storeResolutionMs: 200, sealMs: 1_300 } });
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
    expect(await seenUpTo(10, a)).toEqual(numbers(10));
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

  it("S5: a store that cannot be read ends the binding; what was held is told, and the actor can move on", async () => {
    const deadlines = { moveMs: 1_000, storeResolutionMs: 200, sealMs: 1_300 };
    let isReadable = true;
    client = await startClient({ deadlines }, (store) => ({
      ...store,
      read: (key) => (isReadable ? store.read(key) : Promise.resolve({ outcome: "unknown", reason: "broken" })),
    }));
    const [a, b] = client.cluster.nodes;
    const { network } = client.cluster;
    network.watch = (_from, to, frames) => {
      if (to === client.gate.rid && isCommand(frames, "sessionRelocationSeal")) {
        network.stall(a!.rid, client.gate.rid);
        network.stall(b!.rid, client.gate.rid);
      }
      return true;
    };
    const moved = moveOn(client);
    await until("it is sealed", () => network.stalled.size > 0);
    await pause(2);
    isReadable = false;
    client.send(1);
    const asked = client.session.request("t", payloadOf("ask", 2)).catch((error: unknown) => error);
    await moved;
    await until("the client is told", () => client.lost.length === 1);
    expect(client.lost[0]).toMatchObject({ code: "storeUnavailable" });
    expect(client.refused).toEqual([{ sequence: 1n, code: "storeUnavailable" }]);
    expect(await asked).toMatchObject({ code: "storeUnavailable" });
    isReadable = true;
    const answered = answers(2);
    network.resume(a!.rid, client.gate.rid);
    network.resume(b!.rid, client.gate.rid);
    // The old owner says that the actor is not there, the new one is told that the binding is over.
    await answered;
    await moveOn(client);
    expect((await readTally(a!, "t")).seen).toEqual([]);
    expect(client.cluster.logs.filter(({ event }) => event === "seal.refused")).toEqual([]);
  });
});
