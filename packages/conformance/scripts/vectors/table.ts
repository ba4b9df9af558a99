/** `wire.md` section 3: the commands, field by field, and section 6: the durable envelopes. */
import {
  coordinator,
  actorRef,
  spotRef,
  actorFence,
  spotFence,
  session,
  target,
  requestSource,
  object,
  reservation,
  admission,
} from "./table-composites.ts";
import {
  blob,
  bool,
  frozenRecord,
  gen,
  group,
  id128,
  ord,
  rid,
  text16,
  text8,
  twoU64,
  u32,
  u32From,
  u64,
  u64From,
  u8From,
  union16,
  type Fields,
  type Type,
} from "./types.ts";
import { terminalResult, failureCode, rejectReason, role, replyRelayStatus } from "./table-names.ts";

// Section 3.2.
const joinResult = union16(
  "joinResult",
  "joinResult",
  {
    accepted: [
      0,
      [
        ["spot", spotRef],
        ["membershipEpoch", gen],
        ["receiveChunkLimitBytes", u32],
      ],
    ],
    rejected: [1, [["spot", spotRef, "unionOnBool"]]],
  },
  4,
);
const createResult = union16("createResult", "createResult", {
  existing: [1, [["actor", actorRef]]],
  created: [2, [["actor", actorRef]]],
  rejected: [3, []],
});
export const replyTails: Readonly<Record<string, Fields>> = {
  actorLookup: [
    ["actor", actorRef],
    ["spotId", text8],
    ["spotGeneration", gen],
    ["authorityOwnerGeneration", gen],
  ],
  actorJoin: [{ beside: joinResult }],
  actorCreate: [{ beside: createResult }],
  streamBind: [
    ["bindingGeneration", gen],
    ["authorityOwnerGeneration", gen],
  ],
};

// Section 3.3.
const route = union16("route", "action", {
  commit: [
    1,
    [
      ["previousAuthorityOwnerGeneration", gen],
      ["targetAuthorityOwnerGeneration", gen],
      ["targetNodeRid", rid],
      ["targetNodeGeneration", gen],
      ["targetOwnerLeaseGeneration", gen, "last"],
    ],
  ],
  abort: [2, [["currentAuthorityOwnerGeneration", gen]]],
});

const relayContext = union16("context", "kind", {
  maintenanceRelocation: [
    2,
    [
      ["relocation", id128],
      ["targetAttemptGeneration", gen],
      ["coordinator", coordinator],
      ["participantId", gen],
      ["sequence", gen],
    ],
  ],
});
const binding = union16("binding", "state", {
  active: [1, [["bindingGeneration", gen]]],
  tombstone: [2, [["retiredBindingGeneration", gen]]],
});
const followRoute = union16("follow route", "kind", {
  actor: [1, [["actor", actorFence]]],
  spot: [2, [["spot", spotFence]]],
});

// Section 3.
const fromHopCount: Fields = [
  ["hopCount", u8From(0n, 8n)],
  ["sourceActor", actorRef, "emptyText"],
  ["target", actorFence],
  { special: "sessionTail" },
];
const ready: Fields = [
  ["relocation", id128],
  ["targetAttemptGeneration", gen],
  ["coordinator", coordinator],
  ["target", target],
  ["object", object],
  ["senderRole", role],
];
const moved: Fields = [
  ["relocation", id128],
  ["targetAttemptGeneration", gen],
  ["coordinator", coordinator],
  ["senderRole", role],
  ["object", object],
];

export interface CommandLayout {
  readonly id: number;
  readonly payload: "required" | "optional" | "forbidden";
  /** Whether the flags of 24 and 25 are allowed: `metadata`, and `boundSession` with `sourceSpotId`. */
  readonly flags: boolean;
  readonly body: Fields;
}
const command = (
  id: number,
  body: Fields,
  payload: CommandLayout["payload"] = "forbidden",
  flags = false,
): CommandLayout => ({ id, payload, flags, body });

const probeId: Type = u64From(1n, 0xffff_ffff_ffff_ffffn);

