import { Dice } from "./random.ts";
import type { UserFaults } from "./workload/actor.ts";
import type { NetworkTerms } from "./world/network.ts";
import type { StoreTerms } from "./world/store.ts";

/** Those that came later are drawn from dice of their own, so that seeds without them are what they were. */
const LATER = ["save", "connectionLoss", "spotMove"] as const;

/** What goes wrong, by name: each can be on or off in a run, and has a strength. */
export const FAULTS = [
  "slowRecords",
  "linkLoss",
  "partition",
  "oneWayPartition",
  "backpressure",
  "repeatedControl",
  "storeSlow",
  "storeLostCall",
  "storeLostAnswer",
  "storeLateWrite",
  "storeOutage",
  "storeConflict",
  "crash",
  "crashAtStep",
  "pause",
  "shortPause",
  "clockJump",
  "clockDrift",
  "captureFails",
  "captureHangs",
  "captureSlow",
  "restoreFails",
  "restoreHangs",
  "restoreSlow",
  "reconnect",
  "unbind",
  "smallHold",
  "smallMailbox",
  "tinyChunks",
  "burst",
  "join",
  "moveBack",
  "rivalMove",
  "drain",
  "standStill",
  ...LATER,
] as const;
export type FaultName = (typeof FAULTS)[number];

/** Faults under which a node can be lost, with what it had accepted. */
export const DEADLY: readonly FaultName[] = [
  "crash",
  "crashAtStep",
  "pause",
  "shortPause",
  "storeOutage",
  "storeLostCall",
  "storeLostAnswer",
  "storeLateWrite",
];

/** Faults that may keep a message waiting for longer than moves do. */
export const SLOWING: readonly FaultName[] = [
  ...DEADLY,
  "slowRecords",
  "linkLoss",
  "connectionLoss",
  "partition",
  "oneWayPartition",
  "backpressure",
  "storeSlow",
  "captureHangs",
  "captureSlow",
  "restoreHangs",
  "restoreSlow",
];

/** How strong each fault of a run is, from 0 (off) to 1. */
export type Strengths = Readonly<Record<FaultName, number>>;

export const PROFILES = ["swarm", "calm", "storm", "moves", "links", "store", "crashes", "suspended"] as const;
export type ProfileName = (typeof PROFILES)[number];

const MOVES: readonly FaultName[] = [
  "join",
  "moveBack",
  "rivalMove",
  "burst",
  "reconnect",
  "unbind",
  "captureSlow",
  "restoreSlow",
  "save",
  "spotMove",
];
const FIXED: Readonly<Record<Exclude<ProfileName, "swarm">, readonly FaultName[]>> = {
  calm: [],
  moves: [...MOVES, "captureFails", "restoreFails", "drain"],
  links: [
    ...MOVES,
    "slowRecords",
    "linkLoss",
    "connectionLoss",
    "partition",
    "oneWayPartition",
    "backpressure",
    "repeatedControl",
  ],
  store: [...MOVES, "storeSlow", "storeLostCall", "storeLostAnswer", "storeLateWrite", "storeOutage", "storeConflict"],
  crashes: [...MOVES, "crash", "crashAtStep", "pause", "shortPause", "clockJump", "clockDrift"],
  storm: FAULTS.filter((name) => name !== "standStill"),
  suspended: [...MOVES, "pause", "standStill"],
};

/**
 * Only where asked for by name: a node whose monotonic clock stood still for longer than its lease cannot tell by that clock
 * (L1), and runs turns until its next renewal is refused.
 */
const UNDETECTABLE: readonly FaultName[] = ["standStill"];

/** Share of runs of the swarm that have no fault at all: what must hold then is the most. */
const CALM_SHARE = 0.06;

/** Share that has no fault that keeps messages waiting: there everything must be prompt, and no seal outlive its move. */
const GENTLE_SHARE = 0.2;

