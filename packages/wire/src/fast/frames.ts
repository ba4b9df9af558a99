/** The frames behind frame 0, in the fast encoder. */
import type { Metadata, PayloadEnvelope } from "../values/composites.ts";
import { payloadEnvelopeBound, writePayloadEnvelope } from "./generated/frozen-writers.ts";
import { begin, blobLength, done, metadata, metadataBound } from "./output.ts";

/** What a value must not carry where its command does not allow it. */
export interface Extras {
  readonly command: string;
  readonly metadata?: unknown;
  readonly sessionTail?: unknown;
  readonly payload?: unknown;
}

export function metadataFrame(entries: Metadata): Uint8Array {
  begin(metadataBound);
  metadata(entries);
  return done();
}

export function payloadFrame(payload: PayloadEnvelope): Uint8Array {
  begin(payloadEnvelopeBound + blobLength(payload.data));
  writePayloadEnvelope(payload);
  return done();
}
