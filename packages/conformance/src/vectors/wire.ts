import { durableFromJson, encodeDurable, hexFromBytes, operationKey, WireError } from "@rehome/wire";
import { answerRequest } from "../codec-line/index.ts";
import type { VectorImplementation, VectorRequest } from "./protocol.ts";

/** What `rehome codec` answers to the request. */
function ask<Answer>(request: VectorRequest): Promise<Answer> {
  return Promise.resolve(answerRequest(request) as Answer);
}

/** This project's own codec, `@rehome/wire`: what `rehome codec` answers, and beyond it what that has no line for. */
export const wireImplementation: VectorImplementation = {
  encode: ask,
  decode: ask,
  identityKey: ask,
  authorityKey: ask,
  parseAuthorityKey: ask,
  crc32c: ask,
  durable: ask,
  scenario: ask,
  encodeDurable: ({ value }) =>
    new Promise((resolve) => {
      try {
        resolve({ hex: hexFromBytes(encodeDurable(durableFromJson(value))) });
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        const { code, field, message } = error;
        resolve({ error: { code, field, message } });
      }
    }),
  operationKey({ value }) {
    const { high, low } = value as { readonly high: string; readonly low: string };
    return Promise.resolve({ key: operationKey({ high: BigInt(high), low: BigInt(low) }) });
  },
};
