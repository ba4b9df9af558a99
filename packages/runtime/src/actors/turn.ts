import type { Message } from "../api.ts";
import { asRuntimeError } from "../errors.ts";
import { assertSize, payloadOf, valueOf } from "../payload.ts";
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
  const failed = (error: unknown): void =>
    activation.host.config.observe({ type: "CallbackFailed", actorId: activation.actorId, callback: name, error });
  try {
    const result = run();
    return isThenable(result) ? result.then(() => undefined, failed) : undefined;
  } catch (error) {
    failed(error);
    return undefined;
  }
}

function runMessage(activation: Activation, delivery: Delivery): Promise<void> | undefined {
  const { actorId, definition } = activation;
  const name = delivery.payload.packetName;
  const handler = Object.hasOwn(definition.on, name) ? definition.on[name] : undefined;
  if (!handler) {
    refuse(activation.host, delivery, "handlerNotFound", `actor type "${definition.type}" has no handler "${name}"`);
    return undefined;
  }
  const settle = (result: Result): void => {
    if (delivery.kind === "request") answerRequest(activation.host, delivery, result);
    else if (!result.ok) {
      activation.host.config.observe({ type: "CallbackFailed", actorId, callback: `on.${name}`, error: result.error });
    }
  };
  const failed = (error: unknown): void =>
    settle({
      ok: false,
      error: asRuntimeError(error, "handlerFailed", `handler "${name}" of actor "${actorId}" failed`),
    });
  const answered = (value: unknown): void => {
    try {
      const payload = payloadOf(name, value);
      assertSize(payload, activation.host.config.limits.messageBytes);
      settle({ ok: true, payload });
    } catch (error) {
      failed(error);
    }
  };
  try {
    const value: unknown = handler(
      activation.context,
      valueOf(delivery.payload) as never,
      messageOf(activation, delivery),
    );
    if (isThenable(value)) return value.then(answered, failed);
    answered(value);
  } catch (error) {
    failed(error);
  }
  return undefined;
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
