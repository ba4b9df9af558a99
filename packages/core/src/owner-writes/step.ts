import { CoreError } from "../errors.ts";
import type {
  AuthorityRecord,
  DestroyAnswer,
  FenceAnswer,
  PublishAnswer,
  ReadAnswer,
} from "../ports/authority-store.ts";
import { AFTER_DOUBT_FENCE, AFTER_WRITE, AFTER_WRITE_READ } from "./decisions.ts";
import type { WriteDecision, WritePurpose } from "./decisions.ts";
import { EMPTY_DOCUMENT } from "./document.ts";
import { writeEvidence, writeSeen } from "./evidence.ts";
import type { WriteEvidence } from "./evidence.ts";
import { MAX_WAITING_WRITES } from "./state.ts";
import type {
  Question,
  SentWrite,
  StandingVersion,
  Working,
  WriteJob,
  WriterConfig,
  WriterInput,
  WriterState,
  WriterStep,
} from "./state.ts";
import {
  becomeCertain,
  becomeDestroyed,
  becomeEnded,
  becomeFencing,
  becomeFirst,
  becomeNext,
  becomeParked,
  becomePausing,
  becomeReading,
  becomeSettled,
  becomeWriting,
} from "./transitions.ts";
import type { Busy } from "./transitions.ts";

type In<T extends WriterState["type"]> = Extract<WriterState, { type: T }>;

/** Begins to write for an owner: `record` is the store's word on what it owns. */
export function startWriter(config: WriterConfig, record: AuthorityRecord): WriterStep {
  return becomeFirst(config, record);
}

/**
 * The one way in which an owner writes its own data (`protocol.md` J2, L3, O6, S16): one conditional write at a time, in the
 * order asked for, none while a move stands on the version. {@link AFTER_WRITE}, {@link AFTER_WRITE_READ} and
 * {@link AFTER_DOUBT_FENCE} decide what the store's answers mean; this only carries out.
 */
export function stepWriter(state: WriterState, input: WriterInput): WriterStep {
  if (state.type === "ended") return inEnded(state, input);
  switch (input.type) {
    case "WriteAsked":
      return asked(state, input.job);
    case "FreezeAsked":
      if (state.type === "idle") return becomeNext({ ...state, gate: "closing" });
      return state.type === "pausing" ? becomeParked(state) : stay({ ...state, gate: "closing" });
    case "Thawed":
      return state.type === "idle" ? becomeNext({ ...state, gate: "open" }) : stay({ ...state, gate: "open" });
    case "Departed":
      return becomeEnded(state, "notOwner", state.type === "idle" ? undefined : state.job);
    case "WriteSettled":
      return state.type === "writing" ? afterWrite(state, input.answer) : stay(state);
    case "AuthorityRead":
      return state.type === "reading" ? afterRead(state, input.answer) : stay(state);
    case "FenceSettled":
      return state.type === "fencing" ? afterFence(state, input.answer) : stay(state);
    case "TimerFired":
      if (state.type === "idle") return stay(state);
      if (input.timer === "deadline") return overdue(state);
      return state.type === "pausing" ? becomeReading(state) : stay(state);
  }
}

function inEnded(state: In<"ended">, input: WriterInput): WriterStep {
  if (input.type === "FreezeAsked") return { state, effects: [{ type: "Frozen" }] };
  if (input.type !== "WriteAsked") return stay(state);
  const outcome = { type: "failed", reason: state.reason } as const;
  return { state, effects: [{ type: "SettleWrite", id: input.job.id, outcome }] };
}

function asked(state: Exclude<WriterState, In<"ended">>, job: WriteJob): WriterStep {
  if (state.waiting.length >= MAX_WAITING_WRITES) {
    return { state, effects: [{ type: "SettleWrite", id: job.id, outcome: { type: "failed", reason: "tooMany" } }] };
  }
  const waiting = [...state.waiting, job];
  return state.type === "idle" ? becomeNext({ ...state, waiting }) : stay({ ...state, waiting });
}

function afterWrite(state: In<"writing">, answer: PublishAnswer | DestroyAnswer): WriterStep {
  const { sent } = state;
  const decision = AFTER_WRITE[writeSeen(answer, sent)];
  switch (decision) {
    case "done":
      return answer.outcome === "published" ? written(state, sent, answer.record) : becomeDestroyed(state);
    case "read": {
      const question: Question = { purpose: purposeOf(sent), sent };
      if (state.goal === "giveUp") return givenUp(state, question);
      return pauseOrPark(state, question);
    }
    case "leaseEnded":
      return becomeEnded(state, "leaseEnded", state.job);
    case "dataLoss":
      return lost(state, answer.outcome === "published" ? answer.record : undefined);
    default:
      return impossible(decision);
  }
}

