/** The commands of `wire.md` section 3, in its order. */
import {
  maxBlobBytes,
  maxHops,
  maxPayloadBytes,
  maxPayloadChunks,
  maxQueuedBytes,
  maxQueuedMessages,
} from "../limits.ts";
import {
  commandIds,
  failureCodes,
  rejectReasons,
  replyRelayStatuses,
  roles,
  terminalResults,
  type CommandName,
} from "../values/enums.ts";
import { admission } from "./admission.ts";
import {
  actorFence,
  actorRef,
  coordinator,
  frozenRecord,
  object,
  requestSource,
  reservation,
  role,
  session,
  sessionTail,
  spotFence,
  spotRef,
  target,
} from "./composites.ts";
import {
  bool,
  constant,
  delimited,
  field,
  gen,
  id128,
  inline,
  names,
  ord,
  pair,
  rid,
  text8,
  u32,
  u64,
  u8,
  type Part,
} from "./node.ts";
import { followRoute, relayContext, replyTail, routeUpdate, sessionBinding } from "./unions.ts";

/** Bits of the flags byte (`wire.md` section 1). */
export const flagBits = { metadata: 1, boundSession: 2, sourceSpotId: 4, extension: 8 } as const;
/** Set together or not at all: the session tail is there. */
export const sessionTailFlags = flagBits.boundSession | flagBits.sourceSpotId;

export interface CommandSchema {
  readonly name: CommandName;
  readonly id: number;
  readonly typeName: string;
  /** The flags that it may have. */
  readonly flags: number;
  readonly payload: "required" | "optional" | "forbidden";
  readonly parts: readonly Part[];
  /** Whether a rule across fields applies to it (`rules.ts`). */
  readonly hasRule: boolean;
}

interface Extras {
  readonly hasRule?: boolean;
  readonly flags?: number;
  readonly payload?: "required" | "optional";
}

function command(name: CommandName, parts: readonly Part[], extras: Extras = {}): CommandSchema {
  return {
    name,
    id: commandIds[name],
    typeName: name[0]!.toUpperCase() + name.slice(1),
    flags: extras.flags ?? 0,
    payload: extras.payload ?? "forbidden",
    parts,
    hasRule: extras.hasRule ?? false,
  };
}

const correlation = field("correlation", gen);
const relocation = field("relocation", id128);
const targetAttemptGeneration = field("targetAttemptGeneration", gen);
const senderRole = field("senderRole", role);
const terminalResult = field("terminalResult", names(4, terminalResults));
const failureCode = field("failureCode", names(4, failureCodes));
const authorityOwnerGeneration = field("authorityOwnerGeneration", gen);
const replyRouteId = field("replyRouteId", gen);

const move: readonly Part[] = [relocation, targetAttemptGeneration, field("coordinator", coordinator)];
const ready: readonly Part[] = [...move, field("target", target), field("object", object), senderRole];
const moved: readonly Part[] = [...move, senderRole, field("object", object)];

const message: readonly Part[] = [
  field("hopCount", u8(0, maxHops)),
  field("sourceActor", actorRef, "text"),
  field("target", actorFence),
  field("sessionTail", sessionTail, "flags"),
];
const messageExtras: Extras = { flags: flagBits.metadata | sessionTailFlags, payload: "required" };

export const commands: readonly CommandSchema[] = [
  command("hello", [field("admission", admission)]),
  command("admit", [field("admission", admission)]),
  command("reject", [field("reason", names(4, rejectReasons))]),
  command("update", [field("admission", admission)]),
  command("livenessProbe", [field("probeId", u64(1n))]),
  command("livenessAck", [field("probeId", u64(1n))]),
  command("reply", [correlation, terminalResult, failureCode, field("tail", replyTail, "told")], {
    payload: "optional",
  }),
  command("actorSend", [field("operation", pair), ...message], messageExtras),
  command("actorRequest", [correlation, field("operation", id128), ...message], messageExtras),
  command("actorLookup", [correlation, field("actorId", text8)]),
  command("actorDestroy", [correlation, field("actor", actorFence)]),
  command(
    "actorJoin",
    [correlation, field("actor", actorFence), field("entry", bool), field("targetSpot", spotFence)],
    { payload: "optional" },
  ),
  command("actorLeft", [field("actor", actorRef), field("previousSpot", spotRef), authorityOwnerGeneration]),
  command("relocationReady", ready),
  command("relocationData", [...moved, field("record", frozenRecord)]),
  command(
    "replyRelay",
    [field("operation", id128), replyRouteId, field("context", relayContext), terminalResult, failureCode],
    { payload: "optional" },
  ),
  command("relocationCutover", [...moved, field("boundaryRecordCount", ord), field("boundaryChecksumCrc32c", u32())]),
  command("boundSessionSend", [field("actor", actorFence), field("expectedBindingGeneration", gen)], {
    payload: "required",
  }),
  command("actorJoined", [
    field("actor", actorRef),
    field("previousSpot", spotRef, "union"),
    field("currentSpot", spotRef),
    authorityOwnerGeneration,
  ]),
  command("boundSessionBind", [
    correlation,
    field("actor", actorFence),
    field("sessionRid", rid),
    field("binding", sessionBinding),
  ]),
  command("relocationPrepare", [
    ...move,
    field("target", target),
    field("initiatorRole", role),
    field("object", object),
    field("sourceNodeRid", rid),
    field("sourceNodeGeneration", gen),
    field("payloadTotalLength", u64(0n, maxPayloadBytes)),
    field("payloadChunkCount", u32(0, maxPayloadChunks)),
    field("payloadChecksumCrc32c", u32()),
    field("applicationVersion", ord),
  ]),
  command("sessionRelocationSeal", [
    relocation,
    field("coordinator", coordinator),
    field("senderRole", names(1, { source: roles.source, coordinator: roles.coordinator })),
    field("actor", actorFence),
    field("session", session),
  ]),
  command("sessionRelocationSealed", [
    relocation,
    field("coordinator", coordinator),
    field("actor", actorFence),
    field("session", session),
  ]),
  command(
    "sessionRelocationRoute",
    [
      relocation,
      field("coordinator", coordinator),
      senderRole,
      field("actor", actorRef),
      field("session", session),
      field("route", routeUpdate),
    ],
    { hasRule: true },
  ),
  command("replyRelayAck", [
    relocation,
    field("coordinator", coordinator),
    field("operation", id128),
    replyRouteId,
    field("requestSource", requestSource),
    field("status", names(1, replyRelayStatuses)),
  ]),
  command("actorCreate", [
    correlation,
    field("operation", id128),
    field("sourceNodeRid", rid),
    field("sourceNodeGeneration", gen),
    field("actorId", text8),
    field("stableType", text8),
    field("reservation", reservation),
    field("deadlineUnixMs", gen),
  ]),
  command("messageFollow", [
    field("version", constant("version", 1)),
    inline(
      delimited("rest", 4, [
        field("source", followRoute),
        field("target", followRoute),
        field("hopCount", u8(1, maxHops)),
        field("queuedMessages", u32(0, maxQueuedMessages)),
        field("queuedBytes", u32(0, maxQueuedBytes)),
        field("operation", pair),
        field("replyRouteId", u64()),
      ]),
    ),
  ]),
  command("boundSessionReplaced", [field("actor", actorFence), field("retired", session)]),
  command("relocationState", [
    ...moved,
    field("chunkOrdinal", u32()),
    field("chunkData", { type: "blob", max: maxBlobBytes }),
  ]),
  command("relocationFailed", [...ready, failureCode]),
  command("sendRefused", [field("operation", id128), terminalResult, failureCode]),
];
