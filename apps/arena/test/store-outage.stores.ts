import { CutProxy } from "@rehome/conformance/cut-proxy";
import { defineActor, keepNode, type KeptNode, type Node, type NodeEvent } from "@rehome/runtime";
import { createNodeTransport } from "@rehome/transport-node";
import { actorAuthorityKey } from "@rehome/wire";
import { describe, expect, test } from "vitest";
import { serversHere, type Server, type Store } from "./servers.ts";

/** Short, so that outages need not be long; each renewal has several calls' deadlines of time. */
const LEASE_MS = 3_000;
const TICK_MS = 20;
const POLL_MS = 5;
const ACTOR = "x";

/** Two nodes whose store can be taken away from them, and an actor on the first that never rests. */
class Scene {
  readonly proxy: CutProxy;
  /** Reaches the server whatever happens to the nodes' connections. */
  readonly witness: Store;
  readonly events: (NodeEvent & { node: string })[] = [];
  readonly logs: string[] = [];
  readonly turnsAtMs: number[] = [];
  readonly runs = new Map<string, Node[]>([
    ["a", []],
    ["b", []],
  ]);
  readonly nodes: KeptNode[] = [];
  readonly #stores: Store[] = [];

  private constructor(proxy: CutProxy, witness: Store) {
    this.proxy = proxy;
    this.witness = witness;
  }

  static async start(server: Server): Promise<Scene> {
    const proxy = await CutProxy.to(server.url);
    const scene = new Scene(proxy, await server.open(server.url));
    for (const node of ["a", "b"]) await scene.#add(node, await server.open(proxy.through(server.url)));
    await scene.run("b").getOrCreate("ticker", ACTOR);
    await scene.run("b").request("ticker", ACTOR, "begin");
    return scene;
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
    await Promise.all([...this.#stores, this.witness].map((store) => store.close()));
    await this.proxy.close();
  }

  run(node: "a" | "b"): Node {
    return this.runs.get(node)!.at(-1)!;
  }

  saw(type: NodeEvent["type"], node: string): boolean {
    return this.events.some((event) => event.type === type && event.node === node);
  }

  async #add(node: string, store: Store): Promise<void> {
    this.#stores.push(store);
    const Ticker = defineActor<{ ticks: number }>({
      type: "ticker",
      create: () => ({ ticks: 0 }),
      on: {
        begin: (ctx) => ctx.setTimer("tick", TICK_MS),
        ticks: (ctx) => ctx.state.ticks,
      },
      onTimer: (ctx) => {
        this.turnsAtMs.push(performance.now());
        ctx.state.ticks += 1;
        ctx.setTimer("tick", TICK_MS);
      },
      capture: (state) => state,
      restore: (state: { ticks: number }) => state,
    });
    const makeOptions = () => ({
      meshName: "outage",
      name: node,
      transport: createNodeTransport({ host: "127.0.0.1", port: 0 }),
      store,
      actors: [Ticker],
      placementWeight: node === "a" ? 100 : 0,
      deadlines: { leaseMs: LEASE_MS, closeMs: 1_000 },
      log: { write: (_: unknown, event: string) => void this.logs.push(event) },
      observe: (event: NodeEvent) => void this.events.push({ ...event, node }),
    });
    this.nodes.push(await keepNode(makeOptions, (run) => void this.runs.get(node)!.push(run)));
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(POLL_MS);
}

/** What the store itself says of the actor's owner. */
async function ownerLeaseLive(store: Store): Promise<boolean> {
  const answer = await store.read(actorAuthorityKey(ACTOR));
  return answer.outcome !== "found" || answer.reading.ownerLeaseLive;
}

async function withScene(server: Server, use: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = await Scene.start(server);
  try {
    await use(scene);
  } finally {
    await scene.close();
    await server.remove();
  }
}

function outageTests(server: Server): void {
  test("L1: a short outage is said and survived: turns go on, leases are renewed in time", () =>
    withScene(server, async (scene) => {
      await scene.proxy.down();
      await until(() => ["a", "b"].every((node) => scene.saw("LeaseUnrenewed", node)));
      const ticks = (await scene.run("b").request("ticker", ACTOR, "ticks")) as number;
      await scene.proxy.up();
      await until(() => ["a", "b"].every((node) => scene.saw("LeaseRenewed", node)));
      expect(await scene.run("b").request("ticker", ACTOR, "ticks")).toBeGreaterThanOrEqual(ticks);
      expect(scene.logs).toContain("lease.unrenewed");
      expect(scene.logs).toContain("lease.renewed");
      expect([scene.saw("NodeFailed", "a"), scene.saw("NodeFailed", "b")]).toEqual([false, false]);
      expect([scene.runs.get("a")!.length, scene.runs.get("b")!.length]).toEqual([1, 1]);
    }));

  test("L1, L3: in a long one turns stop before the store calls the lease ended, and nodes come back by themselves", () =>
    withScene(server, async (scene) => {
      const [first] = scene.runs.get("a")!;
      await scene.proxy.down();
      await until(async () => !(await ownerLeaseLive(scene.witness)));
      const endedAtMs = performance.now();
      await until(() => ["a", "b"].every((node) => scene.saw("NodeFailed", node)));
      await pause(10 * TICK_MS);
      expect(scene.turnsAtMs.length).toBeGreaterThan(0);
      expect(Math.max(...scene.turnsAtMs)).toBeLessThan(endedAtMs);
      await expect(first!.request("ticker", ACTOR, "ticks")).rejects.toMatchObject({ code: "closed" });
      await pause(LEASE_MS);
      expect([scene.nodes[0]!.node, scene.nodes[1]!.node]).toEqual([undefined, undefined]);
      await scene.proxy.up();
      await until(() => scene.nodes.every((node) => node.node !== undefined));
      expect(scene.run("a").nodeGeneration).toBe(first!.nodeGeneration + 1n);
      expect(scene.logs).toContain("node.startedAgain");
      await until(() =>
        scene
          .run("b")
          .getOrCreate("ticker", ACTOR)
          .then(
            () => true,
            () => false,
          ),
      );
      expect(await scene.run("b").request("ticker", ACTOR, "ticks")).toBe(0);
      expect(scene.events.some((event) => event.type === "ActorRecreated")).toBe(true);
    }));
}

for (const [title, server] of await serversHere()) {
  describe.skipIf(server === undefined)(`nodes that lose ${title}`, () => outageTests(server!));
}
