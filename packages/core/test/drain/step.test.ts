import { ridFromText } from "@rehome/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterUnitFailure,
  DRAIN_AFTER_FAILURE,
  DRAIN_RETRY_MS,
  MAX_UNIT_TRIES,
  NO_TARGET_GRACE_MS,
} from "../../src/drain/decisions.ts";
import { DrainDesk } from "../../src/drain/desk.ts";
import { brokenDrainInvariants } from "../../src/drain/invariants.ts";
import type {
  ArrivingUnit,
  DrainConfig,
  DrainEffect,
  DrainInput,
  DrainNode,
  DrainState,
  DrainUnit,
} from "../../src/drain/state.ts";
import { startDrain, stepDrain } from "../../src/drain/step.ts";

const self = ridFromText("self");
const config: DrainConfig = { self, applicationVersion: 2n, deadlineAtMs: 30_000, maxMoving: 3, moveMs: 10_000 };

function node(name: string, more: Partial<DrainNode> = {}): DrainNode {
  return {
    nodeRid: ridFromText(name),
    state: "serving",
    applicationVersion: 2n,
    stableTypes: ["player", "room"],
    placementWeight: 50,
    room: 1_000,
    ...more,
  };
}

function actor(id: string, more: Partial<DrainUnit> = {}): DrainUnit {
  const mobility = { type: "movable" } as const;
  return { kind: "actor", id, objects: 1, stableTypes: ["player"], waitingMessages: 0, mobility, ...more };
}
const actors = (count: number): DrainUnit[] => Array.from({ length: count }, (_, index) => actor(`a${index}`));

/** A drain on a clock that the test turns, with every step checked. */
class Drain {
  now = 0;
  state: DrainState;
  effects: readonly DrainEffect[];

  constructor(options: Partial<DrainConfig> = {}) {
    const first = startDrain({ ...config, ...options }, 0);
    this.state = first.state;
    this.effects = first.effects;
  }

  tell(input: DrainInput, afterMs = 0): readonly DrainEffect[] {
    this.now += afterMs;
    const step = stepDrain(this.state, input, this.now);
    this.state = step.state;
    this.effects = step.effects;
    expect(brokenDrainInvariants(this.state)).toEqual([]);
    return step.effects;
  }

  units(...units: DrainUnit[]): readonly DrainEffect[] {
    return this.tell({ type: "UnitsListed", units, arriving: [] });
  }

  arriving(...arriving: ArrivingUnit[]): readonly DrainEffect[] {
    return this.tell({ type: "UnitsListed", units: [], arriving });
  }

  nodes(...nodes: DrainNode[]): readonly DrainEffect[] {
    return this.tell({ type: "NodesListed", nodes });
  }

  moved(id: string): readonly DrainEffect[] {
    return this.tell({ type: "UnitMoved", kind: "actor", id });
  }

  failed(id: string, code: string): readonly DrainEffect[] {
    return this.tell({ type: "UnitFailed", kind: "actor", id, failure: { code, message: code } });
  }

  get started(): [string, string][] {
    return this.effects.flatMap((effect) => (effect.type === "MoveUnit" ? [[effect.unit.id, effect.target]] : []));
  }

  get result() {
    return this.state.type === "ended" ? this.state.result : undefined;
  }
}

