import type { ReadAnswer, ScanAnswer } from "../ports/authority-store.ts";
import { readingOf, recordOf, standingReservation } from "./records.ts";
import type { AuthorityTables, PageBounds } from "./tables.ts";

/** The most records of one page of a scan, whatever was asked for: some 10 ms of reading on one core. */
export const MAX_SCAN_RECORDS = 1000;
/** The most payload bytes of one page, unless one record alone has more: a page is held in memory whole. */
export const MAX_SCAN_PAYLOAD_BYTES = 16 * 1024 * 1024;

/** `AuthorityStore.read`. */
export function read(tables: AuthorityTables, nowMs: number, key: string): ReadAnswer {
  const row = tables.object(key);
  return row === undefined ? { outcome: "absent" } : { outcome: "found", reading: readingOf(tables, row, nowMs) };
}

/** How long a page may become for which `limit` records were asked. */
export function pageBoundsOf(limit: number): PageBounds {
  return { rows: Math.min(limit, MAX_SCAN_RECORDS), payloadBytes: MAX_SCAN_PAYLOAD_BYTES };
}

/** `AuthorityStore.scan`. The cursor is the last key looked at. */
export function scan(
  tables: AuthorityTables,
  nowMs: number,
  of: { readonly prefix: string; readonly after: string | undefined; readonly bounds: PageBounds },
): ScanAnswer {
  const { rows, more } = tables.activeObjects(of.prefix, of.after, of.bounds);
  const records = rows.filter((row) => standingReservation(tables, row, nowMs) === undefined).map(recordOf);
  return { outcome: "page", records, cursor: more ? rows.at(-1)?.key : undefined };
}
