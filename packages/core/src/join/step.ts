import type { SpotFence } from "@rehome/wire";
import type { WriteOutcome } from "../owner-writes/state.ts";
import type { SpotPlace } from "../ports/authority-store.ts";
import type {
  JoinConfig,
  JoinEffect,
  JoinInput,
  JoinRefusal,
  JoinState,
  JoinStep,
  JournalOccupant,
  SpotAnswer,
  SpotFound,
} from "./state.ts";

/**
 * What may be done about the record that stands in a new one's way (J5): one join of an actor is under way at a time (O2),
 * so that a prepared one of another operation has come to nothing; one that the actor knows of is delivered; one that it has
 * still to be told is neither.
 */
export const OCCUPANT: Readonly<Record<"none" | "prepared" | "committed:told" | "committed:untold", OccupantDecision>> =
  {
    none: "goOn",
    prepared: "discard",
    "committed:told": "markDelivered",
    "committed:untold": "refuse",
  };
export type OccupantDecision = "goOn" | "discard" | "markDelivered" | "refuse";

/** H7: pauses of a join whose spot is on its way to another node: as long as a small spot's move takes. */
export const SPOT_MOVING_PAUSE_MS = 20;

/** The turn that asked to join has ended (J1). */
export function startJoin<Reply>(): JoinStep<Reply> {
  return { state: { type: "finding" }, effects: [{ type: "FindSpot" }] };
}

/**
 * One deferred join (`protocol.md` J1, J2, J5, J6, H2, H7), from the end of the turn that asked until the actor has been told or
 * has gone. The move itself is the source's machine's business. A fact that its state does not wait for changes nothing.
 */
export function stepJoin<Reply>(
  state: JoinState<Reply>,
  input: JoinInput<Reply>,
  config: JoinConfig,
  now: number,
): JoinStep<Reply> {
  switch (state.type) {
    case "finding":
      return input.type === "SpotLooked" ? looked(input.found) : stay(state);
    case "admitting":
      return input.type === "SpotAnswered" ? admitted(state.place, input.answer, config) : stay(state);
    case "clearingHere":
      if (input.type !== "JournalCleared") return stay(state);
      return input.outcome.type === "written"
        ? becomePlacing(state.place, state.reply)
        : becomeRefusedHere<Reply>({ reason: whyNotWritten(input.outcome), reply: undefined });
    case "placing":
      return input.type === "JournalWritten" ? placed(state.place, input.outcome) : stay(state);
    case "starting":
      if (input.type === "CheckAsked") {
        return { state: { type: "asking", spot: state.spot }, effects: [{ type: "AskSpotThere", spot: state.spot }] };
      }
      return input.type === "MoveEnded" ? undone(input, undefined) : stay(state);
    case "asking":
      if (input.type === "SpotAnswered") return granted(state.spot, input.answer, config);
      return input.type === "MoveEnded" ? undone(input, undefined) : stay(state);
    case "clearing":
      if (input.type === "MoveEnded") return undone(input, undefined);
      if (input.type !== "JournalCleared") return stay(state);
      return input.outcome.type === "written"
        ? becomePreparing(state.spot, state.reply)
        : becomeRefused<Reply>({ reason: whyNotWritten(input.outcome), reply: undefined });
    case "preparing":
      // The write is on its way: what it did must not stay behind when the move has been given up meanwhile.
      if (input.type === "MoveEnded") return undone(input, "DiscardPrepared");
      return input.type === "JournalWritten" ? prepared(state, input.outcome) : stay(state);
    case "moving":
      return input.type === "MoveEnded" ? undone(input, "DiscardPrepared") : stay(state);
    case "refused":
      return input.type === "MoveEnded" ? tell(state.refusal) : stay(state);
    case "missed":
      return input.type === "MoveEnded" ? becomePausing(state.reason, []) : stay(state);
    case "pausing":
      if (input.type !== "RetryDue") return stay(state);
      return now < config.deadlineAtMs ? startJoin() : tell<Reply>({ reason: state.reason, reply: undefined });
    case "ended":
      return stay(state);
  }
}

function looked<Reply>(found: SpotFound): JoinStep<Reply> {
  switch (found.type) {
    case "here":
      return {
        state: { type: "admitting", place: found.place },
        effects: [{ type: "HoldIngress" }, { type: "AskSpotHere" }],
      };
    case "elsewhere":
      return { state: { type: "starting", spot: found.spot }, effects: [{ type: "StartMove", spot: found.spot }] };
    case "moving":
      return becomePausing(found.reason, []);
    case "unavailable":
      return tell<Reply>({ reason: found.reason, reply: undefined });
  }
}

function admitted<Reply>(place: SpotPlace, answer: SpotAnswer<Reply>, config: JoinConfig): JoinStep<Reply> {
  if (answer.type === "rejected") return becomeRefusedHere<Reply>(answer);
  if (answer.type === "moved") return becomePausing(answer.reason, [{ type: "GiveBackHold" }]);
  const occupant = config.occupant();
  const decision = OCCUPANT[nameOf(occupant)];
  if (decision === "goOn") return becomePlacing(place, answer.reply);
  if (decision === "refuse") return becomeRefusedHere<Reply>(UNTOLD);
  return { state: { type: "clearingHere", place, reply: answer.reply }, effects: clear(occupant) };
}