describe("a drain", () => {
  it("D1: moves at most the limit at once, units with waiting messages last, and reports progress", () => {
    const drain = new Drain();
    drain.units(actor("busy", { waitingMessages: 9 }), ...actors(3), actor("little", { waitingMessages: 1 }));
    expect(drain.effects).toEqual([{ type: "ListNodes" }]);
    drain.nodes(node("b"));
    expect(drain.started.map(([id]) => id)).toEqual(["a0", "a1", "a2"]);
    drain.moved("a1");
    expect(drain.started.map(([id]) => id)).toEqual(["little"]);
    expect(drain.effects[0]).toEqual({ type: "ReportProgress", progress: { done: 1, left: 4, failed: [] } });
    drain.moved("a0");
    expect(drain.started.map(([id]) => id)).toEqual(["busy"]);
    for (const id of ["a2", "little", "busy"]) drain.moved(id);
    expect(drain.effects.at(-1)).toEqual({ type: "ListUnits" });
    drain.units();
    expect(drain.result).toEqual({ outcome: "relocated", done: 5 });
  });

  it("D4: without units it has relocated at once", () => {
    const drain = new Drain();
    drain.units();
    expect(drain.result).toEqual({ outcome: "relocated", done: 0 });
    expect(drain.tell({ type: "ShutdownRequested" })).toEqual([]);
  });

  it("D1: waits for what had been accepted before it and is not here yet, and moves it when it comes", () => {
    const drain = new Drain();
    drain.arriving({ kind: "actor", id: "late" });
    expect(drain.result).toBeUndefined();
    drain.tell({ type: "TimerFired", timer: "retry" }, DRAIN_RETRY_MS);
    expect(drain.effects).toEqual([{ type: "ListUnits" }]);
    // Here, while its move to this node is still being told to everybody.
    drain.tell({ type: "UnitsListed", units: [actor("late")], arriving: [{ kind: "actor", id: "late" }] });
    drain.nodes(node("b"));
    expect(drain.started).toEqual([["late", "b"]]);
    drain.moved("late");
    expect(drain.effects[0]).toMatchObject({ type: "ReportProgress", progress: { done: 1, left: 0 } });
    drain.units();
    expect(drain.result).toEqual({ outcome: "relocated", done: 1 });
  });

  it("D3: names what nobody can tell of by its deadline", () => {
    const drain = new Drain();
    drain.arriving({ kind: "spot", id: "undecided" });
    drain.tell({ type: "TimerFired", timer: "deadline" }, 30_000);
    expect(drain.result).toMatchObject({
      outcome: "blocked",
      reason: "deadlineExceeded",
      done: 0,
      stayed: [{ kind: "spot", id: "undecided", failure: { reason: "deadlineExceeded" } }],
    });
  });

  it("moves what came to be here meanwhile, too", () => {
    const drain = new Drain();
    drain.units(actor("a"));
    drain.nodes(node("b"));
    drain.moved("a");
    drain.units(actor("late"));
    expect(drain.started).toEqual([["late", "b"]]);
  });

  it.each<[string, Partial<DrainNode>]>([
    ["another application version", { applicationVersion: 3n }],
    ["not serving", { state: "draining" }],
    ["this node", { nodeRid: self }],
    ["no room", { room: 0 }],
    ["the type is not hosted", { stableTypes: ["room"] }],
    ["weight 0", { placementWeight: 0 }],
  ])("D2: does not choose a node: %s", (_, fault) => {
    const drain = new Drain();
    drain.units(actor("a"));
    drain.nodes(node("bad", fault));
    expect(drain.started).toEqual([]);
    drain.tell({ type: "TimerFired", timer: "retry" }, 600);
    expect(drain.effects).toEqual([{ type: "ListNodes" }]);
    drain.nodes(node("bad", fault), node("good"));
    expect(drain.started).toEqual([["a", "good"]]);
  });

  it("D2: shares by weight, and counts what is on its way against a node's room", () => {
    const drain = new Drain({ maxMoving: 100 });
    drain.units(...actors(40));
    drain.nodes(node("light", { placementWeight: 10 }), node("heavy", { placementWeight: 30 }));
    const to = (name: string): number => drain.started.filter(([, target]) => target === name).length;
    expect([to("light"), to("heavy")]).toEqual([10, 30]);
    const narrow = new Drain({ maxMoving: 100 });
    narrow.units(...actors(10));
    narrow.nodes(node("b", { room: 4 }));
    expect(narrow.started).toHaveLength(4);
  });

  it("M7: a unit that fails stays and is named, the others move", () => {
    const drain = new Drain();
    drain.units(actor("bad"), actor("good"));
    drain.nodes(node("b"));
    drain.moved("good");
    drain.failed("bad", "captureFailed");
    drain.units();
    const failure = { reason: "relocationFailed", message: "captureFailed" };
    expect(drain.result).toEqual({
      outcome: "blocked",
      reason: "relocationFailed",
      done: 1,
      stayed: [{ kind: "actor", id: "bad", failure }],
    });
  });

  it("tries another target, and the same ones again only when all have said no; three times in all", () => {
    const drain = new Drain();
    drain.units(actor("a"));
    // Nodes that cannot take it have no say.
    drain.nodes(node("b"), node("c"), node("self"), node("gateway", { placementWeight: 0 }));
    const targets: string[] = [];
    for (let tries = 1; tries <= MAX_UNIT_TRIES; tries++) {
      targets.push(...drain.started.map(([, target]) => target));
      drain.failed("a", "targetRefused");
      drain.tell({ type: "TimerFired", timer: "retry" }, DRAIN_RETRY_MS);
    }
    expect(targets.slice(0, 2).sort()).toEqual(["b", "c"]);
    expect(targets).toHaveLength(3);
    drain.units();
    expect(drain.result).toMatchObject({ outcome: "blocked", reason: "relocationFailed" });
  });

  it("waits for another move of the same actor until the deadline", () => {
    const drain = new Drain();
    drain.units(actor("a"));
    drain.nodes(node("b"));
    for (let tries = 0; tries < 10; tries++) {
      drain.failed("a", "operationInProgress");
      drain.tell({ type: "TimerFired", timer: "retry" }, DRAIN_RETRY_MS);
      if (drain.effects.some(({ type }) => type === "ListNodes")) drain.nodes(node("b"));
      expect(drain.started).toEqual([["a", "b"]]);
    }
  });

  it.each<[DrainInput, string]>([
    [{ type: "NodesListed", nodes: [] }, "targetUnavailable"],
    [{ type: "NodesUnknown" }, "storeUnavailable"],
  ])("D3: is blocked when for some time nothing can go anywhere: %j", (answer, reason) => {
    const drain = new Drain();
    drain.units(actor("a"));
    drain.tell(answer);
    while (drain.now < NO_TARGET_GRACE_MS) {
      expect(drain.result).toBeUndefined();
      drain.tell({ type: "TimerFired", timer: "retry" }, DRAIN_RETRY_MS);
      if (drain.effects.some(({ type }) => type === "ListNodes")) drain.tell(answer);
    }
    expect(drain.result).toMatchObject({ outcome: "blocked", reason, stayed: [{ id: "a", failure: { reason } }] });
  });

  it("D2, D3: says of each unit why each node was passed over", () => {
    const drain = new Drain();
    drain.units(actor("a"), { ...actor("s"), objects: 3 });
    const nodes = [
      { ...node("drained"), state: "draining" as const },
      { ...node("idle"), placementWeight: 0 },
      { ...node("old"), applicationVersion: 0n },
      { ...node("other"), stableTypes: ["z"] },
      { ...node("full"), room: 0 },
      ...Array.from({ length: 9 }, (_, index) => ({ ...node(`x${index}`), room: 0 })),
    ];
    drain.tell({ type: "NodesListed", nodes });
    while (!drain.result) {
      drain.tell({ type: "TimerFired", timer: "retry" }, DRAIN_RETRY_MS);
      if (drain.effects.some(({ type }) => type === "ListNodes")) drain.tell({ type: "NodesListed", nodes });
    }
    const stayed = drain.result.outcome === "blocked" ? drain.result.stayed : [];
    const [first, second] = stayed.map(({ failure }) => failure.message);
    for (const part of [
      '"drained": it is draining',
      '"idle": its placement weight is 0',
      '"old": its application version is 0, not',
      '"other": it does not host type',
      '"full": it has no room for 1 (0 left',
      "and 6 more",
    ]) {
      expect(first).toContain(part);
    }
    expect(second).toContain('"full": it has no room for 3');
  });

  it("D3: ends at its deadline, undoes what still moves, and names it", () => {
    const drain = new Drain();
    drain.units(...actors(5));
    drain.nodes(node("b"));
    drain.moved("a0");
    drain.tell({ type: "TimerFired", timer: "deadline" }, 30_000);
    const aborted = drain.effects.flatMap((effect) => (effect.type === "AbortUnit" ? [effect.unit.id] : []));
    expect(aborted).toEqual(["a1", "a2", "a3"]);
    expect(drain.result).toMatchObject({ outcome: "blocked", reason: "deadlineExceeded", done: 1 });
    expect(drain.moved("a1")).toEqual([]);
  });

  it("D3: gives each move no more time than the drain has", () => {
    const drain = new Drain();
    drain.units(actor("a"), actor("b"));
    drain.nodes(node("n"));
    expect(drain.effects).toContainEqual(expect.objectContaining({ type: "MoveUnit", deadlineMs: 10_000 }));
    drain.now = 29_000;
    drain.failed("a", "targetUnavailable");
    drain.tell({ type: "TimerFired", timer: "retry" }, DRAIN_RETRY_MS);
    drain.nodes(node("n"));
    expect(drain.effects).toContainEqual(expect.objectContaining({ type: "MoveUnit", deadlineMs: 750 }));
  });

  it("D3: is blocked by a shutdown, a lost lease and what cannot move, each by its reason", () => {
    const drain = new Drain();
    drain.units(actor("a"));
    drain.tell({ type: "ShutdownRequested" });
    expect(drain.result).toMatchObject({ outcome: "blocked", reason: "shutdownRequested" });
    const lost = new Drain();
    lost.units(actor("a"));
    lost.tell({ type: "LeaseLost" });
    expect(lost.result).toMatchObject({ reason: "runtimeNotReady", stayed: [{ id: "a" }] });
    const fixed = new Drain();
    const failure = { reason: "relocationDisabled", message: "no" } as const;
    fixed.units({ ...actor("s"), kind: "spot", mobility: { type: "fixed", failure } });
    expect(fixed.result).toMatchObject({
      outcome: "blocked",
      reason: "relocationDisabled",
      stayed: [{ kind: "spot" }],
    });
  });

  it("knows what every failure means, also one that it has never heard of", () => {
    for (const [code, row] of Object.entries(DRAIN_AFTER_FAILURE)) expect(afterUnitFailure(code)).toEqual(row);
    expect(afterUnitFailure("toString")).toEqual({ retry: "stays", reason: "relocationFailed" });
  });

  it("ends by its deadline whatever happens, accounts for every unit once, and starts none twice at once", () => {
    const codes = Object.keys(DRAIN_AFTER_FAILURE);
    const event = fc.record({
      what: fc.constantFrom("moved", "failed", "gone", "retry", "retry", "nodes", "nodes", "unknown", "units"),
      pick: fc.nat({ max: 5 }),
      code: fc.constantFrom(...codes),
      afterMs: fc.integer({ min: 0, max: 400 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.array(event, { maxLength: 150 }), (count, events) => {
        const drain = new Drain();
        const moving = new Set<string>();
        const ends = new Map<string, string>();
        const take = (): void => {
          for (const [id] of drain.started) {
            expect(moving.has(id) || ends.has(id)).toBe(false);
            moving.add(id);
          }
        };
        drain.units(...actors(count));
        for (const { what, pick, code, afterMs } of events) {
          const id = [...moving][pick];
          drain.now += afterMs;
          drain.effects = [];
          if (what === "nodes") drain.nodes(node("b"), ...(pick > 2 ? [node("c")] : []));
          if (what === "unknown") drain.tell({ type: "NodesUnknown" });
          if (what === "retry") drain.tell({ type: "TimerFired", timer: "retry" });
          if (what === "units") drain.units();
          if (id !== undefined && drain.state.type === "running") {
            if (what === "moved" || what === "gone") ends.set(id, what);
            if (what === "moved" || what === "gone" || what === "failed") moving.delete(id);
            if (what === "moved") drain.moved(id);
            if (what === "gone") drain.tell({ type: "UnitGone", kind: "actor", id });
            if (what === "failed") drain.failed(id, code);
          }
          take();
        }
        drain.tell({ type: "TimerFired", timer: "deadline" }, 30_000);
        const result = drain.result!;
        const moved = [...ends.values()].filter((end) => end === "moved").length;
        expect(result.done).toBe(moved);
        expect(result.outcome === "blocked" ? result.stayed.length : 0).toBe(count - ends.size);
      }),
    );
  });
});

describe("one drain at a time (D3)", () => {
  it("shares an identical call and refuses a different one", () => {
    const desk = new DrainDesk();
    expect(desk.begin({ deadlineMs: 1, applicationVersion: undefined })).toBe("start");
    expect(desk.begin({ deadlineMs: 1, applicationVersion: undefined })).toBe("share");
    expect(desk.begin({ deadlineMs: 2, applicationVersion: undefined })).toBe("operationInProgress");
    expect(desk.begin({ deadlineMs: 1, applicationVersion: 2n })).toBe("operationInProgress");
    desk.end();
    expect(desk.begin({ deadlineMs: 2, applicationVersion: undefined })).toBe("start");
  });
});
