import { ridFromText } from "@rehome/wire";
import type { SessionRelocationSeal } from "@rehome/wire";
import { describe, expect, test } from "vitest";
import { CoreError } from "../../src/errors.ts";
import { DEFAULT_BARRIER_LIMITS, checkSealDeadline } from "../../src/session-barrier/limits.ts";
import { replyWay } from "../../src/session-barrier/reply-route.ts";
import {
  BINDING,
  FENCE,
  IDENTITY,
  OWNER,
  Owner,
  SEAL,
  SOURCE,
  STRANGER,
  TARGET,
  TARGET_FENCE,
  abortCommand,
  commitCommand,
  isQuiet,
  only,
  types,
} from "./fixture.ts";

describe("S17: client messages of a sealed binding", () => {
  test("S17, I8: at most so many are held; what does not fit overflows and is not kept", () => {
    const owner = new Owner({ maxHeldMessages: 3 }).sealed();
    const verdicts = ["m1", "m2", "m3", "m4", "m5"].map((text) => owner.message(text));
    expect(verdicts).toEqual(["held", "held", "held", "overflow", "overflow"]);
    expect(only(owner.abort(), "ReleaseHeld").items).toEqual(["m1", "m2", "m3"]);
    expect(owner.barriers.inspect().heldTotalBytes).toBe(0);
  });

  test("S17, I8: at most so many bytes, of one binding and of the node", () => {
    const one = new Owner({ maxHeldMessageBytes: 100 }).sealed();
    expect(one.message("m1", 60)).toBe("held");
    expect(one.message("m2", 41)).toBe("overflow");
    expect(one.message("m3", 40)).toBe("held");

    const node = new Owner({ maxHeldTotalBytes: 100 }).sealed();
    expect(node.message("m1", 60)).toBe("held");
    expect(node.push("p1", TARGET_FENCE, TARGET, 41)).toEqual({ outcome: "refused", reason: "overflow" });
    expect(node.push("p2", TARGET_FENCE, TARGET, 40)).toEqual({ outcome: "held" });
    expect(node.message("m2", 1)).toBe("overflow");
  });

  test("S17: an unbind queues behind what is held, fits always, and nothing comes behind it", () => {
    const owner = new Owner({ maxHeldMessages: 1 });
    expect(owner.barriers.offerUnbind(BINDING, "unbind")).toBe("now");
    owner.sealed();
    owner.message("m1");
    expect(owner.barriers.offerUnbind(BINDING, "unbind")).toBe("held");
    expect(owner.message("m2")).toBe("closing");
    expect(owner.barriers.offerUnbind(BINDING, "disconnect")).toBe("closing");
    expect(only(owner.abort(), "ReleaseHeld").items).toEqual(["m1", "unbind"]);
  });

  test("S17: messages of other bindings are not held", () => {
    const owner = new Owner().sealed();
    const other = { ...BINDING, sessionRid: ridFromText("session-2") };
    expect(owner.barriers.offerMessage(other, "m1", 1)).toBe("feed");
  });
});

