import { afterEach, describe, expect, it } from "vitest";
import { payloadOf, valueOf, type RuntimeError, type Session } from "../src/index.ts";
import { otherThan, ownerOf, readTally, startCluster, type Cluster } from "./support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

interface Client {
  readonly session: Session;
  readonly pushes: unknown[];
  readonly refused: { sequence: bigint; error: RuntimeError }[];
  readonly lost: { actorId: string; error: RuntimeError }[];
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A mesh of two actor nodes, and a gateway node that holds the sessions. */
async function start(options = {}): Promise<Client> {
  cluster = await startCluster(["a", "b"], options);
  const gateway = await cluster.add("gate", { placementWeight: 0, actors: [], spots: [] });
  const pushes: unknown[] = [];
  const refused: Client["refused"] = [];
  const lost: Client["lost"] = [];
  const session = gateway.openSession({
    onPush: (_actorId, payload) => pushes.push(valueOf(payload)),
    onSendRefused: (_actorId, sequence, error) => refused.push({ sequence, error }),
    onBindingLost: (actorId, error) => lost.push({ actorId, error }),
  });
  return { session, pushes, refused, lost };
}

async function move(actorId = "t"): Promise<void> {
  const owner = ownerOf(cluster, actorId);
  const to = cluster.nodes.find((node) => node !== owner && node.name !== "gate")!;
  await owner.relocate(actorId, { to: to.name });
}

describe("a session whose actor moves", () => {
  it("keeps its messages, answers and pushes whole and in order (I2, I3, I4, I5)", async () => {
    const { session, pushes, refused, lost } = await start();
    expect(await session.bind("tally", "t")).toEqual({ created: true });
    expect(await session.bind("tally", "t")).toEqual({ created: false });
    let n = 0;
    const answers: Promise<unknown>[] = [];
    for (let round = 0; round < 20; round++) {
      const moved = move();
      for (let count = 0; count < 10; count++) {
        session.send("t", payloadOf("note", ++n));
        answers.push(session.request("t", payloadOf("ask", ++n)).then(valueOf));
        session.send("t", payloadOf("announce", n));
        if (count % 3 === 0) await pause(1);
      }
      await moved;
    }
    const doubled = numbers(200).map((index) => index * 4);
    expect(await Promise.all(answers)).toEqual(doubled);
    await pause(20);
    const { seen } = await readTally(cluster.nodes[0]!, "t");
    expect(seen).toEqual(numbers(400));
    expect(pushes).toEqual(numbers(200).map((index) => index * 2));
    expect({ refused, lost }).toEqual({ refused: [], lost: [] });
  });

  it("S17: unbind queues behind a seal and then ends the binding at the actor", async () => {
    const { session, pushes } = await start();
    await session.bind("tally", "t");
    const moved = move();
    for (let n = 1; n <= 5; n++) session.send("t", payloadOf("note", n));
    await Promise.all([moved, session.unbind("t")]);
    expect((await readTally(cluster.nodes[0]!, "t")).seen).toEqual(numbers(5));
    await cluster.nodes[0]!.request("tally", "t", "announce", "nobody hears this").catch(() => undefined);
    await pause(10);
    expect(pushes).toEqual([]);
  });

  it("S12: goes on at the source when the move is undone", async () => {
    const { session, pushes, refused } = await start();
    await session.bind("tally", "t");
    const owner = ownerOf(cluster, "t");
    session.send("t", payloadOf("slow", { number: 0, ms: 150 }));
    await pause(5);
    const moved = owner.relocate("t", { to: otherThan(cluster, owner).name, deadlineMs: 50 }).catch(() => undefined);
    for (let n = 1; n <= 20; n++) session.send("t", payloadOf("note", n));
    await moved;
    session.send("t", payloadOf("announce", "still here"));
    await pause(200);
    expect((await readTally(owner, "t")).seen).toEqual([0, ...numbers(20)]);
    expect(pushes).toEqual(["still here"]);
    expect(refused).toEqual([]);
    await move();
    session.send("t", payloadOf("note", 21));
    await pause(10);
    expect((await readTally(owner, "t")).seen).toEqual([0, ...numbers(21)]);
  });

  it("refuses at once what is sent to an actor that is not bound, and what a handler has no name for", async () => {
    const { session, refused } = await start();
    session.send("t", payloadOf("note", 1));
    await expect(session.request("t", payloadOf("ask", 1))).rejects.toMatchObject({ code: "actorSessionNotBound" });
    await session.bind("tally", "t");
    const sequence = session.send("t", payloadOf("nonsense"));
    await expect(session.request("t", payloadOf("nonsense"))).rejects.toMatchObject({ code: "handlerNotFound" });
    await expect(session.request("t", payloadOf("fail"))).rejects.toMatchObject({ code: "handlerFailed" });
    await pause(10);
    expect(refused.map(({ error }) => error.code)).toEqual(["actorSessionNotBound", "handlerNotFound"]);
    expect(refused[1]!.sequence).toBe(sequence);
    await expect(session.bind("nothing", "x")).rejects.toMatchObject({ code: "typeUnknown" });
    await expect(session.bind("nothing", "t")).rejects.toMatchObject({ code: "typeMismatch" });
  });

  it("refuses what no record can carry, before it costs anything", async () => {
    const { session, refused } = await start({ limits: { messageBytes: 1_000 } });
    await session.bind("tally", "t");
    const big = payloadOf("note", new Uint8Array(1_001));
    const a = cluster.nodes[0]!;
    expect(() => a.send("tally", "t", "note", big.data)).toThrow(/limits.messageBytes/);
    await expect(a.request("tally", "t", "ask", big.data)).rejects.toMatchObject({ code: "tooLarge" });
    await expect(session.request("t", payloadOf("ask", big.data))).rejects.toMatchObject({ code: "tooLarge" });
    const ticket = session.send("t", big);
    session.send("t", payloadOf("note", 1));
    await session.request("t", payloadOf("ask", 2));
    expect((await readTally(a, "t")).seen).toEqual([1, 2]);
    expect(refused).toMatchObject([{ sequence: ticket, error: { code: "tooLarge" } }]);
  });

  it("N2: reports a push that was lost with the link to the session's node", async () => {
    const { session } = await start();
    await session.bind("tally", "t");
    const owner = ownerOf(cluster, "t");
    const gate = cluster.nodes.find((node) => node.name === "gate")!;
    cluster.network.stall(owner.rid, gate.rid);
    session.send("t", payloadOf("announce", 1));
    await pause(10);
    cluster.network.cut(owner.rid, gate.rid);
    cluster.network.resume(owner.rid, gate.rid);
    await pause(10);
    expect(cluster.events).toContainEqual(expect.objectContaining({ type: "PushDropped", actorId: "t", name: "news" }));
  });

  it("tells the client when its actor is lost with its node (bindingLost)", async () => {
    const { session, lost } = await start({ deadlines: { leaseMs: 1_500, connectMs: 200 } });
    await session.bind("tally", "t");
    const owner = ownerOf(cluster, "t");
    await owner.close();
    for (let tries = 0; lost.length === 0 && tries < 500; tries++) await pause(20);
    expect(lost).toMatchObject([{ actorId: "t", error: { code: "notFound" } }]);
    expect(await session.bind("tally", "t")).toEqual({ created: true });
  });
});
