/** The scenario files by path. */
import type { ScenarioVectors } from "../../../src/vectors/file.ts";
import { ingressHoldScenarios } from "./ingress-hold.ts";
import { messageFollowScenarios } from "./message-follow.ts";
import { owedRoutesScenarios } from "./owed-routes.ts";
import { replyRelayReceiverScenarios, replyRelaySenderScenarios, replyWayScenarios } from "./requests.ts";
import { sessionBarrierScenarios } from "./session-barrier.ts";
import { streamOrderScenarios } from "./stream-order.ts";

export const scenarioFiles: Readonly<Record<string, ScenarioVectors>> = {
  "scenarios/session-barrier.json": sessionBarrierScenarios,
  "scenarios/owed-routes.json": owedRoutesScenarios,
  "scenarios/reply-way.json": replyWayScenarios,
  "scenarios/ingress-hold.json": ingressHoldScenarios,
  "scenarios/stream-order.json": streamOrderScenarios,
  "scenarios/message-follow.json": messageFollowScenarios,
  "scenarios/reply-relay-sender.json": replyRelaySenderScenarios,
  "scenarios/reply-relay-receiver.json": replyRelayReceiverScenarios,
};
