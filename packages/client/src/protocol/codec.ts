import { rehome } from "../generated/client.js";
import { assemblePacket } from "./assemble.ts";
import type {
  ClientFrame,
  ClientPacket,
  Failure,
  GatewayFrame,
  GatewayPacket,
  Outgoing,
  Payload,
  SessionLimits,
} from "./frames.ts";

const v1 = rehome.client.v1;

/** The content type that is left out on the wire, since nearly every payload has it. */
const DEFAULT_CONTENT_TYPE = "application/json";

/** Thrown by the decoders: the bytes are not a packet. The connection that they came on is of no further use. */
export class MalformedPacket extends Error {
  override readonly name = "MalformedPacket";
}

/** A numbered frame as bytes, to be kept until it is acknowledged and put into packets with `encodeClientPacket`. */
export function encodeClientFrame(frame: ClientFrame): Uint8Array {
  return v1.ClientFrame.encode(clientFrameOut(frame)).finish();
}

/** As {@link encodeClientFrame}, for the other direction. */
export function encodeGatewayFrame(frame: GatewayFrame): Uint8Array {
  return v1.GatewayFrame.encode(gatewayFrameOut(frame)).finish();
}

export function encodeClientPacket(packet: Outgoing<ClientPacket>): Uint8Array {
  const head = v1.ClientPacket.encode({
    first: packet.frames === undefined ? 0 : (packet.first ?? 0),
    acknowledged: packet.acknowledged ?? 0,
    hello: packet.hello ? { ...packet.hello, resume: packet.hello.resume ?? null } : null,
    pong: packet.pong === undefined ? null : { number: packet.pong },
    goodbye: packet.goodbye ? {} : null,
  }).finish();
  return assemblePacket(head, packet.frames);
}

export function encodeGatewayPacket(packet: Outgoing<GatewayPacket>): Uint8Array {
  const { welcome, refused } = packet;
  const head = v1.GatewayPacket.encode({
    first: packet.frames === undefined ? 0 : (packet.first ?? 0),
    acknowledged: packet.acknowledged ?? 0,
    welcome: welcome ? { ...welcome, limits: limitsOut(welcome.limits) } : null,
    refused: refused ? { failure: refused.failure, retryAfterMs: refused.retryAfterMs ?? null } : null,
    ping: packet.ping === undefined ? null : { number: packet.ping },
    goingAway: packet.goingAway ?? null,
  }).finish();
  return assemblePacket(head, packet.frames);
}

/** Throws {@link MalformedPacket}. What it returns owns its bytes. */
export function decodeClientPacket(bytes: Uint8Array): ClientPacket {
  const packet = decodeWith(v1.ClientPacket, bytes);
  const { hello } = packet;
  return {
    first: exact(packet.first),
    acknowledged: exact(packet.acknowledged),
    frames: packet.frames.map(clientFrameIn),
    hello: hello
      ? {
          protocolVersion: hello.protocolVersion ?? 0,
          token: hello.token ?? "",
          resume: hello.resume
            ? { session: owned(hello.resume.session), received: exact(hello.resume.received) }
            : undefined,
        }
      : undefined,
    pong: packet.pong ? (packet.pong.number ?? 0) : undefined,
    goodbye: packet.goodbye != null,
  };
}

/** Throws {@link MalformedPacket}. What it returns owns its bytes. */
export function decodeGatewayPacket(bytes: Uint8Array): GatewayPacket {
  const packet = decodeWith(v1.GatewayPacket, bytes);
  const { welcome, refused, goingAway } = packet;
  return {
    first: exact(packet.first),
    acknowledged: exact(packet.acknowledged),
    frames: packet.frames.map(gatewayFrameIn),
    welcome: welcome
      ? {
          protocolVersion: welcome.protocolVersion ?? 0,
          session: owned(welcome.session),
          resumed: welcome.resumed ?? false,
          limits: limitsIn(welcome.limits ?? {}),
        }
      : undefined,
    refused: refused
      ? {
          failure: failureIn(refused.failure),
          // The generated prototype says 0 for an absent number, so absence shows only as a missing own property.
          retryAfterMs: Object.hasOwn(refused, "retryAfterMs") ? (refused.retryAfterMs ?? undefined) : undefined,
        }
      : undefined,
    ping: packet.ping ? (packet.ping.number ?? 0) : undefined,
    goingAway: goingAway ? { deadlineMs: goingAway.deadlineMs ?? 0, spreadMs: goingAway.spreadMs ?? 0 } : undefined,
  };
}

function decodeWith<T>(type: { decode(bytes: Uint8Array): T }, bytes: Uint8Array): T {
  try {
    return type.decode(bytes);
  } catch (cause) {
    throw new MalformedPacket("The bytes are not a packet of client.proto.", { cause });
  }
}

function clientFrameOut(frame: ClientFrame): rehome.client.v1.ClientFrame.$Properties {
  switch (frame.kind) {
    case "bind": {
      const { binding, actorType, actorId } = frame;
      return { bind: { binding, actorType, actorId } };
    }
    case "unbind":
      return { unbind: { binding: frame.binding } };
    case "send":
      return { send: { binding: frame.binding, sequence: frame.sequence, payload: payloadOut(frame.payload) } };
    case "request": {
      const { binding, sequence, timeoutMs } = frame;
      return { request: { binding, sequence, payload: payloadOut(frame.payload), timeoutMs } };
    }
  }
}

