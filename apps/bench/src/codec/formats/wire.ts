import { decodeRecord, encodeRecord } from "@rehome/wire";
import { asBenchCommand } from "../records.ts";
import type { Format } from "./format.ts";

/** This project's codec, through its public functions and with all that they check. */
export const wireFormat: Format<readonly Uint8Array[]> = {
  encode: encodeRecord,
  decode: (frames) => asBenchCommand(decodeRecord(frames)),
  received: (frames) => frames.map((frame) => new Uint8Array(frame)),
  size: (frames) => frames.reduce((sum, frame) => sum + frame.length, 0),
};
