/** Refused records laid out by hand: what their cases share. */
import { envelope, frame, join, rid, text16, text8, toHex, u64, u8, union16, utf8, type Bytes } from "../bytes.ts";
import type { ErrorCode, InvalidFrames } from "../../../src/vectors/file.ts";

export interface Fault {
  readonly id: string;
  readonly note: string;
  readonly frames: readonly Bytes[];
  readonly code: ErrorCode;
  readonly field?: string;
  readonly operation?: string;
}

export function invalidFrames(faults: readonly Fault[]): InvalidFrames[] {
  return faults.map(({ frames, code, field, operation, ...named }) => ({
    ...named,
    frames: frames.map(toHex),
    ...(operation === undefined ? {} : { operation }),
    code,
    ...(field === undefined ? {} : { field }),
  }));
}

export type Tail = readonly [code: ErrorCode, field?: string];
export const fault = (id: string, note: string, frames: readonly Bytes[], [code, field]: Tail): Fault => ({
  id,
  note,
  frames,
  code,
  ...(field === undefined ? {} : { field }),
});

// Composites of `wire.md` section 2, by hand.
export const relocation = join(u64(7), u64(9));
export const coordinator = join(text8("coordinator"), u64(3), rid("source"), u64(2), text16("store-v17"));
export const actorRef = join(text8("actor-1"), u64(5));
export const spotRef = join(text8("spot-1"), u64(14));
export const actorFence = join(actorRef, rid("source"), u64(2), u64(11), u64(13));
export const spotFence = join(spotRef, rid("spot-node"), u64(15), u64(16), u64(17));
export const session = join(rid("source"), u64(2), text8("session-owner"), u64(8), rid("session"), u64(6));
export const target = join(rid("target"), u64(4), text8("target-owner"), u64(18));
export const object = union16(1, text8("actor-1"), u64(5), u64(11));
export const payload = envelope("move", "application/json", utf8('{"x":1}'));

/** Frame 0 of a 24 without source and session tail. */
export const send = (flags: number, ...rest: readonly Bytes[]): Bytes =>
  frame(24, flags, u64(0), u64(0), u8(0), u8(0), actorFence, ...rest);
export const lookup = (...body: readonly Bytes[]): Bytes => frame(26, 0, ...body);
export const seal = (...fromRole: readonly Bytes[]): Bytes => frame(42, 0, relocation, coordinator, ...fromRole);
export const route = (role: number, ...update: readonly Bytes[]): Bytes =>
  frame(44, 0, relocation, coordinator, u8(role), actorRef, session, ...update);
export const commit = (previous: number, next: number, ...last: readonly Bytes[]): Bytes =>
  union16(1, u64(previous), u64(next), rid("target"), u64(4), ...last);
export const abort = union16(2, u64(11));
