import { afterEach, describe, expect, it } from "vitest";
import { defineActor, RuntimeError, type RuntimeErrorCode } from "../../src/index.ts";
import { otherThan, ownerOf, startCluster, type Cluster } from "../support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

const circular: Record<string, unknown> = {};
circular["self"] = circular;
const UNSENDABLE: Record<string, unknown> = {
  bigint: { count: 1n },
  circular,
  function: () => 1,
  symbol: Symbol("s"),
};

const turns: string[] = [];
const Clumsy = defineActor<null>({
  type: "clumsy",
  create: () => null,
  on: {
    give: (_ctx, what: string) => UNSENDABLE[what],
    throws: (_ctx, code: RuntimeErrorCode) => {
      turns.push(code);
      throw new RuntimeError(code, "a secret");
    },
    asksNobody: (ctx) => ctx.request({ type: "clumsy", id: "nobody" }, "give", "bigint"),
    next: () => "next",
  },
  capture: (state) => state,
  restore: () => null,
});

async function start(): Promise<{ ask: (name: string, value?: unknown) => Promise<unknown> }> {
  turns.length = 0;
  cluster = await startCluster(["a", "b"], { actors: [Clumsy], deadlines: { requestMs: 2_000 } });
  await cluster.nodes[0]!.getOrCreate("clumsy", "c");
  const node = otherThan(cluster, ownerOf(cluster, "c"));
  return { ask: (name, value) => node.request("clumsy", "c", name, value) };
}
const failures = (): string[] =>
  cluster.events.flatMap((event) =>
    event.type === "CallbackFailed" ? [`${event.callback}: ${String(event.error)}`] : [],
  );

describe("a reply that cannot be sent", () => {
  it.each(Object.keys(UNSENDABLE))("%s is the handler's fault, and both sides are told so", async (what) => {
    const { ask } = await start();
    const message = `handler "give" of actor "c" returned something that cannot be sent`;
    await expect(ask("give", what)).rejects.toMatchObject({
      code: "handlerFailed",
      message: expect.stringContaining(message) as unknown,
    });
    expect(failures()).toEqual([expect.stringContaining(message)]);
    expect(cluster.logs).toContainEqual(expect.objectContaining({ event: "callback.failed" }));
    expect(await ask("next")).toBe("next");
  });
});

it("what the handler of a one-way message returns is nobody's business", async () => {
  const { ask } = await start();
  cluster.nodes[0]!.send("clumsy", "c", "give", "bigint");
  cluster.nodes[1]!.send("clumsy", "c", "give", "circular");
  await ask("next");
  expect(failures()).toEqual([]);
});

describe("what a handler throws", () => {
  const codes: RuntimeErrorCode[] = [
    "notFound",
    "notConnected",
    "stale",
    "closed",
    "busy",
    "invalidArgument",
    "timedOut",
  ];
  it.each(codes)(
    "Q1, I3: %s does not pass for the fate of the request itself, which is not sent again",
    async (code) => {
      const { ask } = await start();
      const error: unknown = await ask("throws", code).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "handlerFailed" });
      expect(String(error)).not.toContain("secret");
      expect(turns).toEqual([code]);
      expect(failures()).toHaveLength(1);
      expect(await ask("next")).toBe("next");
    },
  );

  it("a request of its own that failed is no different", async () => {
    const { ask } = await start();
    await expect(ask("asksNobody")).rejects.toMatchObject({ code: "handlerFailed" });
  });

  it("a refusal reaches the requester with its text, and is nobody's failure", async () => {
    const { ask } = await start();
    await expect(ask("throws", "rejected")).rejects.toMatchObject({
      code: "rejected",
      message: expect.stringContaining("a secret") as unknown,
    });
    expect(failures()).toEqual([]);
  });
});
