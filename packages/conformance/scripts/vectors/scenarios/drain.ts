/** A node's drain: `protocol.md` section 12. */
import type { JsonObject, ScenarioStep } from "../../../src/vectors/file.ts";
import { changed, fileOf, scenario, step } from "./parts.ts";

const DEADLINE_MS = 30_000;
const MOVE_MS = 10_000;
const RETRY_MS = 250;
const GRACE_MS = 5_000;
const config: JsonObject = {
  self: "node-a",
  applicationVersion: "3",
  deadlineAtMs: DEADLINE_MS,
  maxMoving: 2,
  moveMs: MOVE_MS,
};

const unit = (id: string, changes: JsonObject = {}): JsonObject => ({
  kind: "actor",
  id,
  objects: 1,
  stableTypes: ["player"],
  waitingMessages: 0,
  mobility: { type: "movable" },
  ...changes,
});
const node = (nodeRid: string, changes: JsonObject = {}): JsonObject => ({
  nodeRid,
  state: "serving",
  applicationVersion: "3",
  stableTypes: ["player", "room"],
  placementWeight: 50,
  room: 100,
  ...changes,
});

const start: JsonObject = { type: "Start" };
const units = (...list: readonly JsonObject[]): JsonObject => ({ type: "UnitsListed", units: list, arriving: [] });
const arriving = (kind: string, id: string): JsonObject => ({
  type: "UnitsListed",
  units: [],
  arriving: [{ kind, id }],
});
const nodes = (...list: readonly JsonObject[]): JsonObject => ({ type: "NodesListed", nodes: list });
const about = (type: string, id: string, kind = "actor"): JsonObject => ({ type, kind, id });
const failed = (id: string, code: string): JsonObject => ({
  ...about("UnitFailed", id),
  failure: { code, message: `it failed: ${code}` },
});
const timer = (name: string): JsonObject => ({ type: "TimerFired", timer: name });

const startTimer = (name: string, delayMs: number): JsonObject => ({ type: "StartTimer", timer: name, delayMs });
const listUnits: JsonObject = { type: "ListUnits" };
const listNodes: JsonObject = { type: "ListNodes" };
const move = (of: JsonObject, target: string, deadlineMs = MOVE_MS): JsonObject => ({
  type: "MoveUnit",
  unit: of,
  target,
  deadlineMs,
});
const progress = (done: number, left: number, ...stayed: readonly JsonObject[]): JsonObject => ({
  type: "ReportProgress",
  progress: { done, left, failed: stayed },
});
const stayed = (id: string, reason: string, kind = "actor"): JsonObject => ({ kind, id, failure: { reason } });
const stopTimers: readonly JsonObject[] = [
  { type: "StopTimer", timer: "deadline" },
  { type: "StopTimer", timer: "retry" },
];
const relocated = (done: number): readonly JsonObject[] => [
  ...stopTimers,
  { type: "Settle", result: { outcome: "relocated", done } },
];
const ended = (reason: string, done: number, ...stays: readonly JsonObject[]): JsonObject => ({
  type: "Settle",
  result: { outcome: "blocked", reason, done, stayed: stays },
});
const blocked = (reason: string, done: number, ...stays: readonly JsonObject[]): readonly JsonObject[] => [
  ...stopTimers,
  ended(reason, done, ...stays),
];

const begun = step(0, start, startTimer("deadline", DEADLINE_MS), listUnits);
const [one, two, three] = [unit("one"), unit("two"), unit("three")];
const oneMoving: readonly ScenarioStep[] = [
  begun,
  step(1, units(one), listNodes),
  step(2, nodes(node("node-b")), move(one, "node-b")),
];