function afterRead(state: In<"reading">, answer: ReadAnswer): WriterStep {
  const { question, known } = state;
  const evidence = writeEvidence(answer, { authority: state.config.authority, known, sent: question.sent });
  const record = answer.outcome === "found" ? answer.reading.record : undefined;
  const decision = AFTER_WRITE_READ[evidence][question.purpose];
  switch (decision) {
    case "done":
      return record !== undefined && evidence === "written"
        ? written(state, question.sent, record)
        : becomeDestroyed(state);
    case "writeAgain":
      return state.goal === "giveUp"
        ? givenUp({ ...state, known: learned(evidence, state, record) }, question, evidence === "base")
        : becomeWriting({ ...state, known: learned(evidence, state, record) });
    case "goOn":
      return state.goal === "giveUp"
        ? becomeSettled(state, NOT_WRITTEN, { known: learned(evidence, state, record), doubt: { type: "none" } })
        : becomeCertain(state, learned(evidence, state, record));
    case "fence":
      return state.goal === "giveUp" ? givenUp(state, question) : becomeFencing(state);
    case "keepReading":
      return state.goal === "giveUp" ? givenUp(state, question) : pauseOrPark(state, question);
    case "notOwner":
      // Its own destroy, sent before a move froze the record, has happened.
      if (evidence === "gone" && question.sent.type === "destroyed") return becomeDestroyed(state);
      return becomeEnded(state, "notOwner", state.job);
    case "dataLoss":
      return lost(state, record);
    case "leaseEnded":
    case "read":
      return impossible(decision);
  }
}

function afterFence(state: In<"fencing">, answer: FenceAnswer): WriterStep {
  const decision = AFTER_DOUBT_FENCE[answer.outcome];
  switch (decision) {
    case "goOn": {
      if (answer.outcome !== "fenced") return impossible(decision);
      const known = { ...state.known, version: answer.record.storeVersion };
      if (state.goal === "finish") return becomeCertain(state, known);
      return becomeSettled(state, NOT_WRITTEN, { known, doubt: { type: "none" } });
    }
    case "read":
      return state.goal === "giveUp" ? givenUp(state, state.question) : pauseOrPark(state, state.question);
    case "leaseEnded":
      return becomeEnded(state, "leaseEnded", state.job);
    default:
      return impossible(decision);
  }
}

/** A move that waits for the gate does not wait for a store that is silent: nothing is out now. */
function pauseOrPark(state: Working, question: Question): WriterStep {
  const { state: paused, effects } = becomePausing(state, question);
  if (state.gate !== "closing" || paused.type !== "pausing") return { state: paused, effects };
  return becomeParked(paused);
}

const NOT_WRITTEN = { type: "failed", reason: "notWritten" } as const;
const IN_DOUBT = { type: "failed", reason: "inDoubt" } as const;

/** The deadline has passed. A question that is out is waited for: the store settles every call in time of its own. */
function overdue(state: Busy): WriterStep {
  // J6: it holds the actor's place and the answer. Whoever is told that it came to nothing must not hear the other thing later.
  if (state.job.change.type === "joinHere" && isOwnOut(state)) return stay(state);
  if (state.type === "pausing") return givenUp(state, state.question);
  return stay({ ...state, goal: "giveUp" });
}

/** The job's own write is out, or its fate is asked for. */
function isOwnOut(state: Busy): boolean {
  return state.type === "writing" || state.question.purpose !== "settle";
}

/**
 * Gives the job up. Its own write stays in doubt, unless a reading has shown that its version is gone; an earlier one stays
 * in doubt as it was, and then the job's own was never sent.
 */
function givenUp(state: Working, question: Question, mayStillHappen = true): WriterStep {
  if (question.purpose === "settle") return becomeSettled(state, NOT_WRITTEN);
  if (!mayStillHappen) return becomeSettled(state, NOT_WRITTEN, { doubt: { type: "none" } });
  return becomeSettled(state, IN_DOUBT, { doubt: { type: "doubtful", sent: question.sent } });
}

function written(state: Working, sent: SentWrite, record: AuthorityRecord): WriterStep {
  if (sent.type !== "published") return impossible("done");
  const known = { version: record.storeVersion, bytes: sent.bytes, document: sent.document };
  return becomeSettled(state, { type: "written", record }, { known, doubt: { type: "none" } });
}

/** What the store holds is not ours: what it held is lost, and said so. The next write stands on what is there. */
function lost(state: Working, record: AuthorityRecord | undefined): WriterStep {
  if (record === undefined) return impossible("dataLoss");
  const known = { version: record.storeVersion, bytes: record.payload, document: EMPTY_DOCUMENT };
  const settled = becomeSettled(state, { type: "failed", reason: "dataLoss" }, { known, doubt: { type: "none" } });
  return { state: settled.state, effects: [{ type: "ReportLoss" }, ...settled.effects] };
}

/** What a reading adds to what is known. */
function learned(evidence: WriteEvidence, state: In<"reading">, record: AuthorityRecord | undefined): StandingVersion {
  const { known, question } = state;
  if (record === undefined) return known;
  if (evidence === "written" && question.sent.type === "published") {
    return { version: record.storeVersion, bytes: question.sent.bytes, document: question.sent.document };
  }
  return { ...known, version: record.storeVersion };
}

function purposeOf(sent: SentWrite): Exclude<WritePurpose, "settle"> {
  return sent.type === "published" ? "publish" : "destroy";
}

function stay(state: WriterState): WriterStep {
  return { state, effects: [] };
}

/** The tables never say this; a table that does is a bug. */
function impossible(decision: WriteDecision): never {
  throw new CoreError("assertionFailed", `The decision tables have no place for "${decision}" here.`);
}
