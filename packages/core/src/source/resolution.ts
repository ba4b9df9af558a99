import type { Coordinator } from "@rehome/wire";
import { evidenceOf, type MoveClaim } from "../authority-commit/evidence.ts";
import { differs, firstDifference, ownerDifference } from "../move/fences.ts";
import { holdingOf, type Holding } from "../move/unit.ts";
import type { AuthorityRecord, FenceAnswer, ReadAnswer } from "../ports/authority-store.ts";
import { coordinatorOf } from "./commands.ts";
import type { SourceConfig } from "./config.ts";

/**
 * What one answer of the store says to the source about the unit's own authority, whose word decides for all of the unit
 * (`protocol.md` O1, O4, O5).
 *
 * - `ownAtBase`: this node owns the unit. After the 34: under the base version, so that a commit may still succeed.
 * - `ownPastBase`: this node owns it under another version: the base version is gone for good, and no commit of this
 *   move can succeed any more. As good as a fence write that succeeded.
 * - `ownLeaseEnded`: the record names this node, but its lease has ended, and anyone may take over.
 * - `thisMove`: exactly what this move's commit writes (T7).
 * - `newerOwner`: the same object under a higher authority generation, not by this move.
 * - `gone`: destroyed, made anew, or no longer there.
 * - `contradiction`: something that the store's obligations rule out. It proves nothing.
 * - `noAnswer`: the store did not say.
 */
export type Reading =
  "ownAtBase" | "ownPastBase" | "ownLeaseEnded" | "thisMove" | "newerOwner" | "gone" | "contradiction" | "noAnswer";

export const READINGS: readonly Reading[] = [
  "ownAtBase",
  "ownPastBase",
  "ownLeaseEnded",
  "thisMove",
  "newerOwner",
  "gone",
  "contradiction",
  "noAnswer",
];

/** `base`: the base version is being read, before the seal. The others are those of `VerdictSituation`. */
export type Situation = "base" | "hinted" | "abortWanted" | "stuck";

export const SITUATIONS: readonly Situation[] = ["base", "hinted", "abortWanted", "stuck"];

/**
 * - `seal`: take the version as the base and go on.
 * - `abort`: give up by O3.
 * - `fence`: write the fence on the base version (O4).
 * - `rollBack`: resume; no commit can succeed any more.
 * - `departCommitted`, `departSuperseded`: follow to the owner that the store names.
 * - `departGone`: there is nobody to follow to.
 * - `readAgain`, `readAgainSlowly`: no evidence; ask once more after a pause.
 */
export type ReadAction =
  | "seal"
  | "abort"
  | "fence"
  | "rollBack"
  | "departCommitted"
  | "departSuperseded"
  | "departGone"
  | "readAgain"
  | "readAgainSlowly";

export interface ReadRow {
  readonly action: ReadAction;
  readonly because: string;
}

const NEWER_OWNER: ReadRow = {
  action: "departSuperseded",
  because: "O5: a higher authority generation is exact evidence that this node is no longer the owner",
};
const GONE: ReadRow = { action: "departGone", because: "H5: nothing is queued for nobody" };
const COMMITTED: ReadRow = { action: "departCommitted", because: "T7: exactly this move" };
const BASE_GONE: ReadRow = {
  action: "rollBack",
  because: "O4: a version that is no longer the base lets no commit of this move succeed",
};

