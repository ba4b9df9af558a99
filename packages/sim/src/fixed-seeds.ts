import type { ProfileName } from "./profile.ts";

/** A seed that once broke a rule. It runs always, whatever else does. */
export interface FixedSeed {
  readonly seed: number;
  readonly profile: ProfileName;
  /** What it found, in the product as it was then. */
  readonly found: string;
}

/**
 * Seeds are only as long-lived as the workload: where a change of it has shifted what a seed does, the test that the fix came
 * with is what remains of it.
 */
export const FIXED_SEEDS: readonly FixedSeed[] = [
  { seed: 5, profile: "swarm", found: "I2: a creation whose answer was lost left an actor that no node had" },
  {
    seed: 36,
    profile: "swarm",
    found: "I2, F1: a forwarded message went to a later run of the target and was dropped there",
  },
  {
    seed: 92,
    profile: "swarm",
    found: "J1: a join to a spot that was not open yet left a move that could not hear of lost links",
  },
  { seed: 145, profile: "swarm", found: "Q2: an answer that came late was held against its sender" },
  { seed: 128, profile: "swarm", found: "N5: a marker that found no room was not sent again" },
  { seed: 219, profile: "swarm", found: "N4: places of two lives of a receiver were taken for one another" },
  { seed: 258, profile: "swarm", found: "F3: an arriving actor took what was meant for an earlier life" },
  { seed: 427, profile: "swarm", found: "I2: a refusal was lost with its link and never said again" },
  { seed: 537, profile: "swarm", found: "N4: an old look-up made a sender number anew" },
  {
    seed: 896,
    profile: "swarm",
    found: "F2: what was forwarded to a target before it heard of its commit was dropped",
  },
  { seed: 2892, profile: "swarm", found: "I2: a refusal waited for a link that nobody had a reason to open" },
  { seed: 3208, profile: "swarm", found: "D1: a drained node did not wait for a move to it that was being decided" },
  {
    seed: 195,
    profile: "storm",
    found: "N4: what waited behind a gap waited for ever at a node that heard nothing more of its sender",
  },
  {
    seed: 1632,
    profile: "storm",
    found: "I2: the end of a binding that was being unbound hid what became of its last messages",
  },
  {
    seed: 2653,
    profile: "links",
    found: "N5: the places of a binding were filled no more once it had ended, and what came behind them waited",
  },
  { seed: 1963, profile: "swarm", found: "D5: a node that was shut down forgot what still looked for its receiver" },
  { seed: 7207, profile: "swarm", found: "N5: a request whose refusal was lost with its link left a gap" },
  {
    seed: 2181,
    profile: "swarm",
    found: "J6: a join that was given up in doubt had happened, and was told both ways",
  },
  {
    seed: 210,
    profile: "moves",
    found: "H7: a spot left while an actor that joins it was being restored, which then was in it all the same",
  },
  {
    seed: 249,
    profile: "storm",
    found: "I2: a refusal that was said again while the next try waited took the message's answer from it",
  },
  {
    seed: 1124,
    profile: "links",
    found: "N5: a request that was refused after its sender had given up left a gap",
  },
  {
    seed: 1154,
    profile: "store",
    found:
      "J3: a move took away the only proof of a join that was not marked yet, and after a loss it was told as refused",
  },
  { seed: 171, profile: "store", found: "O9: a departure that came late took its later copy out of the spot" },
  { seed: 381, profile: "crashes", found: "L1: a spot of a node that had slept past its lease was asked to admit" },
];
