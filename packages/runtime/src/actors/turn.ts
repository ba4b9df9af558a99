import type { Message } from "../api.ts";
import { reportCallback } from "../callbacks.ts";
import { RuntimeError } from "../errors.ts";
import { payloadOf, sizeFault, valueOf, type Payload } from "../payload.ts";
import type { Activation } from "./activation.ts";
import { answerRequest, refuse, type Result } from "./answers.ts";
import { boundSession } from "./context.ts";
import { GONE_PACKET, type Delivery, type MailboxItem } from "./delivery.ts";

/**
 * Runs one turn. Never throws and never rejects: a handler's error is the answer of a request, and a report otherwise.
 * Gives `undefined` when the turn has already ended, so that synchronous handlers cost no promise.
 */
export function runItem(activation: Activation, item: MailboxItem): Promise<void> | undefined {
  const { definition, context } = activation;
  switch (item.type) {
    case "message":
      return item.payload.packetName === GONE_PACKET ? undefined : runMessage(activation, item);
    case "joinAnswer":
      return callback(activation, "onJoin", () => definition.onJoin?.(context, item.result));
    case "bound":
      return callback(activation, "onBind", () => definition.onBind?.(context, boundSession(activation, item.session)));
    case "unbound":
      return callback(activation, "onUnbind", () => definition.onUnbind?.(context, { sessionRid: item.sessionRid }));
    case "timer":
      return callback(activation, "onTimer", () => definition.onTimer?.(context, item.name));
  }
}

function callback(activation: Activation, name: string, run: () => unknown): Promise<void> | undefined {
  const { actorId, host } = activation;
  const failed = (error: unknown): void => reportCallback(host.config, actorId, name, error);
  try {
    const result = run();
    return isThenable(result) ? result.then(() => undefined, failed) : undefined;
  } catch (error) {
    failed(error);
    return undefined;
  }
}

function runMessage(activation: Activation, delivery: Delivery): Promise<void> | undefined {
  const { actorId, definition, host } = activation;
  const name = delivery.payload.packetName;
  const handler = Object.hasOwn(definition.on, name) ? definition.on[name] : undefined;
  if (!handler) {
    refuse(host, delivery, "handlerNotFound", `actor type "${definition.type}" has no handler "${name}"`);
    return undefined;
  }
  const isRequest = delivery.kind === "request";
  const settle = (result: Result): void => {
    const isRefusal = isRequest && !result.ok && result.error.code === "rejected";
    if (!result.ok && !isRefusal) reportCallback(host.config, actorId, `on.${name}`, result.error);
    if (isRequest) answerRequest(host, delivery, result);
  };
  const failed = (cause: unknown): void => settle({ ok: false, error: failureOf(activation, name, cause) });
  // What the handler of a one-way message gives is nobody's.
  const answered = (given: unknown): void => (isRequest ? settle(answerOf(activation, name, given)) : undefined);
  let value: unknown;
  try {
    value = valueOf(delivery.payload);
  } catch (error) {
    settle({ ok: false, error: error as RuntimeError });
    return undefined;
  }
  try {
    const given: unknown = handler(activation.context, value as never, messageOf(activation, delivery));
    if (isThenable(given)) return given.then(answered, failed);
    answered(given);
  } catch (error) {
    failed(error);
  }
  return undefined;
}

/**
 * Of what a handler throws only a refusal is an answer. Another code would speak of some other call's fate as if it were this
 * request's, and a requester that takes its message for not run sends it again (`protocol.md` I3).
 */
function failureOf({ actorId }: Activation, name: string, cause: unknown): RuntimeError {
  if (cause instanceof RuntimeError && cause.code === "rejected") return cause;
  return new RuntimeError("handlerFailed", `handler "${name}" of actor "${actorId}" failed`, { cause });
}

function answerOf({ actorId, host }: Activation, name: string, given: unknown): Result {
  let payload: Payload;
  try {
    payload = payloadOf(name, given);
  } catch (cause) {
    const message = `handler "${name}" of actor "${actorId}" returned something that cannot be sent: JSON has no form of it`;
    return { ok: false, error: new RuntimeError("handlerFailed", message, { cause }) };
  }
  const error = sizeFault(payload, host.config.limits.messageBytes);
  return error ? { ok: false, error } : { ok: true, payload };
}

function messageOf(activation: Activation, delivery: Delivery): Message {
  const { source } = delivery;
  const bound =
    source.kind === "boundSession" ? activation.bindings.find(source.nodeRid, source.sessionRid) : undefined;
  return {
    name: delivery.payload.packetName,
    kind: delivery.kind,
    session: bound && boundSession(activation, bound),
  };
}

function isThenable(value: unknown): value is Promise<unknown> {
  return (
    value instanceof Promise ||
    (typeof value === "object" && value !== null && "then" in value && typeof value.then === "function")
  );
}
