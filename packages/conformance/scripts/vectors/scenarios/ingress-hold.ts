/** What a source holds while its actor moves: `protocol.md` section 6. Texts stand for records. */
import type { JsonObject, ScenarioStep } from "../../../src/vectors/file.ts";
import { fileOf, scenario, step } from "./parts.ts";

const operation = "move-1";
const config = (mode: string): JsonObject => ({ operation, mode, limits: { maxRecords: 3, maxBytes: 100 } });

const offered = (record: string, bytes: number, outcome: string): ScenarioStep =>
  step(0, { type: "Offered", record, bytes }, { type: "Offer", outcome });
const by = (type: string, who = operation, more: JsonObject = {}): JsonObject => ({ type, operation: who, ...more });
const records = (...list: readonly string[]): JsonObject => ({ type: "Records", records: list });
const refused = (code: string): JsonObject => ({ type: "Refused", code });
const three = [offered("m1", 10, "held"), offered("m2", 10, "held"), offered("m3", 10, "held")];

export const ingressHoldScenarios = fileOf(
  "ingressHold",
  "What a source holds while its actor moves: limits, owners, snapshots, what becomes of the records.",
  [
    scenario("count", "H1", "The count is limited: one more is refused at once, and what is held stays.", {
      config: config("full"),
      steps: [...three, offered("m4", 1, "overflow"), step(0, by("GiveBack"), records("m1", "m2", "m3"))],
    }),
    scenario("bytes", "H1", "The bytes are limited: a smaller one still finds room.", {
      config: config("full"),
      steps: [
        offered("m1", 60, "held"),
        offered("m2", 41, "overflow"),
        offered("m3", 40, "held"),
        offered("m4", 0, "held"),
        step(0, by("GiveBack"), records("m1", "m3", "m4")),
      ],
    }),
    scenario("others-may-not", "H2", "Only the operation that opened the hold promotes or ends it.", {
      config: config("provisional"),
      steps: [
        offered("m1", 10, "held"),
        step(0, by("Promote", "move-2"), refused("holdNotOwned")),
        step(0, by("GiveBack", "move-2"), refused("holdNotOwned")),
        step(0, by("Release", "move-2", { handedOver: "nothing" }), refused("holdNotOwned")),
        step(0, by("Promote")),
        step(0, by("Snapshot"), records("m1")),
      ],
    }),
    scenario(
      "given-back-unpromoted",
      "H2 H4",
      "A join that was not granted gives everything back in order; the hold is over.",
      {
        config: config("provisional"),
        steps: [
          offered("m1", 10, "held"),
          offered("m2", 10, "held"),
          step(0, by("GiveBack"), records("m1", "m2")),
          step(0, { type: "Offered", record: "m3", bytes: 10 }, refused("holdEnded")),
        ],
      },
    ),
    scenario(
      "snapshots",
      "H3",
      "A snapshot is what was queued when it was taken; later arrivals are in the next one.",
      {
        config: config("full"),
        steps: [
          offered("m1", 10, "held"),
          step(0, by("Snapshot"), records("m1")),
          offered("m2", 10, "held"),
          offered("m3", 10, "held"),
          step(0, by("Snapshot"), records("m2", "m3")),
          step(0, by("Snapshot"), records()),
        ],
      },
    ),
    scenario(
      "rollback-after-relay",
      "H4",
      "Relayed records are still held: a rollback gives back all, in arrival order.",
      {
        config: config("full"),
        steps: [
          offered("m1", 10, "held"),
          step(0, by("Snapshot"), records("m1")),
          offered("m2", 10, "held"),
          step(0, by("GiveBack"), records("m1", "m2")),
        ],
      },
    ),
    scenario("committed", "H3 F2", "The move committed: what was relayed is the target's, the rest is forwarded.", {
      config: config("full"),
      steps: [
        offered("m1", 10, "held"),
        step(0, by("Snapshot"), records("m1")),
        offered("m2", 10, "held"),
        step(0, by("Release", operation, { handedOver: "delivered" }), {
          type: "Released",
          forward: ["m2"],
          unknown: [],
        }),
      ],
    }),
    scenario(
      "somebody-else-owns",
      "O5 I2",
      "Another owner than the target: what was handed over is unknown, the rest is forwarded.",
      {
        config: config("full"),
        steps: [
          offered("m1", 10, "held"),
          step(0, by("Snapshot"), records("m1")),
          offered("m2", 10, "held"),
          step(0, by("Release", operation, { handedOver: "unknown" }), {
            type: "Released",
            forward: ["m2"],
            unknown: ["m1"],
          }),
        ],
      },
    ),
    scenario("actor-gone", "H5", "The actor is gone: every record comes out to be refused, none is kept.", {
      config: config("full"),
      steps: [
        ...three,
        step(0, by("Release", operation, { handedOver: "nothing" }), {
          type: "Released",
          forward: ["m1", "m2", "m3"],
          unknown: [],
        }),
        step(0, by("GiveBack"), refused("holdEnded")),
      ],
    }),
    scenario(
      "one-bad-record",
      "H6",
      "One bad record never blocks the rest; failures are told after all had their turn.",
      {
        config: config("full"),
        steps: [
          step(
            0,
            { type: "ReleaseEach", records: ["m1", "m2", "m3"], bad: ["m1", "m3"] },
            { type: "Delivered", delivered: ["m2"], failed: ["m1", "m3"] },
          ),
        ],
      },
    ),
  ],
);
