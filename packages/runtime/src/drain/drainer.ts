import {
  DRAIN_AFTER_END,
  DrainDesk,
  startDrain,
  stepDrain,
  type DrainEffect,
  type DrainInput,
  type DrainNode,
  type DrainProgress,
  type DrainReason,
  type DrainRequest,
  type DrainResult,
  type DrainState,
  type DrainStep,
  type DrainTimer,
  type DrainUnit,
  type MoveFailure,
} from "@rehome/core";
import type { Rid } from "@rehome/wire";
import type { DrainOptions } from "../api.ts";
import { background } from "../background.ts";
import { errorText } from "../error-text.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { arrivingAt, unitsOf } from "./units.ts";
import { NamedTimers } from "../named-timers.ts";

/** What a drain needs of the node around it. */
export interface DrainDoor {
  /** D1: takes nothing new from here on, and says so in the store. */
  closed(): Promise<void>;
  /** D4: it stays, and takes everything again. */
  opened(): Promise<void>;
}

type Progress = (progress: DrainProgress) => void;

/** Why a node takes no part in drains any more, for good. */
export type NodeEnd = "ShutdownRequested" | "LeaseLost";

/** The node's drain: does what the machine in `core/drain` decides (`protocol.md` section 12). */
export class Drainer {
  readonly #host: Host;
  readonly #door: DrainDoor;
  readonly #desk = new DrainDesk();
  readonly #listeners = new Set<Progress>();
  readonly #timers: NamedTimers<DrainTimer>;
  #result: Promise<DrainResult> | undefined;
  #settle: (result: DrainResult) => void = () => undefined;
  #state: DrainState | undefined;
  #end: NodeEnd | undefined;
  #ended: () => void = () => undefined;
  /** Once the node ends no store and no timer of it may be waited for: its clock ends with it. */
  readonly #whenEnded = new Promise<void>((resolve) => (this.#ended = resolve));

  constructor(host: Host, door: DrainDoor) {
    this.#host = host;
    this.#door = door;
    this.#timers = new NamedTimers(host.config.clock, (timer) => this.#dispatch({ type: "TimerFired", timer }));
  }