export const drainScenarios = fileOf("drain", "What a drain moves next, where to, and how it ends.", [
  scenario("nothing-to-move", "D4", "No units: relocated at once.", {
    config,
    steps: [begun, step(1, units(), ...relocated(0))],
  }),
  scenario(
    "all-of-them",
    "D1 D3",
    "So many at once, the next as one ends; when all have gone the node is looked over once more.",
    {
      config,
      steps: [
        begun,
        step(1, units(one, two, three), listNodes),
        step(2, nodes(node("node-b")), move(one, "node-b"), move(two, "node-b")),
        step(100, about("UnitMoved", "two"), progress(1, 2), move(three, "node-b")),
        step(101, about("UnitMoved", "one"), progress(2, 1)),
        step(102, about("UnitMoved", "three"), progress(3, 0), listUnits),
        step(103, units(), ...relocated(3)),
      ],
    },
  ),
  scenario(
    "still-arriving",
    "D1",
    "What was accepted before the drain and is not here yet is waited for, and moves when it comes.",
    {
      config,
      steps: [
        begun,
        step(1, arriving("actor", "one"), startTimer("retry", RETRY_MS)),
        step(251, timer("retry"), listUnits),
        step(252, units(one), listNodes),
        step(253, nodes(node("node-b")), move(one, "node-b")),
        step(260, about("UnitMoved", "one"), progress(1, 0), listUnits),
        step(261, units(), ...relocated(1)),
      ],
    },
  ),
  scenario("arriving-at-the-deadline", "D3", "What may still come when the deadline passes is named.", {
    config,
    steps: [
      begun,
      step(1, arriving("spot", "hall"), startTimer("retry", RETRY_MS)),
      step(
        DEADLINE_MS,
        timer("deadline"),
        ...blocked("deadlineExceeded", 0, stayed("hall", "deadlineExceeded", "spot")),
      ),
    ],
  }),
  scenario("busy-ones-last", "D1", "Units with waiting messages go last.", {
    config: changed(config, { maxMoving: 1 }),
    steps: [
      begun,
      step(1, units(unit("busy", { waitingMessages: 5 }), one), listNodes),
      step(2, nodes(node("node-b")), move(one, "node-b")),
      step(3, about("UnitMoved", "one"), progress(1, 1), move(unit("busy", { waitingMessages: 5 }), "node-b")),
    ],
  }),
  ...(
    [
      ["another-version", { applicationVersion: "4" }],
      ["not-serving", { state: "draining" }],
      ["no-room", { room: 0 }],
      ["other-types", { stableTypes: ["room"] }],
      ["weight-zero", { placementWeight: 0 }],
    ] as const
  ).map(([name, changes]) =>
    scenario(
      `not-to-${name}`,
      "D2",
      "Only a serving node of the asked version that hosts it and has room is a target.",
      {
        config,
        steps: [
          begun,
          step(1, units(one), listNodes),
          step(2, nodes(node("node-a"), node("node-c", changes), node("node-b")), move(one, "node-b")),
        ],
      },
    ),
  ),
  scenario("by-weight", "D2", "Of several, the one whose share is furthest below its weight.", {
    config: changed(config, { maxMoving: 4 }),
    steps: [
      begun,
      step(1, units(one, two, three), listNodes),
      step(
        2,
        nodes(node("node-b", { placementWeight: 20 }), node("node-c", { placementWeight: 40 })),
        move(one, "node-c"),
        move(two, "node-b"),
        move(three, "node-c"),
      ),
    ],
  }),
  scenario("no-target", "D3", "No node can take it: after a grace the drain is blocked, and says who stayed.", {
    config,
    steps: [
      begun,
      step(1, units(one), listNodes),
      step(2, nodes(), startTimer("retry", RETRY_MS)),
      step(252, timer("retry"), startTimer("retry", RETRY_MS)),
      step(502, timer("retry"), startTimer("retry", RETRY_MS)),
      step(752, timer("retry"), listNodes),
      step(753, nodes(), startTimer("retry", RETRY_MS)),
      step(2 + GRACE_MS, timer("retry"), listNodes),
      step(3 + GRACE_MS, nodes(), ...blocked("targetUnavailable", 0, stayed("one", "targetUnavailable"))),
    ],
  }),
  scenario("store-silent", "D3", "The store does not say which nodes there are.", {
    config,
    steps: [
      begun,
      step(1, units(one), listNodes),
      step(2, { type: "NodesUnknown" }, startTimer("retry", RETRY_MS)),
      step(2 + GRACE_MS, timer("retry"), listNodes),
      step(
        3 + GRACE_MS,
        { type: "NodesUnknown" },
        ...blocked("storeUnavailable", 0, stayed("one", "storeUnavailable")),
      ),
    ],
  }),
  scenario("one-bad-apple", "D4 D3", "One that fails the same way everywhere stays and is named; the others move.", {
    config,
    steps: [
      begun,
      step(1, units(one, two), listNodes),
      step(2, nodes(node("node-b")), move(one, "node-b"), move(two, "node-b")),
      step(3, failed("one", "captureFailed"), progress(0, 1, stayed("one", "relocationFailed"))),
      step(4, about("UnitMoved", "two"), progress(1, 0, stayed("one", "relocationFailed")), listUnits),
      step(5, units(one), ...blocked("relocationFailed", 1, stayed("one", "relocationFailed"))),
    ],
  }),
  scenario("another-target", "D2", "A target that did not take it is not asked again while there is another.", {
    config,
    steps: [
      begun,
      step(1, units(one), listNodes),
      step(2, nodes(node("node-b"), node("node-c")), move(one, "node-b")),
      step(3, failed("one", "targetRefused"), progress(0, 1), startTimer("retry", RETRY_MS)),
      step(253, timer("retry"), move(one, "node-c")),
    ],
  }),
  scenario("disabled", "D3", "A unit that cannot move at all stays, and says why.", {
    config,
    steps: [
      begun,
      step(
        1,
        units(
          unit("fixed", {
            kind: "spot",
            mobility: { type: "fixed", failure: { reason: "relocationDisabled", message: "it has no capture" } },
          }),
        ),
        ...blocked("relocationDisabled", 0, stayed("fixed", "relocationDisabled", "spot")),
      ),
    ],
  }),
  scenario("deadline", "D3 D4", "The deadline: what moves is undone if it can be, what moved stays moved.", {
    config,
    steps: [
      ...oneMoving,
      step(
        DEADLINE_MS,
        timer("deadline"),
        ...stopTimers,
        { type: "AbortUnit", unit: one },
        ended("deadlineExceeded", 0, stayed("one", "deadlineExceeded")),
      ),
    ],
  }),
  scenario("shutdown", "D3 D5", "The node is told to shut down meanwhile.", {
    config,
    steps: [
      ...oneMoving,
      step(
        3,
        { type: "ShutdownRequested" },
        ...stopTimers,
        { type: "AbortUnit", unit: one },
        ended("shutdownRequested", 0, stayed("one", "shutdownRequested")),
      ),
    ],
  }),
  scenario("came-meanwhile", "D1", "What had been accepted before and came to be here meanwhile moves too.", {
    config,
    steps: [
      ...oneMoving,
      step(3, about("UnitMoved", "one"), progress(1, 0), listUnits),
      step(4, units(two), move(two, "node-b")),
      step(5, about("UnitGone", "two"), progress(1, 0), listUnits),
      step(6, units(), ...relocated(1)),
    ],
  }),
]);

const begin = (deadlineMs: number, applicationVersion?: string): JsonObject => ({
  type: "Begin",
  request: { deadlineMs, ...(applicationVersion === undefined ? {} : { applicationVersion }) },
});
const admission = (is: string): JsonObject => ({ type: "Admission", admission: is });

export const drainDeskScenarios = fileOf("drainDesk", "One drain of a node at a time.", [
  scenario("shared", "D3", "An identical call shares the drain that runs, a different one is refused.", {
    config: {},
    steps: [
      step(0, begin(30_000), admission("start")),
      step(0, begin(30_000), admission("share")),
      step(0, begin(10_000), admission("operationInProgress")),
      step(0, begin(30_000, "4"), admission("operationInProgress")),
      step(1, { type: "End" }),
      step(1, begin(10_000), admission("start")),
    ],
  }),
]);
