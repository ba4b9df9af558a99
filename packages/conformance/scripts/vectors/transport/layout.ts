/** `docs/transport.md` laid out by hand, a second time: nothing here is taken from the transport. */
import { createHmac } from "node:crypto";
import type { JsonObject } from "../../../src/vectors/file.ts";
import * as b from "../bytes.ts";
import { hexOf, layOut } from "../layout.ts";

export const preface = b.bytes(0x52, 0x48, 0x4c, 0x01);
export const kinds = { open: 1, record: 2, acknowledge: 3, connection: 4, end: 5, challenge: 6, proof: 7 } as const;

export function unit(kind: number, ...body: readonly b.Bytes[]): b.Bytes {
  return b.join(b.u8(kind), b.measured(4, ...body));
}

/** The frames of a record of `wire.md`. */
export function framesOf(value: JsonObject): b.Bytes[] {
  return hexOf(layOut(value)).map(b.fromHex);
}

export function measuredFrames(frames: readonly b.Bytes[]): b.Bytes {
  return b.join(...frames.map((frame) => b.measured(4, frame)));
}

/** The fields of an `open`, by the names of the page. Bytes are hex, numbers are decimal. */
export interface OpenFields {
  readonly linkId?: string;
  readonly receivedThrough?: string;
  readonly attempt?: string;
  readonly maxRecordBytes?: number;
  readonly targetRid?: string;
  readonly targetGeneration?: string;
  readonly nonce?: string;
}

/** The body of an `open`. */
export function openBody(fields: OpenFields, frames: readonly b.Bytes[]): b.Bytes {
  const laid: readonly (readonly [id: number, value: b.Bytes | undefined])[] = [
    [1, fields.linkId === undefined ? undefined : b.fromHex(fields.linkId)],
    [2, fields.receivedThrough === undefined ? undefined : b.u64(fields.receivedThrough)],
    [3, fields.attempt === undefined ? undefined : b.u64(fields.attempt)],
    [4, fields.maxRecordBytes === undefined ? undefined : b.u32(fields.maxRecordBytes)],
    [5, fields.targetRid === undefined ? undefined : b.fromHex(fields.targetRid)],
    [6, fields.targetGeneration === undefined ? undefined : b.u64(fields.targetGeneration)],
    [7, fields.nonce === undefined ? undefined : b.fromHex(fields.nonce)],
  ];
  const present = laid.flatMap(([id, value]) => (value === undefined ? [] : [b.u8(id), b.measured(2, value)]));
  return b.join(b.measured(2, ...present), measuredFrames(frames));
}

export function record(number: number, ...frames: readonly b.Bytes[]): b.Bytes {
  return unit(kinds.record, b.u64(number), measuredFrames(frames));
}

export function acknowledge(number: number): b.Bytes {
  return unit(kinds.acknowledge, b.u64(number));
}

export function aboutConnection(value: JsonObject): b.Bytes {
  return unit(kinds.connection, measuredFrames(framesOf(value)));
}

export function diallerProof(secret: b.Bytes, challenge: b.Bytes, hello: b.Bytes): b.Bytes {
  return hmac(secret, b.join(b.utf8("rehome transport 1 dialler"), b.u8(0), challenge, hello));
}

export function acceptorProof(
  secret: b.Bytes,
  said: { readonly challenge: b.Bytes; readonly hello: b.Bytes; readonly admit: b.Bytes },
): b.Bytes {
  const label = b.join(b.utf8("rehome transport 1 acceptor"), b.u8(0));
  return hmac(secret, b.join(label, said.challenge, b.measured(4, said.hello), said.admit));
}

function hmac(secret: b.Bytes, message: b.Bytes): b.Bytes {
  return new Uint8Array(createHmac("sha256", secret).update(message).digest());
}
