import type { Rid } from "@rehome/wire";
import type {
  ArrivingUnit,
  DrainEffect,
  DrainFailure,
  DrainProgress,
  DrainReason,
  DrainResult,
  DrainStep,
  DrainUnit,
  MovingUnit,
  RunningDrain,
  StayedUnit,
  WaitingUnit,
} from "./state.ts";

/** The state with what the host listed: units that are new join those that are known, the busiest last (D1). */
export function becomeWithUnits(
  from: RunningDrain,
  { units, arriving }: { readonly units: readonly DrainUnit[]; readonly arriving: readonly ArrivingUnit[] },
): RunningDrain {
  const known = new Set([
    ...[...from.waiting, ...from.moving].map(({ unit }) => nameOf(unit)),
    ...from.stayed.map(nameOf),
  ]);
  const added = units.filter((unit) => !known.has(nameOf(unit)));
  const fixed = added.flatMap(({ kind, id, mobility }): StayedUnit[] =>
    mobility.type === "fixed" ? [{ kind, id, failure: mobility.failure }] : [],
  );
  const movable = added.filter(({ mobility }) => mobility.type === "movable").map(asWaiting);
  const waiting = [...from.waiting, ...movable].sort((a, b) => a.unit.waitingMessages - b.unit.waitingMessages);
  const here = new Set([...known, ...units.map(nameOf)]);
  return {
    ...from,
    question: "none",
    waiting,
    arriving: arriving.filter((unit) => !here.has(nameOf(unit))),
    stayed: [...from.stayed, ...fixed],
  };
}

export function becomeAsking(from: RunningDrain, question: "units" | "nodes"): DrainStep {
  return {
    state: { ...from, question },
    effects: [{ type: question === "units" ? "ListUnits" : "ListNodes" }],
  };
}

export function becomeMoving(
  from: RunningDrain,
  waiting: WaitingUnit,
  target: Rid,
  now: number,
): { readonly state: RunningDrain; readonly effects: readonly DrainEffect[] } {
  const { unit } = waiting;
  const moving: MovingUnit = { ...waiting, tries: waiting.tries + 1, target };
  const sent = new Map(from.sent).set(target, (from.sent.get(target) ?? 0) + unit.objects);
  const deadlineMs = Math.max(1, Math.min(from.config.moveMs, from.config.deadlineAtMs - now));
  return {
    state: {
      ...from,
      waiting: from.waiting.filter((other) => other !== waiting),
      moving: [...from.moving, moving],
      sent,
      stuckSinceMs: undefined,
    },
    effects: [{ type: "MoveUnit", unit, target, deadlineMs }],
  };
}

/** Nothing can go before a pause is over. */
export function becomeStuck(from: RunningDrain, delayMs: number, sinceMs: number | undefined): DrainStep {
  return {
    state: { ...from, stuckSinceMs: sinceMs },
    effects: [{ type: "StartTimer", timer: "retry", delayMs: Math.max(1, delayMs) }],
  };
}

/** The end. `cause` is what ended it early: everything that has not moved stays (D4), for that reason unless it has its own. */
export function becomeEnded(from: RunningDrain, cause: DrainFailure | undefined): DrainStep {
  const left = [...from.waiting, ...from.moving].map(({ unit, tries, failure }): StayedUnit => {
    const isMoving = from.moving.some((each) => each.unit === unit);
    // Of one reason each unit's own words say more.
    const own = cause === undefined || (!isMoving && (tries > 0 || failure.reason === cause.reason));
    return { kind: unit.kind, id: unit.id, failure: own ? failure : cause };
  });
  const arriving = cause ? from.arriving.map(({ kind, id }): StayedUnit => ({ kind, id, failure: cause })) : [];
  const stayed = [...from.stayed, ...left, ...arriving];
  const result: DrainResult =
    stayed.length === 0
      ? { outcome: "relocated", done: from.done }
      : { outcome: "blocked", reason: cause?.reason ?? commonReason(stayed), done: from.done, stayed };
  return {
    state: { type: "ended", result },
    effects: [
      { type: "StopTimer", timer: "deadline" },
      { type: "StopTimer", timer: "retry" },
      ...from.moving.map(({ unit }): DrainEffect => ({ type: "AbortUnit", unit })),
      { type: "Settle", result },
    ],
  };
}

export function progressOf({ done, waiting, moving, arriving, stayed }: RunningDrain): DrainProgress {
  return { done, left: waiting.length + moving.length + arriving.length, failed: stayed };
}

/** One reason for all (D3): theirs if they agree. */
function commonReason(stayed: readonly StayedUnit[]): DrainReason {
  const [first] = stayed;
  return first !== undefined && stayed.every(({ failure }) => failure.reason === first.failure.reason)
    ? first.failure.reason
    : "relocationFailed";
}

function asWaiting(unit: DrainUnit): WaitingUnit {
  const failure: DrainFailure = { reason: "deadlineExceeded", message: "Its turn to move did not come in time." };
  return { unit, tries: 0, notBeforeMs: Number.NEGATIVE_INFINITY, refusedBy: [], failure };
}

function nameOf({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return `${kind}:${id}`;
}
