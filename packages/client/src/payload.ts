import { ClientError } from "./errors.ts";
import type { Payload } from "./protocol/frames.ts";

const JSON_TYPE = "application/json";
const BYTES_TYPE = "application/octet-stream";
const NOTHING_TYPE = "application/x-empty";

/** How values become bytes and back. Both ends of an application have to agree on it. */
export interface PayloadCodec {
  /** Throws when the value cannot be encoded. */
  encode(value: unknown): { readonly contentType: string; readonly data: Uint8Array };
  /** Throws when the bytes cannot be decoded. */
  decode(contentType: string, data: Uint8Array): unknown;
}

interface TextCoders {
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly TextDecoder: new (label: string, options: { fatal: boolean }) => { decode(bytes: Uint8Array): string };
}
const { TextEncoder, TextDecoder } = globalThis as unknown as TextCoders;
const toUtf8 = new TextEncoder();
const fromUtf8 = new TextDecoder("utf-8", { fatal: true });

/** As the runtime's: `undefined` travels as nothing, a `Uint8Array` as bytes, everything else as JSON. */
export const defaultCodec: PayloadCodec = {
  encode(value) {
    if (value === undefined) return { contentType: NOTHING_TYPE, data: new Uint8Array(0) };
    if (value instanceof Uint8Array) return { contentType: BYTES_TYPE, data: value };
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) throw new TypeError(`A ${typeof value} has no JSON form.`);
    return { contentType: JSON_TYPE, data: toUtf8.encode(text) };
  },
  decode(contentType, data) {
    if (contentType === NOTHING_TYPE) return undefined;
    return contentType === JSON_TYPE ? (JSON.parse(fromUtf8.decode(data)) as unknown) : data;
  },
};

/** The most bytes a message name, actor type or actor id may have. */
export const MAX_NAME_BYTES = 255;

/** Half of a pair alone: UTF-8 has no bytes for it, and a gateway ends the connection over what is sent instead. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Throws `invalidArgument` unless it is 1–255 bytes of well-formed text without NUL. */
export function checkName(what: string, name: string): void {
  if (typeof name !== "string" || name.length === 0 || name.includes("\0")) {
    throw new ClientError("invalidArgument", `${what} must be a text that is not empty and has no NUL in it.`);
  }
  if (LONE_SURROGATE.test(name)) {
    throw new ClientError(
      "invalidArgument",
      `${what} must be well-formed text: there is half of a surrogate pair in it.`,
    );
  }
  if (name.length * 3 > MAX_NAME_BYTES && toUtf8.encode(name).length > MAX_NAME_BYTES) {
    throw new ClientError("invalidArgument", `${what} must have at most ${MAX_NAME_BYTES} bytes of UTF-8.`);
  }
}

/** A named message. Throws `invalidArgument`. */
export function payloadOf(codec: PayloadCodec, name: string, value: unknown): Payload {
  checkName("The name of a message", name);
  if (name.startsWith("~")) {
    throw new ClientError("invalidArgument", `The name "${name}" begins with "~": those are the system's own.`);
  }
  let encoded: ReturnType<PayloadCodec["encode"]>;
  try {
    encoded = codec.encode(value);
  } catch (cause) {
    throw new ClientError("invalidArgument", `The value of "${name}" cannot be encoded.`, { cause });
  }
  checkName("The content type of a message", encoded.contentType);
  return { packetName: name, contentType: encoded.contentType, data: encoded.data };
}

/** The value of a message that came. Throws `invalidPayload`. */
export function valueOf(codec: PayloadCodec, payload: Payload): unknown {
  try {
    return codec.decode(payload.contentType, payload.data);
  } catch (cause) {
    const what = `${payload.packetName} (${payload.contentType}, ${payload.data.length} bytes)`;
    throw new ClientError("invalidPayload", `The message ${what} cannot be decoded.`, { cause });
  }
}
