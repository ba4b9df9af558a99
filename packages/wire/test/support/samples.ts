/** Records of every command: the value, and its frames laid out by hand from `docs/wire.md` section 3. */
import { ridFromText, type Command, type FrozenRecord, type OperationKind, type ReplyTail } from "../../src/index.ts";
import { cat, frame, long, t8, u16, u32, u64, union16 } from "./bytes.ts";
import * as p from "./pieces.ts";

export interface Sample {
  readonly id: string;
  readonly value: Command;
  readonly frames: readonly Uint8Array[];
  /** What the decoder is told that a reply answers. */
  readonly operation?: OperationKind;
}

const gen1 = u64(1);
const move = cat(p.relocationBytes, gen1, p.coordinatorBytes);
const moveValue = { relocation: p.relocation, targetAttemptGeneration: 1n, coordinator: p.coordinator };
const ready = cat(move, p.targetBytes, p.objectBytes, [2]);
const readyValue = { ...moveValue, target: p.target, object: p.object, senderRole: "target" } as const;
const moved = cat(move, [1], p.objectBytes);
const movedValue = { ...moveValue, senderRole: "source", object: p.object } as const;
const operation = { high: 0n, low: 4n };
const operationBytes = cat(u64(0), u64(4));
const none = cat(u64(0), u64(0));

export const frozenSend: FrozenRecord = {
  recordKind: "actorSend",
  source: { kind: "boundSession", ...p.target, actor: p.actorRef, ...p.sessionTail },
  metadata: p.metadata,
  operation: { high: 0n, low: 0n },
  operationKind: "none",
  target: p.actorFence,
  payload: p.payload,
};
export const frozenSendBytes = cat(
  [9],
  union16([4], p.targetBytes, p.actorRefBytes, p.sessionTailBytes),
  [1],
  p.metadataBytes,
  none,
  u32(0),
  u16(0),
  p.actorFenceBytes,
  p.payloadBytes,
);

export const frozenRequest: FrozenRecord = {
  recordKind: "actorRequest",
  source: { kind: "node", ...p.target },
  operation,
  operationKind: "actorRequest",
  replyRouteId: 7n,
  target: p.actorFence,
  payload: p.payload,
};
export const frozenRequestBytes = cat(
  [10],
  union16([1], p.targetBytes),
  [0],
  operationBytes,
  u32(4),
  u16(8),
  u64(7),
  p.actorFenceBytes,
  p.payloadBytes,
);

/** The other kinds of frozen record, with what follows their reply route. */
const frozenOthers: readonly (readonly [FrozenRecord, Uint8Array])[] = [
  [
    {
      recordKind: "nodeSend",
      source: { kind: "spot", ...p.target, spotId: "s" },
      operation: { high: 0n, low: 0n },
      operationKind: "none",
      payload: p.payload,
    },
    cat([1], union16([2], p.targetBytes, t8("s")), [0], none, u32(0), u16(0), p.payloadBytes),
  ],
  [
    {
      recordKind: "nodeRequest",
      source: { kind: "actor", ...p.target, actor: p.actorRef },
      operation,
      operationKind: "nodeRequest",
      replyRouteId: 7n,
      payload: p.payload,
    },
    cat([2], union16([3], p.targetBytes, p.actorRefBytes), [0], operationBytes, u32(1), u16(8), u64(7), p.payloadBytes),
  ],
  [
    {
      recordKind: "channelSend",
      source: { kind: "node", ...p.target },
      operation,
      operationKind: "none",
      channelName: "news",
      payload: p.payload,
    },
    cat([3], union16([1], p.targetBytes), [0], operationBytes, u32(0), u16(0), t8("news"), p.payloadBytes),
  ],
  [
    {
      recordKind: "channelRequest",
      source: { kind: "node", ...p.target },
      operation,
      operationKind: "channelRequest",
      replyRouteId: 7n,
      channelName: "news",
      payload: p.payload,
    },
    cat([4], union16([1], p.targetBytes), [0], operationBytes, u32(2), u16(8), u64(7), t8("news"), p.payloadBytes),
  ],
  [
    {
      recordKind: "spotSend",
      source: { kind: "node", ...p.target },
      operation,
      operationKind: "none",
      target: p.spotFence,
      payload: p.payload,
    },
    cat([5], union16([1], p.targetBytes), [0], operationBytes, u32(0), u16(0), p.spotFenceBytes, p.payloadBytes),
  ],
  [
    {
      recordKind: "spotRequest",
      source: { kind: "node", ...p.target },
      operation,
      operationKind: "spotRequest",
      replyRouteId: 7n,
      target: p.spotFence,
      payload: p.payload,
    },
    cat(
      [6],
      union16([1], p.targetBytes),
      [0],
      operationBytes,
      u32(3),
      u16(8),
      u64(7),
      p.spotFenceBytes,
      p.payloadBytes,
    ),
  ],
  [
    {
      recordKind: "spotMulticast",
      source: { kind: "node", ...p.target },
      operation,
      operationKind: "none",
      channelName: "news",
      topic: "weather",
      payload: p.payload,
    },
    cat(
      [7],
      union16([1], p.targetBytes),
      [0],
      operationBytes,
      u32(0),
      u16(0),
      t8("news"),
      t8("weather"),
      p.payloadBytes,
    ),
  ],
];

