import { createMemoryStore, type AuthorityStore, type JournalRecord } from "@rehome/core";
import { actorAuthorityKey, type Id128 } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { ownerDocuments } from "../../src/actors/owner-document.ts";
import { defineActor, systemClock, type JoinResult, type Node } from "../../src/index.ts";
import { otherThan, ownerOf, startCluster, type Cluster } from "../support/cluster.ts";

let cluster: Cluster;
let store: AuthorityStore;
/** Every `onJoin`, on whatever node. */
let told: JoinResult[] = [];
afterEach(async () => {
  told = [];
  await cluster.close();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await check()); tries++) {
    if (tries > 300) throw new Error("it does not happen");
    await pause(10);
  }
}

const Guest = defineActor<number>({
  type: "guest",
  create: () => 0,
  on: {
    join: (ctx, spotId: string) => ctx.join(spotId),
    where: (ctx) => ctx.spotId ?? null,
    save: (ctx) => ctx.save(),
  },
  capture: (state) => state,
  restore: (value: number) => value,
  onJoin: (_ctx, result) => void told.push(result),
});

async function start(names = ["a", "b"], storeResolutionMs = 5_000): Promise<Cluster> {
  store = createMemoryStore({ clock: systemClock });
  cluster = await startCluster(names, { actors: [Guest], store, deadlines: { storeResolutionMs } });
  return cluster;
}

async function journalOf(actorId: string): Promise<JournalRecord | undefined> {
  const answer = await store.read(actorAuthorityKey(actorId));
  const record = answer.outcome === "found" ? answer.reading.record : undefined;
  return record && ownerDocuments.decode(record.payload)?.journal;
}

/** A guest and a room on two nodes. */
async function apart(): Promise<{ guest: Node; room: Node }> {
  await cluster.nodes[0]!.getOrCreate("guest", "g");
  const guest = ownerOf(cluster, "g");
  const room = otherThan(cluster, guest);
  await room.createSpot("room", "r");
  return { guest, room };
}

async function kill(node: Node): Promise<void> {
  const listed = await store.nodes("test");
  const nodes = listed.outcome === "listed" ? listed.nodes : [];
  const { descriptor } = nodes.find(({ descriptor: { owner } }) => owner.nodeRid === node.rid)!;
  cluster.network.remove(node.rid);
  await store.release(descriptor.owner);
}

const textOf = ({ high, low }: Id128): string => `${high.toString(16)}:${low.toString(16)}`;

