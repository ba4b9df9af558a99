import { crc32c } from "@rehome/wire";
import type { CommitInput } from "../authority-commit/state.ts";
import { stepCommit } from "../authority-commit/step.ts";
import { assert } from "../errors.ts";
import { differs, firstDifference } from "../move/fences.ts";
import {
  attemptFailedFault,
  attemptRecordFault,
  prepareFault,
  relayedFault,
  restoredFault,
  sameBytes,
} from "./checks.ts";
import type { TargetConfig } from "./config.ts";
import {
  CHUNKS_LOST,
  DEADLINE,
  LINK_LOST,
  PAYLOAD_OFF,
  RELAY_FULL,
  RELAY_LOST,
  SOURCE_GAVE_UP,
  givenUp,
} from "./failures.ts";
import type { PrepareReceived, TargetInput } from "./inputs.ts";
import type { TargetState, UncommittedTarget } from "./state.ts";
import {
  answeredAgain,
  becomeCommitted,
  becomeCommitting,
  becomeFailed,
  becomeOpen,
  becomeReady,
  becomeReadyWithMore,
  becomeReceivingMore,
  becomeRestoring,
  ignored,
  refused,
  unchanged,
} from "./transitions.ts";
import type { TargetStep } from "./transitions.ts";

type In<T extends TargetState["type"]> = Extract<TargetState, { type: T }>;
type Received<T extends TargetInput["type"]> = Extract<TargetInput, { type: T }>;

/**
 * Opens the attempt of a 40 (`protocol.md` T1). A machine does not exist before its 40, so this takes it. Whether the 40
 * may open one is `TargetRegistry.prepare`'s question, which is how a runtime calls this; a 40 that `prepareFault` names
 * a fault in is a programmer's error here.
 */
export function startTarget(config: TargetConfig, received: PrepareReceived, now: number): TargetStep {
  const fault = prepareFault(config, received.command);
  assert(fault === undefined, `This 40 cannot open an attempt: ${fault?.field ?? ""}.`);
  return becomeOpen({
    config,
    prepare: received.command,
    prepareBytes: received.bytes,
    deadlineAtMs: now + config.deadlineMs,
  });
}

/**
 * Takes one fact, gives back the new state and what to do, in order. Times in ms on one monotonic clock.
 *
 * Two things are not this machine's business. 31s that come once it has ended in `adopted` are forwarded messages (F2): the
 * runtime queues them for the actor while following lasts. And records whose relocation has no open attempt go to
 * `TargetRegistry`, which knows the ended ones (T1).
 */
export function stepTarget(state: TargetState, input: TargetInput, now: number): TargetStep {
  switch (state.type) {
    case "receiving":
      return endedEarly(state, input, now) ?? stepReceiving(state, input);
    case "restoring":
      return endedEarly(state, input, now) ?? stepRestoring(state, input);
    case "ready":
      return endedEarly(state, input, now) ?? stepReady(state, input);
    case "committing":
      return stepCommitting(state, input, now);
    case "adopted":
    case "failed":
      return stepEnded(state, input);
  }
}

/** T5: what drops an attempt unrun before its first commit write. A late timer does not lengthen the deadline. */
function endedEarly(state: UncommittedTarget, input: TargetInput, now: number): TargetStep | undefined {
  if (now >= state.attempt.deadlineAtMs) return becomeFailed(state, DEADLINE);
  switch (input.type) {
    case "TimerFired":
      return input.timer === "deadline" ? becomeFailed(state, DEADLINE) : unchanged(state);
    case "LinkLost":
      return input.peer === state.attempt.prepare.sourceNodeRid ? becomeFailed(state, LINK_LOST) : unchanged(state);
    case "FailedReceived": {
      const field = attemptFailedFault(state.attempt, input.peer, input.command);
      if (field !== undefined) return refused(state, { record: input.command.command, field });
      return becomeFailed(state, SOURCE_GAVE_UP);
    }
    case "AbortRequested":
      return becomeFailed(state, givenUp(input.failure));
    default:
      return undefined;
  }
}

