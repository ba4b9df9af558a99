import { actorAuthorityKey } from "@rehome/wire";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import { createMemoryStore, type AuthorityStore } from "@rehome/core";
import { afterEach, describe, expect, it } from "vitest";
import { ownerDocuments } from "../src/actors/owner-document.ts";
import { movePayloadSchema } from "../src/generated/move-payload.ts";
import { ownerDocumentSchema } from "../src/generated/owner-document.ts";
import { defineActor, systemClock, type Node, type NodeOptions, type RuntimeError } from "../src/index.ts";
import { otherThan, ownerOf, startCluster, type Cluster } from "./support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Counts, and saves when it is told to. */
function vault(afterLoss?: "restore" | "new", more: Partial<Parameters<typeof defineActor<number>>[0]> = {}) {
  return defineActor<number>({
    type: "vault",
    version: 3,
    ...(afterLoss ? { afterLoss } : {}),
    create: () => 0,
    on: {
      add: (ctx, by: number) => (ctx.state += by),
      save: (ctx) => ctx.save(),
      trySave: (ctx) =>
        ctx.save().then(
          () => "saved",
          (error: RuntimeError) => error.code,
        ),
      addAndSave: async (ctx, by: number) => {
        ctx.state += by;
        const saving = ctx.save();
        ctx.state += 1_000;
        await saving;
        ctx.state -= 1_000;
      },
    },
    capture: (state) => ({ count: state }),
    restore: (value: { count: number }, { version }) => (version === 3 ? value.count : -1),
    ...more,
  });
}

async function start(options: Partial<NodeOptions> = {}, names = ["a", "b"]): Promise<Cluster> {
  cluster = await startCluster(names, { actors: [vault()], ...options });
  return cluster;
}

/** The node is gone at once, and the store knows it. */
async function kill(node: Node, store: AuthorityStore): Promise<void> {
  const { nodes } = (await store.nodes("test")) as Extract<
    Awaited<ReturnType<AuthorityStore["nodes"]>>,
    { outcome: "listed" }
  >;
  const { descriptor } = nodes.find(({ descriptor: { owner } }) => owner.nodeRid === node.rid)!;
  cluster.network.remove(node.rid);
  await store.release(descriptor.owner);
}

