import { crc32c } from "@rehome/wire";
import { brokenCommitInvariants } from "../authority-commit/invariants.ts";
import { prepareFault } from "./checks.ts";
import { commitMoveOf } from "./commands.ts";
import type { TargetState } from "./state.ts";

/**
 * What holds in every state of a target; the broken ones, by number.
 *
 * 1. An open attempt is for this run of this node, of a unit that it can take, within the limits (T2, T4).
 * 2. Received chunks add up, are fewer than announced, and never exceed the announced length (T2).
 * 3. Relayed records add up and are within the limits (I8).
 * 4. A commit is out only for what a matching 34 spoke of (T5), on the base version that the 40 named (T6).
 * 5. The commit's own invariants.
 * 6. A target that has adopted has an authority generation above the one it moved away from.
 */
export function brokenTargetInvariants(state: TargetState): readonly string[] {
  const broken: string[] = [];
  const require = (holds: boolean, invariant: string): void => {
    if (!holds) broken.push(invariant);
  };
  const { config, prepare } = state.attempt;
  if (state.type !== "failed")
    require(prepareFault(config, prepare) === undefined, "1: the attempt should not be open");

  if (state.type === "receiving") {
    const { chunks, bytes, checksumCrc32c } = state.received;
    require(sum(chunks) === bytes && checksum(chunks) === checksumCrc32c, "2: chunks do not add up");
    require(chunks.length < prepare.payloadChunkCount, "2: all chunks came, and it still waits");
    require(BigInt(bytes) < prepare.payloadTotalLength, "2: more bytes than announced");
  }
  if (state.type === "ready" || state.type === "committing") {
    const { records, bytes, checksumCrc32c } = state.relayed;
    require(sum(records) === bytes && checksum(records) === checksumCrc32c, "3: relayed records do not add up");
    require(records.length <= config.limits.relayedRecords &&
      bytes <= config.limits.relayedBytes, "3: too many relayed");
  }
  if (state.type === "committing") {
    const { cutover, relayed, commit, attempt, restored } = state;
    const counted =
      cutover.boundaryRecordCount === BigInt(relayed.records.length) &&
      cutover.boundaryChecksumCrc32c === relayed.checksumCrc32c;
    require(counted, "4: the 34 speaks of other records");
    const version = commit.move.request.participants[0]?.baseVersion;
    require(version === prepare.coordinator.expectedAuthorityStoreVersion, "4: another base version");
    require(commit.move.key === commitMoveOf(attempt, restored).key, "4: another object");
    require(commit.type !== "committed" && commit.type !== "failed", "4: the verdict is there, and it still waits");
    broken.push(...brokenCommitInvariants(commit).map((name) => `5: ${name}`));
  }
  if (state.type === "adopted" && prepare.object.kind !== "instanceSpot") {
    const before = prepare.object.authorityOwnerGeneration;
    require(state.fence.authorityOwnerGeneration > before, "6: the authority generation did not rise");
  }
  return broken;
}

function sum(parts: readonly Uint8Array[]): number {
  return parts.reduce((total, part) => total + part.length, 0);
}

function checksum(parts: readonly Uint8Array[]): number {
  return parts.reduce((crc, part) => crc32c(part, crc), 0);
}
