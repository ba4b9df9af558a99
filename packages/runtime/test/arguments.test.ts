import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  defineActor,
  defineSpot,
  drainOnSignal,
  payloadOf,
  RuntimeError,
  valueOf,
  type Node,
  type SessionHandler,
} from "../src/index.ts";
import { otherThan, ownerOf, startCluster, Tally, type Cluster } from "./support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

/** What an untyped caller may pass. */
const NO_NAMES: readonly unknown[] = ["", "x".repeat(256), "a\0b", "\ud800", undefined, null, 5, {}];
const DEAF: SessionHandler = {
  onPush: () => undefined,
  onSendRefused: () => undefined,
  onBindingLost: () => undefined,
};
/** Without characters that a report could not hold. */
const titleOf = (value: unknown): string => encodeURIComponent((JSON.stringify(value) ?? "undefined").slice(0, 12));
const never = (value: unknown): never => value as never;

describe("names and ids that cannot travel are refused where they are given", () => {
  let node: Node;
  beforeEach(async () => {
    cluster = await startCluster(["a", "b"], { deadlines: { requestMs: 2_000 } });
    await cluster.nodes[0]!.getOrCreate("tally", "t");
    // Not its owner, and without a route in its memory.
    node = otherThan(cluster, ownerOf(cluster, "t"));
  });

  it.each(NO_NAMES.map((name) => [titleOf(name), name]))(
    "%s as a message's name, and nothing is left behind (N4)",
    async (_title, name) => {
      for (const round of ["without a route", "with one"]) {
        expect(() => node.send("tally", "t", never(name)), round).toThrow(RuntimeError);
        await expect(node.request("tally", "t", never(name)), round).rejects.toMatchObject({ code: "invalidArgument" });
        // No hole in this node's stream: the next message is run at once.
        expect(await node.request("tally", "t", "ask", 2), round).toBe(4);
      }
    },
  );

  it.each(NO_NAMES.map((id) => [titleOf(id), id]))("%s as an id", async (_title, id) => {
    const refused = { code: "invalidArgument" };
    expect(() => node.send("tally", never(id), "note", 1)).toThrow(RuntimeError);
    await expect(node.request("tally", never(id), "read")).rejects.toMatchObject(refused);
    await expect(node.getOrCreate("tally", never(id))).rejects.toMatchObject(refused);
    await expect(node.destroy("tally", never(id))).rejects.toMatchObject(refused);
    await expect(node.createSpot("room", never(id))).rejects.toMatchObject(refused);
    await expect(node.relocate("t", { to: never(id) })).rejects.toMatchObject(refused);
  });

  it("no options for a move, and waits that no timer can count", async () => {
    await expect(node.relocate("t", never(undefined))).rejects.toMatchObject({ code: "invalidArgument" });
    for (const timeoutMs of [Number.NaN, 0, -1, Number.POSITIVE_INFINITY, never("5")]) {
      await expect(node.request("tally", "t", "read", undefined, { timeoutMs })).rejects.toMatchObject({
        code: "invalidArgument",
      });
    }
  });
});

