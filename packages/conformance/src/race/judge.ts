import type { JournalLine, SeenLease, SeenRecord } from "./journal.ts";

/** One state of one key in the store's own history, in the order in which the store wrote them. */
export type HistoryEntry = Omit<SeenRecord, "state">;

/** Stores round their clocks, and clocks of one machine may differ in pace by a hair. */
const CLOCK_TOLERANCE_MS = 5;

/** Answers that say that a write has been done by this very call. */
const DONE = new Set(["reserved", "committed", "fenced", "published"]);
const SUCCEEDED = new Set([...DONE, "renewed", "described", "destroyed"]);

/**
 * What all contenders were told, held against the rules: each actor has one owner at a time (I1), generations only rise, no
 * version and no generation is handed to two, nobody takes over before a lease has ended (L3), and a lease that has
 * ended does not come back (L1). One sentence per breach.
 */
export function judgeRace(lines: readonly JournalLine[]): string[] {
  return [
    ...repeatedVersions(lines),
    ...sharedGenerations(lines),
    ...fallingGenerations(lines),
    ...foreignWrites(lines),
    ...earlyEnds(lines),
    ...revivedLeases(lines),
    ...outlivedLeases(lines),
    ...repeatedRuns(lines),
  ];
}

function repeatedVersions(lines: readonly JournalLine[]): string[] {
  const seen = new Set<string>();
  const breaches: string[] = [];
  for (const line of lines.filter((one) => DONE.has(one.outcome))) {
    for (const { key, storeVersion } of line.records) {
      const version = `${key} ${storeVersion}`;
      if (seen.has(version)) breaches.push(`version ${storeVersion} of ${key} was written twice`);
      seen.add(version);
    }
  }
  return breaches;
}

/** A reserved generation belongs to whoever reserved it, and no other ever. */
function sharedGenerations(lines: readonly JournalLine[]): string[] {
  const owners = new Map<string, SeenLease>();
  const breaches: string[] = [];
  for (const { records } of lines) {
    for (const record of records) {
      const generation = `${record.key} ${record.authorityOwnerGeneration}`;
      const owner = owners.get(generation) ?? record.owner;
      owners.set(generation, owner);
      if (owner !== record.owner) {
        breaches.push(`generation ${generation} belongs to ${owner} and to ${record.owner}`);
      }
    }
  }
  return breaches;
}

/** Whoever asks after an answer was given hears nothing older. */
function fallingGenerations(lines: readonly JournalLine[]): string[] {
  const seenOf = new Map<string, Sighting[]>();
  for (const line of lines) {
    for (const record of line.records) {
      // A reservation that comes to nothing leaves the older generation in place.
      if (record.state === "reserved") continue;
      const seen = seenOf.get(record.key) ?? [];
      seenOf.set(record.key, seen);
      const { authorityOwnerGeneration, objectGeneration } = record;
      const generations = [BigInt(authorityOwnerGeneration), BigInt(objectGeneration)] as const;
      seen.push({ fromMs: line.fromMs, toMs: line.toMs, generations });
    }
  }
  return [...seenOf].flatMap(([key, seen]) => fallsOf(key, seen));
}

interface Sighting {
  readonly fromMs: number;
  readonly toMs: number;
  readonly generations: readonly [authority: bigint, object: bigint];
}

function fallsOf(key: string, seen: readonly Sighting[]): string[] {
  const breaches: string[] = [];
  const ended = [...seen].sort((one, other) => one.toMs - other.toMs);
  const begun = [...seen].sort((one, other) => one.fromMs - other.fromMs);
  const highest: [bigint, bigint] = [0n, 0n];
  let next = 0;
  for (const { fromMs, generations } of begun) {
    for (; next < ended.length && ended[next]!.toMs < fromMs; next++) {
      for (const index of [0, 1] as const) {
        const generation = ended[next]!.generations[index];
        if (generation > highest[index]) highest[index] = generation;
      }
    }
    for (const index of [0, 1] as const) {
      if (generations[index] >= highest[index]) continue;
      breaches.push(`${key} fell from generation ${highest[index]} to ${generations[index]}`);
    }
  }
  return breaches;
}

/** What an owner wrote it owns. */
function foreignWrites(lines: readonly JournalLine[]): string[] {
  const owning = new Set(["reserved", "committed", "alreadyCommitted", "published"]);
  const breaches: string[] = [];
  for (const line of lines.filter((one) => owning.has(one.outcome))) {
    for (const { key, owner } of line.records) {
      if (owner !== line.lease) breaches.push(`${line.call} of ${key} by ${line.lease} left it with ${owner}`);
    }
  }
  return breaches;
}

/**
 * The store said that a lease had ended, so no renewal of it may have been younger than it was long: it counts from when it was
 * asked for at the earliest, and the end was seen when the answer was there at the latest.
 */
function earlyEnds(lines: readonly JournalLine[]): string[] {
  const standsUntil = new Map<SeenLease, number>();
  for (const { call, outcome, lease, fromMs, durationMs } of lines) {
    if (lease === undefined || !["acquire", "renew"].includes(call) || !["acquired", "renewed"].includes(outcome))
      continue;
    standsUntil.set(lease, Math.max(standsUntil.get(lease) ?? 0, fromMs + durationMs!));
  }
  return saidEnded(lines)
    .filter(({ lease, atMs }) => atMs + CLOCK_TOLERANCE_MS < (standsUntil.get(lease) ?? 0))
    .map(({ lease, how }) => `${lease} was said to have ended (${how}) while it stood`);
}

