import type { NodeEvent } from "@rehome/runtime";
import type { Death } from "./check/settled.ts";
import type { Report } from "./check/violation.ts";
import { DEADLINES } from "./profile.ts";
import type { Cluster, Run } from "./world/cluster.ts";
import type { Trace } from "./world/trace.ts";
import type { VirtualTime } from "./world/virtual-time.ts";

export interface NodeReportsParts {
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly cluster: Cluster;
  readonly deaths: Death[];
  readonly report: Report;
  onFault(name: "leaseLost"): void;
}

/** What the nodes of a run say of themselves (`observe`), into the accounts. */
export class NodeReports {
  /** Moves by kind and outcome, `relocate committed`. */
  readonly moves: Record<string, number> = {};
  /** Actors that were made again, by what they began with. */
  readonly recreated: Record<string, number> = {};
  readonly #parts: NodeReportsParts;

  constructor(parts: NodeReportsParts) {
    this.#parts = parts;
  }

  on(run: Run, event: NodeEvent): void {
    const { trace, cluster } = this.#parts;
    switch (event.type) {
      case "MoveEnded":
        this.#moveEnded(run, event);
        return;
      case "MoveOpened":
        trace.note(run.name, `opens ${event.actorId} (${event.relocation})`);
        return;
      case "MovePaused":
        trace.note(run.name, `stops ${event.actorId} (${event.relocation})`);
        return;
      case "SendRefused":
        this.#sendRefused(run, event);
        return;
      case "PushDropped":
        cluster.ledger.pushDropped(event.name);
        return;
      case "ActorRecreated":
        trace.note(run.name, `makes ${event.actorId} again (${event.from})`);
        this.recreated[event.from] = (this.recreated[event.from] ?? 0) + 1;
        if (event.from === "savedState") cluster.ledger.wasRestored(event.actorId);
        return;
      case "SavedDataLost":
        this.#parts.report("L3", `${run.name} has lost what ${event.actorId} saved`, [event.actorId]);
        return;
      case "NodeFailed":
        this.#nodeFailed(run, event);
        return;
      default:
        trace.note(run.name, event.type);
    }
  }

  #moveEnded(run: Run, event: Extract<NodeEvent, { type: "MoveEnded" }>): void {
    const { kind, outcome, actorId, spotId, relocation, reason } = event;
    const what = `${spotId === undefined ? kind : "spot"} ${outcome}`;
    this.moves[what] = (this.moves[what] ?? 0) + 1;
    if (kind === "join" && outcome === "committed" && actorId !== undefined)
      this.#parts.cluster.ledger.joinMoved(actorId, relocation);
    this.#parts.trace.note(run.name, `${kind} of ${spotId ?? actorId} ${outcome} (${relocation}) ${reason ?? ""}`);
  }

  #sendRefused(run: Run, { name, error }: Extract<NodeEvent, { type: "SendRefused" }>): void {
    const { cluster, trace } = this.#parts;
    const { ledger } = cluster;
    const message = ledger.messages[Number(/#(\d+)$/.exec(name)?.[1] ?? "-1")];
    trace.note(run.name, `is told of m${message?.id ?? "?"}: ${error.code}`);
    if (!message) return;
    if (error.code === "outcomeUnknown") ledger.toldUnknown(message, error.code);
    else ledger.toldNotRun(message, error.code);
  }

  /** Its supervisor ends the process and starts another. */
  #nodeFailed(run: Run, { error }: Extract<NodeEvent, { type: "NodeFailed" }>): void {
    const { time, trace, cluster, deaths } = this.#parts;
    trace.note(run.name, `fails: ${error.message}`);
    deaths.push({ name: run.name, atMs: time.nowMs, isClean: false });
    this.#parts.onFault("leaseLost");
    time.after(DEADLINES.closeMs, () => {
      run.process.kill();
      if (run.host.run === run) cluster.start(run.host);
    });
  }
}