const tails: readonly (readonly [string, ReplyTail, Uint8Array])[] = [
  [
    "lookup",
    { operation: "actorLookup", actor: p.actorRef, spotId: "lobby", spotGeneration: 3n, authorityOwnerGeneration: 4n },
    cat(p.actorRefBytes, t8("lobby"), u64(3), u64(4)),
  ],
  [
    "join-accepted",
    {
      operation: "actorJoin",
      joinResult: "accepted",
      spot: p.spotRef,
      membershipEpoch: 8n,
      receiveChunkLimitBytes: 65536,
    },
    union16(u32(0), p.spotRefBytes, u64(8), u32(65536)),
  ],
  ["join-rejected", { operation: "actorJoin", joinResult: "rejected" }, union16(u32(1), union16([0]))],
  [
    "join-rejected-spot",
    { operation: "actorJoin", joinResult: "rejected", spot: p.spotRef },
    union16(u32(1), union16([1], p.spotRefBytes)),
  ],
  [
    "create-existing",
    { operation: "actorCreate", createResult: "existing", actor: p.actorRef },
    union16([1], p.actorRefBytes),
  ],
  [
    "create-created",
    { operation: "actorCreate", createResult: "created", actor: p.actorRef },
    union16([2], p.actorRefBytes),
  ],
  ["create-rejected", { operation: "actorCreate", createResult: "rejected" }, union16([3])],
  ["bind", { operation: "streamBind", bindingGeneration: 5n, authorityOwnerGeneration: 6n }, cat(u64(5), u64(6))],
];

const messageBody = cat([8], p.actorRefBytes, p.actorFenceBytes, p.sessionTailBytes);
const messageValue = { hopCount: 8, sourceActor: p.actorRef, target: p.actorFence, sessionTail: p.sessionTail };

const routeHead = (role: number): Uint8Array =>
  cat(p.relocationBytes, p.coordinatorBytes, [role], p.actorRefBytes, p.sessionBytes);
const routeValue = { command: "sessionRelocationRoute", relocation: p.relocation, coordinator: p.coordinator } as const;
const commit = {
  action: "commit",
  previousAuthorityOwnerGeneration: 11n,
  targetAuthorityOwnerGeneration: 12n,
  targetNodeRid: ridFromText("target"),
  targetNodeGeneration: 4n,
} as const;

