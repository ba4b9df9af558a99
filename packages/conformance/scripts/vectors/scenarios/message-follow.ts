/** What an old owner does with messages for an actor that it has handed over: `protocol.md` section 9. */
import type { JsonObject, ScenarioStep } from "../../../src/vectors/file.ts";
import { actor, changed, fence, fileOf, scenario, step, target, targetFence } from "./parts.ts";

const LIFE_MS = 30_000;
const config: JsonObject = {
  left: fence,
  target: targetFence,
  limits: { lifeMs: LIFE_MS, maxMessages: 2, maxBytes: 100, maxHints: 4 },
};
const operation = { high: "7", low: "8" };
const sender = "node-c";
const START_MS = 1_000;
const started: ScenarioStep = step(START_MS, { type: "Start" });

interface Direct {
  readonly hops?: number;
  readonly bytes?: number;
  readonly addressed?: JsonObject;
}
const direct = (message: string, { hops = 0, bytes = 10, addressed = fence }: Direct = {}): JsonObject => ({
  type: "Offered",
  message,
  bytes,
  hops,
  arrival: { via: "direct", addressed, senderNodeRid: sender, operation, replyRouteId: "0" },
});
const forwarded = (message: string, leftGeneration: string, hops = 1): JsonObject => ({
  type: "Offered",
  message,
  bytes: 10,
  hops,
  arrival: { via: "forwarded", objectGeneration: actor.objectGeneration, leftGeneration },
});
const hint = (hopCount: number, queuedMessages: number, queuedBytes: number): JsonObject => ({
  command: "messageFollow",
  version: 1,
  source: { kind: "actor", actor: fence },
  target: { kind: "actor", actor: targetFence },
  hopCount,
  queuedMessages,
  queuedBytes,
  operation,
  replyRouteId: "0",
});
const waits = (command?: JsonObject): JsonObject => ({
  type: "Answer",
  outcome: "waiting",
  ...(command === undefined ? {} : { hint: { peer: sender, command } }),
});
const refused = (terminalResult: string, failureCode: string): JsonObject => ({
  type: "Answer",
  outcome: "refused",
  terminalResult,
  failureCode,
});
const forward = (message: string, hops: number, bytes = 10): JsonObject => ({ type: "Forward", message, bytes, hops });
const heard = (peer: string, command: JsonObject, cached: JsonObject = fence): JsonObject => ({
  type: "HintReceived",
  cached,
  peer,
  command,
});

export const messageFollowScenarios = fileOf(
  "messageFollow",
  "What an old owner does with the messages of an actor that it has handed over, and what a sender makes of its hint.",
  [
    scenario("lives-so-long", "F1 F3", "It forwards for its life, then the sender looks the actor up again.", {
      config,
      steps: [
        started,
        step(START_MS + LIFE_MS - 1, direct("m1"), waits(hint(1, 1, 10))),
        step(START_MS + LIFE_MS, direct("m2"), refused("notFound", "actorLocationStale")),
      ],
    }),
    scenario("in-order-one-hop-more", "F2", "Messages go on in arrival order, each under one more hop.", {
      config,
      steps: [
        started,
        step(START_MS, direct("m1"), waits(hint(1, 1, 10))),
        step(START_MS, forwarded("m2", "6", 3), waits()),
        step(START_MS + 1, { type: "SendFirst" }, forward("m1", 1)),
        step(START_MS + 1, { type: "SendFirst" }, forward("m2", 4)),
        step(START_MS + 1, { type: "SendFirst" }),
      ],
    }),
    scenario("nine-hops", "F2", "The ninth hop is refused.", {
      config,
      steps: [
        started,
        step(START_MS, forwarded("m1", "6", 7), waits()),
        step(START_MS, forwarded("m2", "6", 8), refused("notConnected", "routeNotConnected")),
      ],
    }),
    scenario(
      "circle-direct",
      "F2",
      "A sender that knows the new owner already would only see its message again: a circle.",
      {
        config,
        steps: [
          started,
          step(START_MS, direct("m1", { addressed: targetFence }), refused("notConnected", "routeNotConnected")),
        ],
      },
    ),
    scenario("circle-forwarded", "F2", "An old owner that left no earlier than this one: a circle.", {
      config,
      steps: [
        started,
        step(START_MS, forwarded("m1", "7"), refused("notConnected", "routeNotConnected")),
        step(START_MS, forwarded("m2", "6"), waits()),
      ],
    }),
    scenario("other-object", "F3", "A message for another object generation is not for this actor.", {
      config,
      steps: [
        started,
        step(
          START_MS,
          direct("m1", { addressed: changed(fence, { actor: changed(actor, { objectGeneration: "2" }) }) }),
          refused("invalidState", "none"),
        ),
      ],
    }),
    scenario("bounded", "F1 F3 I8", "Over the bound, by count or bytes, the sender is told; what waits stays.", {
      config,
      steps: [
        started,
        step(START_MS, direct("m1", { bytes: 90 }), waits(hint(1, 1, 90))),
        step(START_MS, direct("m2", { bytes: 11 }), refused("backpressured", "workerQueueFull")),
        step(START_MS, direct("m3"), waits()),
        step(START_MS, direct("m4", { bytes: 0 }), refused("backpressured", "workerQueueFull")),
        step(START_MS + 1, { type: "SendFirst" }, forward("m1", 1, 90)),
      ],
    }),
    scenario("told-once", "F4", "The sender's node is told once per route.", {
      config,
      steps: [started, step(START_MS, direct("m1"), waits(hint(1, 1, 10))), step(START_MS, direct("m2"), waits())],
    }),
    scenario(
      "exactly-the-stale-route",
      "F4",
      "A sender drops its cached route only if it is exactly the stale one, and its own node says so.",
      {
        config,
        steps: [
          step(0, heard("node-a", hint(1, 1, 10)), { type: "DropCachedRoute" }),
          step(0, heard("node-x", hint(1, 1, 10)), { type: "KeepCachedRoute" }),
          step(0, heard(target.nodeRid, hint(1, 1, 10), targetFence), { type: "KeepCachedRoute" }),
          step(0, heard("node-a", hint(1, 1, 10), changed(fence, { ownerLeaseGeneration: "11" })), {
            type: "KeepCachedRoute",
          }),
        ],
      },
    ),
    scenario(
      "becomes-the-target",
      "F5",
      "The actor is about to come back: everything that waits is taken, in order, and nothing waits any more.",
      {
        config,
        steps: [
          started,
          step(START_MS, direct("m1"), waits(hint(1, 1, 10))),
          step(START_MS, direct("m2"), waits()),
          step(
            START_MS + 1,
            { type: "TakeAll" },
            { type: "Taken", message: "m1", bytes: 10, hops: 1 },
            { type: "Taken", message: "m2", bytes: 10, hops: 1 },
          ),
          step(START_MS + 1, { type: "SendFirst" }),
        ],
      },
    ),
  ],
);