/** What the source does about a reading: a row for every situation and every reading. */
export const SOURCE_AFTER_READ: Readonly<Record<Situation, Readonly<Record<Reading, ReadRow>>>> = {
  base: {
    ownAtBase: { action: "seal", because: "O1: the store and this node agree in every field" },
    ownPastBase: { action: "readAgain", because: "cannot be: there is no base version yet" },
    ownLeaseEnded: { action: "abort", because: "O1: stale, so it fails before the seal" },
    thisMove: {
      action: "departSuperseded",
      because: "O5: a higher authority generation; a commit without a payload cannot be this attempt's",
    },
    newerOwner: NEWER_OWNER,
    gone: GONE,
    contradiction: { action: "abort", because: "O1: stale, so it fails before the seal" },
    noAnswer: { action: "readAgain", because: "O5: read again until the deadline" },
  },
  hinted: {
    ownAtBase: { action: "readAgain", because: "a 37 is a hint, and the store does not confirm it" },
    ownPastBase: BASE_GONE,
    ownLeaseEnded: { action: "readAgain", because: "L1: whoever lost its lease must not resume" },
    thisMove: COMMITTED,
    newerOwner: NEWER_OWNER,
    gone: GONE,
    contradiction: { action: "readAgain", because: "O5: only exact evidence counts" },
    noAnswer: { action: "readAgain", because: "O5: a lost answer is never guessed" },
  },
  abortWanted: {
    ownAtBase: { action: "fence", because: "O4: only the fence write lets the source resume" },
    ownPastBase: BASE_GONE,
    ownLeaseEnded: { action: "readAgain", because: "L1: whoever lost its lease must not resume" },
    thisMove: COMMITTED,
    newerOwner: NEWER_OWNER,
    gone: GONE,
    contradiction: { action: "readAgain", because: "O5: only exact evidence counts" },
    noAnswer: { action: "readAgain", because: "O5: a lost answer is never guessed" },
  },
  stuck: {
    ownAtBase: { action: "fence", because: "O4: only the fence write lets the source resume" },
    ownPastBase: BASE_GONE,
    ownLeaseEnded: { action: "readAgainSlowly", because: "L1: whoever lost its lease must not resume" },
    thisMove: COMMITTED,
    newerOwner: NEWER_OWNER,
    gone: GONE,
    contradiction: { action: "readAgainSlowly", because: "O5: reading goes on at a slower pace" },
    noAnswer: { action: "readAgainSlowly", because: "O5: reading goes on at a slower pace" },
  },
};

/** What the answer to a fence write says. `otherRecord`: success was claimed, for a record that is not this node's. */
export type FenceReading = "fenced" | "otherRecord" | "stale" | "staleLease" | "unknown";

export const FENCE_READINGS: readonly FenceReading[] = ["fenced", "otherRecord", "stale", "staleLease", "unknown"];

export type FenceAction = "rollBack" | "readAgain" | "readAgainSlowly";

export interface FenceRow {
  readonly action: FenceAction;
  readonly because: string;
}

const FENCED: FenceRow = { action: "rollBack", because: "O4: no commit on the base version can succeed any more" };

/** What the source does about the answer to its fence write. */
export const SOURCE_AFTER_FENCE: Readonly<Record<"abortWanted" | "stuck", Readonly<Record<FenceReading, FenceRow>>>> = {
  abortWanted: {
    fenced: FENCED,
    otherRecord: { action: "readAgain", because: "O5: only exact evidence counts" },
    stale: { action: "readAgain", because: "O4: the version changed; the store says by whom" },
    staleLease: { action: "readAgain", because: "L1: this node cannot write any more, only learn" },
    unknown: { action: "readAgain", because: "O5: a lost answer is never guessed" },
  },
  stuck: {
    fenced: FENCED,
    otherRecord: { action: "readAgainSlowly", because: "O5: reading goes on at a slower pace" },
    stale: { action: "readAgainSlowly", because: "O5: reading goes on at a slower pace" },
    staleLease: { action: "readAgainSlowly", because: "O5: reading goes on at a slower pace" },
    unknown: { action: "readAgainSlowly", because: "O5: reading goes on at a slower pace" },
  },
};

/** A reading together with the record that it stands on, where there is one to follow. */
export type ReadEvidence =
  | { readonly reading: "thisMove" | "newerOwner"; readonly record: AuthorityRecord }
  | { readonly reading: "ownAtBase"; readonly storeVersion: string }
  | { readonly reading: Exclude<Reading, "thisMove" | "newerOwner" | "ownAtBase"> };