export const samples: readonly Sample[] = [
  { id: "hello", value: { command: "hello", admission: p.admission }, frames: [frame(1, 0, p.admissionBytes)] },
  { id: "admit", value: { command: "admit", admission: p.admission }, frames: [frame(2, 0, p.admissionBytes)] },
  { id: "reject", value: { command: "reject", reason: "resourceLimit" }, frames: [frame(3, 0, u32(12))] },
  { id: "update", value: { command: "update", admission: p.admission }, frames: [frame(4, 0, p.admissionBytes)] },
  {
    id: "probe",
    value: { command: "livenessProbe", probeId: 2n ** 64n - 1n },
    frames: [frame(5, 0, u64(2n ** 64n - 1n))],
  },
  { id: "ack", value: { command: "livenessAck", probeId: 1n }, frames: [frame(6, 0, u64(1))] },
  {
    id: "reply-plain",
    value: { command: "reply", correlation: 9n, terminalResult: "busy", failureCode: "spotMoving" },
    frames: [frame(20, 0, u64(9), u32(108), u32(34))],
  },
  ...tails.map(([id, tail, bytes]): Sample => ({
    id: `reply-${id}`,
    value: { command: "reply", correlation: 9n, terminalResult: "ok", failureCode: "none", tail, payload: p.payload },
    frames: [frame(20, 0, u64(9), u32(0), u32(0), bytes), p.payloadBytes],
    operation: tail.operation,
  })),
  {
    id: "send-smallest",
    value: {
      command: "actorSend",
      operation: { high: 0n, low: 0n },
      hopCount: 0,
      target: p.actorFence,
      payload: p.payload,
    },
    frames: [frame(24, 0, none, [0, 0], p.actorFenceBytes), p.payloadBytes],
  },
  {
    id: "send-full",
    value: { command: "actorSend", operation, ...messageValue, metadata: p.metadata, payload: p.payload },
    frames: [frame(24, 7, operationBytes, messageBody), p.metadataBytes, p.payloadBytes],
  },
  {
    id: "request",
    value: { command: "actorRequest", correlation: 9n, operation, ...messageValue, payload: p.payload },
    frames: [frame(25, 6, u64(9), operationBytes, messageBody), p.payloadBytes],
  },
  {
    id: "lookup",
    value: { command: "actorLookup", correlation: 9n, actorId: "x" },
    frames: [frame(26, 0, u64(9), t8("x"))],
  },
  {
    id: "destroy",
    value: { command: "actorDestroy", correlation: 9n, actor: p.actorFence },
    frames: [frame(27, 0, u64(9), p.actorFenceBytes)],
  },
  {
    id: "join",
    value: { command: "actorJoin", correlation: 9n, actor: p.actorFence, entry: true, targetSpot: p.spotFence },
    frames: [frame(28, 0, u64(9), p.actorFenceBytes, [1], p.spotFenceBytes)],
  },
  {
    id: "left",
    value: { command: "actorLeft", actor: p.actorRef, previousSpot: p.spotRef, authorityOwnerGeneration: 12n },
    frames: [frame(29, 0, p.actorRefBytes, p.spotRefBytes, u64(12))],
  },
  { id: "ready", value: { command: "relocationReady", ...readyValue }, frames: [frame(30, 0, ready)] },
  {
    id: "data-send",
    value: { command: "relocationData", ...movedValue, record: frozenSend },
    frames: [frame(31, 0, moved, frozenSendBytes)],
  },
  {
    id: "data-request",
    value: { command: "relocationData", ...movedValue, record: frozenRequest },
    frames: [frame(31, 0, moved, frozenRequestBytes)],
  },
  ...frozenOthers.map(([record, bytes]): Sample => ({
    id: `data-${record.recordKind}`,
    value: { command: "relocationData", ...movedValue, record },
    frames: [frame(31, 0, moved, bytes)],
  })),
  {
    id: "relay",
    value: {
      command: "replyRelay",
      operation,
      replyRouteId: 7n,
      context: { kind: "maintenanceRelocation", ...moveValue, participantId: 2n, sequence: 3n },
      terminalResult: "backpressured",
      failureCode: "relocationDataLost",
      payload: p.payload,
    },
    frames: [
      frame(33, 0, operationBytes, u64(7), union16([2], move, u64(2), u64(3)), u32(113), u32(35)),
      p.payloadBytes,
    ],
  },
  {
    id: "cutover",
    value: {
      command: "relocationCutover",
      ...movedValue,
      boundaryRecordCount: 0n,
      boundaryChecksumCrc32c: 0xffff_ffff,
    },
    frames: [frame(34, 0, moved, u64(0), u32(0xffff_ffff))],
  },
  {
    id: "push",
    value: { command: "boundSessionSend", actor: p.actorFence, expectedBindingGeneration: 13n, payload: p.payload },
    frames: [frame(36, 0, p.actorFenceBytes, u64(13)), p.payloadBytes],
  },
  {
    id: "joined-first",
    value: { command: "actorJoined", actor: p.actorRef, currentSpot: p.spotRef, authorityOwnerGeneration: 12n },
    frames: [frame(37, 0, p.actorRefBytes, union16([0]), p.spotRefBytes, u64(12))],
  },
  {
    id: "joined-from",
    value: {
      command: "actorJoined",
      actor: p.actorRef,
      previousSpot: { spotId: "old", objectGeneration: 1n },
      currentSpot: p.spotRef,
      authorityOwnerGeneration: 12n,
    },
    frames: [frame(37, 0, p.actorRefBytes, union16([1], t8("old"), u64(1)), p.spotRefBytes, u64(12))],
  },
  {
    id: "bind",
    value: {
      command: "boundSessionBind",
      correlation: 9n,
      actor: p.actorFence,
      sessionRid: ridFromText("sëssion"),
      binding: { state: "active", bindingGeneration: 2n },
    },
    frames: [frame(38, 0, u64(9), p.actorFenceBytes, t8("sëssion"), union16([1], u64(2)))],
  },
  {
    id: "bind-tombstone",
    value: {
      command: "boundSessionBind",
      correlation: 9n,
      actor: p.actorFence,
      sessionRid: ridFromText("s"),
      binding: { state: "tombstone", retiredBindingGeneration: 2n },
    },
    frames: [frame(38, 0, u64(9), p.actorFenceBytes, t8("s"), union16([2], u64(2)))],
  },
  {
    id: "prepare",
    value: {
      command: "relocationPrepare",
      ...moveValue,
      target: p.target,
      initiatorRole: "coordinator",
      object: { kind: "userSpot", spotId: "s", objectGeneration: 1n, authorityOwnerGeneration: 2n },
      sourceNodeRid: ridFromText("src"),
      sourceNodeGeneration: 3n,
      payloadTotalLength: 2n ** 38n,
      payloadChunkCount: 4096,
      payloadChecksumCrc32c: 1,
      applicationVersion: 0n,
    },
    frames: [
      frame(
        40,
        0,
        move,
        p.targetBytes,
        [3],
        union16([2], t8("s"), u64(1), u64(2)),
        t8("src"),
        u64(3),
        u64(2n ** 38n),
        u32(4096),
        u32(1),
        u64(0),
      ),
    ],
  },
  {
    id: "seal",
    value: {
      command: "sessionRelocationSeal",
      relocation: p.relocation,
      coordinator: p.coordinator,
      senderRole: "coordinator",
      actor: p.actorFence,
      session: p.session,
    },
    frames: [frame(42, 0, p.relocationBytes, p.coordinatorBytes, [3], p.actorFenceBytes, p.sessionBytes)],
  },
  {
    id: "sealed",
    value: {
      command: "sessionRelocationSealed",
      relocation: p.relocation,
      coordinator: p.coordinator,
      actor: p.actorFence,
      session: p.session,
    },
    frames: [frame(43, 0, p.relocationBytes, p.coordinatorBytes, p.actorFenceBytes, p.sessionBytes)],
  },
  {
    id: "route-commit",
    value: { ...routeValue, senderRole: "target", actor: p.actorRef, session: p.session, route: commit },
    frames: [frame(44, 0, routeHead(2), union16([1], u64(11), u64(12), t8("target"), u64(4)))],
  },
  {
    id: "route-commit-lease",
    value: {
      ...routeValue,
      senderRole: "coordinator",
      actor: p.actorRef,
      session: p.session,
      route: { ...commit, targetOwnerLeaseGeneration: 2n ** 63n - 1n },
    },
    frames: [frame(44, 0, routeHead(3), union16([1], u64(11), u64(12), t8("target"), u64(4), u64(2n ** 63n - 1n)))],
  },
  {
    id: "route-abort",
    value: {
      ...routeValue,
      senderRole: "source",
      actor: p.actorRef,
      session: p.session,
      route: { action: "abort", currentAuthorityOwnerGeneration: 11n },
    },
    frames: [frame(44, 0, routeHead(1), union16([2], u64(11)))],
  },
  {
    id: "relay-ack",
    value: {
      command: "replyRelayAck",
      relocation: p.relocation,
      coordinator: p.coordinator,
      operation,
      replyRouteId: 7n,
      requestSource: p.requestSource,
      status: "alreadyTerminal",
    },
    frames: [frame(46, 0, p.relocationBytes, p.coordinatorBytes, operationBytes, u64(7), p.requestSourceBytes, [2])],
  },
  {
    id: "create",
    value: {
      command: "actorCreate",
      correlation: 9n,
      operation,
      sourceNodeRid: ridFromText("src"),
      sourceNodeGeneration: 3n,
      actorId: "new",
      stableType: "Player",
      reservation: p.reservation,
      deadlineUnixMs: 1_700_000_000_000n,
    },
    frames: [
      frame(
        49,
        0,
        u64(9),
        operationBytes,
        t8("src"),
        u64(3),
        t8("new"),
        t8("Player"),
        p.reservationBytes,
        u64(1_700_000_000_000n),
      ),
    ],
  },
  {
    id: "follow",
    value: {
      command: "messageFollow",
      version: 1,
      source: { kind: "actor", actor: p.actorFence },
      target: { kind: "spot", spot: p.spotFence },
      hopCount: 1,
      queuedMessages: 1024,
      queuedBytes: 16_777_216,
      operation: { high: 0n, low: 0n },
      replyRouteId: 0n,
    },
    frames: [
      frame(
        50,
        0,
        [1],
        long(
          union16([1], p.actorFenceBytes),
          union16([2], p.spotFenceBytes),
          [1],
          u32(1024),
          u32(16_777_216),
          none,
          u64(0),
        ),
      ),
    ],
  },
  {
    id: "replaced",
    value: { command: "boundSessionReplaced", actor: p.actorFence, retired: p.session },
    frames: [frame(51, 0, p.actorFenceBytes, p.sessionBytes)],
  },
  {
    id: "state",
    value: { command: "relocationState", ...movedValue, chunkOrdinal: 4, chunkData: Uint8Array.of(1, 2, 3) },
    frames: [frame(52, 0, moved, u32(4), long([1, 2, 3]))],
  },
  {
    id: "failed",
    value: {
      command: "relocationFailed",
      ...readyValue,
      object: { kind: "instanceSpot", stableType: "Room", spotId: "s", objectGeneration: 1n },
      failureCode: "actorLocationStale",
    },
    frames: [frame(53, 0, move, p.targetBytes, union16([3], t8("Room"), t8("s"), u64(1)), [2], u32(21))],
  },
  {
    id: "refused",
    value: { command: "sendRefused", operation, terminalResult: "notFound", failureCode: "actorLocationStale" },
    frames: [frame(200, 0, operationBytes, u32(102), u32(21))],
  },
];
