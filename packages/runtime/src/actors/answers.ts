import type { PayloadEnvelope } from "@rehome/wire";
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
  host.links.send(
    delivery.source.nodeRid,
    { command: "reply", correlation: delivery.replyRouteId, ...answer },
    {
      traffic: "data",
      onUnsent: (error) =>
        host.config.log.write("warn", "reply.unsent", { code: error.code, correlation: delivery.replyRouteId }),
    },
  );
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

/** Only what the application itself said goes to the other side; an unexpected error's text may hold secrets. */
function errorPayload(error: RuntimeError): { payload?: PayloadEnvelope } {
  if (error.code !== "rejected") return {};
  const data = encoder.encode(error.message).slice(0, MAX_ERROR_TEXT_BYTES);
  return { payload: { packetName: ERROR_PACKET, contentType: "text/plain", data } };
}
