import type { Rid } from "@rehome/wire";
import {
  afterUnitFailure,
  DRAIN_AFTER_END,
  DRAIN_RETRY_MS,
  MAX_UNIT_TRIES,
  NO_TARGET_GRACE_MS,
  NODES_FRESH_MS,
} from "./decisions.ts";
import { becomeAsking, becomeEnded, becomeMoving, becomeStuck, becomeWithUnits, progressOf } from "./transitions.ts";
import type {
  DrainConfig,
  DrainFailure,
  DrainInput,
  DrainState,
  DrainStep,
  MovingUnit,
  RunningDrain,
  StayedUnit,
  UnitFailure,
  WaitingUnit,
} from "./state.ts";
import { chooseTarget, whyNoTarget } from "./targets.ts";

/** Begins a drain (`protocol.md` D1). This node takes nothing new by now. */
export function startDrain(config: DrainConfig, now: number): DrainStep {
  const state: RunningDrain = {
    type: "running",
    config,
    question: "units",
    waiting: [],
    moving: [],
    arriving: [],
    stayed: [],
    done: 0,
    known: { nodes: [], readAtMs: Number.NEGATIVE_INFINITY },
    sent: new Map<Rid, number>(),
    stuckSinceMs: undefined,
  };
  const delayMs = Math.max(0, config.deadlineAtMs - now);
  return { state, effects: [{ type: "StartTimer", timer: "deadline", delayMs }, { type: "ListUnits" }] };
}

/** `protocol.md` D1–D4: takes one fact and the time. A fact that its state does not wait for changes nothing. */
export function stepDrain(state: DrainState, input: DrainInput, now: number): DrainStep {
  if (state.type === "ended") return stay(state);
  switch (input.type) {
    case "UnitsListed":
      if (state.question !== "units") return stay(state);
      return onwards(becomeWithUnits(state, input), now, "listed");
    case "NodesListed":
      if (state.question !== "nodes") return stay(state);
      return onwards({ ...state, question: "none", known: { nodes: input.nodes, readAtMs: now } }, now, "unlisted");
    case "NodesUnknown":
      if (state.question !== "nodes") return stay(state);
      return stuck({ ...state, question: "none" }, STORE_SILENT, now);
    case "UnitMoved":
      return settled(state, input, now, (from) => ({ ...from, done: from.done + 1 }));
    case "UnitGone":
      return settled(state, input, now, (from) => from);
    case "UnitFailed":
      return failed(state, input, now);
    case "TimerFired":
      if (input.timer === "deadline") return becomeEnded(state, whyLate(state));
      return state.question === "none" ? onwards(state, now, "unlisted") : stay(state);
    case "ShutdownRequested":
    case "LeaseLost":
      return becomeEnded(state, DRAIN_AFTER_END[input.type]);
  }
}

const TOO_LATE: DrainFailure = { reason: "deadlineExceeded", message: "The drain's deadline passed first." };
const STORE_SILENT: DrainFailure = {
  reason: "storeUnavailable",
  message: "The store did not say which nodes there are.",
};
const NO_TARGET: DrainFailure = {
  reason: "targetUnavailable",
  message:
    "No serving node of the asked application version hosts it and has room; start one, or ask for another version.",
};

/** In each unit's own words, as each asks for something else; said once for those that ask for the same. */
function noTarget({ config, known, moving, sent }: RunningDrain): (each: WaitingUnit) => DrainFailure {
  const choice = { config, nodes: known.nodes, moving, sent };
  const said = new Map<string, DrainFailure>();
  return (each) => {
    const needs = JSON.stringify([each.unit.objects, each.unit.stableTypes, each.refusedBy]);
    let failure = said.get(needs);
    if (failure === undefined) {
      const message = `No node can take it; start one that can. Passed over: ${whyNoTarget(each, choice)}.`;
      failure = { ...NO_TARGET, message };
      said.set(needs, failure);
    }
    return failure;
  };
}