describe("S17: pushes to a sealed binding", () => {
  test("S17: under the sealed generation they go through", () => {
    const owner = new Owner().sealed();
    expect(owner.push("p1", FENCE)).toEqual({ outcome: "pass" });
    owner.commit();
    expect(owner.push("p2", FENCE)).toEqual({ outcome: "pass" });
  });

  test("S17: under a newer one they are held until the route commits, and delivered in order", () => {
    const owner = new Owner();
    owner.seal();
    expect(owner.push("p1", TARGET_FENCE)).toEqual({ outcome: "held" });
    owner.installed();
    expect(owner.push("p2", TARGET_FENCE)).toEqual({ outcome: "held" });
    const commit = owner.commit();
    expect(owner.push("p3", TARGET_FENCE)).toEqual({ outcome: "held" });
    const applied = owner.applied(commit);
    expect(types(applied)).toEqual(["StopSealTimer", "ReleaseHeld", "DeliverHeldPushes"]);
    expect(only(applied, "DeliverHeldPushes").items).toEqual(["p1", "p2", "p3"]);
    expect(owner.push("p4", TARGET_FENCE)).toEqual({ outcome: "pass" });
  });

  test("S17: held pushes of another owner than the one that the route names are dropped and counted", () => {
    const owner = new Owner().sealed();
    owner.push("stranger", { ...TARGET_FENCE, ...STRANGER });
    owner.push("p1", TARGET_FENCE);
    const applied = owner.applied(owner.commit());
    expect(only(applied, "DeliverHeldPushes").items).toEqual(["p1"]);
    expect(only(applied, "DropHeldPushes")).toMatchObject({ reason: "otherOwner", items: ["stranger"] });
    expect(owner.barriers.refusedPushes().get("otherOwner")).toBe(1);
  });

  test("S17, S12: an abort drops what a target said that is none", () => {
    const owner = new Owner().sealed();
    owner.push("p1", TARGET_FENCE);
    const effects = owner.abort();
    expect(only(effects, "DropHeldPushes")).toMatchObject({ reason: "moveAborted", items: ["p1"] });
    expect(owner.push("p2", FENCE)).toEqual({ outcome: "pass" });
  });

  test("S17: any others are refused", () => {
    const owner = new Owner().sealed();
    const refused = (reason: string) => ({ outcome: "refused", reason });
    expect(owner.push("older", { ...FENCE, authorityOwnerGeneration: 6n })).toEqual(refused("stale"));
    expect(owner.push("another node", { ...FENCE, ...STRANGER })).toEqual(refused("otherOwner"));
    expect(owner.push("another run", { ...FENCE, nodeGeneration: 2n })).toEqual(refused("otherOwner"));
    expect(owner.push("another object", { ...FENCE, actor: { ...FENCE.actor, objectGeneration: 2n } })).toEqual(
      refused("notBound"),
    );
    expect(owner.push("forged", FENCE, STRANGER)).toEqual(refused("notSender"));
    owner.binding = { ...owner.binding!, bindingGeneration: 6n };
    expect(owner.push("another binding", FENCE)).toEqual(refused("notBound"));
    expect(owner.barriers.refusedPushes().get("otherOwner")).toBe(2);
  });

  test("S17: without a seal only the owner that the binding has may push", () => {
    const owner = new Owner();
    expect(owner.push("p1", FENCE)).toEqual({ outcome: "pass" });
    expect(owner.push("p2", TARGET_FENCE)).toEqual({ outcome: "refused", reason: "otherOwner" });
  });

  test("S17, I8: held pushes are bounded", () => {
    const owner = new Owner({ maxHeldPushes: 1 }).sealed();
    expect(owner.push("p1", TARGET_FENCE)).toEqual({ outcome: "held" });
    expect(owner.push("p2", TARGET_FENCE)).toEqual({ outcome: "refused", reason: "overflow" });

    const bytes = new Owner({ maxHeldPushBytes: 100 }).sealed();
    expect(bytes.push("p1", TARGET_FENCE, TARGET, 60)).toEqual({ outcome: "held" });
    expect(bytes.push("p2", TARGET_FENCE, TARGET, 41)).toEqual({ outcome: "refused", reason: "overflow" });
  });
});

describe("S15: the newest authority generation of an actor", () => {
  test("S15: an accepted bind and an applied route raise it, nothing else does, and it never falls", () => {
    const owner = new Owner();
    const newest = () => owner.barriers.newestGeneration(BINDING.actorId);
    owner.seal();
    owner.push("p1", TARGET_FENCE);
    owner.commit(commitCommand(), STRANGER);
    owner.installed();
    const commit = owner.commit();
    expect(newest()).toBe(0n);
    owner.applied(commit);
    expect(newest()).toBe(8n);
    owner.handle({ type: "BindAccepted", actorId: BINDING.actorId, authorityOwnerGeneration: 11n });
    owner.handle({ type: "BindAccepted", actorId: BINDING.actorId, authorityOwnerGeneration: 10n });
    expect(newest()).toBe(11n);
  });

  test("S15: an abort does not raise it", () => {
    const owner = new Owner().sealed();
    owner.abort();
    expect(owner.barriers.newestGeneration(BINDING.actorId)).toBe(0n);
  });

  test("S15: traffic that is older is dropped and counted", () => {
    const owner = new Owner();
    owner.handle({ type: "BindAccepted", actorId: BINDING.actorId, authorityOwnerGeneration: 8n });
    expect(owner.push("p1", FENCE)).toEqual({ outcome: "refused", reason: "stale" });
    expect(owner.barriers.refusedPushes().get("stale")).toBe(1);
  });

  test("S15: answers for a barrier or a binding that is no more do nothing", () => {
    const owner = new Owner().sealed();
    owner.message("m1");
    const asked = owner.deadline();
    owner.binding = { ...owner.binding!, bindingGeneration: 6n };
    const effects = owner.read(asked, { outcome: "absent" });
    expect(types(effects)).toEqual(["StopSealTimer", "FailHeld"]);
    expect(owner.handle({ type: "RouteApplied", identity: IDENTITY })).toEqual([]);
    expect(owner.handle({ type: "SealInstalled", identity: IDENTITY })).toEqual([]);
    expect(owner.deadline()).toEqual([]);
  });

  test("S15, I8: it is remembered for so many actors, the least recently raised first out", () => {
    const owner = new Owner({ maxActorGenerations: 2 });
    for (const actorId of ["a", "b", "a", "c"]) {
      owner.handle({ type: "BindAccepted", actorId, authorityOwnerGeneration: 5n });
    }
    expect(["a", "b", "c"].map((id) => owner.barriers.newestGeneration(id))).toEqual([5n, 0n, 5n]);
  });
});

