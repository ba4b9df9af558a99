import { appendFileSync, readFileSync } from "node:fs";
import type { AuthorityRecord, OwnerLease } from "@rehome/core";

/** What of a record the judge needs. Generations are text, as in JSON. */
export interface SeenRecord {
  readonly key: string;
  readonly storeVersion: string;
  readonly state: AuthorityRecord["state"];
  readonly objectGeneration: string;
  readonly authorityOwnerGeneration: string;
  readonly owner: SeenLease;
}

/** `ownerId` and `ownerLeaseGeneration` in one text: no two leases have the same. */
export type SeenLease = string;

/** One call that a contender made, as the store answered it. Times are the machine's own, in ms, the same in all processes. */
export interface JournalLine {
  readonly call:
    | "acquire"
    | "renew"
    | "describe"
    | "read"
    | "reserve"
    | "abortCreate"
    | "commitCreate"
    | "commit"
    | "fence"
    | "publish"
    | "destroy";
  readonly outcome: string;
  /** Before the call was made, and after its answer was there. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Under which it was made; of `acquire`, the one that it got. */
  readonly lease?: SeenLease;
  /** What the answer showed. */
  readonly records: readonly SeenRecord[];
  /** Of `acquire` and `renew`. */
  readonly durationMs?: number;
  /** Of `acquire`: the node and its generation in one text. */
  readonly run?: string;
  /** Of `read`: what the answer said of the owner's lease. */
  readonly ownerLeaseLive?: boolean;
  /** Of `reserve`: it takes the place of an owner whose lease has ended. */
  readonly replacesLostOwner?: boolean;
}

export function seenLease(lease: OwnerLease): SeenLease {
  return `${lease.ownerId}#${lease.ownerLeaseGeneration}`;
}

export function seenRecord(record: AuthorityRecord): SeenRecord {
  return {
    key: record.key,
    storeVersion: record.storeVersion,
    state: record.state,
    objectGeneration: record.objectGeneration.toString(),
    authorityOwnerGeneration: record.authorityOwnerGeneration.toString(),
    owner: seenLease(record.owner),
  };
}

/** Written at once: a process that is killed has said everything that it was told. */
export function appendLine(path: string, line: JournalLine): void {
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/** All whole lines of a journal; one of a process that was killed may end in half a line. */
export function readJournal(path: string): JournalLine[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line) as JournalLine);
}