describe("ctx.save", () => {
  it("L3: after the node was lost the actor begins with what was saved last, and it is said which", async () => {
    const { store, nodes } = await start();
    await nodes[0]!.getOrCreate("vault", "v");
    const owner = ownerOf(cluster, "v");
    const other = otherThan(cluster, owner);
    await other.request("vault", "v", "add", 5);
    await other.request("vault", "v", "addAndSave", 2);
    await other.request("vault", "v", "add", 100);
    await kill(owner, store);
    await other.getOrCreate("vault", "v");
    expect(await other.request("vault", "v", "add", 0)).toBe(7);
    expect(cluster.events.filter(({ type }) => type === "ActorRecreated")).toEqual([
      { type: "ActorRecreated", actorType: "vault", actorId: "v", from: "savedState", node: other.name },
    ]);
  });

  it.each([
    ["its type says new", "new", true],
    ["it never saved", "restore", false],
  ] as const)("L3: it begins new when %s, and that is said", async (_, afterLoss, saves) => {
    const { store, nodes } = await start({ actors: [vault(afterLoss)] });
    await nodes[0]!.getOrCreate("vault", "v");
    const owner = ownerOf(cluster, "v");
    const other = otherThan(cluster, owner);
    await other.request("vault", "v", "add", 5);
    if (saves) await other.request("vault", "v", "save");
    await kill(owner, store);
    await other.getOrCreate("vault", "v");
    expect(await other.request("vault", "v", "add", 0)).toBe(0);
    expect(cluster.events.filter(({ type }) => type === "ActorRecreated")).toMatchObject([{ from: "new" }]);
  });

  it("L3: what was saved moves along, and the new owner saves on", async () => {
    const { store, nodes } = await start({}, ["a", "b", "c"]);
    await nodes[0]!.getOrCreate("vault", "v");
    const first = ownerOf(cluster, "v");
    await first.request("vault", "v", "add", 5);
    await first.request("vault", "v", "save");
    const second = otherThan(cluster, first);
    await first.relocate("v", { to: second.name });
    const third = cluster.nodes.find((node) => node !== first && node !== second)!;
    await third.request("vault", "v", "add", 1);
    await third.request("vault", "v", "save");
    await second.relocate("v", { to: first.name });
    await kill(first, store);
    await third.getOrCreate("vault", "v");
    expect(await third.request("vault", "v", "add", 0)).toBe(6);
  });

  it("L3: damaged saved state is data loss: the actor is not made of a guess", async () => {
    const { store, nodes } = await start();
    await nodes[0]!.getOrCreate("vault", "v");
    const owner = ownerOf(cluster, "v");
    const other = otherThan(cluster, owner);
    await other.request("vault", "v", "save");
    const reading = await store.read(actorAuthorityKey("v"));
    if (reading.outcome !== "found") throw new Error("no record");
    const { record } = reading.reading;
    const payload = record.payload.map((byte, index) => (index === 20 ? byte ^ 1 : byte));
    await store.publish({ key: record.key, baseVersion: record.storeVersion, lease: record.owner, payload });
    await kill(owner, store);
    await expect(other.getOrCreate("vault", "v")).rejects.toMatchObject({ code: "dataLoss" });
    expect(cluster.events.filter(({ type }) => type === "ActorRecreated")).toEqual([]);
  });

  it("O6: a save waits while a move stands on the version, and ends with the copy that moved away", async () => {
    let release: () => void = () => undefined;
    let context: { save(): Promise<void> } | undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const Slow = vault("restore", {
      on: { keep: (ctx) => void (context = ctx) },
      capture: async (state) => {
        if (context) await gate;
        return { count: state };
      },
    });
    const { nodes } = await start({ actors: [Slow] });
    await nodes[0]!.getOrCreate("vault", "v");
    const owner = ownerOf(cluster, "v");
    await owner.request("vault", "v", "keep");
    const moved = owner.relocate("v", { to: otherThan(cluster, owner).name });
    await pause(20);
    const saved = context!.save().catch((error: unknown) => error);
    release();
    expect(await moved).toMatchObject({ outcome: "committed" });
    expect(await saved).toMatchObject({ code: "closed" });
  });

  it("O6: a save that waited for a move that was undone is written then", async () => {
    let fail = false;
    let context: { save(): Promise<void> } | undefined;
    const store = createMemoryStore({ clock: systemClock });
    const Refusing = vault("restore", {
      on: { keep: (ctx) => void (context = ctx) },
      restore: async () => {
        await pause(30);
        throw new Error("not here");
      },
      capture: (state) => {
        fail = true;
        return { count: state };
      },
    });
    const { nodes } = await start({ actors: [Refusing], store });
    await nodes[0]!.getOrCreate("vault", "v");
    const owner = ownerOf(cluster, "v");
    await owner.request("vault", "v", "keep");
    const moved = owner.relocate("v", { to: otherThan(cluster, owner).name }).catch((error: unknown) => error);
    while (!fail) await pause(1);
    const saved = context!.save();
    const before = await store.read(actorAuthorityKey("v"));
    expect(before).toMatchObject({ reading: { record: { payload: new Uint8Array(0) } } });
    expect(await moved).toMatchObject({ code: "moveFailed" });
    await saved;
    const after = await store.read(actorAuthorityKey("v"));
    const record = after.outcome === "found" ? after.reading.record : undefined;
    expect(ownerDocuments.decode(record!.payload)?.saved).toMatchObject({ stateVersion: 3 });
  });

  it.each([
    [
      "capture throws",
      {
        capture: () => {
          throw new Error("no");
        },
      },
      "handlerFailed",
    ],
    ["its state is too large", { capture: () => "x".repeat(2_000) }, "tooLarge"],
  ] as const)("rejects when %s", async (_, more, code) => {
    const { nodes } = await start({ actors: [vault("restore", more)], limits: { actorStateBytes: 1_000 } });
    await nodes[0]!.getOrCreate("vault", "v");
    const owner = ownerOf(cluster, "v");
    expect(await owner.request("vault", "v", "trySave")).toBe(code);
  });

  it("says when nobody can tell whether it was saved, and saves again on the same version", async () => {
    const store = createMemoryStore({ clock: systemClock });
    const { nodes } = await start({ store, deadlines: { storeResolutionMs: 60 } }, ["a"]);
    await nodes[0]!.getOrCreate("vault", "v");
    const publish = store.publish.bind(store);
    const read = store.read.bind(store);
    const away = { outcome: "unknown", reason: "away" } as const;
    store.publish = () => Promise.resolve(away);
    store.read = () => Promise.resolve(away);
    expect(await nodes[0]!.request("vault", "v", "trySave")).toBe("outcomeUnknown");
    Object.assign(store, { publish, read });
    expect(await nodes[0]!.request("vault", "v", "trySave")).toBe("saved");
  });
});

describe("the owner's document", () => {
  const journal = {
    operation: { high: 1n, low: 2n ** 64n - 1n },
    actorId: "a",
    spotId: "s",
    contentType: "text/plain",
    reply: new Uint8Array([1, 2]),
    cursor: "committed",
  } as const;
  const saved = { stateVersion: 2, applicationVersion: 2n ** 60n, contentType: "x", data: new Uint8Array([9]) };

  it.each([
    { journal, saved },
    { journal, saved: undefined },
    { journal: undefined, saved },
    { journal: undefined, saved: undefined },
  ])("J2: reads what it wrote (%#)", (document) => {
    expect(ownerDocuments.decode(ownerDocuments.encode(document))).toEqual(document);
  });

  it("J2: every flipped bit, cut and addition is data loss, never another document", () => {
    const bytes = ownerDocuments.encode({ journal, saved });
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = bytes.slice();
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      expect(ownerDocuments.decode(damaged)).toBeUndefined();
    }
    for (let length = 1; length < bytes.length; length++)
      expect(ownerDocuments.decode(bytes.slice(0, length))).toBeUndefined();
    expect(ownerDocuments.decode(new Uint8Array([...bytes, 0]))).toBeUndefined();
  });

  it.each([
    ["move-payload", movePayloadSchema],
    ["owner-document", ownerDocumentSchema],
  ])("the generated schema is what proto/%s.proto says", (name, schema) => {
    const path = fileURLToPath(new URL(`../proto/${name}.proto`, import.meta.url));
    const { root } = protobuf.parse(readFileSync(path, "utf8"));
    expect(root.toJSON()).toEqual(schema);
  });
});
