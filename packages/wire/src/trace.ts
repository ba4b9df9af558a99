import { WireError } from "./error.ts";
import { plainDecodeRecord } from "./plain/record.ts";
import type { OperationOf, TraceRow } from "./plain/reader.ts";

/** What a record's bytes are, piece by piece, as far as they could be read. */
export interface Trace {
  readonly rows: readonly TraceRow[];
  /** Why reading ended early. */
  readonly error: WireError | undefined;
}

/** Reads a record for people: every field with its place. It never throws for what the bytes are. */
export function traceRecord(
  frames: readonly Uint8Array[],
  options: { readonly operationOf?: OperationOf } = {},
): Trace {
  const rows: TraceRow[] = [];
  try {
    plainDecodeRecord(frames, options.operationOf, rows);
    return { rows, error: undefined };
  } catch (error) {
    if (error instanceof WireError) return { rows, error };
    throw error;
  }
}