function stepReceiving(state: In<"receiving">, input: TargetInput): TargetStep {
  switch (input.type) {
    case "PrepareReceived":
      return answeredAgain(state, input);
    case "StateReceived":
      return withChunk(state, input);
    case "RelayReceived":
    case "CutoverReceived":
      return outOfTurn(state, input);
    default:
      return unchanged(state);
  }
}

function stepRestoring(state: In<"restoring">, input: TargetInput): TargetStep {
  switch (input.type) {
    case "PrepareReceived":
      return answeredAgain(state, input);
    case "Restored":
      return restoredFault(state.attempt, input.restored) === undefined
        ? becomeReady(state, input.restored)
        : becomeFailed(state, PAYLOAD_OFF);
    case "RestoreFailed":
      return becomeFailed(state, input);
    case "StateReceived":
      return late(state, input);
    case "RelayReceived":
    case "CutoverReceived":
      return outOfTurn(state, input);
    default:
      return unchanged(state);
  }
}

function stepReady(state: In<"ready">, input: TargetInput): TargetStep {
  switch (input.type) {
    case "PrepareReceived":
      return answeredAgain(state, input);
    case "RelayReceived":
      return withRelayed(state, input);
    case "CutoverReceived":
      return cutOver(state, input);
    case "StateReceived":
      return late(state, input);
    default:
      return unchanged(state);
  }
}

/** T6: neither a 53, nor a lost link, nor a wish of this node ends the attempt any more. */
function stepCommitting(before: In<"committing">, input: TargetInput, now: number): TargetStep {
  const overdue = now >= before.attempt.deadlineAtMs || (input.type === "TimerFired" && input.timer === "deadline");
  const first = overdue
    ? becomeCommitted(before, stepCommit(before.commit, { type: "DeadlinePassed" }))
    : unchanged(before);
  const state = first.state;
  if (state.type !== "committing") return first;
  const next = whileCommitting(state, input);
  return { state: next.state, effects: [...first.effects, ...next.effects] };
}

function whileCommitting(state: In<"committing">, input: TargetInput): TargetStep {
  switch (input.type) {
    case "CommitSettled":
    case "AuthorityRead":
    case "MembersRead":
    case "FenceSettled":
      return withWord(state, input);
    case "TimerFired":
      return input.timer === "retryStore" ? withWord(state, { type: "RetryDue" }) : unchanged(state);
    case "PrepareReceived":
      return answeredAgain(state, input);
    case "RelayReceived": {
      const field =
        attemptRecordFault(state.attempt, input.peer, input.command) ?? relayedFault(state.restored, input.command);
      if (field !== undefined) return refused(state, { record: input.command.command, field });
      return { state, effects: [{ type: "QueueForwarded", command: input.command }] };
    }
    case "CutoverReceived":
      return cutOverAgain(state, input);
    case "StateReceived":
    case "FailedReceived":
      return late(state, input);
    case "AbortRequested":
      return ignored(state, { input: input.type });
    case "Restored":
    case "RestoreFailed":
    case "LinkLost":
      return unchanged(state);
  }
}

/** T1: a record of an id that has ended changes nothing. Only the 40 has an answer that can be given again (I9). */
function stepEnded(state: In<"adopted" | "failed">, input: TargetInput): TargetStep {
  switch (input.type) {
    case "PrepareReceived":
      return answeredAgain(state, input);
    case "StateReceived":
    case "RelayReceived":
    case "CutoverReceived":
    case "FailedReceived":
      return ignored(state, { record: input.command.command });
    default:
      return unchanged(state);
  }
}

function withWord(state: In<"committing">, input: CommitInput): TargetStep {
  return becomeCommitted(state, stepCommit(state.commit, input));
}