export const commands: Readonly<Record<string, CommandLayout>> = {
  hello: command(1, [["admission", admission]]),
  admit: command(2, [["admission", admission]]),
  reject: command(3, [["reason", rejectReason]]),
  update: command(4, [["admission", admission]]),
  livenessProbe: command(5, [["probeId", probeId]]),
  livenessAck: command(6, [["probeId", probeId]]),
  reply: command(
    20,
    [["correlation", gen], ["terminalResult", terminalResult], ["failureCode", failureCode], { special: "replyTail" }],
    "optional",
  ),
  actorSend: command(24, [["operation", twoU64], ...fromHopCount], "required", true),
  actorRequest: command(25, [["correlation", gen], ["operation", id128], ...fromHopCount], "required", true),
  actorLookup: command(26, [
    ["correlation", gen],
    ["actorId", text8],
  ]),
  actorDestroy: command(27, [
    ["correlation", gen],
    ["actor", actorFence],
  ]),
  actorJoin: command(
    28,
    [
      ["correlation", gen],
      ["actor", actorFence],
      ["entry", bool],
      ["targetSpot", spotFence],
    ],
    "optional",
  ),
  actorLeft: command(29, [
    ["actor", actorRef],
    ["previousSpot", spotRef],
    ["authorityOwnerGeneration", gen],
  ]),
  relocationReady: command(30, ready),
  relocationData: command(31, [...moved, ["record", frozenRecord]]),
  replyRelay: command(
    33,
    [
      ["operation", id128],
      ["replyRouteId", gen],
      ["context", relayContext],
      ["terminalResult", terminalResult],
      ["failureCode", failureCode],
    ],
    "optional",
  ),
  relocationCutover: command(34, [...moved, ["boundaryRecordCount", ord], ["boundaryChecksumCrc32c", u32]]),
  boundSessionSend: command(
    36,
    [
      ["actor", actorFence],
      ["expectedBindingGeneration", gen],
    ],
    "required",
  ),
  actorJoined: command(37, [
    ["actor", actorRef],
    ["previousSpot", spotRef, "unionOnBool"],
    ["currentSpot", spotRef],
    ["authorityOwnerGeneration", gen],
  ]),
  boundSessionBind: command(38, [
    ["correlation", gen],
    ["actor", actorFence],
    ["sessionRid", rid],
    ["binding", binding],
  ]),
  relocationPrepare: command(40, [
    ["relocation", id128],
    ["targetAttemptGeneration", gen],
    ["coordinator", coordinator],
    ["target", target],
    ["initiatorRole", role],
    ["object", object],
    ["sourceNodeRid", rid],
    ["sourceNodeGeneration", gen],
    ["payloadTotalLength", u64From(0n, 274_877_906_944n)],
    ["payloadChunkCount", u32From(0n, 4096n)],
    ["payloadChecksumCrc32c", u32],
    ["applicationVersion", ord],
  ]),
  sessionRelocationSeal: command(42, [
    ["relocation", id128],
    ["coordinator", coordinator],
    ["senderRole", role],
    ["actor", actorFence],
    ["session", session],
  ]),
  sessionRelocationSealed: command(43, [
    ["relocation", id128],
    ["coordinator", coordinator],
    ["actor", actorFence],
    ["session", session],
  ]),
  sessionRelocationRoute: command(44, [
    ["relocation", id128],
    ["coordinator", coordinator],
    ["senderRole", role],
    ["actor", actorRef],
    ["session", session],
    ["route", route],
  ]),
  replyRelayAck: command(46, [
    ["relocation", id128],
    ["coordinator", coordinator],
    ["operation", id128],
    ["replyRouteId", gen],
    ["requestSource", requestSource],
    ["status", replyRelayStatus],
  ]),
  actorCreate: command(49, [
    ["correlation", gen],
    ["operation", id128],
    ["sourceNodeRid", rid],
    ["sourceNodeGeneration", gen],
    ["actorId", text8],
    ["stableType", text8],
    ["reservation", reservation],
    ["deadlineUnixMs", gen],
  ]),
  messageFollow: command(50, [
    ["version", u8From(1n, 1n)],
    {
      behindLength: 4,
      fields: [
        ["source", followRoute],
        ["target", followRoute],
        ["hopCount", u8From(1n, 8n)],
        ["queuedMessages", u32From(0n, 1024n)],
        ["queuedBytes", u32From(0n, 16_777_216n)],
        ["operation", twoU64],
        ["replyRouteId", u64],
      ],
    },
  ]),
  boundSessionReplaced: command(51, [
    ["actor", actorFence],
    ["retired", session],
  ]),
  relocationState: command(52, [...moved, ["chunkOrdinal", u32], ["chunkData", blob]]),
  relocationFailed: command(53, [...ready, ["failureCode", failureCode]]),
  sendRefused: command(200, [
    ["operation", id128],
    ["terminalResult", terminalResult],
    ["failureCode", failureCode],
  ]),
};

// Section 6.
export const durables: Readonly<Record<string, Fields>> = {
  ZLTC: [
    ["order", u32],
    ["data", blob],
  ],
  ZLTM: [
    ["logicalFormatVersion", u8From(1n, 1n)],
    ["totalLength", u64],
    ["totalChecksumCrc32c", u32],
    ["inventoryDigestSha256", { is: "bytes", length: 32 }],
    [
      "chunks",
      {
        is: "list",
        countWidth: 4,
        item: group([
          ["order", u32],
          ["reference", text16],
          ["length", u64From(1n, 0xffff_ffff_ffff_ffffn)],
          ["checksumCrc32c", u32],
        ]),
      },
    ],
  ],
};
