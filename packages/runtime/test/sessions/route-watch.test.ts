import type { AuthorityRecord, PeerIdentity, ReadAnswer } from "@rehome/core";
import { ridFromText, type ActorFence } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import type { RuntimeError } from "../../src/index.ts";
import type { Host } from "../../src/host.ts";
import type { Binding } from "../../src/sessions/binding.ts";
import { RouteWatch } from "../../src/sessions/route-watch.ts";

const A: PeerIdentity = { meshName: "m", nodeRid: ridFromText("a"), nodeGeneration: 1n, lease: undefined };
const ROUTE: ActorFence = {
  actor: { actorId: "t", objectGeneration: 3n },
  nodeRid: A.nodeRid,
  nodeGeneration: 1n,
  authorityOwnerGeneration: 7n,
  ownerLeaseGeneration: 1n,
};

function reading(changes: Partial<AuthorityRecord> = {}, ownerLeaseLive = true): ReadAnswer {
  const owner = {
    meshName: "m",
    nodeRid: ridFromText("b"),
    nodeGeneration: 2n,
    ownerId: "b",
    ownerLeaseGeneration: 5n,
  };
  const record = { state: "active", objectGeneration: 3n, authorityOwnerGeneration: 8n, owner, ...changes };
  return { outcome: "found", reading: { record: record as AuthorityRecord, ownerLeaseLive } };
}

function setup() {
  const state = {
    answer: reading(),
    sealed: false,
    alive: true,
    linked: true,
    reads: 0,
    pauses: 0,
    onRead: (): void => undefined,
  };
  const binding = { actorId: "t", route: ROUTE, ended: false };
  const moved: ActorFence[] = [];
  const lost: string[] = [];
  const host = {
    stopped: () => state.pauses > 20,
    store: {
      read: () => {
        state.reads++;
        state.onRead();
        return Promise.resolve(state.answer);
      },
    },
    directory: {
      pause: () => {
        state.pauses++;
        return Promise.resolve();
      },
      nodes: () =>
        Promise.resolve(state.alive ? [{ descriptor: { owner: { nodeRid: A.nodeRid, nodeGeneration: 1n } } }] : []),
    },
    links: { ready: () => (state.linked ? Promise.resolve(A) : Promise.reject(new Error("no link"))) },
  } as unknown as Host;
  const watch = new RouteWatch(host, {
    routedTo: () => (binding.ended || moved.length > 0 ? [] : [binding as unknown as Binding]),
    isSealed: () => state.sealed,
    moved: (_binding, route) => moved.push(route),
    lose: (_binding, error: RuntimeError) => {
      binding.ended = true;
      lost.push(error.code);
    },
  });
  return { state, binding, moved, lost, watch, verify: () => watch.verify(binding as unknown as Binding) };
}

describe("the store's word on a binding", () => {
  it("a newer owner of the same object becomes its route", async () => {
    const { moved, lost, verify } = setup();
    await verify();
    expect(moved).toEqual([
      {
        actor: ROUTE.actor,
        nodeRid: ridFromText("b"),
        nodeGeneration: 2n,
        authorityOwnerGeneration: 8n,
        ownerLeaseGeneration: 5n,
      },
    ]);
    expect(lost).toEqual([]);
  });

  it.each([
    ["the same owner", reading({ authorityOwnerGeneration: 7n })],
    ["an older one", reading({ authorityOwnerGeneration: 6n })],
    ["nothing", { outcome: "unknown", reason: "timeout" } as const],
  ])("%s changes nothing", async (_, answer) => {
    const { state, moved, lost, verify } = setup();
    state.answer = answer;
    await verify();
    expect({ moved, lost }).toEqual({ moved: [], lost: [] });
  });

  it.each([
    ["no actor", { outcome: "absent" } as const],
    ["a destroyed one", reading({ state: "destroyed" })],
    ["one made anew", reading({ objectGeneration: 4n })],
    ["an owner whose lease has ended", reading({}, false)],
  ])("%s ends it", async (_, answer) => {
    const { state, lost, verify } = setup();
    state.answer = answer;
    await verify();
    expect(lost).toEqual(["notFound"]);
  });

  it("S5, S15: a sealed binding is its barrier's business, also when it was sealed while the store was read", async () => {
    const { state, moved, verify } = setup();
    state.sealed = true;
    await verify();
    expect(state.reads).toBe(0);
    state.sealed = false;
    state.onRead = () => (state.sealed = true);
    await verify();
    expect(state.reads).toBe(1);
    expect(moved).toEqual([]);
  });

  it("S15: a binding that ended while the store was read is left alone", async () => {
    const { state, binding, moved, verify } = setup();
    state.onRead = () => (binding.ended = true);
    await verify();
    expect(moved).toEqual([]);
  });
});

describe("N2: a link that was lost", () => {
  it("N2: the binding lives on when the same run is back", async () => {
    const { state, moved, lost, watch } = setup();
    await watch.lost(A);
    expect({ reads: state.reads, moved, lost }).toEqual({ reads: 0, moved: [], lost: [] });
  });

  it("N2: as long as the run lives and cannot be reached it is waited for", async () => {
    const { state, lost, watch } = setup();
    state.linked = false;
    await watch.lost(A);
    expect(state.pauses).toBeGreaterThan(20);
    expect(lost).toEqual([]);
  });

  it("N2: when the run is gone, the store decides", async () => {
    const { state, moved, watch } = setup();
    state.alive = false;
    await watch.lost(A);
    expect(moved).toHaveLength(1);
  });

  it("N2: a binding without an owner is lost", async () => {
    const { state, lost, watch } = setup();
    state.alive = false;
    state.answer = reading({}, false);
    await watch.lost(A);
    expect(lost).toEqual(["notFound"]);
  });
});