  /** Rejects only with `cancelled`, when the caller's signal ends its wait. */
  async drain(request: DrainRequest, { onProgress, signal }: DrainOptions): Promise<DrainResult> {
    const admission = this.#desk.begin(request);
    if (admission === "operationInProgress") return blocked("operationInProgress");
    if (onProgress) this.#listeners.add(onProgress);
    if (admission === "start") this.#result = this.#run(request);
    return unlessCancelled(this.#result!, signal).finally(() => onProgress && this.#listeners.delete(onProgress));
  }

  /** D3: the node ends, and a drain that runs settles now; what still waits stays. The first reason counts. */
  end(why: NodeEnd): void {
    if (this.#end) return;
    this.#end = why;
    // So that the machine knows what stays, had it only just asked.
    this.#dispatch(this.#listed());
    if (this.#state) this.#dispatch({ type: why });
    else this.#settle(this.#endedResult(why));
    this.#ended();
  }

  /** What a drain of a node that has ended comes to; `undefined` while it has not. Names what is still here. */
  get ended(): DrainResult | undefined {
    return this.#end && this.#endedResult(this.#end);
  }

  #endedResult(why: NodeEnd): DrainResult {
    const failure = DRAIN_AFTER_END[why];
    const stayed = unitsOf(this.#host).map(({ kind, id }) => ({ kind, id, failure }));
    return { outcome: "blocked", reason: failure.reason, done: 0, stayed };
  }

  async #run(request: DrainRequest): Promise<DrainResult> {
    const deadlineAtMs = this.#host.config.clock.nowMs() + request.deadlineMs;
    const result = new Promise<DrainResult>((resolve) => (this.#settle = resolve));
    await Promise.race([this.#door.closed(), this.#whenEnded]);
    if (!this.#end) this.#start(request, deadlineAtMs);
    const settled = await result;
    this.#desk.end();
    this.#state = undefined;
    if (settled.outcome === "blocked") await Promise.race([this.#door.opened(), this.#whenEnded]);
    return settled;
  }

  #start(request: DrainRequest, deadlineAtMs: number): void {
    const { clock, limits, deadlines, applicationVersion } = this.#host.config;
    const first = startDrain(
      {
        self: this.#host.self.nodeRid,
        applicationVersion: request.applicationVersion ?? applicationVersion,
        deadlineAtMs,
        maxMoving: limits.outboundMoves,
        moveMs: deadlines.moveMs,
      },
      clock.nowMs(),
    );
    this.#took(first);
  }

  #listed(): DrainInput {
    return { type: "UnitsListed", units: unitsOf(this.#host), arriving: arrivingAt(this.#host) };
  }

  #dispatch(input: DrainInput): void {
    if (this.#state) this.#took(stepDrain(this.#state, input, this.#host.config.clock.nowMs()));
  }

  #took(step: DrainStep): void {
    this.#state = step.state;
    for (const effect of step.effects) this.#perform(effect);
  }

  #perform(effect: DrainEffect): void {
    const { log } = this.#host.config;
    switch (effect.type) {
      case "ListUnits":
        // Not before all effects of this step are done.
        queueMicrotask(() => this.#dispatch(this.#listed()));
        return;
      case "ListNodes":
        background(log, "drain.nodes", this.#listNodes());
        return;
      case "MoveUnit":
        background(log, "drain.move", this.#move(effect.unit, effect.target, effect.deadlineMs));
        return;
      case "AbortUnit": {
        // L1: nothing more is said for a run that is over.
        if (this.#host.stopped()) return;
        const message = "the drain that began this move has ended";
        this.#host.mover.departures.find(effect.unit.kind, effect.unit.id)?.abort({ code: "aborted", message });
        return;
      }
      case "StartTimer":
        this.#timers.start(effect.timer, effect.delayMs);
        return;
      case "StopTimer":
        this.#timers.stop(effect.timer);
        return;
      case "ReportProgress":
        for (const listener of this.#listeners) this.#report(listener, effect.progress);
        return;
      case "Settle":
        this.#settle(effect.result);
        return;
    }
  }

  /** What a caller's listener throws is its own business, and no reason to stop. */
  #report(listener: Progress, progress: DrainProgress): void {
    try {
      listener(progress);
    } catch (error) {
      this.#host.config.log.write("error", "drain.listenerFailed", { error: errorText(error) });
    }
  }

  async #listNodes(): Promise<void> {
    try {
      const listed = await this.#host.directory.nodes(true);
      const nodes = listed.map(({ descriptor, owned }): DrainNode => {
        const { state, applicationVersion, stableTypes, placementWeight, capacity, owner } = descriptor;
        const room = capacity - owned;
        return { nodeRid: owner.nodeRid, state, applicationVersion, stableTypes, placementWeight, room };
      });
      this.#dispatch({ type: "NodesListed", nodes });
    } catch (error) {
      this.#host.config.log.write("warn", "drain.nodesUnknown", { error: errorText(error) });
      this.#dispatch({ type: "NodesUnknown" });
    }
  }

  async #move({ kind, id }: DrainUnit, target: Rid, deadlineMs: number): Promise<void> {
    const { departures } = this.#host.mover;
    try {
      const { outcome } = await (kind === "spot"
        ? departures.relocateSpot(id, target, deadlineMs)
        : departures.relocate(id, target, deadlineMs));
      this.#dispatch({ type: outcome === "committed" ? "UnitMoved" : "UnitGone", kind, id });
    } catch (error) {
      const failure = failureOf(error);
      if (failure === "gone") this.#dispatch({ type: "UnitGone", kind, id });
      else this.#dispatch({ type: "UnitFailed", kind, id, failure });
    }
  }
}

/** Why a unit's move did not happen, in the words of `core/drain`. */
function failureOf(error: unknown): { readonly code: string; readonly message: string } | "gone" {
  if (!(error instanceof RuntimeError)) return { code: "unexpected", message: String(error) };
  if (error.code === "notOwner") return "gone";
  if (error.code === "notFound") return { code: "targetUnavailable", message: error.message };
  const failure = error.code === "moveFailed" ? (error.cause as MoveFailure | undefined) : undefined;
  return failure ?? { code: error.code, message: error.message };
}

/** A drain that did not even begin. */
export function blocked(reason: DrainReason): DrainResult {
  return { outcome: "blocked", reason, done: 0, stayed: [] };
}

/** D3: the caller's signal ends its wait, and nothing else. */
function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const cancel = (): void =>
      reject(
        new RuntimeError("cancelled", "the wait for the drain was cancelled; the drain goes on", {
          cause: signal.reason,
        }),
      );
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", cancel));
  });
}
