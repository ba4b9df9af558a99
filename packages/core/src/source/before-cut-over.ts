import { sessionRelocationKey } from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import { companionsOf, membersOf } from "../move/unit.ts";
import type { ReadAnswer } from "../ports/authority-store.ts";
import { isSealOf } from "./checks.ts";
import { cutoverHeader, prepareCommand, relayHeader, sealCommand, stateHeader } from "./commands.ts";
import { isGeneration, MAX_CHUNK_COUNT, READ_AGAIN_MS } from "./config.ts";
import type { SourceEffect } from "./effects.ts";
import { leave } from "./departing.ts";
import { abortBeforeCutOver } from "./endings.ts";
import { deadlineFailure, FAILURES, sealRefused, targetRefused, tooLarge } from "./failures.ts";
import type { MemberBinding, PayloadSummary, SourceInput } from "./inputs.ts";
import { memberKeys, membersAtBase } from "./members.ts";
import { reportContradiction } from "./reports.ts";
import { SOURCE_AFTER_READ, baseEvidence } from "./resolution.ts";
import type {
  BeforeCutOver,
  Capturing,
  Checking,
  PausingBase,
  ReadingBase,
  ReadingMembers,
  Seal,
  Sealing,
  Stopping,
  Transferring,
} from "./state.ts";
import type { SourceStep } from "./step.ts";
import {
  becomeAwaitingUnprompted,
  becomeAwaitingWord,
  becomeCapturing,
  becomePausingBase,
  becomeReadingBase,
  becomeReadingMembers,
  becomeSealing,
  becomeStopping,
  becomeTransferring,
  withSeals,
} from "./transitions.ts";

/** A move that may still be given up without asking anyone (O3). Records in `input` have proven themselves. */
export function stepBeforeCutOver(state: BeforeCutOver, input: SourceInput, now: number): SourceStep {
  const failure = givenUpBy(state, input);
  if (failure !== undefined) return abortBeforeCutOver(state, failure);
  if (input.type === "TimerFired" && input.timer === "deadline") return deadlineFired(state, now);
  switch (state.type) {
    case "checking":
      return stepChecking(state, input);
    case "stopping":
      return stepStopping(state, input);
    case "readingBase":
      return stepReadingBase(state, input, now);
    case "pausingBase":
      return stepPausingBase(state, input);
    case "readingMembers":
      return stepReadingMembers(state, input);
    case "sealing":
      return stepSealing(state, input);
    case "capturing":
      return stepCapturing(state, input);
    case "transferring":
      return stepTransferring(state, input);
  }
}

/** What ends a move before the 34 whatever it is doing. */
function givenUpBy(state: BeforeCutOver, input: SourceInput): MoveFailure | undefined {
  if (input.type === "AbortRequested") return input.failure;
  if (input.type === "LinkLost" && input.peer === state.config.target.nodeRid) return FAILURES.targetLost;
  return undefined;
}

function deadlineFired(state: BeforeCutOver, now: number): SourceStep {
  // A platform's timer may be early by the fraction that it rounds away.
  if (now < state.deadlineAtMs) {
    return { state, effects: [{ type: "StartTimer", timer: "deadline", delayMs: state.deadlineAtMs - now }] };
  }
  return abortBeforeCutOver(state, deadlineFailure(state));
}

function stepChecking(state: Checking, input: SourceInput): SourceStep {
  switch (input.type) {
    case "CheckPassed": {
      const { kind, chunkBytes } = state.config;
      return {
        state: becomeStopping(state, Math.min(chunkBytes, input.receiveChunkLimitBytes ?? chunkBytes)),
        effects: [
          kind === "join" ? { type: "PromoteHold" } : { type: "HoldIngress", mode: "full" },
          { type: "StopTurns" },
        ],
      };
    }
    case "CheckFailed":
      return abortBeforeCutOver(state, input.failure);
    default:
      return stay(state);
  }
}

function stepStopping(state: Stopping, input: SourceInput): SourceStep {
  if (input.type !== "TurnsStopped") return stay(state);
  if (input.bindings.some(({ session }) => !hasExactFence(session)))
    return abortBeforeCutOver(state, FAILURES.staleOwner);
  return readBase(becomeReadingBase(state, distinctBindings(state, input.bindings)));
}