/** What becomes of the actors of a lost node (L3): mostly they begin with what they saved. */
export function drawAfterLoss(seed: number, { save }: Strengths): "restore" | "new" {
  return save > 0 && new Dice(seed, "after loss").chance(0.2) ? "new" : "restore";
}

/** Which faults this seed has, and how strong. A swarm finds more than all of them at once: one hides another. */
export function drawStrengths(seed: number, profile: ProfileName): Strengths {
  const dice = new Dice(seed, `profile/${profile}`);
  const share = profile === "swarm" && dice.chance(CALM_SHARE) ? 0 : dice.between(0.1, 0.6);
  const isGentle = profile === "swarm" && dice.chance(GENTLE_SHARE);
  const entries = FAULTS.map((name) => {
    const own = LATER.some((later) => later === name) ? new Dice(seed, `fault/${profile}/${name}`) : dice;
    const isDrawn =
      profile === "swarm" ? own.chance(share) && !UNDETECTABLE.includes(name) : FIXED[profile].includes(name);
    const isOn = isDrawn && !(isGentle && SLOWING.includes(name));
    const strength = own.between(0.1, 1);
    return [name, isOn ? strength : 0] as const;
  });
  return Object.fromEntries(entries) as Record<FaultName, number>;
}

/** The size of a run. */
export interface Scale {
  readonly nodes: number;
  readonly gateways: number;
  readonly actors: number;
  readonly clients: number;
  readonly spots: number;
  /** How long there is traffic and trouble, in virtual ms. */
  readonly activeMs: number;
  readonly messagesPerSecond: number;
  readonly movesPerSecond: number;
}

export function drawScale(seed: number): Scale {
  const dice = new Dice(seed, "scale");
  return {
    nodes: 3 + dice.below(2),
    gateways: 2,
    actors: 6 + dice.below(8),
    clients: 3 + dice.below(4),
    spots: 2,
    activeMs: dice.between(1_000, 2_200),
    messagesPerSecond: dice.between(40, 120),
    movesPerSecond: dice.between(5, 14),
  };
}

export const DEADLINES = {
  moveMs: 800,
  storeResolutionMs: 400,
  sealMs: 1_500,
  followMs: 2_000,
  requestMs: 1_500,
  createMs: 1_500,
  connectMs: 300,
  leaseMs: 1_200,
  closeMs: 400,
} as const;
export const LIVENESS_MS = 600;

export function networkTerms(strengths: Strengths): NetworkTerms {
  const { slowRecords, backpressure, repeatedControl } = strengths;
  return {
    latencyMs: { least: 0.2, most: 2 },
    slow: slowRecords * 0.15,
    slowMs: { least: 2, most: 10 + 150 * slowRecords },
    backedUpAt: backpressure > 0 ? 4 : 256,
    fullAt: backpressure > 0 ? 6 + Math.round(20 * (1 - backpressure)) : 1_024,
    livenessMs: LIVENESS_MS,
    repeatedControl: repeatedControl * 0.4,
  };
}

export function storeTerms(strengths: Strengths): StoreTerms {
  return {
    latencyMs: { least: 0.3, most: 2 },
    slow: strengths.storeSlow * 0.2,
    slowMs: { least: 2, most: 100 },
    lostCall: strengths.storeLostCall * 0.12,
    lostAnswer: strengths.storeLostAnswer * 0.12,
    lateWrite: strengths.storeLateWrite * 0.1,
  };
}

export function userFaults(strengths: Strengths): UserFaults {
  return {
    captureFails: strengths.captureFails * 0.4,
    captureHangs: strengths.captureHangs * 0.2,
    captureSlow: strengths.captureSlow * 0.5,
    restoreFails: strengths.restoreFails * 0.4,
    restoreHangs: strengths.restoreHangs * 0.2,
    restoreSlow: strengths.restoreSlow * 0.5,
    slowMs: { least: 1, most: 120 },
  };
}
