/** The 44s that a node has sent and still owes: `protocol.md` S20; and how many actors move at once: O2, T4. */
import type { JsonObject } from "../../../src/vectors/file.ts";
import { actor, coordinator, fileOf, gate, relocation, scenario, session, step, target } from "./parts.ts";

const SEAL_MS = 20_000;
const config: JsonObject = { sealDeadlineMs: SEAL_MS, capacity: 2 };
const abort = (low = "2"): JsonObject => ({
  command: "sessionRelocationRoute",
  relocation: { high: relocation.high, low },
  coordinator,
  senderRole: "source",
  actor,
  session,
  route: { action: "abort", currentAuthorityOwnerGeneration: "7" },
});
const owe = (command: JsonObject, peer = gate.nodeRid): JsonObject => ({ type: "Owe", peer, command });
const linkUp = (peer = gate.nodeRid): JsonObject => ({ type: "LinkUp", peer });
const again = (command: JsonObject): JsonObject => ({ type: "SendAgain", command });

export const owedRoutesScenarios = fileOf("owedRoutes", "The 44s that are repeated on a new link.", [
  scenario(
    "oldest-first",
    "S20",
    "All that is kept for a node is repeated on a new link, oldest first; other nodes hear nothing.",
    {
      config,
      steps: [
        step(0, owe(abort("1"))),
        step(1, owe(abort("2"))),
        step(2, linkUp(), again(abort("1")), again(abort("2"))),
        step(3, linkUp(target.nodeRid)),
      ],
    },
  ),
  scenario("until-the-seal-has-ended", "S20", "Only until the seal's deadline must have passed.", {
    config,
    steps: [
      step(0, owe(abort("1"))),
      step(5_000, owe(abort("2"))),
      step(SEAL_MS - 1, linkUp(), again(abort("1")), again(abort("2"))),
      step(SEAL_MS, linkUp(), again(abort("2"))),
      step(5_000 + SEAL_MS, linkUp()),
    ],
  }),
  scenario("first-counts", "S20 S7", "Of one identity only the first route is kept: a second would not be accepted.", {
    config,
    steps: [
      step(0, owe(abort())),
      step(1, owe({ ...abort(), route: { action: "abort", currentAuthorityOwnerGeneration: "9" } })),
      step(2, linkUp(), again(abort())),
    ],
  }),
  scenario("bounded", "S20 I8", "Past the capacity the oldest goes and is reported.", {
    config,
    steps: [
      step(0, owe(abort("1"))),
      step(1, owe(abort("2"))),
      step(2, owe(abort("3")), { type: "Dropped", command: abort("1") }),
      step(3, linkUp(), again(abort("2")), again(abort("3"))),
    ],
  }),
]);

const KEY = "zla1:a:7:user%3A42";
const SPOT = "zla1:s:5:lobby";
const request = (changes: JsonObject = {}): JsonObject => ({
  key: KEY,
  objectGeneration: "3",
  kind: "relocate",
  targetNodeRid: target.nodeRid,
  ...changes,
});
const spot = request({ key: SPOT });
const begin = (changes?: JsonObject): JsonObject => ({ type: "Begin", request: request(changes) });
const end = (key: string): JsonObject => ({ type: "End", key });
const enter = (key: string): JsonObject => ({ type: "Enter", key, spotKey: SPOT });
const admission = (is: string): JsonObject => ({ type: "Admission", admission: is });

export const outboundMovesScenarios = fileOf("outboundMoves", "One move per unit, and only so many at once.", [
  scenario(
    "same-request-joins",
    "O2",
    "The same request joins the move that runs; another is refused; afterwards it may begin.",
    {
      config: { limit: 2 },
      steps: [
        step(0, begin(), admission("start")),
        step(0, begin(), admission("join")),
        step(0, begin({ targetNodeRid: "node-c" }), admission("operationInProgress")),
        step(0, begin({ kind: "join", joins: SPOT }), admission("operationInProgress")),
        step(1, end(KEY)),
        step(1, begin({ targetNodeRid: "node-c" }), admission("start")),
      ],
    },
  ),
  scenario("so-many-at-once", "T4 O2", "Only so many move at once; one that has ended makes room.", {
    config: { limit: 1 },
    steps: [
      step(0, begin(), admission("start")),
      step(0, begin({ key: "zla1:a:1:b" }), admission("limitReached")),
      step(0, begin(), admission("join")),
      step(1, end(KEY)),
      step(1, begin({ key: "zla1:a:1:b" }), admission("start")),
    ],
  }),
  scenario(
    "spot-and-members",
    "O2 H7",
    "A spot takes its members along: their moves and its own shut each other out.",
    {
      config: { limit: 4 },
      steps: [
        step(0, begin({ within: SPOT }), admission("start")),
        step(0, { type: "Begin", request: spot }, admission("start")),
        step(0, { type: "InTheWay", spotKey: SPOT }, { type: "InTheWay", keys: [KEY] }),
        step(0, begin({ key: "zla1:a:1:b", within: SPOT }), admission("operationInProgress")),
        step(0, enter("zla1:a:1:c"), { type: "Entry", outcome: "spotMoving" }),
        step(1, end(KEY)),
        step(1, { type: "InTheWay", spotKey: SPOT }, { type: "InTheWay", keys: [] }),
      ],
    },
  ),
]);
