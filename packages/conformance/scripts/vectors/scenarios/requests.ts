/** Results of requests that moved, and the way back to a client: `protocol.md` section 10, S18. */
import type { JsonObject } from "../../../src/vectors/file.ts";
import { changed, coordinator, fileOf, relocation, scenario, step } from "./parts.ts";

const requester = { nodeRid: "node-c", nodeGeneration: "6", ownerId: "c-owner", ownerLeaseGeneration: "60" };
const operation = { high: "7", low: "8" };
const payload = { packetName: "answer", contentType: "application/json", data: "3432" };
const result: JsonObject = { terminalResult: "ok", failureCode: "none", payload };
const relay = (of: JsonObject = operation, sequence = "1"): JsonObject => ({
  command: "replyRelay",
  operation: of,
  replyRouteId: "9",
  context: {
    kind: "maintenanceRelocation",
    relocation,
    targetAttemptGeneration: "1",
    coordinator,
    participantId: "1",
    sequence,
  },
  ...result,
});
const ack = (status: string, changes: JsonObject = {}): JsonObject =>
  changed(
    {
      command: "replyRelayAck",
      relocation,
      coordinator,
      operation,
      replyRouteId: "9",
      requestSource: requester,
      status,
    },
    changes,
  );

const settled = (of: JsonObject = operation, bytes = 10): JsonObject => ({
  type: "Settled",
  request: {
    operation: of,
    replyRouteId: "9",
    requester,
    move: { relocation, targetAttemptGeneration: "1", coordinator },
  },
  result,
  bytes,
});
const send = (command: JsonObject, ...dropped: readonly JsonObject[]): JsonObject => ({
  type: "Send",
  peer: requester.nodeRid,
  command,
  dropped,
});
const acknowledged = (command: JsonObject, peer = requester.nodeRid): JsonObject => ({
  type: "AckReceived",
  peer,
  command,
});
const linkUp = (nodeGeneration: string): JsonObject => ({ type: "LinkUp", peer: requester.nodeRid, nodeGeneration });
const again = (command: JsonObject): JsonObject => ({ type: "SendAgain", command });
const sender: JsonObject = { limits: { maxRelays: 2, maxBytes: 100, maxMoves: 4 } };
const other = { high: "7", low: "9" };
const third = { high: "7", low: "10" };

export const replyRelaySenderScenarios = fileOf(
  "replyRelaySender",
  "The new owner's side of a request that moved: 33 until its 46 comes.",
  [
    scenario("until-acknowledged", "Q3 Q1", "A 33 is repeated on every new link until its 46 comes.", {
      config: sender,
      steps: [
        step(0, settled(), send(relay())),
        step(1, linkUp("6"), again(relay())),
        step(2, acknowledged(ack("terminalReceived")), { type: "AckAnswer", outcome: "acknowledged" }),
        step(3, linkUp("6")),
        step(4, acknowledged(ack("alreadyTerminal")), { type: "AckAnswer", outcome: "unknown" }),
      ],
    }),
    scenario(
      "same-answer-again",
      "Q1 I9",
      "The same operation settles once more: the same 33, under the same sequence.",
      {
        config: sender,
        steps: [step(0, settled(), send(relay())), step(1, settled(), send(relay()))],
      },
    ),
    scenario("wrong-ack", "Q3 I9", "A 46 that does not fit in every field, or from somebody else, ends nothing.", {
      config: sender,
      steps: [
        step(0, settled(), send(relay())),
        step(1, acknowledged(ack("terminalReceived"), "node-x"), {
          type: "AckAnswer",
          outcome: "refused",
          field: "peer",
        }),
        step(2, acknowledged(ack("terminalReceived", { replyRouteId: "10" })), {
          type: "AckAnswer",
          outcome: "refused",
          field: "replyRouteId",
        }),
        step(3, linkUp("6"), again(relay())),
      ],
    }),
    scenario("requester-gone", "Q3", "The requester's lease ended, or its node runs anew: nobody waits any more.", {
      config: sender,
      steps: [
        step(0, settled(), send(relay())),
        step(
          1,
          { type: "LeaseEnded", ownerId: "c-owner", ownerLeaseGeneration: "59" },
          { type: "Forgotten", count: 0 },
        ),
        step(
          2,
          { type: "LeaseEnded", ownerId: "c-owner", ownerLeaseGeneration: "60" },
          { type: "Forgotten", count: 1 },
        ),
        step(3, settled(other), send(relay(other, "2"))),
        step(4, linkUp("7")),
        step(5, linkUp("6")),
      ],
    }),
    scenario("bounded", "Q3 I8", "The oldest makes room and is reported; oldest first on a new link.", {
      config: sender,
      steps: [
        step(0, settled(), send(relay())),
        step(1, settled(other), send(relay(other, "2"))),
        step(2, settled(third), send(relay(third, "3"), relay())),
        step(3, linkUp("6"), again(relay(other, "2")), again(relay(third, "3"))),
      ],
    }),
  ],
);