/** Whatever can go next goes; what cannot waits for a target, a pause, a list. */
function onwards(state: RunningDrain, now: number, units: "listed" | "unlisted"): DrainStep {
  if (state.question !== "none") return stay(state);
  if (state.waiting.length === 0) {
    if (state.moving.length > 0) return stay(state);
    // Something may have come to be here while the last ones moved: a creation or a move that had been accepted before.
    if (units === "unlisted") return becomeAsking(state, "units");
    return state.arriving.length === 0 ? becomeEnded(state, undefined) : becomeStuck(state, DRAIN_RETRY_MS, undefined);
  }
  const due = state.waiting.filter(({ notBeforeMs }) => notBeforeMs <= now);
  if (state.moving.length >= state.config.maxMoving) return stay(state);
  if (due.length === 0) return becomeStuck(state, nextDueMs(state) - now, state.stuckSinceMs);
  if (now - state.known.readAtMs > NODES_FRESH_MS) return becomeAsking(state, "nodes");
  const { config, known, sent } = state;
  for (const each of due) {
    const target = chooseTarget(each, { config, nodes: known.nodes, moving: state.moving, sent });
    if (target === undefined) continue;
    const started = becomeMoving(state, each, target, now);
    const next = onwards(started.state, now, "unlisted");
    return { state: next.state, effects: [...started.effects, ...next.effects] };
  }
  return stuck(state, NO_TARGET, now, noTarget(state));
}

/** A deadline that passes while nothing can go anywhere says less than why nothing can. */
function whyLate({ moving, waiting, stuckSinceMs }: RunningDrain): DrainFailure {
  const [first] = waiting;
  return moving.length === 0 && stuckSinceMs !== undefined && first?.tries === 0 ? first.failure : TOO_LATE;
}

/** Nothing can go now. While something moves that is no reason to end; otherwise it is, once the grace is over. */
function stuck(
  state: RunningDrain,
  failure: DrainFailure,
  now: number,
  why: (each: WaitingUnit) => DrainFailure = () => failure,
): DrainStep {
  const sinceMs = state.stuckSinceMs ?? now;
  const waiting = state.waiting.map((each): WaitingUnit => (each.tries > 0 ? each : { ...each, failure: why(each) }));
  if (state.moving.length > 0) return becomeStuck({ ...state, waiting }, DRAIN_RETRY_MS, undefined);
  if (now - sinceMs >= NO_TARGET_GRACE_MS) return becomeEnded({ ...state, waiting }, failure);
  return becomeStuck({ ...state, waiting }, DRAIN_RETRY_MS, sinceMs);
}

function settled(
  state: RunningDrain,
  which: { readonly kind: string; readonly id: string },
  now: number,
  count: (from: RunningDrain) => RunningDrain,
): DrainStep {
  const moving = state.moving.filter(({ unit }) => unit.kind !== which.kind || unit.id !== which.id);
  if (moving.length === state.moving.length) return stay(state);
  const next = count({ ...state, moving, stuckSinceMs: undefined });
  const step = onwards(next, now, "unlisted");
  return { state: step.state, effects: [{ type: "ReportProgress", progress: progressOf(next) }, ...step.effects] };
}

function failed(
  state: RunningDrain,
  { kind, id, failure }: { readonly kind: string; readonly id: string; readonly failure: UnitFailure },
  now: number,
): DrainStep {
  const unit = state.moving.find(({ unit: other }) => other.kind === kind && other.id === id);
  if (unit === undefined) return stay(state);
  const { retry, reason } = afterUnitFailure(failure.code);
  const why: DrainFailure = { reason, message: failure.message };
  const again = retry === "untilDeadline" || (retry !== "stays" && unit.tries < MAX_UNIT_TRIES);
  return settled(state, { kind, id }, now, (from) => {
    if (!again) {
      const stayed: StayedUnit = { kind: unit.unit.kind, id: unit.unit.id, failure: why };
      return { ...from, stayed: [...from.stayed, stayed] };
    }
    const waiting: WaitingUnit = {
      unit: unit.unit,
      tries: unit.tries,
      notBeforeMs: now + DRAIN_RETRY_MS,
      refusedBy: retry === "otherTarget" ? refusals(unit, from) : unit.refusedBy,
      failure: why,
    };
    return { ...from, waiting: [...from.waiting, waiting] };
  });
}

/** Once everybody who could take it has said no, the first ones may be asked again. */
function refusals(unit: MovingUnit, { config, known, moving, sent }: RunningDrain): readonly Rid[] {
  const refusedBy = [...unit.refusedBy, unit.target];
  const choice = { config, nodes: known.nodes, moving, sent };
  return chooseTarget({ ...unit, refusedBy }, choice) === undefined ? [] : refusedBy;
}

function nextDueMs({ waiting }: RunningDrain): number {
  return Math.min(...waiting.map(({ notBeforeMs }) => notBeforeMs));
}

function stay(state: DrainState): DrainStep {
  return { state, effects: [] };
}
