/** The scenario files by path. */
import type { ScenarioVectors } from "../../../src/vectors/file.ts";
import { authorityCommitScenarios } from "./authority-commit.ts";
import { drainDeskScenarios, drainScenarios } from "./drain.ts";
import { ingressHoldScenarios } from "./ingress-hold.ts";
import {
  joinDeliveriesScenarios,
  joinDeliveryScenarios,
  joinJournalScenarios,
  joinScenarios,
  lostOwnerScenarios,
} from "./joins.ts";
import { leaseScenarios } from "./lease.ts";
import { messageFollowScenarios } from "./message-follow.ts";
import { outboundMovesScenarios, owedRoutesScenarios } from "./owed-routes.ts";
import { ownerWritesScenarios } from "./owner-writes.ts";
import { replyRelayReceiverScenarios, replyRelaySenderScenarios, replyWayScenarios } from "./requests.ts";
import { sessionBarrierScenarios } from "./session-barrier.ts";
import { sourceScenarios } from "./source.ts";
import { streamOrderScenarios } from "./stream-order.ts";
import { targetScenarios } from "./target.ts";

export const scenarioFiles: Readonly<Record<string, ScenarioVectors>> = {
  "scenarios/source.json": sourceScenarios,
  "scenarios/target.json": targetScenarios,
  "scenarios/authority-commit.json": authorityCommitScenarios,
  "scenarios/session-barrier.json": sessionBarrierScenarios,
  "scenarios/owed-routes.json": owedRoutesScenarios,
  "scenarios/outbound-moves.json": outboundMovesScenarios,
  "scenarios/lease.json": leaseScenarios,
  "scenarios/owner-writes.json": ownerWritesScenarios,
  "scenarios/join.json": joinScenarios,
  "scenarios/join-journal.json": joinJournalScenarios,
  "scenarios/join-delivery.json": joinDeliveryScenarios,
  "scenarios/join-deliveries.json": joinDeliveriesScenarios,
  "scenarios/lost-owner.json": lostOwnerScenarios,
  "scenarios/drain.json": drainScenarios,
  "scenarios/drain-desk.json": drainDeskScenarios,
  "scenarios/reply-way.json": replyWayScenarios,
  "scenarios/ingress-hold.json": ingressHoldScenarios,
  "scenarios/stream-order.json": streamOrderScenarios,
  "scenarios/message-follow.json": messageFollowScenarios,
  "scenarios/reply-relay-sender.json": replyRelaySenderScenarios,
  "scenarios/reply-relay-receiver.json": replyRelayReceiverScenarios,
};
