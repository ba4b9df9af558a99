import type { ActorJoined, RelocationFailed, RelocationReady, Rid, SessionRelocationSealed } from "@rehome/wire";
import {
  actorFenceDifference,
  actorRefDifference,
  coordinatorDifference,
  differs,
  firstDifference,
  id128Difference,
  nodeRunDifference,
  objectDifference,
  sessionDifference,
} from "../move/fences.ts";
import { membersOf, objectOf, type UnitObject } from "../move/unit.ts";
import type { SourceConfig } from "./config.ts";
import { TARGET_ATTEMPT_GENERATION } from "./config.ts";
import type { SourceInput } from "./inputs.ts";
import type { AfterCutOver, Based, BeforeCutOver, Seal, Transferring } from "./state.ts";

/** The inputs that a peer sent, and that must prove themselves before they are acted on. */
export type RecordInput = Extract<SourceInput, { readonly command: unknown }>;

export function isRecordInput(input: SourceInput): input is RecordInput {
  return "command" in input;
}

/**
 * Whether a record comes from its rightful sender and belongs to this move in every field, and whether the move has come
 * as far as the record says (I9). Names the first field that is off, `state` when the move is not there yet, or
 * `undefined`: then it is right, or the repeat of one that was.
 */
export function recordFault(state: BeforeCutOver | AfterCutOver, input: RecordInput): string | undefined {
  if (!("coordinator" in state)) return "state";
  switch (input.type) {
    case "SealedReceived":
      return sealedFault(state, input.peer, input.command);
    case "SealRefused":
      return state.type === "sealing" ? sealRefusalFault(state, input.peer, input.command) : "state";
    case "ReadyReceived":
    case "FailedReceived":
      return prepareSent(state) ? targetRecordFault(state, input.peer, input.command) : "state";
    case "JoinedReceived":
      return state.type === "sealing" || state.type === "capturing" || state.type === "transferring"
        ? "state"
        : joinedFault(state.config, input.peer, input.command);
  }
}

/** The seal that a 43 is about: the one of its actor, session and binding. */
export function isSealOf({ actor, session }: Seal, command: SessionRelocationSealed): boolean {
  return (
    actor.actor.actorId === command.actor.actor.actorId &&
    session.sessionRid === command.session.sessionRid &&
    session.bindingGeneration === command.session.bindingGeneration
  );
}

function prepareSent(state: Based & { readonly type: string }): state is Transferring | AfterCutOver {
  return state.type !== "sealing" && state.type !== "capturing";
}

function sealedFault(state: Based, peer: Rid, command: SessionRelocationSealed): string | undefined {
  const seal = state.seals.find((candidate) => isSealOf(candidate, command));
  if (seal === undefined) return "session.sessionRid";
  return firstDifference(
    differs("peer", seal.session.ownerNodeRid, peer),
    id128Difference("relocation", state.config.relocation, command.relocation),
    coordinatorDifference("coordinator", state.coordinator, command.coordinator),
    actorFenceDifference("actor", seal.actor, command.actor),
    sessionDifference("session", seal.session, command.session),
  );
}

/**
 * A session owner's 53 names its own node as it is now, which may be another run than the one that the 42 was for (S4):
 * only its rid must be the sender's. It is about the actor that its 42 named, whatever the unit is.
 */
function sealRefusalFault(state: Based, peer: Rid, command: RelocationFailed): string | undefined {
  const asked = state.seals.filter(({ session, status }) => session.ownerNodeRid === peer && status === "pending");
  const faults = asked.map(({ actor }) => {
    const { authorityOwnerGeneration } = actor;
    return moveFault(state, { kind: "actor", ...actor.actor, authorityOwnerGeneration }, command);
  });
  return firstDifference(
    asked.length > 0 ? undefined : "peer",
    faults.includes(undefined) ? undefined : faults[0],
    differs("target.nodeRid", peer, command.target.nodeRid),
    differs("senderRole", "coordinator", command.senderRole),
  );
}

/** A 37 carries no relocation id: it must come from the target and speak of a newer owner of a member. */
function joinedFault({ target, unit }: SourceConfig, peer: Rid, command: ActorJoined): string | undefined {
  const member = membersOf(unit).find(({ fence }) => fence.actor.actorId === command.actor.actorId)?.fence;
  if (member === undefined) return firstDifference(differs("peer", target.nodeRid, peer), "actor.actorId");
  return firstDifference(
    differs("peer", target.nodeRid, peer),
    actorRefDifference("actor", member.actor, command.actor),
    command.authorityOwnerGeneration > member.authorityOwnerGeneration ? undefined : "authorityOwnerGeneration",
  );
}

function targetRecordFault(state: Based, peer: Rid, command: RelocationReady | RelocationFailed): string | undefined {
  return firstDifference(
    differs("peer", state.config.target.nodeRid, peer),
    moveFault(state, objectOf(state.config.unit), command),
    nodeRunDifference("target", state.config.target, command.target),
    differs("senderRole", "target", command.senderRole),
  );
}

function moveFault(
  { config, coordinator }: Based,
  object: UnitObject,
  command: RelocationReady | RelocationFailed,
): string | undefined {
  return firstDifference(
    id128Difference("relocation", config.relocation, command.relocation),
    differs("targetAttemptGeneration", TARGET_ATTEMPT_GENERATION, command.targetAttemptGeneration),
    coordinatorDifference("coordinator", coordinator, command.coordinator),
    objectDifference("object", object, command.object),
  );
}
