import { ridFromText, type ActorFence, type MessageFollow } from "@rehome/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CoreError } from "../../src/errors.ts";
import { ActorFollow, type FollowArrival, type FollowMessage } from "../../src/message-follow/follow.ts";
import { dropsCachedRoute } from "../../src/message-follow/hint.ts";
import { DEFAULT_FOLLOW_LIMITS, FOLLOW_REFUSALS, MAX_HOPS } from "../../src/message-follow/limits.ts";

const here = ridFromText("a");
const there = ridFromText("b");
const sender = ridFromText("c");

function fence(authorityOwnerGeneration: bigint, nodeRid = here): ActorFence {
  return {
    actor: { actorId: "user:42", objectGeneration: 3n },
    nodeRid,
    nodeGeneration: 2n,
    authorityOwnerGeneration,
    ownerLeaseGeneration: 20n,
  };
}

const left = fence(10n);
const target = fence(11n, there);

function direct(addressed: ActorFence = left, senderNodeRid = sender): FollowArrival {
  return { via: "direct", addressed, senderNodeRid, operation: { high: 1n, low: 2n }, replyRouteId: 5n };
}

function forwarded(leftGeneration: bigint, objectGeneration = 3n): FollowArrival {
  return { via: "forwarded", leftGeneration, objectGeneration };
}

function message(name: string, change: Partial<FollowMessage<string>> = {}): FollowMessage<string> {
  return { message: name, bytes: 10, hops: 0, arrival: direct(), ...change };
}

const follow = (limits = DEFAULT_FOLLOW_LIMITS) => new ActorFollow<string>(left, target, 1_000, limits);

describe("F1: to the exact target fence, for a time", () => {
  it("only a newer owner of the same object is followed", () => {
    expect(() => new ActorFollow(left, fence(10n, there), 0)).toThrow(CoreError);
    const other = { ...target, actor: { actorId: "user:42", objectGeneration: 4n } };
    expect(() => new ActorFollow(left, other, 0)).toThrow(CoreError);
    expect(() => new ActorFollow(left, { ...target, actor: { ...target.actor, actorId: "x" } }, 0)).toThrow(CoreError);
    expect(follow().target).toBe(target);
  });

  it("lives 30 s by default", () => {
    expect(follow().expiresAtMs).toBe(31_000);
    expect(follow().offer(message("m"), 30_999).outcome).toBe("waiting");
  });

  it("1,024 messages and 16 MiB wait, and no more (F3: backpressured)", () => {
    const byCount = follow();
    for (let index = 0; index < 1_024; index++) expect(byCount.offer(message("m"), 1_000).outcome).toBe("waiting");
    expect(byCount.offer(message("m", { bytes: 0 }), 1_000)).toEqual({ outcome: "refused", ...FOLLOW_REFUSALS.full });
    const byBytes = follow();
    expect(byBytes.offer(message("m", { bytes: 16 * 1024 * 1024 }), 1_000).outcome).toBe("waiting");
    expect(byBytes.offer(message("m", { bytes: 1 }), 1_000)).toMatchObject({ terminalResult: "backpressured" });
    byBytes.removeFirst();
    expect(byBytes.offer(message("m"), 1_000).outcome).toBe("waiting");
  });
});

describe("F2: one more hop each", () => {
  it("goes out under one hop more than it came with", () => {
    const line = follow();
    for (const hops of [0, 3, MAX_HOPS - 1]) line.offer(message(`m${hops}`, { hops, arrival: forwarded(9n) }), 1_000);
    expect(line.takeAll().map(({ hops }) => hops)).toEqual([1, 4, 8]);
  });

  it("nine hops are refused with notConnected", () => {
    const refused = follow().offer(message("m", { hops: MAX_HOPS, arrival: forwarded(9n) }), 1_000);
    expect(refused).toEqual({ outcome: "refused", terminalResult: "notConnected", failureCode: "routeNotConnected" });
  });

  it("M5: a circle is refused: the sender knows this owner's target, or a newer one", () => {
    for (const generation of [11n, 12n]) {
      const answer = follow().offer(message("m", { arrival: direct(fence(generation)) }), 1_000);
      expect(answer).toMatchObject({ terminalResult: "notConnected" });
    }
    expect(follow().offer(message("m", { arrival: direct(fence(8n)) }), 1_000).outcome).toBe("waiting");
  });

  it("M5: a circle is refused: the forwarder left the actor no earlier than this node did", () => {
    for (const generation of [10n, 11n]) {
      const answer = follow().offer(message("m", { arrival: forwarded(generation) }), 1_000);
      expect(answer).toMatchObject({ terminalResult: "notConnected" });
    }
    expect(follow().offer(message("m", { arrival: forwarded(9n) }), 1_000).outcome).toBe("waiting");
  });

  it("M5: along any routes that were ever right, a message meets only newer owners, so it cannot circle", () => {
    // Owner generations 1..n live on nodes at will; each node follows from the last generation that it left.
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 2, maxLength: 12 }), fc.nat(11), (nodes, start) => {
        const follows = new Map<number, ActorFollow<string>>();
        for (let generation = 1; generation < nodes.length; generation++) {
          const from = fence(BigInt(generation), ridFromText(`n${nodes[generation - 1]}`));
          const to = fence(BigInt(generation + 1), ridFromText(`n${nodes[generation]}`));
          follows.set(nodes[generation - 1]!, new ActorFollow(from, to, 0));
        }
        let at = nodes[start % nodes.length]!;
        let arrival = direct(fence(BigInt((start % nodes.length) + 1)));
        let hops = 0;
        const visited: bigint[] = [];
        for (;;) {
          const here = follows.get(at);
          if (here === undefined || here.offer({ message: "m", bytes: 1, hops, arrival }, 0).outcome === "refused")
            break;
          visited.push(here.target.authorityOwnerGeneration);
          arrival = forwarded(here.left.authorityOwnerGeneration);
          at = nodes[Number(here.target.authorityOwnerGeneration) - 1]!;
          hops++;
        }
        expect(visited).toEqual([...new Set(visited)].sort((one, other) => Number(one - other)));
        expect(hops).toBeLessThanOrEqual(MAX_HOPS);
      }),
    );
  });
});

