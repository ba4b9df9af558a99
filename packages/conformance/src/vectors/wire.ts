import {
  actorAuthorityKey,
  crc32c,
  decodeDurable,
  decodeRecord,
  durableFromJson,
  durableToJson,
  encodeDurable,
  encodeRecord,
  fromJson,
  operationKey,
  parseAuthorityKey,
  sessionRelocationKey,
  spotAuthorityKey,
  toJson,
  WireError,
  type Command,
  type OperationKind,
} from "@rehome/wire";
import type { JsonObject } from "./file.ts";
import type { ErrorAnswer, VectorAnswer, VectorImplementation } from "./protocol.ts";

/** This project's own codec, `@rehome/wire`, as the vectors ask it. */
export const wireImplementation: VectorImplementation = {
  encode: ({ value }) => answer(() => ({ frames: encodeRecord(fromJson(value)).map(hexFromBytes) })),
  decode: ({ frames, operation }) =>
    answer(() => {
      const command = decodeRecord(frames.map(bytesFromHex), { operationOf: () => operation as OperationKind });
      return { value: toJson(command) as JsonObject };
    }),
  identityKey: ({ value }) =>
    answer(() => {
      const command = fromJson(value) as Extract<Command, { readonly command: "sessionRelocationSeal" }>;
      return { key: sessionRelocationKey(command) };
    }),
  authorityKey: ({ kind, id }) =>
    answer(() => ({ key: kind === "actor" ? actorAuthorityKey(id) : spotAuthorityKey(id) })),
  parseAuthorityKey: ({ key }) =>
    answer(() => {
      const { kind, id } = parseAuthorityKey(key);
      return { kind, id };
    }),
  crc32c: ({ hex }) =>
    answer(() => ({ crc32c: hex.reduce((previous, piece) => crc32c(bytesFromHex(piece), previous), 0) })),
  durable: ({ hex }) => answer(() => durableToJson(decodeDurable(bytesFromHex(hex))) as JsonObject),
  encodeDurable: ({ value }) => answer(() => ({ hex: hexFromBytes(encodeDurable(durableFromJson(value))) })),
  operationKey: ({ value }) =>
    answer(() => {
      const { high, low } = value as { readonly high: string; readonly low: string };
      return { key: operationKey({ high: BigInt(high), low: BigInt(low) }) };
    }),
};

/** What the codec gives or refuses. Anything else that it throws is a defect, and stays one. */
function answer<Result extends object>(give: () => Result): Promise<VectorAnswer<Result>> {
  return new Promise((resolve) => {
    try {
      resolve(give());
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      resolve(errorAnswer(error));
    }
  });
}

function errorAnswer({ code, field, offset, message }: WireError): ErrorAnswer {
  return { error: { code, field, ...(offset === undefined ? {} : { offset }), message } };
}

function hexFromBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesFromHex(hex: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw new TypeError("bytes are lowercase hex, two digits each");
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}