const receiver: JsonObject = { self: requester, capacity: 2 };
const open: JsonObject = { replyRouteId: "9", requester };
const received = (command: JsonObject, waiting?: JsonObject): JsonObject => ({
  type: "RelayReceived",
  command,
  ...(waiting === undefined ? {} : { open: waiting }),
});

export const replyRelayReceiverScenarios = fileOf(
  "replyRelayReceiver",
  "The requester's side of a request that moved: one terminal result.",
  [
    scenario("first-and-again", "Q1 I3", "The first 33 is the result; repeats are acknowledged and do nothing.", {
      config: receiver,
      steps: [
        step(0, received(relay(), open), {
          type: "RelayAnswer",
          outcome: "deliver",
          ack: ack("terminalReceived"),
        }),
        step(1, received(relay()), { type: "RelayAnswer", outcome: "repeat", ack: ack("alreadyTerminal") }),
        step(2, received(relay()), { type: "RelayAnswer", outcome: "repeat", ack: ack("alreadyTerminal") }),
      ],
    }),
    scenario("not-open", "Q2", "Nobody waits for it, and it never had a result here: it goes nowhere.", {
      config: receiver,
      steps: [step(0, received(relay()), { type: "RelayAnswer", outcome: "refused", field: "operation" })],
    }),
    scenario("earlier-run", "Q2", "The request is another run's: not accepted.", {
      config: receiver,
      steps: [
        step(0, received(relay(), { replyRouteId: "9", requester: changed(requester, { nodeGeneration: "5" }) }), {
          type: "RelayAnswer",
          outcome: "refused",
          field: "requestSource.nodeGeneration",
        }),
      ],
    }),
    scenario(
      "other-route",
      "Q2",
      "Another reply route than the one that was given out: not accepted, and the request stays open.",
      {
        config: receiver,
        steps: [
          step(0, received(changed(relay(), { replyRouteId: "10" }), open), {
            type: "RelayAnswer",
            outcome: "refused",
            field: "replyRouteId",
          }),
          step(1, received(relay(), open), { type: "RelayAnswer", outcome: "deliver", ack: ack("terminalReceived") }),
        ],
      },
    ),
    scenario(
      "session-closed",
      "Q2",
      "The request ended another way, its session closed for example: a late result goes nowhere, and is acknowledged.",
      {
        config: receiver,
        steps: [
          step(0, { type: "Closed", operation, replyRouteId: "9" }),
          step(1, received(relay(), open), { type: "RelayAnswer", outcome: "repeat", ack: ack("alreadyTerminal") }),
        ],
      },
    ),
  ],
);

const owner = (name: string): JsonObject => ({ ownerNodeRid: name, ownerNodeGeneration: "1" });
const asked = (known: JsonObject): JsonObject => ({ type: "Asked", known });
const way = (to?: JsonObject): JsonObject => ({
  type: "Way",
  way: to === undefined ? { type: "none" } : { type: "node", owner: to },
});

export const replyWayScenarios = fileOf("replyWay", "The way of an actor's answer to a client.", [
  scenario(
    "order",
    "S18",
    "Locally; else the owner at acceptance, the binding's current one, the last known of a destroyed actor; else a failure that is reported.",
    {
      config: {},
      steps: [
        step(0, asked({ isLocal: true, atAcceptance: owner("g1") }), { type: "Way", way: { type: "local" } }),
        step(
          0,
          asked({ isLocal: false, atAcceptance: owner("g1"), current: owner("g2"), lastOfDestroyed: owner("g3") }),
          way(owner("g1")),
        ),
        step(0, asked({ isLocal: false, current: owner("g2"), lastOfDestroyed: owner("g3") }), way(owner("g2"))),
        step(0, asked({ isLocal: false, lastOfDestroyed: owner("g3") }), way(owner("g3"))),
        step(0, asked({ isLocal: false }), way()),
      ],
    },
  ),
]);
