import { actorAuthorityKey, spotAuthorityKey } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { defineActor, defineSpot, type Node, type NodeOptions, type RuntimeError } from "../src/index.ts";
import { readTally, Room, startCluster, type Cluster } from "./support/cluster.ts";
import { fillHall, Hall, hallOf, membersAt, namesOf, pause, until, Visitor } from "./support/hall.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

async function start(names: string[], options: Partial<NodeOptions> = {}): Promise<Cluster> {
  cluster = await startCluster(names, { spots: [Room, Hall], ...options });
  return cluster;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

function otherOf(node: Node): Node {
  return cluster.nodes.find((other) => other !== node && other.name !== "gate")!;
}

async function recordOf(key: string) {
  const answer = await cluster.store.read(key);
  if (answer.outcome !== "found") throw new Error(`the store has no ${key}`);
  return answer.reading.record;
}

describe("section 4: a spot moves with all its members as one unit", () => {
  it.each([0, 1, 20])("goes to the other node and back with %i members, its state and theirs (I6)", async (count) => {
    await start(["a", "b"]);
    const members = namesOf(count);
    const home = await fillHall(cluster, members);
    for (const id of members) home.send("tally", id, "note", 1);
    for (let round = 0; round < 2; round++) {
      const from = hallOf(cluster);
      const to = otherOf(from);
      expect((await from.relocateSpot("h", { to: to.name })).outcome).toBe("committed");
      expect(from.spots()).toEqual([]);
      expect(from.actors()).toEqual([]);
      expect(to.spots()).toMatchObject([{ spotType: "hall", spotId: "h", phase: "running" }]);
      expect(membersAt(to)).toEqual([...members].sort());
      for (const id of members)
        expect(await readTally(home, id)).toMatchObject({ seen: [1], node: to.rid, spot: "h", joins: ["accepted:h"] });
    }
    // Its own state came along: who is new in it is told what it is called.
    await home.getOrCreate("tally", "late");
    home.send("tally", "late", "join", "h");
    await until("the late one is in", () => membersAt(hallOf(cluster)).includes("late"));
  });

  it("T8: the commit changes the owner of spot and members in one step, and keeps them together", async () => {
    await start(["a", "b"]);
    const home = await fillHall(cluster, namesOf(3));
    const to = otherOf(home);
    const { relocation } = await home.relocateSpot("h", { to: to.name });
    const spot = await recordOf(spotAuthorityKey("h"));
    const digests = new Set<string>();
    for (const id of namesOf(3)) {
      const record = await recordOf(actorAuthorityKey(id));
      expect(record.owner).toEqual(spot.owner);
      expect(record.relocation).toEqual(spot.relocation);
      expect(record.place).toEqual({ spotId: "h", objectGeneration: spot.objectGeneration });
      digests.add(Buffer.from(record.membershipDigest).toString("hex"));
    }
    expect(spot.owner.nodeRid).toBe(to.rid);
    expect(relocation).not.toBe("");
    expect([...digests]).toEqual([Buffer.from(spot.membershipDigest).toString("hex")]);
    expect([...digests][0]).toHaveLength(64);
  });

  it("O8, section 4: leave and join callbacks run for who comes and goes, not for members that it takes along", async () => {
    const calls: string[] = [];
    const Watched = defineSpot<null>({
      type: "hall",
      create: () => null,
      onJoin: (_state, actor) => calls.push(`+${actor.actorId}`),
      onLeave: (_state, actor) => calls.push(`-${actor.actorId}`),
      capture: () => null,
      restore: () => null,
    });
    await start(["a", "b"], { spots: [Watched] });
    const home = await fillHall(cluster, ["m0", "m1"]);
    const to = otherOf(home);
    expect(calls.splice(0).sort()).toEqual(["+m0", "+m1"]);
    await home.relocateSpot("h", { to: to.name });
    expect(calls).toEqual([]);
    await to.relocate("m0", { to: home.name });
    expect(calls.splice(0)).toEqual(["-m0"]);
    await to.relocateSpot("h", { to: home.name });
    expect(calls).toEqual([]);
    expect(membersAt(home)).toEqual(["m1"]);
  });

  it("N4, I2–I5: under traffic from clients and nodes nothing is lost, run twice or out of order", async () => {
    await start(["a", "b"]);
    const members = namesOf(20);
    const home = await fillHall(cluster, members);
    const gate = await cluster.add("gate", { placementWeight: 0, actors: [], spots: [] });
    const visitors = await Promise.all(
      numbers(6).map((n) =>
        Visitor.at(
          gate,
          [0, 1, 2, 3, 4].map((step) => members[(n * 3 + step * 2) % 20]!),
        ),
      ),
    );
    let running = true;
    let rounds = 0;
    const asked: Promise<unknown>[] = [];
    const traffic = (async () => {
      for (let n = 1; running; n++) {
        for (const visitor of visitors) visitor.sendRound();
        for (const id of members) {
          cluster.nodes[0]!.send("tally", id, "note", n * 1_000 + 1);
          cluster.nodes[1]!.send("tally", id, "note", n * 1_000 + 2);
        }
        if (n % 5 === 0) asked.push(visitors[n % 6]!.ask(visitors[n % 6]!.bound[0]!, -n).then((answer) => [answer, n]));
        rounds = n;
        await pause(1);
      }
    })();
    for (let move = 0; move < 12; move++) {
      const from = hallOf(cluster);
      expect((await from.relocateSpot("h", { to: otherOf(from).name })).outcome).toBe("committed");
      await pause(5);
    }
    running = false;
    await traffic;
    for (const [answer, n] of (await Promise.all(asked)) as [number, number][]) expect(answer).toBe(-2 * n);
    await pause(50);
    for (const id of members) {
      const { seen } = await readTally(home, id);
      for (const node of [1, 2])
        expect(seen.filter((n) => n > 1_000 && n % 1_000 === node).map((n) => (n - node) / 1_000)).toEqual(
          numbers(rounds),
        );
      const fromClients = seen.filter((n) => n > 0 && n < 1_000);
      const expected = visitors.flatMap((visitor) => numbers(visitor.sentTo(id)));
      expect([...fromClients].sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
    }
    expect(visitors.flatMap(({ trouble }) => trouble)).toEqual([]);
    expect(cluster.events.filter((event) => event.type === "SendRefused")).toEqual([]);
    expect(rounds).toBeGreaterThan(20);
  });

  it("I4, S17: pushes of every member reach its clients in order, through the move", async () => {
    await start(["a", "b"]);
    const home = await fillHall(cluster, ["m0", "m1"]);
    const gate = await cluster.add("gate", { placementWeight: 0, actors: [], spots: [] });
    const visitor = await Visitor.at(gate, ["m0", "m1"]);
    for (let n = 1; n <= 60; n++) {
      for (const id of ["m0", "m1"]) home.send("tally", id, "announce", n);
      if (n % 15 !== 0) continue;
      const from = hallOf(cluster);
      await from.relocateSpot("h", { to: otherOf(from).name });
    }
    await until("all pushes are there", () => visitor.heard.get("m1")?.length === 60);
    await until("all pushes are there", () => visitor.heard.get("m0")?.length === 60);
    expect(visitor.heard.get("m0")).toEqual(numbers(60));
    expect(visitor.heard.get("m1")).toEqual(numbers(60));
    expect(visitor.trouble).toEqual([]);
  });

  it("T4: takes two hundred members along in one move", async () => {
    await start(["a", "b"]);
    const members = namesOf(200);
    const home = await fillHall(cluster, members);
    const to = otherOf(home);
    for (const id of members) home.send("tally", id, "note", 1);
    const moved = home.relocateSpot("h", { to: to.name });
    for (let n = 2; n <= 4; n++) for (const id of members) to.send("tally", id, "note", n);
    expect((await moved).outcome).toBe("committed");
    expect(membersAt(to)).toHaveLength(200);
    expect(home.actors()).toEqual([]);
    for (const id of members) expect((await readTally(to, id)).seen.sort()).toEqual([1, 2, 3, 4]);
    const paused = cluster.events.filter((event) => event.type === "MovePaused");
    const opened = cluster.events.filter((event) => event.type === "MoveOpened");
    expect(paused.length).toBeGreaterThanOrEqual(200);
    expect(opened.length).toBe(paused.length);
    const ended = cluster.events.filter((event) => event.type === "MoveEnded" && event.spotId === "h");
    expect(ended).toEqual([expect.objectContaining({ actorId: undefined, outcome: "committed" })]);
  });
});

describe("a spot's move that fails", () => {
  const failing = { capture: "", restore: "" };
  const Fragile = defineActor<number[]>({
    type: "tally",
    create: () => [],
    on: {
      note: (ctx, value: number) => {
        ctx.state.push(value);
      },
      read: (ctx) => ({ seen: ctx.state, node: ctx.nodeRid, spot: ctx.spotId ?? null, joins: [] }),
      join: (ctx, spotId: string) => ctx.join(spotId),
    },
    capture: (state) => (state.includes(13) && failing.capture !== "" ? fail(failing.capture) : state),
    restore: (value: number[]) => (value.includes(13) && failing.restore !== "" ? fail(failing.restore) : value),
  });

  it.each(["capture", "restore"] as const)(
    "I6, M7: when the %s of one member fails, all stay as they were, and go on",
    async (which) => {
      failing.capture = "";
      failing.restore = "";
      await start(["a", "b"], { actors: [Fragile] });
      const members = namesOf(8);
      const home = await fillHall(cluster, members);
      const to = otherOf(home);
      home.send("tally", "m3", "note", 13);
      await readTally(home, "m3");
      failing[which] = `no ${which}`;
      const moved = home.relocateSpot("h", { to: to.name });
      const outcome = moved.catch((error: RuntimeError) => error);
      for (const id of members) for (const n of [1, 2, 3]) to.send("tally", id, "note", n);
      const error = (await outcome) as RuntimeError;
      expect(error).toMatchObject({ code: "moveFailed" });
      if (which === "capture") expect(error.cause).toMatchObject({ code: "captureFailed", actorId: "m3" });
      expect(to.spots()).toEqual([]);
      expect(to.actors()).toEqual([]);
      expect(membersAt(home)).toEqual(members);
      expect(home.spots()[0]!.phase).toBe("running");
      for (const id of members) expect((await readTally(to, id)).seen).toEqual(id === "m3" ? [13, 1, 2, 3] : [1, 2, 3]);
      failing[which] = "";
      expect((await home.relocateSpot("h", { to: to.name })).outcome).toBe("committed");
      for (const id of members) expect((await readTally(to, id)).node).toBe(to.rid);
    },
  );

  it("T4: a member whose state is too large is named; a spot that is too large as a whole stays too", async () => {
    const Heavy = defineActor<string>({
      type: "tally",
      create: () => "",
      on: {
        weigh: (ctx, bytes: number) => {
          ctx.state = "x".repeat(bytes);
        },
        read: (ctx) => ({ seen: [ctx.state.length], node: ctx.nodeRid, spot: ctx.spotId ?? null, joins: [] }),
        join: (ctx, spotId: string) => ctx.join(spotId),
      },
      capture: (state) => state,
      restore: (value: string) => value,
    });
    const limits = { actorStateBytes: 20_000, payloadBytesInFlight: 30_000 };
    await start(["a", "b"], { actors: [Heavy], limits });
    const home = await fillHall(cluster, ["m0", "m1"]);
    const to = otherOf(home);
    home.send("tally", "m1", "weigh", 25_000);
    await readTally(home, "m1");
    await expect(home.relocateSpot("h", { to: to.name })).rejects.toMatchObject({
      cause: { code: "stateTooLarge", actorId: "m1" },
    });
    for (const id of ["m0", "m1"]) home.send("tally", id, "weigh", 18_000);
    for (const id of ["m0", "m1"]) await readTally(home, id);
    await expect(home.relocateSpot("h", { to: to.name })).rejects.toMatchObject({ cause: { code: "stateTooLarge" } });
    home.send("tally", "m1", "weigh", 8_000);
    await readTally(home, "m1");
    expect((await home.relocateSpot("h", { to: to.name })).outcome).toBe("committed");
    expect((await readTally(home, "m0")).seen).toEqual([18_000]);
  });

  it("says at once why it cannot be: no such spot here, no such node, no capture, no type there", async () => {
    await start(["a", "b"]);
    const c = await cluster.add("c", { spots: [Room], placementWeight: 0 });
    const home = await fillHall(cluster, ["m0"]);
    const to = otherOf(home);
    await home.createSpot("room", "r");
    await expect(to.relocateSpot("h", { to: home.name })).rejects.toMatchObject({ code: "notOwner" });
    await expect(home.relocateSpot("h", { to: "nowhere" })).rejects.toMatchObject({ code: "notFound" });
    await expect(home.relocateSpot("h", { to: home.name })).rejects.toMatchObject({ code: "invalidArgument" });
    await expect(home.relocateSpot("r", { to: to.name })).rejects.toMatchObject({
      code: "moveFailed",
      cause: { code: "relocationDisabled" },
    });
    await expect(home.relocateSpot("h", { to: c.name })).rejects.toMatchObject({
      code: "moveFailed",
      cause: { code: "targetUnavailable" },
    });
    expect(home.spots().map(({ phase }) => phase)).toEqual(["running", "running"]);
    expect((await home.relocateSpot("h", { to: to.name })).outcome).toBe("committed");
  });

  it("M4, O3: a member whose turn does not end in time keeps all of them where they are", async () => {
    await start(["a", "b"]);
    const home = await fillHall(cluster, namesOf(3));
    const to = otherOf(home);
    home.send("tally", "m1", "slow", { number: 1, ms: 300 });
    await pause(5);
    const moved = home.relocateSpot("h", { to: to.name, deadlineMs: 100 });
    for (const id of namesOf(3)) home.send("tally", id, "note", 2);
    await expect(moved).rejects.toMatchObject({ code: "moveFailed", cause: { code: "deadlineExceeded" } });
    expect((await readTally(home, "m0")).seen).toEqual([2]);
    expect((await readTally(home, "m1")).seen).toEqual([1, 2]);
    expect(to.actors()).toEqual([]);
  });
});

describe("O2, H7: a spot's move and the moves of actors shut each other out", () => {
  it("refuses a member's own move meanwhile, shares the very same one, refuses another", async () => {
    await start(["a", "b", "c"]);
    const home = await fillHall(cluster, ["m0", "m1"]);
    const [one, two] = cluster.nodes.filter((node) => node !== home);
    const first = home.relocateSpot("h", { to: one!.name });
    const same = home.relocateSpot("h", { to: one!.name });
    await expect(home.relocateSpot("h", { to: two!.name })).rejects.toMatchObject({ code: "operationInProgress" });
    await expect(home.relocate("m0", { to: two!.name })).rejects.toMatchObject({ code: "operationInProgress" });
    expect((await first).relocation).toBe((await same).relocation);
    expect(await one!.relocate("m0", { to: two!.name })).toMatchObject({ outcome: "committed" });
    expect(membersAt(one!)).toEqual(["m1"]);
  });

  it("waits for a member that is leaving, and goes without it", async () => {
    await start(["a", "b", "c"]);
    const home = await fillHall(cluster, ["m0", "m1"]);
    const [one, two] = cluster.nodes.filter((node) => node !== home);
    home.send("tally", "m0", "slow", { number: 1, ms: 60 });
    await pause(5);
    const leaving = home.relocate("m0", { to: two!.name });
    const moved = home.relocateSpot("h", { to: one!.name });
    expect((await leaving).outcome).toBe("committed");
    expect((await moved).outcome).toBe("committed");
    expect(membersAt(one!)).toEqual(["m1"]);
    expect(await readTally(home, "m0")).toMatchObject({ node: two!.rid, spot: null, seen: [1] });
  });

  it("a node that closes meanwhile begins no move any more", async () => {
    await start(["a", "b", "c"]);
    const home = await fillHall(cluster, ["m0", "m1"]);
    const [one, two] = cluster.nodes.filter((node) => node !== home);
    home.send("tally", "m0", "slow", { number: 1, ms: 150 });
    await pause(5);
    const leaving = home.relocate("m0", { to: two!.name }).catch((error: RuntimeError) => error.code);
    const moved = home.relocateSpot("h", { to: one!.name }).catch((error: RuntimeError) => error.code);
    await pause(5);
    await home.close();
    expect(await leaving).toBe("moveFailed");
    expect(await moved).toBe("moveFailed");
    expect([...one!.spots(), ...two!.spots(), ...one!.actors(), ...two!.actors()]).toEqual([]);
  });

  it("H7: members of two spots that want to change places do not keep both from moving", async () => {
    await start(["a", "b"]);
    const home = await fillHall(cluster, ["m0", "m1"]);
    const other = otherOf(home);
    await other.createSpot("hall", "h2", "the other hall");
    await home.getOrCreate("tally", "n0");
    home.send("tally", "n0", "join", "h2");
    await until("it is in the other hall", () => membersAt(other, "h2").includes("n0"));
    await until("it has left", () => !home.actors().some(({ actorId }) => actorId === "n0"));
    // Each asks for a place in the other's spot, and both spots begin to move before the questions have come.
    cluster.network.stall(home.rid, other.rid);
    cluster.network.stall(other.rid, home.rid);
    home.send("tally", "m0", "join", "h2");
    other.send("tally", "n0", "join", "h");
    const asks = (node: Node, id: string): boolean =>
      node.actors().some(({ actorId, phase }) => actorId === id && phase === "moving");
    await until("both ask", () => asks(home, "m0") && asks(other, "n0"));
    const moved = [home.relocateSpot("h", { to: other.name }), other.relocateSpot("h2", { to: home.name })];
    cluster.network.resume(home.rid, other.rid);
    cluster.network.resume(other.rid, home.rid);
    for (const move of moved) expect((await move).outcome).toBe("committed");
    await until("both were told", async () => {
      const told = await Promise.all(["m0", "n0"].map((id) => readTally(home, id)));
      return told.every(({ joins }) => joins.length === 2);
    });
  });

  it("J1, J6: actors that join while it moves, here or from afar, end up where it is, and are told once", async () => {
    await start(["a", "b", "c"]);
    const home = await fillHall(cluster, namesOf(4));
    const c = cluster.nodes[2]!;
    const joiners = Array.from({ length: 30 }, (_, index) => `j${index}`);
    await Promise.all(joiners.map((id) => c.getOrCreate("tally", id)));
    expect(
      new Set(joiners.map((id) => cluster.nodes.find((n) => n.actors().some((a) => a.actorId === id))!.name)).size,
    ).toBe(3);
    let moving = true;
    const moves = (async () => {
      for (let move = 0; move < 8; move++) {
        const from = hallOf(cluster);
        const to = cluster.nodes[(cluster.nodes.indexOf(from) + 1) % 3]!;
        expect((await from.relocateSpot("h", { to: to.name })).outcome).toBe("committed");
        await pause(10);
      }
      moving = false;
    })();
    for (const id of joiners) {
      c.send("tally", id, "join", "h");
      await pause(4);
    }
    await moves;
    expect(moving).toBe(false);
    await until("all are in", () => membersAt(hallOf(cluster)).length === 34);
    const at = hallOf(cluster);
    for (const id of joiners)
      expect(await readTally(home, id)).toMatchObject({ node: at.rid, spot: "h", joins: ["accepted:h"] });
    for (const node of cluster.nodes)
      for (const actor of node.actors()) expect([node.name, actor.spotId]).toEqual([at.name, "h"]);
  });
});

function fail(message: string): never {
  throw new Error(message);
}
