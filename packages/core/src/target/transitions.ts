import { actorAuthorityKey } from "@rehome/wire";
import type { RelocationCutover } from "@rehome/wire";
import type { CommitState, CommitStep } from "../authority-commit/state.ts";
import { startCommit } from "../authority-commit/step.ts";
import { sameBytes } from "./checks.ts";
import {
  commitMoveOf,
  failedCommand,
  joinedCommand,
  readyCommand,
  routeCommand,
  unitObjectOf,
  type ArrivedMember,
} from "./commands.ts";
import type { TargetEffect } from "./effects.ts";
import type { AttemptFailure } from "./failures.ts";
import type { PrepareReceived, RestoredFacts } from "./inputs.ts";
import type { OpenTarget, ReceivedChunks, Relayed, TargetAttempt, TargetState } from "./state.ts";

/** A new state with what is to be done for it, in this order. */
export interface TargetStep {
  readonly state: TargetState;
  readonly effects: readonly TargetEffect[];
}

type In<T extends TargetState["type"]> = Extract<TargetState, { type: T }>;

const NO_CHUNKS: ReceivedChunks = { chunks: [], bytes: 0, checksumCrc32c: 0 };
const NO_RECORDS: Relayed = { records: [], bytes: 0, checksumCrc32c: 0 };

/** An attempt opens: its clock starts. An empty payload has no chunk to wait for (T2). */
export function becomeOpen(attempt: TargetAttempt): TargetStep {
  const start: TargetEffect = { type: "StartTimer", timer: "deadline", delayMs: attempt.config.deadlineMs };
  if (attempt.prepare.payloadChunkCount > 0) {
    return { state: { type: "receiving", attempt, received: NO_CHUNKS }, effects: [start] };
  }
  return {
    state: { type: "restoring", attempt },
    effects: [start, { type: "RestoreUnit", payload: new Uint8Array(0) }],
  };
}

export function becomeReceivingMore(from: In<"receiving">, received: ReceivedChunks): TargetStep {
  return { state: { type: "receiving", attempt: from.attempt, received }, effects: [] };
}

/** Every chunk came, and length, count and checksum match. The payload goes to the runtime and is not kept here. */
export function becomeRestoring(from: In<"receiving">, received: ReceivedChunks): TargetStep {
  const payload = joined(received);
  return { state: { type: "restoring", attempt: from.attempt }, effects: [{ type: "RestoreUnit", payload }] };
}

/** F5: the node stops following this actor before it answers 30. */
export function becomeReady(from: In<"restoring">, restored: RestoredFacts): TargetStep {
  const { attempt } = from;
  return {
    state: { type: "ready", attempt, restored, relayed: NO_RECORDS },
    effects: [
      { type: "OpenTemporaryQueue" },
      { type: "SendReady", peer: attempt.prepare.sourceNodeRid, command: readyCommand(attempt) },
    ],
  };
}

export function becomeReadyWithMore(from: In<"ready">, relayed: Relayed): TargetStep {
  return { state: { ...from, relayed }, effects: [] };
}

/** T5: the 34 matched. From the commit write on, only the store ends the attempt (T6). */
export function becomeCommitting(from: In<"ready">, cutover: RelocationCutover): TargetStep {
  const { attempt, restored, relayed } = from;
  const { state: commit, effects } = startCommit(commitMoveOf(attempt, restored));
  return { state: { type: "committing", attempt, restored, relayed, cutover, commit }, effects };
}

/** The commit took a step: it goes on, or its verdict ends the attempt. */
export function becomeCommitted(from: In<"committing">, step: CommitStep): TargetStep {
  switch (step.state.type) {
    case "committed":
      return becomeAdopted(from, step.state, step.effects);
    case "failed":
      return becomeFailed(from, step.state);
    default:
      return { state: { ...from, commit: step.state }, effects: step.effects };
  }
}