function saidEnded(
  lines: readonly JournalLine[],
): { readonly lease: SeenLease; readonly atMs: number; readonly how: string }[] {
  const activeOwners = ownersByGeneration(lines);
  return lines.flatMap((line) => {
    const [record] = line.records;
    // A newer run of the same node makes `describe` stale while the lease still counts.
    if (line.outcome === "staleLease" && line.call !== "describe") {
      return [{ lease: line.lease!, atMs: line.toMs, how: `${line.call} was refused` }];
    }
    if (line.call === "read" && line.ownerLeaseLive === false && record !== undefined) {
      return [{ lease: record.owner, atMs: line.toMs, how: "read" }];
    }
    if (line.replacesLostOwner !== true) return [];
    // The owner before, unless that generation was never seen by anyone.
    const before = activeOwners.get(`${record!.key} ${BigInt(record!.authorityOwnerGeneration) - 1n}`);
    return before === undefined ? [] : [{ lease: before, atMs: line.toMs, how: "replaced" }];
  });
}

function ownersByGeneration(lines: readonly JournalLine[]): ReadonlyMap<string, SeenLease> {
  const owners = new Map<string, SeenLease>();
  for (const record of lines.flatMap((line) => line.records)) {
    if (record.state === "active") owners.set(`${record.key} ${record.authorityOwnerGeneration}`, record.owner);
  }
  return owners;
}

/**
 * A success under a lease that must have ended before the call was made: each lease is used by one process only, which has
 * written down each renewal that it asked for.
 */
function outlivedLeases(lines: readonly JournalLine[]): string[] {
  const endsAtMs = new Map<SeenLease, number>();
  const breaches: string[] = [];
  for (const { call, lease, outcome, fromMs, toMs, durationMs } of [...lines].sort((a, b) => a.fromMs - b.fromMs)) {
    if (lease === undefined) continue;
    const endedAtMs = endsAtMs.get(lease);
    if (SUCCEEDED.has(outcome) && endedAtMs !== undefined && fromMs > endedAtMs + CLOCK_TOLERANCE_MS) {
      breaches.push(`${call} succeeded under ${lease}, which had run out`);
    }
    const mayRenew = outcome === "acquired" || outcome === "renewed" || (call === "renew" && outcome === "unknown");
    if (mayRenew) endsAtMs.set(lease, Math.max(endedAtMs ?? 0, toMs + durationMs!));
  }
  return breaches;
}

/** Once it was refused as stale, or seen to have ended, nothing succeeds under it. */
function revivedLeases(lines: readonly JournalLine[]): string[] {
  const endedAtMs = new Map<SeenLease, number>();
  for (const { lease, atMs } of saidEnded(lines)) {
    endedAtMs.set(lease, Math.min(atMs, endedAtMs.get(lease) ?? Number.POSITIVE_INFINITY));
  }
  return lines
    .filter(({ lease, outcome, fromMs }) => SUCCEEDED.has(outcome) && fromMs > (endedAtMs.get(lease ?? "") ?? fromMs))
    .map(({ call, lease }) => `${call} succeeded under ${lease}, which had ended before`);
}

function repeatedRuns(lines: readonly JournalLine[]): string[] {
  const seen = new Set<string>();
  const breaches: string[] = [];
  for (const { run, lease } of lines.filter((line) => line.outcome === "acquired")) {
    for (const name of [`run ${run}`, `lease generation ${lease!.slice(lease!.lastIndexOf("#"))}`]) {
      if (seen.has(name)) breaches.push(`${name} was handed out twice`);
      seen.add(name);
    }
  }
  return breaches;
}

/** The store's own history of all keys, and that everything that was acknowledged is in it. One sentence per breach. */
export function judgeHistory(history: readonly HistoryEntry[], lines: readonly JournalLine[]): string[] {
  const breaches: string[] = [];
  const lives = new Map<string, HistoryEntry>();
  const versions = new Map<string, HistoryEntry>();
  for (const entry of history) {
    const before = lives.get(entry.key);
    lives.set(entry.key, entry);
    const version = `${entry.key} ${entry.storeVersion}`;
    if (versions.has(version)) breaches.push(`the store wrote version ${version} twice`);
    versions.set(version, entry);
    if (before !== undefined) breaches.push(...stepBreaches(before, entry));
  }
  for (const line of lines.filter((one) => DONE.has(one.outcome) && one.call !== "reserve")) {
    for (const record of line.records) {
      const entry = versions.get(`${record.key} ${record.storeVersion}`);
      const isSame =
        entry?.owner === record.owner && entry.authorityOwnerGeneration === record.authorityOwnerGeneration;
      if (!isSame)
        breaches.push(`${line.call} of ${record.key} was acknowledged, but its version is not in the history`);
    }
  }
  return breaches;
}

function stepBreaches(before: HistoryEntry, entry: HistoryEntry): string[] {
  const rise = BigInt(entry.authorityOwnerGeneration) - BigInt(before.authorityOwnerGeneration);
  const breaches: string[] = [];
  if (rise < 0n) breaches.push(`${entry.key} fell to generation ${entry.authorityOwnerGeneration} in the store`);
  if (BigInt(entry.objectGeneration) < BigInt(before.objectGeneration)) {
    breaches.push(`${entry.key} fell to object generation ${entry.objectGeneration} in the store`);
  }
  if (rise === 0n && entry.owner !== before.owner) breaches.push(`${entry.key} changed its owner without a generation`);
  return breaches;
}
