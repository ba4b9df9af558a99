import type { SavedState, WriteOutcome } from "@rehome/core";
import { withDeadline } from "../deadline.ts";
import { asRuntimeError, RuntimeError, type RuntimeErrorCode } from "../errors.ts";
import { statePayload } from "../payload.ts";
import type { Activation } from "./activation.ts";

/** The store takes 64 MiB for one object; a join's answer, its envelope and names need their part of it. */
const MAX_SAVED_BYTES = 62 * 1024 * 1024;

type Failure = Exclude<WriteOutcome, { type: "written" }>;

const CODES: Readonly<Record<Failure["reason"], RuntimeErrorCode>> = {
  notOwner: "closed",
  leaseEnded: "leaseLost",
  inDoubt: "outcomeUnknown",
  notWritten: "storeUnavailable",
  dataLoss: "dataLoss",
  tooMany: "backpressured",
  occupied: "operationInProgress",
  missing: "operationInProgress",
  notCommitted: "operationInProgress",
  notPrepared: "operationInProgress",
};

/** Why an owner's own write did not happen, for whoever asked for it. */
export function writeError(what: string, outcome: Failure): RuntimeError {
  return new RuntimeError(CODES[outcome.reason], `${what} failed: ${outcome.reason}`);
}

/** `ActorContext.save`: what `capture` gives now goes to the store, behind earlier writes of this actor (`protocol.md` L3, O6). */
export async function saveActor(activation: Activation): Promise<void> {
  const { actorId, writes } = activation;
  if (!writes) throw new RuntimeError("notOwner", `actor "${actorId}" cannot save before it has been made`);
  const saved = await captureState(activation);
  const outcome = await writes.write({ type: "save", saved });
  if (outcome.type !== "written") throw writeError(`saving actor "${actorId}"`, outcome);
}

async function captureState({ host, actorId, definition, state }: Activation): Promise<SavedState> {
  const { clock, deadlines, limits, applicationVersion } = host.config;
  const what = `capture of actor "${actorId}"`;
  try {
    // At once: what the state is after the caller went on is the next save's business.
    const captured = definition.capture(state);
    const value = await withDeadline(clock, deadlines.moveMs, what, () => captured);
    const { contentType, data } = statePayload(state, value);
    const maxBytes = Math.min(limits.actorStateBytes, MAX_SAVED_BYTES);
    if (data.length > maxBytes) {
      const message = `the state of actor "${actorId}" has ${data.length} bytes, more than the ${maxBytes} that can be saved`;
      throw new RuntimeError("tooLarge", message);
    }
    return { stateVersion: definition.version ?? 1, applicationVersion, contentType, data };
  } catch (error) {
    throw asRuntimeError(error, "handlerFailed", `${what} failed`);
  }
}
