/** What must hold of any bytes, any key and any value, sound or not. */
import {
  crc32c,
  decodeDurable,
  decodeFrozenRecord,
  decodeMetadata,
  decodePayloadEnvelope,
  decodeRecord,
  encodeDurable,
  encodeFrozenRecord,
  encodeMetadata,
  encodePayloadEnvelope,
  encodeRecord,
  fromJson,
  parseAuthorityKey,
  actorAuthorityKey,
  spotAuthorityKey,
  toJson,
  traceRecord,
  WireError,
  type OperationKind,
} from "@rehome/wire";
import { errorCodes } from "@rehome/conformance/vectors";

/** How a case ended: accepted, or refused with this code. */
export type Verdict = "accepted" | (typeof errorCodes)[number];

/** Something that no bytes and no value may bring about. */
export class Finding extends Error {
  override readonly name = "Finding";
}

const knownCodes: ReadonlySet<string> = new Set(errorCodes);

/** A record is refused with the one error, or decoded to a value that is encoded to the same bytes. */
export function judgeRecord(frames: readonly Uint8Array[], operation: OperationKind | undefined): Verdict {
  return judged(frames, () => {
    const value = decodeRecord(frames, { operationOf: () => operation });
    const again = encodeRecord(value);
    if (again.length !== frames.length) throw new Finding(`${frames.length} frames became ${again.length}`);
    for (const [index, frame] of again.entries()) demandSame(frame, frames[index]!, `frame ${index}`);
  });
}

/** Beyond {@link judgeRecord}: the JSON form loses nothing, and the trace gives the same verdict on every byte. */
export function judgeForms(
  frames: readonly Uint8Array[],
  operation: OperationKind | undefined,
  verdict: Verdict,
): void {
  const { rows, error } = traceRecord(frames, { operationOf: () => operation });
  if ((error?.code ?? "accepted") !== verdict) throw new Finding(`decoded: ${verdict}, traced: ${error?.code}`);
  for (const { frame, offset, length, field } of rows) {
    if (offset + length > frames[frame]!.length) throw new Finding(`the trace shows ${field} past the frame`);
  }
  if (verdict !== "accepted") return;
  const value = decodeRecord(frames, { operationOf: () => operation });
  const json = JSON.stringify(toJson(value));
  const again = encodeRecord(fromJson(JSON.parse(json)));
  for (const [index, frame] of again.entries()) demandSame(frame, frames[index]!, `frame ${index} by way of JSON`);
}

/** The parts that can also stand alone. */
export function judgePart(bytes: Uint8Array): Verdict {
  judged([bytes], () => demandSame(encodeFrozenRecord(decodeFrozenRecord(bytes)), bytes, "the frozen record"));
  judged([bytes], () => demandSame(encodeMetadata(decodeMetadata(bytes)), bytes, "the metadata"));
  return judged([bytes], () => demandSame(encodePayloadEnvelope(decodePayloadEnvelope(bytes)), bytes, "the payload"));
}

/** Durable envelopes; with the checksum made right, so that what is behind it is read, too. */
export function judgeDurable(bytes: Uint8Array): Verdict {
  const verdict = judged([bytes], () => demandSame(encodeDurable(decodeDurable(bytes)), bytes, "the envelope"));
  if (verdict !== "checksum-mismatch") return verdict;
  const repaired = bytes.slice();
  const view = new DataView(repaired.buffer);
  view.setUint32(repaired.length - 4, crc32c(repaired.subarray(0, -4)));
  return judged([repaired], () => demandSame(encodeDurable(decodeDurable(repaired)), repaired, "the envelope"));
}

/** A key is refused, or it is the only spelling of what it names. */
export function judgeKey(key: string): Verdict {
  return judged([], () => {
    const { kind, id } = parseAuthorityKey(key);
    const again = kind === "actor" ? actorAuthorityKey(id) : spotAuthorityKey(id);
    if (again !== key) throw new Finding(`${key} became ${again}`);
  });
}

/** A JSON value is refused, or what is encoded can be decoded, and to what is encoded alike. */
export function judgeValue(json: unknown): Verdict {
  return judged(undefined, () => {
    const value = fromJson(json);
    const verdict = judgeRecord(encodeRecord(value), value.command === "reply" ? value.tail?.operation : undefined);
    if (verdict !== "accepted") throw new Finding(`encoded, but then refused: ${verdict}`);
  });
}

/** `frames` are those that an error's offset has to be in; `undefined` where no frame was read. */
function judged(frames: readonly Uint8Array[] | undefined, run: () => void): Verdict {
  try {
    run();
    return "accepted";
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    if (!knownCodes.has(error.code)) throw new Finding(`there is no code ${error.code}`);
    if (typeof error.field !== "string" || error.field === "") throw new Finding(`${error.code} names no field`);
    const { offset } = error;
    if (offset !== undefined && frames !== undefined) {
      const longest = frames.reduce((length, frame) => Math.max(length, frame.length), 0);
      const isWithin = Number.isInteger(offset) && offset >= 0 && offset <= longest;
      if (!isWithin) throw new Finding(`${error.code} at byte ${offset} of ${longest}`);
    }
    return error.code;
  }
}

function demandSame(actual: Uint8Array, expected: Uint8Array, what: string): void {
  if (actual.length !== expected.length) throw new Finding(`${what}: ${expected.length} bytes became ${actual.length}`);
  for (let at = 0; at < actual.length; at++) {
    if (actual[at] !== expected[at]) throw new Finding(`${what}: byte ${at} became another`);
  }
}
