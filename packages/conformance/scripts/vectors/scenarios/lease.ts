/** A run's own lease: `protocol.md` L1. Times are the node's monotonic clock. */
import type { JsonObject, ScenarioStep } from "../../../src/vectors/file.ts";
import { fileOf, scenario, step, unknown } from "./parts.ts";

const LEASE_MS = 12_000;
/** It stands a tenth less. It is renewed after a third of it, and after a tenth where no answer came. */
const STANDS_MS = 10_800;
const RENEW_AFTER_MS = 4_000;
const RETRY_AFTER_MS = 1_200;
/** It was asked for at 1,000, the answer came at 1,100. */
const config: JsonObject = { durationMs: LEASE_MS, granted: { askedAtMs: 1_000, durationMs: LEASE_MS } };

const timer = (name: string): JsonObject => ({ type: "TimerFired", timer: name });
const settled = (answer: JsonObject): JsonObject => ({ type: "RenewSettled", answer });
const renewed: JsonObject = { outcome: "renewed", durationMs: LEASE_MS };
const startTimer = (name: string, delayMs: number): JsonObject => ({ type: "StartTimer", timer: name, delayMs });
const renew: JsonObject = { type: "RenewLease", durationMs: LEASE_MS };
/** While a renewal is out, none is due. */
const stopped: JsonObject = { type: "StopTimer", timer: "expiry" };
const lost = (reason: string): readonly JsonObject[] => [stopped, { type: "LoseLease", reason }];
const looked: JsonObject = { type: "Looked" };
const endsAtMs = 1_000 + STANDS_MS;

/** The first renewal is out at 5,000. */
const renewing: readonly ScenarioStep[] = [
  step(1_100, { type: "Start" }, startTimer("renew", RENEW_AFTER_MS - 100), startTimer("expiry", STANDS_MS - 100)),
  step(5_000, timer("renew"), renew),
];

export const leaseScenarios = fileOf("lease", "Until when a run of a node may act.", [
  scenario("renewed", "L1", "A renewal counts from when it was asked for, not from when its answer came.", {
    config,
    steps: [
      ...renewing,
      step(
        6_000,
        settled(renewed),
        startTimer("renew", RENEW_AFTER_MS - 1_000),
        startTimer("expiry", STANDS_MS - 1_000),
      ),
    ],
  }),
  scenario(
    "unanswered",
    "L1",
    "No answer is no success: what stood still stands, and it is asked again, until it may have ended.",
    {
      config,
      steps: [
        ...renewing,
        step(
          6_000,
          settled(unknown),
          { type: "ReportUnrenewed", reason: "the connection broke" },
          startTimer("renew", RETRY_AFTER_MS),
        ),
        step(7_200, timer("renew"), renew),
        step(endsAtMs - 1, looked),
        step(endsAtMs, looked, ...lost("lapsed")),
        step(endsAtMs + 1, settled(renewed)),
      ],
    },
  ),
  scenario("refused", "L1", "The store says that it has ended: over at once.", {
    config,
    steps: [...renewing, step(5_001, settled({ outcome: "staleLease" }), ...lost("refused")), step(5_002, looked)],
  }),
  scenario("replaced", "L1 N2", "The store says that a newer run of the node has begun: over at once, and said so.", {
    config,
    steps: [...renewing, step(5_001, settled({ outcome: "superseded" }), ...lost("replaced")), step(5_002, looked)],
  }),
  scenario(
    "woken",
    "L1 I1",
    "A suspended process wakes with whatever comes first; the time alone tells that it is over.",
    {
      config,
      steps: [...renewing, step(70_000, settled(renewed), ...lost("lapsed"))],
    },
  ),
  scenario("early-timer", "L1", "A timer that fires early is set again for what is left.", {
    config,
    steps: [
      ...renewing,
      step(endsAtMs - 10, timer("expiry"), startTimer("expiry", 10)),
      step(endsAtMs, timer("expiry"), ...lost("lapsed")),
    ],
  }),
  scenario("came-too-late", "L1", "The answer to the first call came when the lease may have ended already.", {
    config,
    steps: [step(endsAtMs, { type: "Start" }, { type: "LoseLease", reason: "lapsed" })],
  }),
  scenario("stopped", "L1", "Ended by its own will: nobody has to be told.", {
    config,
    steps: [
      renewing[0]!,
      step(2_000, { type: "Stopped" }, { type: "StopTimer", timer: "renew" }, stopped),
      step(20_000, looked),
    ],
  }),
]);
