/** What is measured, by the names in the tables. The first contender of each operation is this project's. */
export const operations = { roundTrip: "round trip", pipelined: "pipelined" } as const;

/** A record of a few fields, and the largest that is still one of many. */
export const inputs: Readonly<Record<string, number>> = { "168 B": 168, "16 KiB": 16 * 1024 };

export const contenders = {
  rehome: "rehome",
  /** Records gathered into one buffer, and written once for each read and each turn. */
  batched: "bare, batched",
  /** One write for each record. */
  single: "bare, a write each",
} as const;

/** The records that are under way at once: 1 MiB of large ones, and enough small ones to fill a few writes. */
export function windowOf(operation: string, recordBytes: number): number {
  if (operation === operations.roundTrip) return 1;
  return Math.min(1024, Math.max(64, (1024 * 1024) / recordBytes));
}
