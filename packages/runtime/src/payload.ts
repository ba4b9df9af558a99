import type { PayloadEnvelope } from "@rehome/wire";
import { RuntimeError } from "./errors.ts";
import { assertMessageName, assertName } from "./names.ts";

/** A named message body: what a handler is chosen by, what the bytes are, the bytes. */
export type Payload = PayloadEnvelope;

const JSON_TYPE = "application/json";
const BYTES_TYPE = "application/octet-stream";
const NOTHING_TYPE = "application/x-empty";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Makes a payload of a value: `undefined` travels as nothing, a `Uint8Array` as bytes, everything else as JSON.
 * Throws `invalidArgument` when JSON cannot hold the value (a bigint, a cycle, a function), or the name cannot travel or is one
 * of the protocol's own.
 */
export function payloadOf(name: string, value?: unknown): Payload {
  assertMessageName(name);
  if (value === undefined) return emptyPayload(name);
  if (value instanceof Uint8Array) return { packetName: name, contentType: BYTES_TYPE, data: value };
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new RuntimeError("invalidArgument", `the value of "${name}" cannot be written as JSON`, { cause });
  }
  if (text === undefined) throw new RuntimeError("invalidArgument", `the value of "${name}" cannot be written as JSON`);
  return { packetName: name, contentType: JSON_TYPE, data: encoder.encode(text) };
}

/** A message of a name alone, which may be the protocol's own. */
export function emptyPayload(packetName: string): Payload {
  return { packetName, contentType: NOTHING_TYPE, data: new Uint8Array(0) };
}

/** Throws `invalidArgument` for what is no message that user code may send. */
export function assertPayload(payload: Partial<Payload> | undefined): void {
  assertMessageName(payload?.packetName);
  assertName("a message's contentType", payload?.contentType);
  if (payload?.data instanceof Uint8Array) return;
  throw new RuntimeError("invalidArgument", `the data of "${payload?.packetName}" must be a Uint8Array; use payloadOf`);
}

/**
 * The value that `payloadOf` was given; for other content types the bytes as they are.
 * Throws `protocolError` when the bytes are not what their content type says.
 */
export function valueOf(payload: Payload): unknown {
  if (payload.contentType === NOTHING_TYPE) return undefined;
  if (payload.contentType !== JSON_TYPE) return payload.data;
  try {
    return JSON.parse(decoder.decode(payload.data)) as unknown;
  } catch (cause) {
    throw new RuntimeError("protocolError", `the payload of "${payload.packetName}" is not valid JSON`, { cause });
  }
}

/** What `capture` gave, as it travels. Throws `invalidArgument` for nothing where there is a state: a forgotten `return`. */
export function statePayload(state: unknown, captured: unknown): Payload {
  if (captured === undefined && state !== undefined) {
    throw new RuntimeError("invalidArgument", "capture gave nothing; it has to return the state");
  }
  return payloadOf("state", captured);
}

/** What `restore` gave. Throws `invalidArgument` when it gave nothing for something. */
export function restoredState(captured: unknown, state: unknown): unknown {
  if (state === undefined && captured !== undefined) {
    throw new RuntimeError("invalidArgument", "restore gave nothing; it has to return the state");
  }
  return state;
}

/** `tooLarge` for a payload that no record can carry. */
export function sizeFault({ packetName, data }: Payload, maxBytes: number): RuntimeError | undefined {
  if (data.length <= maxBytes) return undefined;
  const message = `"${packetName}" has ${data.length} bytes, more than the ${maxBytes} of limits.messageBytes`;
  return new RuntimeError("tooLarge", message);
}

/** Throws {@link sizeFault}'s error. */
export function assertSize(payload: Payload, maxBytes: number): void {
  const fault = sizeFault(payload, maxBytes);
  if (fault) throw fault;
}
