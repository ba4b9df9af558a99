import { replyWay } from "@rehome/core";
import type { PayloadEnvelope, Reply } from "@rehome/wire";
import { RuntimeError, wireResultOf, type RuntimeErrorCode } from "../errors.ts";
import type { Host } from "../host.ts";
import { ERROR_PACKET } from "../links/requests.ts";
import type { Delivery } from "./delivery.ts";

export type Result =
  { readonly ok: true; readonly payload: PayloadEnvelope } | { readonly ok: false; readonly error: RuntimeError };

const encoder = new TextEncoder();
/** An error's text that goes back to the requester is cut here: enough for a sentence. */
const MAX_ERROR_TEXT_BYTES = 1_024;

/** Gives a request its one terminal result (`protocol.md` I3, Q1). */
export function answerRequest(host: Host, delivery: Delivery, result: Result): void {
  if (host.stopped()) return;
  const answer = result.ok
    ? ({ terminalResult: "ok", failureCode: "none", payload: result.payload } as const)
    : { ...wireResultOf(result.error.code), ...errorPayload(result.error) };
  if (delivery.answer.type === "relay") {
    host.relays.relay(delivery, delivery.answer.relocation, answer);
    return;
  }
  reply(host, delivery, { command: "reply", correlation: delivery.replyRouteId, ...answer });
}

/**
 * S18. A request says itself who held its session when it was accepted, so that the other ways are never needed. The answer is
 * for that run alone: a newer one may have given the same correlation to a request of its own (Q2).
 */
function reply(host: Host, { source, replyRouteId }: Delivery, command: Reply): void {
  const { nodeRid, nodeGeneration } = source;
  const way = replyWay({
    isLocal: nodeRid === host.self.nodeRid && nodeGeneration === host.self.nodeGeneration,
    atAcceptance: { ownerNodeRid: nodeRid, ownerNodeGeneration: nodeGeneration },
    current: undefined,
    lastOfDestroyed: undefined,
  });
  const unsent = (code: string): void =>
    host.config.log.write("warn", "reply.unsent", { code, correlation: replyRouteId });
  if (way.type === "none") {
    unsent("noWay");
    return;
  }
  const toGeneration = way.type === "local" ? host.self.nodeGeneration : way.owner.ownerNodeGeneration;
  const to = way.type === "local" ? host.self.nodeRid : way.owner.ownerNodeRid;
  host.links.send(to, command, { traffic: "data", toGeneration, onUnsent: ({ code }) => unsent(code) });
}

/** Tells the sender that its message was not run and will not be (`protocol.md` I2). */
export function refuse(host: Host, delivery: Delivery, code: RuntimeErrorCode, message: string): void {
  if (delivery.kind === "request") {
    answerRequest(host, delivery, { ok: false, error: new RuntimeError(code, message) });
    return;
  }
  const { high, low } = delivery.operation;
  if (host.stopped() || (high === 0n && low === 0n)) return;
  host.refusals.tell(delivery.source, { high, low }, code);
}

/** A refusal is the application's own text and a failed handler's is the runtime's; what was thrown may hold secrets and stays. */
function errorPayload(error: RuntimeError): { payload?: PayloadEnvelope } {
  if (error.code !== "rejected" && error.code !== "handlerFailed") return {};
  const data = encoder.encode(error.message).slice(0, MAX_ERROR_TEXT_BYTES);
  return { payload: { packetName: ERROR_PACKET, contentType: "text/plain", data } };
}