describe("the journal of accepted joins", () => {
  it("J2: is prepared before the base version is read, committed by the target, delivered when the actor was told", async () => {
    await start();
    const { guest, room } = await apart();
    const seen: (string | undefined)[] = [];
    const publish = store.publish.bind(store);
    store.publish = async (request) => {
      seen.push(request.payload && ownerDocuments.decode(request.payload)?.journal?.cursor);
      return publish(request);
    };
    const commit = store.commit.bind(store);
    store.commit = async (request) => {
      seen.push("move");
      return commit(request);
    };
    await room.request("guest", "g", "join", "r");
    await until(async () => (await journalOf("g"))?.cursor === "delivered");
    expect(seen).toEqual(["prepared", "move", "committed", "delivered"]);
    const journal = (await journalOf("g"))!;
    expect(journal).toMatchObject({ actorId: "g", spotId: "r", contentType: "application/json" });
    expect(told).toEqual([
      { outcome: "accepted", operation: textOf(journal.operation), spotId: "r", reply: "welcome" },
    ]);
    await until(() => guest.actors().length === 0);
  });

  it("J6: a spot of the same node is joined in one write, with the answer", async () => {
    await start(["a"]);
    const [a] = cluster.nodes;
    await a!.getOrCreate("guest", "g");
    await a!.createSpot("room", "r");
    const writes: unknown[] = [];
    const publish = store.publish.bind(store);
    store.publish = async (request) => {
      writes.push([request.place?.spot?.spotId, ownerDocuments.decode(request.payload!)?.journal?.cursor]);
      return publish(request);
    };
    await a!.request("guest", "g", "join", "r");
    await until(async () => (await journalOf("g"))?.cursor === "delivered");
    expect(writes).toEqual([
      ["r", "committed"],
      [undefined, "delivered"],
    ]);
    expect(await a!.request("guest", "g", "where")).toBe("r");
    expect(told).toHaveLength(1);
  });

  it("J5: a join whose move was undone leaves nothing in the journal, and the actor is told once", async () => {
    await start();
    const { room } = await apart();
    store.commit = () => Promise.resolve({ outcome: "capacityExceeded" });
    await room.request("guest", "g", "join", "r");
    await until(() => told.length > 0);
    await until(async () => (await journalOf("g")) === undefined);
    expect(told).toMatchObject([{ outcome: "rejected", spotId: "r" }]);
  });

  it("J5: a record that could not be discarded gives way to the next join", async () => {
    await start(["a", "b"], 50);
    const { room } = await apart();
    const commit = store.commit.bind(store);
    const publish = store.publish.bind(store);
    store.commit = () => {
      // From here on the source cannot write, until the join has been answered.
      store.publish = () => Promise.resolve({ outcome: "stale" });
      return Promise.resolve({ outcome: "capacityExceeded" });
    };
    await room.request("guest", "g", "join", "r");
    await until(() => told.length > 0);
    await pause(150);
    expect((await journalOf("g"))?.cursor).toBe("prepared");
    Object.assign(store, { commit, publish });
    await room.request("guest", "g", "join", "r");
    await until(async () => (await journalOf("g"))?.cursor === "delivered");
    expect(told.map(({ outcome }) => outcome)).toEqual(["rejected", "accepted"]);
  });

  it("J1: a turn that waits in the mailbox when the actor moves on is run there, once, and marked there", async () => {
    await start(["a", "b", "c"]);
    const { room } = await apart();
    await room.request("guest", "g", "join", "r");
    await until(() => told.length > 0);
    const third = cluster.nodes.find((node) => node !== room && node.actors().length === 0)!;
    await room.relocate("g", { to: third.name });
    await until(async () => (await journalOf("g"))?.cursor === "delivered");
    expect(told).toHaveLength(1);
  });

  it("J1: an answer that was told but not marked is not told again by the next owner, which marks it", async () => {
    await start(["a", "b", "c"]);
    const { room } = await apart();
    const publish = store.publish.bind(store);
    let isMarking = true;
    store.publish = async (request) => {
      const cursor = request.payload && ownerDocuments.decode(request.payload)?.journal?.cursor;
      return isMarking && cursor === "delivered" ? { outcome: "stale" } : publish(request);
    };
    await room.request("guest", "g", "join", "r");
    await until(async () => told.length > 0 && (await journalOf("g"))?.cursor === "committed");
    const third = cluster.nodes.find((node) => node !== room && node.actors().length === 0)!;
    const moving = room.relocate("g", { to: third.name });
    await moving;
    expect((await journalOf("g"))?.cursor).toBe("committed");
    isMarking = false;
    await until(async () => (await journalOf("g"))?.cursor === "delivered");
    expect(told).toHaveLength(1);
  });

  it.each([
    ["committed", "committed"],
    ["prepared, and moved by that very join", "prepared"],
  ] as const)(
    "L3: an answer that is %s when the node is lost is told, perhaps again, with the same operation",
    async (_, cursor) => {
      await start();
      const { guest, room } = await apart();
      const publish = store.publish.bind(store);
      const marks: readonly (string | undefined)[] = cursor === "prepared" ? ["committed", "delivered"] : ["delivered"];
      store.publish = async (request) => {
        const next = request.payload && ownerDocuments.decode(request.payload)?.journal?.cursor;
        return marks.includes(next) ? { outcome: "unknown", reason: "away" } : publish(request);
      };
      await room.request("guest", "g", "join", "r");
      await until(() => told.length === 1);
      await until(async () => (await journalOf("g"))?.cursor === cursor);
      await kill(room);
      store.publish = publish;
      await guest.getOrCreate("guest", "g");
      await until(() => told.length === 2);
      expect(told[1]).toEqual(told[0]);
      await until(async () => (await journalOf("g"))?.cursor === "delivered");
      expect(await guest.request("guest", "g", "where")).toBe(null);
    },
  );

  it("J3: an actor stays until its join is marked, since its next move takes the only other evidence away", async () => {
    await start(["a", "b"], 100);
    const { guest, room } = await apart();
    const publish = store.publish.bind(store);
    const commit = store.commit.bind(store);
    store.commit = async (request) => {
      store.publish = () => Promise.resolve({ outcome: "unknown", reason: "away" });
      return commit(request);
    };
    await room.request("guest", "g", "join", "r");
    await until(() => told.length === 1 && guest.actors().length === 0);
    const early = room.relocate("g", { to: guest.name });
    await expect(early).rejects.toMatchObject({
      code: "moveFailed",
      cause: { code: "storeUnavailable", actorId: "g" },
    });
    expect(await room.request("guest", "g", "where")).toBe("r");
    Object.assign(store, { commit, publish });
    await until(() =>
      room.relocate("g", { to: guest.name }).then(
        () => true,
        () => false,
      ),
    );
    expect((await journalOf("g"))?.cursor).not.toBe("prepared");
    expect(told).toHaveLength(1);
  });

  it("L3: a join that was not decided when the node was lost is answered as refused", async () => {
    await start(["a", "b", "c"]);
    const { guest, room } = await apart();
    const third = cluster.nodes.find((node) => node !== guest && node !== room)!;
    const commit = store.commit.bind(store);
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    store.commit = async (request) => {
      await gate;
      return commit(request);
    };
    await room.request("guest", "g", "join", "r");
    await until(async () => (await journalOf("g"))?.cursor === "prepared");
    await kill(guest);
    await pause(20);
    await third.getOrCreate("guest", "g");
    await until(() => told.length > 0);
    expect(told).toMatchObject([{ outcome: "rejected", spotId: "r" }]);
    await until(async () => (await journalOf("g")) === undefined);
    // The target's commit comes too late: whoever was first has changed the version.
    release();
    await pause(20);
    expect(cluster.nodes.flatMap((node) => (node === guest ? [] : node.actors()))).toHaveLength(1);
  });

  it("J2, L3: a saved state and a join's answer live in one document", async () => {
    await start();
    const { room } = await apart();
    await room.request("guest", "g", "save");
    await room.request("guest", "g", "join", "r");
    await until(async () => (await journalOf("g"))?.cursor === "delivered");
    await room.request("guest", "g", "save");
    const answer = await store.read(actorAuthorityKey("g"));
    const { payload } = answer.outcome === "found" ? answer.reading.record : { payload: new Uint8Array(0) };
    expect(ownerDocuments.decode(payload)).toMatchObject({
      journal: { cursor: "delivered" },
      saved: { stateVersion: 1 },
    });
  });
});
