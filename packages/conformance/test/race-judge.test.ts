import { describe, expect, it } from "vitest";
import { judgeHistory, judgeRace } from "../src/race/judge.ts";
import type { HistoryEntry } from "../src/race/judge.ts";
import type { JournalLine, SeenRecord } from "../src/race/journal.ts";

const [A, B] = ["a 1#1", "b 1#2"];

function record(changes: Partial<SeenRecord> = {}): SeenRecord {
  return {
    key: "k",
    storeVersion: "1",
    state: "active",
    objectGeneration: "1",
    authorityOwnerGeneration: "1",
    owner: A,
    ...changes,
  };
}

/** A call that took from `atMs` to one millisecond later. */
function line(call: JournalLine["call"], atMs: number, rest: Partial<JournalLine>): JournalLine {
  const outcome = OUTCOMES[call] ?? "found";
  return { call, outcome, fromMs: atMs, toMs: atMs + 1, lease: A, records: [], ...rest };
}

const OUTCOMES: Partial<Record<JournalLine["call"], string>> = {
  acquire: "acquired",
  renew: "renewed",
  reserve: "reserved",
  commitCreate: "committed",
  commit: "committed",
  publish: "published",
};

/** A makes it, writes it, B takes it over after A's lease has ended, and writes it. */
const SOUND: readonly JournalLine[] = [
  line("acquire", 0, { durationMs: 400, run: "a#1" }),
  line("acquire", 0, { durationMs: 4000, lease: B, run: "b#1" }),
  line("reserve", 10, { records: [record({ state: "reserved" })] }),
  line("commitCreate", 20, { records: [record({ storeVersion: "2" })] }),
  line("renew", 100, { durationMs: 400 }),
  line("publish", 110, { records: [record({ storeVersion: "3" })] }),
  line("read", 600, { records: [record({ storeVersion: "3" })], ownerLeaseLive: false }),
  line("reserve", 610, {
    lease: B,
    records: [record({ state: "reserved", storeVersion: "4", owner: B, authorityOwnerGeneration: "2" })],
    replacesLostOwner: true,
  }),
  line("commitCreate", 620, {
    lease: B,
    records: [record({ storeVersion: "5", owner: B, authorityOwnerGeneration: "2", objectGeneration: "2" })],
  }),
  line("publish", 630, { outcome: "staleLease" }),
];

describe("the judge of a race", () => {
  it("finds nothing wrong with a sound race", () => {
    expect(judgeRace(SOUND)).toEqual([]);
  });

  const second = { owner: B, authorityOwnerGeneration: "2", objectGeneration: "2" };
  it.each<[string, JournalLine, RegExp]>([
    [
      "I1: a version that two have written",
      line("publish", 640, { lease: B, records: [record({ ...second, storeVersion: "5" })] }),
      /version 5 of k was written twice/,
    ],
    [
      "I1: a generation that two have",
      line("read", 640, { records: [record({ ...second, owner: "c 1#3" })] }),
      /generation k 2 belongs to/,
    ],
    ["a generation that falls", line("read", 640, { records: [record()] }), /fell from generation 2 to 1/],
    [
      "an object generation that falls",
      line("read", 640, { records: [record({ ...second, authorityOwnerGeneration: "3", objectGeneration: "1" })] }),
      /fell from generation 2 to 1/,
    ],
    [
      "a write that leaves the object with somebody else",
      line("publish", 640, { records: [record({ ...second, storeVersion: "6" })], lease: "c 1#3" }),
      /publish of k by c 1#3 left it with b 1#2/,
    ],
    [
      "L3: a lease that is called ended while it stands",
      line("read", 700, { records: [record({ ...second, storeVersion: "5" })], ownerLeaseLive: false }),
      /b 1#2 was said to have ended \(read\)/,
    ],
    [
      "L1: a standing lease that is refused",
      line("publish", 700, { lease: B, outcome: "staleLease" }),
      /b 1#2 was said/,
    ],
    ["L1: a lease that comes back", line("renew", 700, { durationMs: 1 }), /renew succeeded under a 1#1/],
    [
      "L1: a lease that is used when it has run out",
      line("renew", 508, { durationMs: 400 }),
      /renew succeeded under a 1#1, which had run out/,
    ],
    [
      "a run that two have",
      line("acquire", 700, { lease: "a 2#3", durationMs: 1, run: "a#1" }),
      /run a#1 was handed out/,
    ],
    [
      "a lease that two have",
      line("acquire", 700, { lease: "d 2#2", durationMs: 1, run: "d#1" }),
      /lease generation #2 was/,
    ],
  ])("finds %s", (_, breach, sentence) => {
    expect(judgeRace([...SOUND, breach]).join("\n")).toMatch(sentence);
  });

  it("L3: finds a takeover before the end of the lease", () => {
    const early = SOUND.map((one) => (one.replacesLostOwner === true ? { ...one, fromMs: 480, toMs: 481 } : one));
    expect(judgeRace(early).join("\n")).toMatch(/a 1#1 was said to have ended \(replaced\) while it stood/);
  });

  it("does not hold calls that overlapped against each other", () => {
    const late = line("read", 620.5, { records: [record({ storeVersion: "3" })] });
    expect(judgeRace([...SOUND, late])).toEqual([]);
  });
});

describe("the judge of a store's history", () => {
  const entry = (storeVersion: string, changes: Partial<HistoryEntry> = {}): HistoryEntry => {
    const { key, objectGeneration, authorityOwnerGeneration, owner } = record();
    return { key, storeVersion, objectGeneration, authorityOwnerGeneration, owner, ...changes };
  };
  const second = { owner: B, authorityOwnerGeneration: "2", objectGeneration: "2" };
  const history = ["1", "2", "3", "4"].map((version) => entry(version)).concat(entry("5", second));

  it("finds nothing wrong with a sound one", () => {
    expect(judgeHistory(history, SOUND)).toEqual([]);
  });

  it.each<[string, readonly HistoryEntry[], RegExp]>([
    ["a fall", [...history, entry("6", { objectGeneration: "2" })], /fell to generation 1/],
    ["an object's fall", [...history, entry("6", { ...second, objectGeneration: "1" })], /fell to object generation 1/],
    ["a silent change of owner", [...history, entry("6", { ...second, owner: A })], /changed its owner without/],
    ["a version written twice", [...history, entry("5", second)], /wrote version k 5 twice/],
    ["a lost write", history.slice(0, -1), /commitCreate of k was acknowledged, but/],
    [
      "a write that became another's",
      [...history.slice(0, 2), entry("3", second), history.at(-1)!],
      /publish of k was ack/,
    ],
  ])("finds %s", (_, wrong, sentence) => {
    expect(judgeHistory(wrong, SOUND).join("\n")).toMatch(sentence);
  });
});