function gatewayFrameOut(frame: GatewayFrame): rehome.client.v1.GatewayFrame.$Properties {
  const { binding } = frame;
  switch (frame.kind) {
    case "bound":
      return { bound: { binding, created: frame.created } };
    case "bindFailed":
      return { bindFailed: { binding, failure: frame.failure } };
    case "unbound":
      return { unbound: { binding } };
    case "push":
      return { push: { binding, payload: payloadOut(frame.payload) } };
    case "reply": {
      const { sequence, result } = frame;
      if (result.ok) return { reply: { binding, sequence, payload: payloadOut(result.payload) } };
      return { reply: { binding, sequence, failure: result.failure } };
    }
    case "sendRefused":
      return { sendRefused: { binding, sequence: frame.sequence, failure: frame.failure } };
    case "bindingLost":
      return { bindingLost: { binding, failure: frame.failure } };
  }
}

function clientFrameIn(frame: rehome.client.v1.ClientFrame.$Properties): ClientFrame {
  const { bind, unbind, send, request } = frame;
  if (send) return { kind: "send", ...messageIn(send), payload: payloadIn(send.payload) };
  if (request) {
    return {
      kind: "request",
      ...messageIn(request),
      payload: payloadIn(request.payload),
      timeoutMs: request.timeoutMs ?? 0,
    };
  }
  if (bind) {
    return {
      kind: "bind",
      binding: bind.binding ?? 0,
      actorType: bind.actorType ?? "",
      actorId: bind.actorId ?? "",
    };
  }
  if (unbind) return { kind: "unbind", binding: unbind.binding ?? 0 };
  throw new MalformedPacket("A frame is of no kind that is known here.");
}

function gatewayFrameIn(frame: rehome.client.v1.GatewayFrame.$Properties): GatewayFrame {
  const { bound, bindFailed, unbound, push, reply, sendRefused, bindingLost } = frame;
  if (push) return { kind: "push", binding: push.binding ?? 0, payload: payloadIn(push.payload) };
  if (reply) {
    const result = reply.payload
      ? ({ ok: true, payload: payloadIn(reply.payload) } as const)
      : ({ ok: false, failure: failureIn(reply.failure) } as const);
    return { kind: "reply", ...messageIn(reply), result };
  }
  if (sendRefused) return { kind: "sendRefused", ...messageIn(sendRefused), failure: failureIn(sendRefused.failure) };
  if (bound) return { kind: "bound", binding: bound.binding ?? 0, created: bound.created ?? false };
  if (unbound) return { kind: "unbound", binding: unbound.binding ?? 0 };
  if (bindFailed) {
    return { kind: "bindFailed", binding: bindFailed.binding ?? 0, failure: failureIn(bindFailed.failure) };
  }
  if (bindingLost) {
    return { kind: "bindingLost", binding: bindingLost.binding ?? 0, failure: failureIn(bindingLost.failure) };
  }
  throw new MalformedPacket("A frame is of no kind that is known here.");
}

function messageIn(message: { binding?: number | null; sequence?: number | null }) {
  return { binding: message.binding ?? 0, sequence: exact(message.sequence) };
}

function payloadOut(payload: Payload): rehome.client.v1.Payload.$Properties {
  const contentType = payload.contentType === DEFAULT_CONTENT_TYPE ? null : payload.contentType;
  return { name: payload.packetName, contentType, data: payload.data };
}

function payloadIn(payload: rehome.client.v1.Payload.$Properties | null | undefined): Payload {
  if (!payload) throw new MalformedPacket("A frame that needs a payload has none.");
  return {
    packetName: payload.name ?? "",
    contentType: Object.hasOwn(payload, "contentType")
      ? (payload.contentType ?? DEFAULT_CONTENT_TYPE)
      : DEFAULT_CONTENT_TYPE,
    data: owned(payload.data),
  };
}

function failureIn(failure: rehome.client.v1.Failure.$Properties | null | undefined): Failure {
  return { code: failure?.code ?? "", message: failure?.message ?? "" };
}

function limitsOut(limits: SessionLimits): rehome.client.v1.Limits.$Properties {
  return Object.fromEntries(
    Object.entries(limits).map(([name, value]: [string, number]) => [name, Number.isFinite(value) ? value : 0]),
  );
}

function limitsIn(limits: rehome.client.v1.Limits.$Properties): SessionLimits {
  const limit = (value: number | null | undefined): number => (value ? value : Infinity);
  return {
    maxMessageBytes: limit(limits.maxMessageBytes),
    windowFrames: limit(limits.windowFrames),
    framesPerSecond: limit(limits.framesPerSecond),
    burstFrames: limit(limits.burstFrames),
    resumeGraceMs: limits.resumeGraceMs ?? 0,
    silenceLimitMs: limit(limits.silenceLimitMs),
    maxBindings: limit(limits.maxBindings),
    maxOutstandingRequests: limit(limits.maxOutstandingRequests),
    maxRequestTimeoutMs: limit(limits.maxRequestTimeoutMs),
  };
}

/** What the decoder gives for a 64-bit field: typed as a number, in truth an object with two halves. */
function exact(value: number | null | undefined): number {
  const given: unknown = value ?? 0;
  const number = typeof given === "number" ? given : (given as { toNumber(): number }).toNumber();
  if (!Number.isSafeInteger(number)) throw new MalformedPacket("A number is too large.");
  return number;
}

/** A copy: what the decoder gives is a window into the message, and would keep all of it alive. */
function owned(bytes: Uint8Array | null | undefined): Uint8Array {
  return bytes ? new Uint8Array(bytes) : new Uint8Array(0);
}