describe("S16: clearing", () => {
  test.each([
    ["the actor", { type: "OwnershipCleared", actorId: BINDING.actorId } as const, "ownershipCleared"],
    ["the binding", { type: "BindingEnded", binding: BINDING } as const, "bindingEnded"],
    ["the node", { type: "Stopping" } as const, "stopping"],
  ])("S16: %s: timer, identity and held messages go, each reported", (_, input, reason) => {
    const owner = new Owner().sealed();
    owner.message("m1");
    owner.push("p1", TARGET_FENCE);
    const effects = owner.handle(input);
    expect(types(effects)).toEqual(["StopSealTimer", "FailHeld", "DropHeldPushes"]);
    expect(only(effects, "FailHeld")).toMatchObject({ reason, items: ["m1"] });
    expect(owner.barriers.inspect()).toMatchObject({ active: [], heldTotalBytes: 0 });
    expect(isQuiet(owner.abort())).toBe(true);
  });

  test("S16: other actors and bindings are not touched", () => {
    const owner = new Owner().sealed();
    expect(owner.handle({ type: "OwnershipCleared", actorId: "other" })).toEqual([]);
    expect(owner.handle({ type: "BindingEnded", binding: { ...BINDING, bindingGeneration: 4n } })).toEqual([]);
    expect(owner.barriers.isSealed(BINDING)).toBe(true);
  });
});

describe("S14: ended identities", () => {
  test("S14: so many are remembered, the least recently used first out, and a repeat refreshes its entry", () => {
    const owner = new Owner({ maxEndedIdentities: 2 });
    const abortOf = (low: bigint) => ({ ...abortCommand(), relocation: { high: 1n, low } });
    const sealOf = (low: bigint): SessionRelocationSeal => ({ ...SEAL, relocation: { high: 1n, low } });
    const isRemembered = (low: bigint) => types(owner.seal(sealOf(low))).includes("SendRefusal");
    owner.abort(abortOf(1n));
    owner.abort(abortOf(2n));
    owner.abort(abortOf(1n));
    owner.abort(abortOf(3n));
    expect(isRemembered(1n)).toBe(true);
    expect(isRemembered(3n)).toBe(true);
    expect(isRemembered(2n)).toBe(false);
  });

  test("S14: 4,096 by default", () => {
    expect(DEFAULT_BARRIER_LIMITS.maxEndedIdentities).toBe(4_096);
  });
});

describe("S5: the deadlines fit together", () => {
  test("S5: a seal must outlive its move and that move's store resolution", () => {
    const fit = { sealDeadlineMs: 15_001, moveDeadlineMs: 10_000, storeResolutionMs: 5_000 };
    checkSealDeadline(fit);
    checkSealDeadline({ ...fit, sealDeadlineMs: DEFAULT_BARRIER_LIMITS.sealDeadlineMs });
    expect(() => {
      checkSealDeadline({ ...fit, sealDeadlineMs: 15_000 });
    }).toThrow(CoreError);
  });
});

describe("S18: the way of an answer", () => {
  const at = (name: string) => ({ ownerNodeRid: ridFromText(name), ownerNodeGeneration: OWNER.nodeGeneration });
  const nothing = { isLocal: false, atAcceptance: undefined, current: undefined, lastOfDestroyed: undefined };

  test("S18: locally; else to whom it was accepted from; else to the current owner; else to the last; else reported", () => {
    const all = { isLocal: true, atAcceptance: at("a"), current: at("b"), lastOfDestroyed: at("c") };
    expect(replyWay(all)).toEqual({ type: "local" });
    expect(replyWay({ ...all, isLocal: false })).toEqual({ type: "node", owner: at("a") });
    expect(replyWay({ ...nothing, current: at("b"), lastOfDestroyed: at("c") })).toEqual({
      type: "node",
      owner: at("b"),
    });
    expect(replyWay({ ...nothing, lastOfDestroyed: at("c") })).toEqual({ type: "node", owner: at("c") });
    expect(replyWay(nothing)).toEqual({ type: "none" });
  });
});

describe("M5: there and back", () => {
  test("M5, S19: the next move of the actor may seal as soon as the route of the last has been applied", () => {
    const owner = new Owner().sealed();
    owner.applied(owner.commit());
    const back: SessionRelocationSeal = {
      ...SEAL,
      relocation: { high: 1n, low: 3n },
      coordinator: { ...SEAL.coordinator, ...TARGET },
      actor: TARGET_FENCE,
    };
    expect(types(owner.seal(back, TARGET))).toEqual(["StartSealTimer", "InstallSeal"]);
    expect(isQuiet(owner.route({ ...commitCommand(), senderRole: "coordinator" }, SOURCE))).toBe(true);
    expect(owner.barriers.isSealed(BINDING)).toBe(true);
  });
});