function stepReadingBase(state: ReadingBase, input: SourceInput, now: number): SourceStep {
  switch (input.type) {
    case "AuthorityRead":
      return baseRead(state, input.answer, now);
    case "SessionOwnerGone":
      return { state: becomeReadingBase(state, withoutOwner(state.bindings, input)), effects: [] };
    default:
      return stay(state);
  }
}

function stepPausingBase(state: PausingBase, input: SourceInput): SourceStep {
  switch (input.type) {
    case "TimerFired":
      return readBase(becomeReadingBase(state, state.bindings));
    case "SessionOwnerGone":
      return { state: becomePausingBase(state, withoutOwner(state.bindings, input)), effects: [] };
    default:
      return stay(state);
  }
}

function stepReadingMembers(state: ReadingMembers, input: SourceInput): SourceStep {
  switch (input.type) {
    case "MembersRead": {
      const read = membersAtBase(input.answers, state.config);
      if (read.type === "take") return seal(becomeSealing(state, state.baseVersion, read.versions));
      if (read.type === "abort") return abortBeforeCutOver(state, read.failure);
      return {
        state: becomePausingBase(state, state.bindings),
        effects: [{ type: "StartTimer", timer: "retryRead", delayMs: READ_AGAIN_MS }],
      };
    }
    case "SessionOwnerGone":
      return {
        state: becomeReadingMembers(state, state.baseVersion, withoutOwner(state.bindings, input)),
        effects: [],
      };
    default:
      return stay(state);
  }
}

function stepSealing(state: Sealing, input: SourceInput): SourceStep {
  switch (input.type) {
    case "SealedReceived":
      return sealsChanged(
        state,
        state.seals.map((seal) =>
          seal.status === "pending" && isSealOf(seal, input.command) ? { ...seal, status: "sealed" } : seal,
        ),
      );
    case "SessionOwnerGone":
      return sealsChanged(state, sealsWithoutOwner(state.seals, input));
    case "SealRefused":
      return abortBeforeCutOver(state, sealRefused(input.command.failureCode));
    case "LinkLost":
      return state.seals.some(({ session, status }) => status === "pending" && session.ownerNodeRid === input.peer)
        ? abortBeforeCutOver(state, FAILURES.sessionOwnerLost)
        : stay(state);
    default:
      return stay(state);
  }
}

function stepCapturing(state: Capturing, input: SourceInput): SourceStep {
  switch (input.type) {
    case "StateCaptured": {
      const failure = payloadFault(state, input.payload);
      if (failure !== undefined) return abortBeforeCutOver(state, failure);
      const peer = state.config.target.nodeRid;
      return {
        state: becomeTransferring(state),
        effects: [
          { type: "SendPrepare", peer, command: prepareCommand(state, input.payload) },
          { type: "SendState", peer, header: stateHeader(state), chunkBytes: state.chunkBytes },
        ],
      };
    }
    case "CaptureFailed":
      return abortBeforeCutOver(state, input.failure);
    default:
      return stay(state);
  }
}

function stepTransferring(state: Transferring, input: SourceInput): SourceStep {
  switch (input.type) {
    case "ReadyReceived":
      return cutOver(state);
    case "FailedReceived":
      return abortBeforeCutOver(state, targetRefused(input.command.failureCode));
    default:
      return stay(state);
  }
}

function cutOver(state: Transferring): SourceStep {
  const effect: SourceEffect = {
    type: "RelayAndCutOver",
    peer: state.config.target.nodeRid,
    relay: relayHeader(state.config, state.coordinator),
    cutover: cutoverHeader(state),
  };
  if (membersOf(state.config.unit).length > 0) return { state: becomeAwaitingWord(state), effects: [effect] };
  return {
    state: becomeAwaitingUnprompted(state),
    effects: [effect, { type: "StartTimer", timer: "retryRead", delayMs: READ_AGAIN_MS }],
  };
}

function readBase(state: ReadingBase): SourceStep {
  return { state, effects: [{ type: "ReadAuthority" }] };
}

function baseRead(state: ReadingBase, answer: ReadAnswer, now: number): SourceStep {
  const evidence = baseEvidence(answer, state.config);
  const { action } = SOURCE_AFTER_READ.base[evidence.reading];
  if (action === "seal" && evidence.reading === "ownAtBase") return ownBase(state, evidence.storeVersion);
  if (action === "departSuperseded" && "record" in evidence) {
    return leave(state, { type: "superseded", record: evidence.record, failure: undefined }, now);
  }
  if (action === "departGone") return leave(state, { type: "gone" }, now);
  if (action === "abort") return abortBeforeCutOver(state, FAILURES.staleOwner);
  const effects: SourceEffect[] = [{ type: "StartTimer", timer: "retryRead", delayMs: READ_AGAIN_MS }];
  if (evidence.reading === "contradiction") effects.unshift(reportContradiction(state));
  return { state: becomePausingBase(state, state.bindings), effects };
}