/** Sorts the answer to the reading of the base version (O1): there is none to compare with yet. */
export function baseEvidence(
  answer: ReadAnswer,
  config: SourceConfig,
  holding: Holding = holdingOf(config.unit),
): ReadEvidence {
  if (answer.outcome === "found" && ownRecordFault(answer.reading.record, config, holding) === undefined) {
    return answer.reading.ownerLeaseLive
      ? { reading: "ownAtBase", storeVersion: answer.reading.record.storeVersion }
      : { reading: "ownLeaseEnded" };
  }
  // No version is empty, so the evidence cannot be `base`.
  return foreignEvidence(answer, { config, holding, coordinator: coordinatorOf(config.self, "") });
}

/** Sorts an answer to a reading after the 34. */
export function verdictEvidence(answer: ReadAnswer, config: SourceConfig, coordinator: Coordinator): ReadEvidence {
  const holding = holdingOf(config.unit);
  if (answer.outcome === "found" && !answer.reading.ownerLeaseLive) {
    if (ownRecordFault(answer.reading.record, config, holding) === undefined) return { reading: "ownLeaseEnded" };
  }
  return foreignEvidence(answer, { config, holding, coordinator });
}

/** Sorts the answer to a fence write. */
export function fenceReading(answer: FenceAnswer, config: SourceConfig): FenceReading {
  if (answer.outcome !== "fenced") return answer.outcome;
  return ownRecordFault(answer.record, config, holdingOf(config.unit)) === undefined ? "fenced" : "otherRecord";
}

/** O1: the first field in which the store's record is not what this node holds the object under. */
function ownRecordFault(record: AuthorityRecord, config: SourceConfig, holding: Holding): string | undefined {
  return firstDifference(
    differs("key", holding.key, record.key),
    differs("state", "active", record.state),
    differs("kind", holding.kind, record.kind),
    differs("stableType", holding.stableType, record.stableType),
    differs("objectGeneration", holding.objectGeneration, record.objectGeneration),
    differs("authorityOwnerGeneration", holding.authorityOwnerGeneration, record.authorityOwnerGeneration),
    ownerDifference("owner", config.self, record.owner),
  );
}

interface Asked {
  readonly config: SourceConfig;
  readonly holding: Holding;
  readonly coordinator: Coordinator;
}

function foreignEvidence(answer: ReadAnswer, asked: Asked): ReadEvidence {
  const { config, holding, coordinator } = asked;
  if (answer.outcome === "found" && answer.reading.record.key !== holding.key) return { reading: "contradiction" };
  const evidence = evidenceOf(answer, claimOf(asked));
  switch (evidence.type) {
    case "base":
      return { reading: "ownAtBase", storeVersion: coordinator.expectedAuthorityStoreVersion };
    case "sameOwner":
      return {
        reading: ownRecordFault(evidence.record, config, holding) === undefined ? "ownPastBase" : "contradiction",
      };
    case "thisMove":
    case "newerOwner":
      // A move raises the generation: a record that claims to be one and has not is no evidence.
      return evidence.record.authorityOwnerGeneration > holding.authorityOwnerGeneration
        ? { reading: evidence.type, record: evidence.record }
        : { reading: "contradiction" };
    case "gone":
      return { reading: provesGone(answer, holding) ? "gone" : "contradiction" };
    case "none":
      return { reading: answer.outcome === "unknown" ? "noAnswer" : "contradiction" };
  }
}

/** Dropping the only copy wants more than a record that is merely not active: it must be of a later time than this node's. */
function provesGone(answer: ReadAnswer, holding: Holding): boolean {
  if (answer.outcome !== "found") return answer.outcome === "absent";
  const { record } = answer.reading;
  if (record.objectGeneration !== holding.objectGeneration) return record.objectGeneration > holding.objectGeneration;
  return record.state === "destroyed" || record.authorityOwnerGeneration > holding.authorityOwnerGeneration;
}

function claimOf({ config, holding, coordinator }: Asked): MoveClaim {
  return {
    relocation: config.relocation,
    kind: holding.kind,
    stableType: holding.stableType,
    objectGeneration: holding.objectGeneration,
    authorityOwnerGeneration: holding.authorityOwnerGeneration,
    coordinator,
    newOwner: { meshName: config.self.meshName, ...config.target },
  };
}
