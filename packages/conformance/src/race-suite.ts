import { describe, expect, it } from "vitest";
import type { AuthorityRecord, AuthorityStore } from "@rehome/core";
import { expectOutcome } from "./authority-store/scene.ts";
import { raceKey, RACE_MESH } from "./race/contender.ts";
import { judgeHistory, judgeRace } from "./race/judge.ts";
import type { HistoryEntry } from "./race/judge.ts";
import type { JournalLine } from "./race/journal.ts";
import { ACTORS, CONTENDERS, runRace } from "./race/run.ts";
import type { RaceOptions } from "./race/run.ts";

export type { HistoryEntry } from "./race/judge.ts";

/** An empty store that several processes can open. */
export interface RacedStore {
  readonly program: RaceOptions["program"];
  open(): Promise<AuthorityStore>;
  /** Where the database can write down every state that a record has been in: begins to, and gives them in their order. */
  readonly history?: { begin(): Promise<void>; read(): Promise<readonly HistoryEntry[]> };
  /** Removes it. */
  close(): Promise<void>;
}

const TEST_TIMEOUT_MS = 90_000;
/** Any other is as good; a run that fails prints it with the breach. */
const SEED = Number(process.env["REHOME_RACE_SEED"] ?? 20);
const MOST_SHOWN = 20;
/** What must have happened at the least in a race that proves anything, on a slow machine too. */
const LEAST = { commit: 50, publish: 30, reserve: 30, takeover: 5, stale: 5, staleLease: 3, kill: 3, pause: 5 };

/**
 * Registers the race: eight processes, twenty actors, some ten seconds of moves, creations, writes, pauses and kills. Needs signals and
 * processes, so it is no part of a store's quick tests.
 */
export function raceSuite(make: () => Promise<RacedStore>): void {
  describe("AuthorityStore raced for by processes", () => {
    it(
      `I1, L1, L3: ${CONTENDERS} of them, paused and killed, leave each actor one owner at a time (seed ${SEED})`,
      async () => {
        const raced = await make();
        try {
          await race(raced);
        } finally {
          await raced.close();
        }
      },
      TEST_TIMEOUT_MS,
    );
  });
}

async function race(raced: RacedStore): Promise<void> {
  const { program, history } = raced;
  const result = await runRace({ program, seed: SEED, beforeStart: async () => history?.begin() });
  expectNone(judgeRace(result.lines));
  if (history !== undefined) expectNone(judgeHistory(await history.read(), result.lines));
  await expectLastState(raced, result.lines);
  const count = (holds: (line: JournalLine) => boolean) => result.lines.filter(holds).length;
  const done = {
    commit: count(({ call, outcome }) => call === "commit" && outcome === "committed"),
    publish: count(({ outcome }) => outcome === "published"),
    reserve: count(({ outcome }) => outcome === "reserved"),
    takeover: count(({ replacesLostOwner }) => replacesLostOwner === true),
    stale: count(({ outcome }) => outcome === "stale"),
    staleLease: count(({ outcome }) => outcome === "staleLease"),
    kill: result.kills,
    pause: result.pauses,
  };
  console.log(`race with seed ${SEED}: ${JSON.stringify(done)}, ${result.lines.length} answers`);
  for (const [what, least] of Object.entries(LEAST)) {
    expect({ what, many: done[what as keyof typeof done] >= least }).toEqual({ what, many: true });
  }
}

/** Fails with the first of them. */
function expectNone(breaches: readonly string[]): void {
  expect(breaches.slice(0, MOST_SHOWN).join("\n")).toBe("");
}

/** The store's last word agrees with the last acknowledged one, and its counts with its records. */
async function expectLastState(raced: RacedStore, lines: readonly JournalLine[]): Promise<void> {
  const store = await raced.open();
  try {
    const { nodes } = expectOutcome(await store.nodes(RACE_MESH), "listed");
    // On a slow machine a last renewal may come too late.
    expect(nodes.length).toBeGreaterThan(0);
    const records: AuthorityRecord[] = [];
    for (let index = 0; index < ACTORS; index++) {
      const answer = await store.read(raceKey(index));
      if (answer.outcome === "found") records.push(answer.reading.record);
    }
    expect(records).toHaveLength(ACTORS);
    for (const { key, authorityOwnerGeneration } of records) {
      const told = lines.flatMap((line) => line.records).filter((record) => record.key === key);
      const highest = told
        .filter(({ state }) => state === "active")
        .map((record) => BigInt(record.authorityOwnerGeneration));
      for (const generation of highest) expect(authorityOwnerGeneration).toBeGreaterThanOrEqual(generation);
    }
    for (const { descriptor, owned } of nodes) {
      const { ownerId } = descriptor.owner;
      const own = records.filter((record) => record.state !== "destroyed" && record.owner.ownerId === ownerId);
      expect({ ownerId, owned }).toEqual({ ownerId, owned: own.length });
    }
  } finally {
    await store.close();
  }
}