describe("message names that are the protocol's own are refused wherever user code gives one", () => {
  const refused = { code: "invalidArgument", message: expect.stringContaining('must not begin with "~"') as unknown };

  it("by a node, and nothing is left behind (N5)", async () => {
    cluster = await startCluster(["a", "b"]);
    const node = cluster.nodes[0]!;
    await node.getOrCreate("tally", "t");
    for (const name of ["~gone", "~error", "~"]) {
      expect(() => node.send("tally", "t", name)).toThrow(expect.objectContaining(refused));
      await expect(node.request("tally", "t", name)).rejects.toMatchObject(refused);
      expect(() => payloadOf(name)).toThrow(expect.objectContaining(refused));
    }
    expect(await node.request("tally", "t", "ask", 2)).toBe(4);
  });

  it("by an actor, to others and to its sessions", async () => {
    const thrown: unknown[] = [];
    const attempt = (call: () => unknown): void => {
      try {
        call();
      } catch (error) {
        thrown.push(error);
      }
    };
    const Sly = defineActor<null>({
      type: "sly",
      create: () => null,
      on: {
        try: async (ctx) => {
          const self = { type: "sly", id: "s" };
          attempt(() => ctx.push("~gone"));
          attempt(() => ctx.send(self, "~gone"));
          attempt(() => ctx.sessions[0]!.push("~gone"));
          await ctx.request(self, "~gone").catch((error: unknown) => thrown.push(error));
        },
      },
      capture: (state) => state,
      restore: () => null,
    });
    cluster = await startCluster(["a"], { actors: [Sly] });
    const session = cluster.nodes[0]!.openSession(DEAF);
    await session.bind("sly", "s");
    await session.request("s", payloadOf("try"));
    expect(thrown).toHaveLength(4);
    for (const error of thrown) expect(error).toMatchObject(refused);
  });

  it("by a session, before the message has a number", async () => {
    cluster = await startCluster(["a"]);
    const session = cluster.nodes[0]!.openSession(DEAF);
    await session.bind("tally", "t");
    const marker = { ...payloadOf("note"), packetName: "~gone" };
    expect(() => session.send("t", marker)).toThrow(expect.objectContaining(refused));
    await expect(session.request("t", marker)).rejects.toMatchObject(refused);
    for (const broken of [
      undefined,
      {},
      { ...payloadOf("note"), contentType: "" },
      { ...payloadOf("note"), data: "x" },
    ]) {
      expect(() => session.send("t", never(broken))).toThrow(RuntimeError);
    }
    expect(session.send("t", payloadOf("note", 1))).toBe(1n);
    expect(valueOf(await session.request("t", payloadOf("ask", 2)))).toBe(4);
  });
});

describe("options that mean nothing", () => {
  const refused = { code: "invalidArgument" };
  const BAD_WAITS = [Number.NaN, 0, -1, Number.POSITIVE_INFINITY, never("5")];

  it("of requests and moves: unknown names are refused, with those that there are", async () => {
    cluster = await startCluster(["a", "b"]);
    const node = cluster.nodes[0]!;
    await node.getOrCreate("tally", "t");
    await expect(node.request("tally", "t", "read", undefined, never({ timeout: 5 }))).rejects.toMatchObject({
      code: "invalidArgument",
      message: 'options has no option "timeout"; there are timeoutMs',
    });
    await expect(node.relocate("t", never({ to: "b", deadline: 5 }))).rejects.toMatchObject(refused);
    for (const deadlineMs of BAD_WAITS)
      await expect(node.relocate("t", { to: "b", deadlineMs })).rejects.toMatchObject(refused);
  });

  it("D1, D5: of drain and shutdown: nothing has begun", async () => {
    cluster = await startCluster(["a", "b"]);
    const node = cluster.nodes[0]!;
    const bad = [...BAD_WAITS.map((deadlineMs) => ({ deadlineMs })), { deadline: 5 }, null, 5];
    const ofDrain = [{ applicationVersion: 1 }, { applicationVersion: -1n }, { onProgress: 1 }, { signal: true }];
    for (const options of [...bad, ...ofDrain])
      await expect(node.drain(never(options)), JSON.stringify(options, String)).rejects.toMatchObject(refused);
    for (const options of [...bad, { applicationVersion: 1n }])
      await expect(node.shutdown(never(options))).rejects.toMatchObject(refused);
    expect((await node.getOrCreate("tally", "t")).created).toBe(true);
    await node.shutdown({ deadlineMs: 1_000 });
    await expect(node.drain(never({ deadlineMs: -1 }))).rejects.toMatchObject(refused);
  });

  it("D5: of drainOnSignal: found when it is called, and nothing listens", () => {
    const heard: string[] = [];
    const target = { on: (signal: string) => heard.push(signal), off: () => undefined, exit: () => undefined };
    const wrong = [
      ...BAD_WAITS.flatMap((ms) => [{ deadlineMs: ms }, { closeMs: ms }]),
      { applicationVersion: 1 },
      { signals: "SIGTERM" },
      { closeFirst: [1] },
      { closeFirst: () => undefined },
      { say: "it" },
      { onProgress: {} },
      { clock: {} },
      { process: {} },
      { deadline: 5 },
    ];
    for (const options of wrong)
      expect(() => drainOnSignal(never({ name: "a" }), never({ process: target, ...options }))).toThrow(
        expect.objectContaining(refused),
      );
    expect(heard).toEqual([]);
  });

  it("of startNode: what it is made of, and names that deadlines and limits do not have", async () => {
    cluster = await startCluster([]);
    const wrong = {
      transport: undefined,
      store: {},
      log: {},
      clock: {},
      random: {},
      observe: "log",
      applicationVersion: 1,
      actors: [{ type: "tally" }],
      spots: [Tally],
      deadlines: { movesMs: 5 },
      limits: { mailbox: 5 },
    };
    for (const [name, value] of Object.entries(wrong)) {
      await expect(cluster.add("a", { [name]: value }), name).rejects.toMatchObject({
        code: "invalidArgument",
        message: expect.stringContaining(name) as unknown,
      });
    }
    expect(await cluster.store.nodes("test")).toMatchObject({ nodes: [] });
  });
});

