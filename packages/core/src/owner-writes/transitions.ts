import type { AuthorityRecord } from "../ports/authority-store.ts";
import { changeDocument, EMPTY_DOCUMENT } from "./document.ts";
import type {
  Doubt,
  Question,
  SentWrite,
  StandingVersion,
  WriteJob,
  WriteOutcome,
  WriterBase,
  WriterConfig,
  WriterEffect,
  WriterEnd,
  WriterState,
  WriterStep,
  Working,
} from "./state.ts";

type In<T extends WriterState["type"]> = Extract<WriterState, { type: T }>;
export type Busy = In<"writing" | "pausing" | "reading" | "fencing">;

const NO_DOUBT: Doubt = { type: "none" };

export function becomeFirst(config: WriterConfig, record: AuthorityRecord): WriterStep {
  const document = config.codec.decode(record.payload);
  const known = { version: record.storeVersion, bytes: record.payload, document: document ?? EMPTY_DOCUMENT };
  return {
    state: { type: "idle", config, known, doubt: NO_DOUBT, gate: "open", waiting: [] },
    effects: document === undefined ? [{ type: "ReportLoss" }] : [],
  };
}

/** The next write in line begins, unless a move waits for, or stands on, the version (O6). */
export function becomeNext(from: WriterBase): WriterStep {
  const { config, known, doubt, waiting } = from;
  if (from.gate === "closing") {
    return { state: { type: "idle", config, known, doubt, gate: "closed", waiting }, effects: [{ type: "Frozen" }] };
  }
  const [job, ...rest] = waiting;
  if (from.gate === "closed" || job === undefined) {
    return { state: { type: "idle", config, known, doubt, gate: from.gate, waiting }, effects: [] };
  }
  const working: Working = { config, known, doubt, gate: from.gate, waiting: rest, job, goal: "finish", pauses: 0 };
  const deadline: WriterEffect = { type: "StartTimer", timer: "deadline", delayMs: config.deadlineMs };
  const begun = doubt.type === "none" ? becomeWriting(working) : becomeSettling(working, doubt.sent);
  return { state: begun.state, effects: [deadline, ...begun.effects] };
}

/** Sends the job's write on the version that is known. A change that is no change, or is forbidden, ends the job at once. */
export function becomeWriting(from: Working): WriterStep {
  const { change } = from.job;
  if (change.type === "destroy") {
    return {
      state: { ...workingOf(from), type: "writing", sent: { type: "destroyed" } },
      effects: [{ type: "Destroy", baseVersion: from.known.version }],
    };
  }
  const changed = changeDocument(from.known.document, change);
  if (changed.type === "unchanged") return becomeSettled(from, { type: "written", record: undefined });
  if (changed.type === "refused") return becomeSettled(from, changed);
  const bytes = from.config.codec.encode(changed.document);
  const place = change.type === "joinHere" ? { spot: change.place } : undefined;
  return {
    state: {
      ...workingOf(from),
      type: "writing",
      sent: { type: "published", bytes, document: changed.document, place },
    },
    effects: [{ type: "Publish", baseVersion: from.known.version, payload: bytes, place }],
  };
}

/** An earlier write may still happen on the known version; nothing else is written before that is over. */
export function becomeSettling(from: Working, sent: SentWrite): WriterStep {
  return {
    state: { ...workingOf(from), type: "reading", question: { purpose: "settle", sent } },
    effects: [{ type: "ReadAuthority" }],
  };
}

/** Every way round passes through here, so that a store that contradicts itself cannot make the machine spin. */
export function becomePausing(from: Working, question: Question): WriterStep {
  const { firstMs, mostMs } = from.config.retry;
  // Twenty doublings are more than any `mostMs` needs; the bound keeps the power finite.
  const delayMs = Math.min(firstMs * 2 ** Math.min(from.pauses, 20), mostMs);
  return {
    state: { ...workingOf(from), type: "pausing", question, pauses: from.pauses + 1 },
    effects: [{ type: "StartTimer", timer: "retryStore", delayMs }],
  };
}

/**
 * O6: nothing is out, so the move may have the version. The job goes back to the head of the line; what it has sent is a
 * doubt, to be settled first. Should that write still come through, it changes the version and the move is undone.
 */
export function becomeParked(from: In<"pausing">): WriterStep {
  const { config, known, job, question } = from;
  const doubt: Doubt = { type: "doubtful", sent: question.sent };
  const parked = becomeNext({ config, known, doubt, gate: "closing", waiting: [job, ...from.waiting] });
  return {
    state: parked.state,
    effects: [{ type: "StopTimer", timer: "deadline" }, { type: "StopTimer", timer: "retryStore" }, ...parked.effects],
  };
}

export function becomeReading(from: In<"pausing">): WriterStep {
  return {
    state: { ...workingOf(from), type: "reading", question: from.question },
    effects: [{ type: "ReadAuthority" }],
  };
}

export function becomeFencing(from: In<"reading">): WriterStep {
  return {
    state: { ...workingOf(from), type: "fencing", question: from.question },
    effects: [{ type: "FenceAuthority", baseVersion: from.known.version }],
  };
}

/** The doubt is over: what is known is certain, and the job begins. */
export function becomeCertain(from: Working, known: StandingVersion): WriterStep {
  return becomeWriting({ ...workingOf(from), known, doubt: NO_DOUBT });
}

/** The job has ended; the next one begins. */
export function becomeSettled(
  from: Working,
  outcome: WriteOutcome,
  learned: { readonly known?: StandingVersion; readonly doubt?: Doubt } = {},
): WriterStep {
  const { config, gate, waiting } = from;
  const known = learned.known ?? from.known;
  const doubt = learned.doubt ?? from.doubt;
  const next = becomeNext({ config, gate, waiting, known, doubt });
  return {
    state: next.state,
    effects: [
      { type: "StopTimer", timer: "deadline" },
      { type: "StopTimer", timer: "retryStore" },
      { type: "SettleWrite", id: from.job.id, outcome },
      ...next.effects,
    ],
  };
}

/** This ownership is over. Whoever waits is told; a move that waits for the gate finds out by itself. */
export function becomeEnded(from: WriterBase, reason: WriterEnd, job: WriteJob | undefined): WriterStep {
  const jobs = job === undefined ? from.waiting : [job, ...from.waiting];
  return {
    state: { type: "ended", reason },
    effects: [
      { type: "StopTimer", timer: "deadline" },
      { type: "StopTimer", timer: "retryStore" },
      ...jobs.map(({ id }): WriterEffect => ({ type: "SettleWrite", id, outcome: { type: "failed", reason } })),
      ...(from.gate === "closing" ? [{ type: "Frozen" } as const] : []),
    ],
  };
}

/** The destroyed object's job is done, and so is everything else of it. */
export function becomeDestroyed(from: Working): WriterStep {
  const ended = becomeEnded(from, "notOwner", undefined);
  const outcome = { type: "written", record: undefined } as const;
  return { state: ended.state, effects: [{ type: "SettleWrite", id: from.job.id, outcome }, ...ended.effects] };
}

function workingOf({ config, known, doubt, gate, waiting, job, goal, pauses }: Working): Working {
  return { config, known, doubt, gate, waiting, job, goal, pauses };
}