/** T8: every participant of the commit stands on a base version of its own, read by the source. */
function ownBase(state: ReadingBase, baseVersion: string): SourceStep {
  const { config, bindings } = state;
  if (companionsOf(config.unit).length === 0) return seal(becomeSealing(state, baseVersion, []));
  return {
    state: becomeReadingMembers(state, baseVersion, bindings),
    effects: [{ type: "ReadMembers", keys: memberKeys(config) }],
  };
}

function seal(state: Sealing): SourceStep {
  const effects = state.seals.map((each): SourceEffect => ({
    type: "SendSeal",
    peer: each.session.ownerNodeRid,
    command: sealCommand(state, each),
  }));
  const next = captureWhenSealed(state);
  return { state: next.state, effects: [...effects, ...next.effects] };
}

function sealsChanged(state: Sealing, seals: readonly Seal[]): SourceStep {
  return captureWhenSealed(withSeals(state, seals));
}

function captureWhenSealed(state: Sealing): SourceStep {
  if (state.seals.some(({ status }) => status === "pending")) return stay(state);
  const { chunkBytes, memberVersions, config } = state;
  return {
    state: becomeCapturing(state),
    effects: [{ type: "CaptureState", chunkBytes, maxPayloadBytes: config.maxPayloadBytes, memberVersions }],
  };
}

/** T2, T4: what cannot be sent, before anything is sent. */
function payloadFault(state: Capturing, payload: PayloadSummary): MoveFailure | undefined {
  const { totalLength, chunkCount, checksumCrc32c } = payload;
  const chunk = BigInt(state.chunkBytes);
  const most = BigInt(state.config.maxPayloadBytes);
  const sendable = chunk * BigInt(MAX_CHUNK_COUNT);
  const limit = sendable < most ? sendable : most;
  if (totalLength > limit) return tooLarge(totalLength, limit);
  if (totalLength < 0n || BigInt(chunkCount) !== (totalLength + chunk - 1n) / chunk) return FAILURES.payloadOff;
  return totalLength === 0n && checksumCrc32c !== 0 ? FAILURES.payloadOff : undefined;
}

/** O1: positive generations; a session without them cannot be sealed. */
function hasExactFence(session: MemberBinding["session"]): boolean {
  return (
    isGeneration(session.bindingGeneration) &&
    isGeneration(session.ownerNodeGeneration) &&
    isGeneration(session.ownerLeaseGeneration)
  );
}

/** S1: one seal for one identity. */
function distinctBindings(state: Stopping, bindings: readonly MemberBinding[]): readonly MemberBinding[] {
  const { relocation, unit } = state.config;
  const members = new Map(membersOf(unit).map(({ fence }) => [fence.actor.actorId, fence.actor]));
  const byIdentity = new Map<string, MemberBinding>();
  for (const binding of bindings) {
    const actor = members.get(binding.actorId);
    if (actor === undefined) continue;
    const key = sessionRelocationKey({ relocation, actor, session: binding.session });
    if (!byIdentity.has(key)) byIdentity.set(key, binding);
  }
  return [...byIdentity.values()];
}

type OwnerGone = Extract<SourceInput, { readonly type: "SessionOwnerGone" }>;

function isOf(session: MemberBinding["session"], gone: OwnerGone): boolean {
  return (
    session.ownerNodeRid === gone.ownerNodeRid &&
    (gone.ownerNodeGeneration === undefined || gone.ownerNodeGeneration === session.ownerNodeGeneration)
  );
}

/** O1: the move goes on without a session whose owner is no more. */
function withoutOwner(bindings: readonly MemberBinding[], gone: OwnerGone): readonly MemberBinding[] {
  return bindings.filter(({ session }) => !isOf(session, gone));
}

function sealsWithoutOwner(seals: readonly Seal[], gone: OwnerGone): readonly Seal[] {
  return seals.map((seal) => (isOf(seal.session, gone) ? { ...seal, status: "gone" } : seal));
}

function stay(state: BeforeCutOver): SourceStep {
  return { state, effects: [] };
}