it("a spot whose create throws: a RuntimeError that says which, with the error as its cause, and no spot", async () => {
  const cause = new TypeError("no seats");
  let works = false;
  const Cinema = defineSpot({
    type: "cinema",
    create: () => {
      if (!works) throw cause;
      return {};
    },
  });
  cluster = await startCluster(["a"], { spots: [Cinema] });
  const node = cluster.nodes[0]!;
  const error: unknown = await node.createSpot("cinema", "c").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RuntimeError);
  expect(error).toMatchObject({
    code: "handlerFailed",
    cause,
    message: expect.stringContaining('spot "c"') as unknown,
  });
  works = true;
  await node.createSpot("cinema", "c");
});

describe("a timer's name and delay", () => {
  it("are checked where they are given", async () => {
    const thrown: unknown[] = [];
    const Clock = defineActor<null>({
      type: "clock",
      create: () => null,
      on: {
        try: (ctx) => {
          const calls = NO_NAMES.flatMap((name) => [
            () => ctx.setTimer(never(name), 1),
            () => ctx.clearTimer(never(name)),
          ]);
          const delays = [Number.NaN, -1, Number.POSITIVE_INFINITY, 2 ** 31, never("5"), never(undefined)];
          for (const call of [...calls, ...delays.map((ms) => () => ctx.setTimer("t", ms))]) {
            try {
              call();
              thrown.push("nothing");
            } catch (error) {
              thrown.push(error);
            }
          }
        },
      },
      capture: (state) => state,
      restore: () => null,
    });
    cluster = await startCluster(["a"], { actors: [Clock] });
    await cluster.nodes[0]!.getOrCreate("clock", "c");
    await cluster.nodes[0]!.request("clock", "c", "try");
    expect(thrown).toHaveLength(2 * NO_NAMES.length + 6);
    for (const error of thrown) expect(error).toMatchObject({ code: "invalidArgument" });
  });
});

describe("a capture or restore that forgets to return", () => {
  it.each(["capture", "restore"] as const)("%s: the move is undone, the state stays (I6)", async (which) => {
    const Forgetful = defineActor<{ count: number }>({
      type: "forgetful",
      create: () => ({ count: 0 }),
      on: { add: (ctx) => ++ctx.state.count },
      capture: (state) => (which === "capture" ? undefined : state),
      restore: (state: { count: number }) => (which === "restore" ? never(undefined) : state),
    });
    cluster = await startCluster(["a", "b"], { actors: [Forgetful] });
    const [node] = cluster.nodes;
    await node!.getOrCreate("forgetful", "f");
    expect(await node!.request("forgetful", "f", "add")).toBe(1);
    const owner = ownerOf(cluster, "f");
    await expect(owner.relocate("f", { to: otherThan(cluster, owner).name })).rejects.toMatchObject({
      code: "moveFailed",
    });
    expect(await node!.request("forgetful", "f", "add")).toBe(2);
  });

  it("is no fault where there is no state", async () => {
    const Stateless = defineActor<undefined>({
      type: "stateless",
      create: () => undefined,
      on: { ping: () => "pong" },
      capture: () => undefined,
      restore: () => undefined,
    });
    cluster = await startCluster(["a", "b"], { actors: [Stateless] });
    const [node] = cluster.nodes;
    await node!.getOrCreate("stateless", "s");
    const owner = ownerOf(cluster, "s");
    await owner.relocate("s", { to: otherThan(cluster, owner).name });
    expect(await node!.request("stateless", "s", "ping")).toBe("pong");
  });
});