/** T2. A chunk that came before is a repeat and has no effect; a gap can only mean that something was lost. */
function withChunk(state: In<"receiving">, { peer, command }: Received<"StateReceived">): TargetStep {
  const { attempt, received } = state;
  const record = command.command;
  const field = attemptRecordFault(attempt, peer, command);
  if (field !== undefined) return refused(state, { record, field });
  const { chunkOrdinal: ordinal, chunkData: data } = command;
  const known = received.chunks[ordinal];
  if (known !== undefined) {
    return sameBytes(known, data) ? unchanged(state) : refused(state, { record, field: "chunkData" });
  }
  if (ordinal !== received.chunks.length || !fits(state, data)) return becomeFailed(state, CHUNKS_LOST);

  const more = {
    chunks: [...received.chunks, data],
    bytes: received.bytes + data.length,
    checksumCrc32c: crc32c(data, received.checksumCrc32c),
  };
  const { payloadChunkCount, payloadChecksumCrc32c } = attempt.prepare;
  if (more.chunks.length < payloadChunkCount) return becomeReceivingMore(state, more);
  const intact = more.checksumCrc32c === payloadChecksumCrc32c;
  return intact ? becomeRestoring(state, more) : becomeFailed(state, CHUNKS_LOST);
}

/** T2: the first chunk shows the agreed size; each but the last has it, and the last has the rest. */
function fits(state: In<"receiving">, data: Uint8Array): boolean {
  const { config, prepare } = state.attempt;
  const { chunks, bytes } = state.received;
  const rest = Number(prepare.payloadTotalLength) - bytes;
  const after = prepare.payloadChunkCount - chunks.length - 1;
  const size = chunks[0]?.length ?? data.length;
  if (after === 0) return data.length === rest && data.length <= size && data.length <= config.limits.chunkBytes;
  const restFits = rest > after * size && rest <= (after + 1) * size;
  return data.length === size && size <= config.limits.chunkBytes && restFits;
}

function withRelayed(state: In<"ready">, { peer, command, bytes }: Received<"RelayReceived">): TargetStep {
  const { attempt, relayed, restored } = state;
  const field = attemptRecordFault(attempt, peer, command) ?? relayedFault(restored, command);
  if (field !== undefined) return refused(state, { record: command.command, field });
  const { limits } = attempt.config;
  const more = {
    records: [...relayed.records, bytes],
    bytes: relayed.bytes + bytes.length,
    checksumCrc32c: crc32c(bytes, relayed.checksumCrc32c),
  };
  if (more.records.length > limits.relayedRecords || more.bytes > limits.relayedBytes) {
    return becomeFailed(state, RELAY_FULL);
  }
  return becomeReadyWithMore(state, more);
}

/** T5: commits only with a 34 that speaks of exactly what came. */
function cutOver(state: In<"ready">, { peer, command }: Received<"CutoverReceived">): TargetStep {
  const field = attemptRecordFault(state.attempt, peer, command);
  if (field !== undefined) return refused(state, { record: command.command, field });
  const { records, checksumCrc32c } = state.relayed;
  const matches =
    command.boundaryRecordCount === BigInt(records.length) && command.boundaryChecksumCrc32c === checksumCrc32c;
  return matches ? becomeCommitting(state, command) : becomeFailed(state, RELAY_LOST);
}

/** I9: the same 34 again has no second effect; its answer is the 37 that is still to come. */
function cutOverAgain(state: In<"committing">, { peer, command }: Received<"CutoverReceived">): TargetStep {
  const { cutover } = state;
  const field = firstDifference(
    attemptRecordFault(state.attempt, peer, command),
    differs("senderRole", cutover.senderRole, command.senderRole),
    differs("boundaryRecordCount", cutover.boundaryRecordCount, command.boundaryRecordCount),
    differs("boundaryChecksumCrc32c", cutover.boundaryChecksumCrc32c, command.boundaryChecksumCrc32c),
  );
  return field === undefined ? unchanged(state) : refused(state, { record: command.command, field });
}

/** A 31 or 34 before the 30: nobody may send it yet. */
function outOfTurn(state: UncommittedTarget, input: Received<"RelayReceived" | "CutoverReceived">): TargetStep {
  const field = attemptRecordFault(state.attempt, input.peer, input.command) ?? "order";
  return refused(state, { record: input.command.command, field });
}

/** A 52 after the last one, or a 53 after the commit write: from the rightful sender a late one, else a breach. */
function late(state: TargetState, { peer, command }: Received<"StateReceived" | "FailedReceived">): TargetStep {
  const field = attemptRecordFault(state.attempt, peer, command);
  const record = command.command;
  return field === undefined ? ignored(state, { record }) : refused(state, { record, field });
}