function granted<Reply>(spot: SpotFence, answer: SpotAnswer<Reply>, config: JoinConfig): JoinStep<Reply> {
  if (answer.type === "rejected") return becomeRefused<Reply>(answer);
  if (answer.type === "moved") {
    const { reason } = answer;
    return { state: { type: "missed", reason }, effects: [{ type: "FailCheck", reason }] };
  }
  const occupant = config.occupant();
  const decision = OCCUPANT[nameOf(occupant)];
  if (decision === "goOn") return becomePreparing(spot, answer.reply);
  if (decision === "refuse") return becomeRefused<Reply>(UNTOLD);
  return { state: { type: "clearing", spot, reply: answer.reply }, effects: clear(occupant) };
}

const UNTOLD: JoinRefusal<never> = {
  reason: "the answer to an earlier join has not been delivered yet; join again",
  reply: undefined,
};

function becomePlacing<Reply>(place: SpotPlace, reply: Reply): JoinStep<Reply> {
  return { state: { type: "placing", place, reply }, effects: [{ type: "WritePlace", place, reply }] };
}

function becomePreparing<Reply>(spot: SpotFence, reply: Reply): JoinStep<Reply> {
  return { state: { type: "preparing", spot, reply }, effects: [{ type: "WritePrepared", spot, reply }] };
}

/** J6: leave, join, then the answer, then what was held. */
function placed<Reply>(place: SpotPlace, outcome: WriteOutcome): JoinStep<Reply> {
  if (outcome.type !== "written") return becomeRefusedHere<Reply>({ reason: whyNotWritten(outcome), reply: undefined });
  return ended([
    { type: "LeaveSpot" },
    { type: "ArriveInSpot", place },
    { type: "Deliver" },
    { type: "GiveBackHold" },
    { type: "Settle" },
  ]);
}

/** J2: only an answer that is written lets the move go on. One that may have been written must not stay behind. */
function prepared<Reply>(
  { spot, reply }: { readonly spot: SpotFence; readonly reply: Reply },
  outcome: WriteOutcome,
): JoinStep<Reply> {
  if (outcome.type === "written") {
    return {
      state: { type: "moving" },
      effects: [{ type: "PassCheck", place: spot.spot, reply }],
    };
  }
  return { state: { type: "moving" }, effects: [{ type: "FailCheck", reason: whyNotWritten(outcome) }] };
}

function becomeRefused<Reply>(refusal: JoinRefusal<Reply>): JoinStep<Reply> {
  const { reason, reply } = refusal;
  return { state: { type: "refused", refusal: { reason, reply } }, effects: [{ type: "FailCheck", reason }] };
}

function becomeRefusedHere<Reply>({ reason, reply }: JoinRefusal<Reply>): JoinStep<Reply> {
  return ended([{ type: "Refuse", refusal: { reason, reply } }, { type: "GiveBackHold" }, { type: "Settle" }]);
}

/** J1: an actor that is still here is told that it did not come there; one that is gone is told where it is. */
function undone<Reply>(
  input: Extract<JoinInput<Reply>, { type: "MoveEnded" }>,
  cleanUp: "DiscardPrepared" | undefined,
): JoinStep<Reply> {
  if (input.outcome === "gone") return ended([{ type: "Settle" }]);
  if (input.outcome === "spotMoved") {
    return becomePausing(input.reason, cleanUp === undefined ? [] : [{ type: cleanUp }]);
  }
  const told = tell<Reply>({ reason: input.reason, reply: undefined });
  return cleanUp === undefined ? told : { state: told.state, effects: [{ type: cleanUp }, ...told.effects] };
}

/** H7: the spot is looked up again, wherever it has come to. */
function becomePausing<Reply>(reason: string, effects: readonly JoinEffect<Reply>[]): JoinStep<Reply> {
  return {
    state: { type: "pausing", reason },
    effects: [...effects, { type: "StartTimer", delayMs: SPOT_MOVING_PAUSE_MS }],
  };
}

function tell<Reply>(refusal: JoinRefusal<Reply>): JoinStep<Reply> {
  return ended([{ type: "Refuse", refusal }, { type: "Settle" }]);
}

function ended<Reply>(effects: readonly JoinEffect<Reply>[]): JoinStep<Reply> {
  return { state: { type: "ended" }, effects };
}

function stay<Reply>(state: JoinState<Reply>): JoinStep<Reply> {
  return { state, effects: [] };
}

function nameOf(occupant: JournalOccupant): keyof typeof OCCUPANT {
  return occupant.type === "committed" ? `committed:${occupant.told}` : occupant.type;
}

function clear<Reply>(occupant: JournalOccupant): JoinEffect<Reply>[] {
  if (occupant.type === "none") return [];
  const { operation } = occupant;
  return [occupant.type === "prepared" ? { type: "DiscardRecord", operation } : { type: "MarkDelivered", operation }];
}

function whyNotWritten(outcome: WriteOutcome): string {
  switch (outcome.type) {
    case "written":
      return "";
    case "refused":
      return `the journal of joins does not take it: ${outcome.reason}`;
    case "failed":
      return `the store does not take it: ${outcome.reason}`;
  }
}