/** Section 4, steps 8 and 9: adopt, open dispatch, and only then tell session owners and source (T10). */
function becomeAdopted(
  from: In<"committing">,
  verdict: Extract<CommitState, { type: "committed" }>,
  last: readonly TargetEffect[],
): TargetStep {
  const { attempt, restored, relayed } = from;
  const { record } = verdict;
  const arrived = arrivedMembers(attempt, restored, verdict);
  const { storeVersion, authorityOwnerGeneration, objectGeneration } = record;
  return {
    state: { type: "adopted", attempt, fence: { storeVersion, authorityOwnerGeneration, objectGeneration } },
    effects: [
      ...last,
      { type: "StopTimer", timer: "deadline" },
      { type: "Adopt", record, members: arrived.map((each) => each.record) },
      { type: "OpenDispatch", relayed: relayed.records },
      ...arrived.flatMap((each) =>
        each.member.sessions.map((session): TargetEffect => {
          return { type: "SendRoute", peer: session.ownerNodeRid, command: routeCommand(attempt, each, session) };
        }),
      ),
      ...arrived.slice(0, 1).map((each): TargetEffect => {
        return { type: "SendJoined", peer: attempt.prepare.sourceNodeRid, command: joinedCommand(attempt, each) };
      }),
      { type: "Settle", outcome: { type: "adopted", record } },
    ],
  };
}

/** The members that the store gave this node, in the payload's order. */
function arrivedMembers(
  attempt: TargetAttempt,
  { members }: RestoredFacts,
  { record, companions }: Extract<CommitState, { type: "committed" }>,
): readonly ArrivedMember[] {
  if (unitObjectOf(attempt.prepare).kind === "actor") return members.map((member) => ({ member, record }));
  const records = new Map(companions.map((each) => [each.key, each]));
  return members.flatMap((member) => {
    const own = records.get(actorAuthorityKey(member.actor.actorId));
    return own === undefined ? [] : [{ member, record: own }];
  });
}

/** T11: the copy goes before the source hears of it, so that a new attempt finds no remains of this one. */
export function becomeFailed(from: OpenTarget, reason: AttemptFailure): TargetStep {
  const { attempt } = from;
  const { failure, failureCode } = reason;
  const answer = failureCode === undefined ? undefined : failedCommand(attempt.prepare, failureCode);
  const told: readonly TargetEffect[] =
    answer === undefined ? [] : [{ type: "SendFailed", peer: attempt.prepare.sourceNodeRid, command: answer }];
  return {
    state: { type: "failed", attempt, failure, answer },
    effects: [
      { type: "StopTimer", timer: "deadline" },
      { type: "DropCopy", failure },
      ...told,
      { type: "Settle", outcome: { type: "failed", failure } },
    ],
  };
}

/** I9: the 40 again. The same bytes get the answer that they had; others change nothing. */
export function answeredAgain(state: TargetState, received: PrepareReceived): TargetStep {
  const { prepare, prepareBytes } = state.attempt;
  const record = "relocationPrepare";
  if (received.peer !== prepare.sourceNodeRid) return refused(state, { record, field: "peer" });
  if (!sameBytes(prepareBytes, received.bytes)) return refused(state, { record, field: "bytes" });
  switch (state.type) {
    case "receiving":
    case "restoring":
    case "adopted":
      return unchanged(state);
    case "ready":
    case "committing": {
      const command = readyCommand(state.attempt);
      return { state, effects: [{ type: "SendReady", peer: received.peer, command }] };
    }
    case "failed": {
      if (state.answer === undefined) return unchanged(state);
      return { state, effects: [{ type: "SendFailed", peer: received.peer, command: state.answer }] };
    }
  }
}

export function unchanged(state: TargetState): TargetStep {
  return { state, effects: [] };
}

/** I9: a record that broke the protocol is reported, and changes nothing. */
export function refused(state: TargetState, fields: Readonly<Record<string, unknown>>): TargetStep {
  return { state, effects: [{ type: "Report", event: "target.refused", fields: { ...fields, state: state.type } }] };
}

/** A record that came too late for anything. */
export function ignored(state: TargetState, fields: Readonly<Record<string, unknown>>): TargetStep {
  return { state, effects: [{ type: "Report", event: "target.ignored", fields: { ...fields, state: state.type } }] };
}

function joined({ chunks, bytes }: ReceivedChunks): Uint8Array {
  const only = chunks.length === 1 ? chunks[0] : undefined;
  if (only !== undefined) return only;
  const payload = new Uint8Array(bytes);
  let offset = 0;
  for (const chunk of chunks) {
    payload.set(chunk, offset);
    offset += chunk.length;
  }
  return payload;
}