describe("F3: what is not forwarded", () => {
  it("another object generation: invalidState", () => {
    const other = { ...left, actor: { ...left.actor, objectGeneration: 2n } };
    for (const arrival of [direct(other), forwarded(9n, 4n)]) {
      expect(follow().offer(message("m", { arrival }), 1_000)).toMatchObject({
        outcome: "refused",
        terminalResult: "invalidState",
      });
    }
  });

  it("expired: notFound with actorLocationStale", () => {
    const line = follow();
    line.offer(message("early"), 1_000);
    expect(line.offer(message("late"), 31_000)).toEqual({
      outcome: "refused",
      terminalResult: "notFound",
      failureCode: "actorLocationStale",
    });
    expect(line.expired(31_000)).toBe(true);
    expect(line.takeAll().map((taken) => taken.message)).toEqual(["early"]);
    expect([line.size, line.bytes]).toEqual([0, 0]);
  });

  it("keeps nothing of a refused message", () => {
    const line = follow();
    line.offer(message("m", { hops: 8 }), 1_000);
    expect([line.size, line.bytes, line.first()]).toEqual([0, 0, undefined]);
  });
});

describe("I4: in arrival order", () => {
  it("the first stays in line until the link took it", () => {
    const line = follow();
    line.offer(message("a"), 1_000);
    line.offer(message("b"), 1_000);
    expect(line.first()?.message).toBe("a");
    expect(line.first()?.message).toBe("a");
    line.removeFirst();
    expect(line.first()?.message).toBe("b");
    expect([line.size, line.bytes]).toEqual([1, 10]);
    line.removeFirst();
    expect(() => line.removeFirst()).toThrow(CoreError);
  });

  it("F5: all that waits can be taken back, in order", () => {
    const line = follow();
    for (const name of ["a", "b", "c"]) line.offer(message(name), 1_000);
    expect(line.takeAll().map((taken) => taken.message)).toEqual(["a", "b", "c"]);
    expect(line.size).toBe(0);
  });
});

describe("F4: the sender's node is told once per route", () => {
  const hintOf = (line: ActorFollow<string>, arrival: FollowArrival) => {
    const answer = line.offer(message("m", { arrival }), 1_000);
    return answer.outcome === "waiting" ? answer.hint : undefined;
  };

  it("with the stale route and the new one", () => {
    expect(hintOf(follow(), direct())).toEqual({
      peer: sender,
      command: {
        command: "messageFollow",
        version: 1,
        source: { kind: "actor", actor: left },
        target: { kind: "actor", actor: target },
        hopCount: 1,
        queuedMessages: 1,
        queuedBytes: 10,
        operation: { high: 1n, low: 2n },
        replyRouteId: 5n,
      },
    });
  });

  it("once for each node and each stale fence", () => {
    const line = follow();
    expect(hintOf(line, direct())).toBeDefined();
    expect(hintOf(line, direct())).toBeUndefined();
    expect(hintOf(line, direct(left, ridFromText("d")))?.peer).toBe(ridFromText("d"));
    expect(hintOf(line, direct(fence(9n)))?.command.source).toEqual({ kind: "actor", actor: fence(9n) });
  });

  it("I8: remembers a bounded number of routes", () => {
    const line = follow({ ...DEFAULT_FOLLOW_LIMITS, maxHints: 1 });
    hintOf(line, direct());
    hintOf(line, direct(fence(9n)));
    expect(hintOf(line, direct())).toBeDefined();
  });

  it("not by an owner that the sender never sent to", () => {
    expect(hintOf(follow(), forwarded(9n))).toBeUndefined();
  });

  it("the sender drops exactly the stale route, on the word of the node that it leads to", () => {
    const hint = hintOf(follow(), direct())!.command;
    expect(dropsCachedRoute(left, here, hint)).toBe(true);
    expect(dropsCachedRoute(left, there, hint)).toBe(false);
    for (const cached of [
      target,
      fence(9n),
      { ...left, nodeGeneration: 3n },
      { ...left, ownerLeaseGeneration: 21n },
      { ...left, actor: { ...left.actor, objectGeneration: 4n } },
      { ...left, actor: { ...left.actor, actorId: "user:43" } },
    ]) {
      expect(dropsCachedRoute(cached, cached.nodeRid, hint)).toBe(false);
    }
    const spot: MessageFollow = {
      ...hint,
      source: { kind: "spot", spot: { ...left, spot: { spotId: "user:42", objectGeneration: 3n } } },
    };
    expect(dropsCachedRoute(left, here, spot)).toBe(false);
  });
});
