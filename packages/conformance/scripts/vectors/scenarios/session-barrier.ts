/** The session owner's side of a move: `protocol.md` section 5. Texts stand for messages and pushes. */
import type { JsonObject, ScenarioStep } from "../../../src/vectors/file.ts";
import {
  absent,
  actor,
  baseRecord,
  changed,
  coordinator,
  fence,
  fileOf,
  found,
  frame0,
  gate,
  movedRecord,
  relocation,
  scenario,
  session,
  source,
  step,
  stranger,
  target,
  targetFence,
  unknown,
} from "./parts.ts";

const SEAL_DEADLINE_MS = 20_000;
const STORE_RESOLUTION_MS = 5_000;
const limits: JsonObject = {
  sealDeadlineMs: SEAL_DEADLINE_MS,
  storeResolutionMs: STORE_RESOLUTION_MS,
  maxHeldMessages: 3,
  maxHeldMessageBytes: 100,
  maxHeldPushes: 2,
  maxHeldPushBytes: 100,
  maxHeldTotalBytes: 1_000,
  maxEndedIdentities: 4,
  maxActorGenerations: 16,
};
const config: JsonObject = { limits };

const identity = "1:2:user%3A42:3:session-1:5";
const binding: JsonObject = { actorId: actor.actorId, sessionRid: session.sessionRid, bindingGeneration: "5" };
const bound = (route: JsonObject = fence): JsonObject => ({
  sessionRid: session.sessionRid,
  bindingGeneration: "5",
  route,
});

const seal: JsonObject = {
  command: "sessionRelocationSeal",
  relocation,
  coordinator,
  senderRole: "source",
  actor: fence,
  session,
};
const sealed: JsonObject = changed(seal, { command: "sessionRelocationSealed", senderRole: undefined });
const otherRelocation = { high: "3", low: "4" };

const refusal = (failureCode: string, of: JsonObject = seal): JsonObject => ({
  command: "relocationFailed",
  relocation: of["relocation"]!,
  targetAttemptGeneration: "1",
  coordinator,
  target: gate,
  object: { kind: "actor", ...actor, authorityOwnerGeneration: "7" },
  senderRole: "coordinator",
  failureCode,
});

const route = (senderRole: string, update: JsonObject): JsonObject => ({
  command: "sessionRelocationRoute",
  relocation,
  coordinator,
  senderRole,
  actor,
  session,
  route: update,
});
const toTarget = {
  nodeRid: target.nodeRid,
  nodeGeneration: target.nodeGeneration,
  authorityOwnerGeneration: "8",
  ownerLeaseGeneration: "20",
};
const commitUpdate: JsonObject = {
  action: "commit",
  previousAuthorityOwnerGeneration: "7",
  targetAuthorityOwnerGeneration: "8",
  targetNodeRid: target.nodeRid,
  targetNodeGeneration: target.nodeGeneration,
  targetOwnerLeaseGeneration: "20",
};
const commit = route("target", commitUpdate);
const abort = route("source", { action: "abort", currentAuthorityOwnerGeneration: "7" });

/* Facts. */
const sealReceived = (command: JsonObject = seal, peer: JsonObject = source, more: JsonObject = {}): JsonObject => ({
  type: "SealReceived",
  peer,
  command,
  bytes: frame0(command),
  owner: gate,
  binding: bound(),
  ...more,
});
const routeReceived = (command: JsonObject, peer: JsonObject, view: JsonObject = bound()): JsonObject => ({
  type: "RouteReceived",
  peer,
  command,
  owner: gate,
  binding: view,
});
const installed: JsonObject = { type: "SealInstalled", identity };
const applied: JsonObject = { type: "RouteApplied", identity };
const deadlinePassed: JsonObject = { type: "SealDeadlinePassed", identity };
const authorityRead = (read: number, answer: JsonObject, view: JsonObject = bound()): JsonObject => ({
  type: "AuthorityRead",
  identity,
  read,
  answer,
  binding: view,
});
const message = (text: string, bytes = 10): JsonObject => ({ type: "MessageOffered", binding, message: text, bytes });
const push = (text: string, from: JsonObject, bytes = 10): JsonObject => ({
  type: "PushOffered",
  peer: { nodeRid: from["nodeRid"]!, nodeGeneration: from["nodeGeneration"]! },
  actor: from,
  expectedBindingGeneration: "5",
  binding: bound(),
  push: text,
  bytes,
});

/* Effects. */
const startTimer = (delayMs: number): JsonObject => ({ type: "StartSealTimer", identity, delayMs });
const stopTimer: JsonObject = { type: "StopSealTimer", identity };
const install: JsonObject = { type: "InstallSeal", identity, binding };
const sendSealed: JsonObject = { type: "SendSealed", peer: source.nodeRid, command: sealed };
const sendRefusal = (failureCode: string, of: JsonObject = seal, peer = source.nodeRid): JsonObject => ({
  type: "SendRefusal",
  peer,
  command: refusal(failureCode, of),
});
const repoint: JsonObject = { type: "RepointBinding", identity, binding, route: toTarget };
const release = (to: string, ...items: readonly string[]): JsonObject => ({ type: "ReleaseHeld", binding, to, items });
const readStore = (read: number): JsonObject => ({
  type: "ReadAuthority",
  identity,
  binding,
  read,
  actorId: actor.actorId,
});
const warning = (event: string): JsonObject => ({ type: "Report", event });
const protocolError = (event: string, peer = source.nodeRid): JsonObject => ({
  type: "ReportProtocolError",
  peer,
  event,
});
const verdict = (is: string): JsonObject => ({ type: "MessageVerdict", verdict: is });
const endBinding = (reason: string): JsonObject => ({ type: "EndBinding", binding, reason });
const failHeld = (reason: string, ...items: readonly string[]): JsonObject => ({
  type: "FailHeld",
  binding,
  reason,
  items,
});

/* Ways to where a scenario begins. */
const sealing = step(1_000, sealReceived(), startTimer(SEAL_DEADLINE_MS), install);
const standing: readonly ScenarioStep[] = [sealing, step(1_001, installed, sendSealed)];
const committed: readonly ScenarioStep[] = [
  ...standing,
  step(1_010, routeReceived(commit, target), repoint),
  step(1_011, applied, stopTimer, release("target")),
];
const aborted: readonly ScenarioStep[] = [
  ...standing,
  step(1_010, routeReceived(abort, source), stopTimer, release("source")),
];
const afterDeadline = 1_000 + SEAL_DEADLINE_MS;

const of = (steps: readonly ScenarioStep[], made: JsonObject = config) => ({ config: made, steps });

export const sessionBarrierScenarios = fileOf(
  "sessionBarrier",
  "The session owner's side of every move: seals, what is held meanwhile, routes, deadlines.",
  [
    scenario(
      "seal-and-commit",
      "S1 S11 S9",
      "A 42 seals, a 44 commit repoints the binding and releases what was held.",
      of(committed),
    ),
    scenario(
      "repeat-while-setting",
      "S2",
      "A repeat of the 42 joins the attempt: one seal, one 43.",
      of([sealing, step(1_000, sealReceived()), step(1_001, installed, sendSealed)]),
    ),
    scenario(
      "repeat-afterwards",
      "S2",
      "A repeat of the 42 gets the same 43, and no second seal.",
      of([...standing, step(1_002, sealReceived(), sendSealed), step(1_003, sealReceived(), sendSealed)]),
    ),
    scenario(
      "repeat-after-the-end",
      "S2 S14",
      "The answer is the same when the move is long over.",
      of([...committed, step(5_000, sealReceived(seal, source, { binding: bound(targetFence) }), sendSealed)]),
    ),
    scenario(
      "other-bytes",
      "S3",
      "A 42 of the same identity with another coordinator: the first stays in force.",
      of([
        ...standing,
        step(
          1_002,
          sealReceived(changed(seal, { coordinator: changed(coordinator, { expectedAuthorityStoreVersion: "v9" }) })),
          protocolError("seal.conflict"),
        ),
        step(1_003, message("m1"), verdict("held")),
        step(1_010, routeReceived(commit, target), repoint),
      ]),
    ),
    ...(
      [
        ["object-generation", { actor: changed(fence, { actor: changed(actor, { objectGeneration: "4" }) }) }],
        ["authority-generation", { actor: changed(fence, { authorityOwnerGeneration: "6" }) }],
        ["lease-generation", { actor: changed(fence, { ownerLeaseGeneration: "9" }) }],
        ["actor-node", { actor: changed(fence, { nodeGeneration: "2" }) }],
        ["owner-lease", { session: changed(session, { ownerLeaseGeneration: "39" }) }],
        ["owner-run", { session: changed(session, { ownerNodeGeneration: "3" }) }],
      ] as const
    ).map(([name, changes]) => {
      const command = changed(seal, changes);
      const answer = changed(refusal("actorLocationStale", command), {
        object: {
          kind: "actor",
          ...(command["actor"] as JsonObject & { readonly actor: JsonObject }).actor,
          authorityOwnerGeneration: (command["actor"] as JsonObject)["authorityOwnerGeneration"]!,
        },
      });
      return scenario(
        `stale-${name}`,
        "S4",
        "A 42 that does not match the binding in every field is refused; nothing is sealed.",
        of([
          step(
            1_000,
            sealReceived(command),
            { type: "SendRefusal", peer: source.nodeRid, command: answer },
            warning("seal.refused"),
          ),
          step(1_001, message("m1"), verdict("feed")),
        ]),
      );
    }),
    scenario(
      "no-binding",
      "S4",
      "A 42 for a binding that is not there is refused.",
      of([
        step(
          1_000,
          changed(sealReceived(), { binding: undefined }),
          sendRefusal("actorLocationStale"),
          warning("seal.refused"),
        ),
      ]),
    ),
    scenario(
      "not-the-coordinator",
      "S4 S10",
      "Somebody else's link brings the 42: refused, to whoever sent it.",
      of([
        step(
          1_000,
          sealReceived(seal, stranger),
          sendRefusal("actorLocationStale", seal, stranger.nodeRid),
          warning("seal.refused"),
        ),
        step(1_001, message("m1"), verdict("feed")),
      ]),
    ),
    scenario(
      "deadline-unchanged-owner",
      "S5 S12",
      "No route came, the store still names the source: as an abort.",
      of([
        ...standing,
        step(1_500, message("m1"), verdict("held")),
        step(
          afterDeadline,
          deadlinePassed,
          startTimer(STORE_RESOLUTION_MS),
          readStore(1),
          warning("seal.deadlinePassed"),
        ),
        step(afterDeadline + 1, authorityRead(1, found(baseRecord)), stopTimer, release("source", "m1")),
      ]),
    ),
    scenario(
      "deadline-newer-owner",
      "S5 S11",
      "No route came, the store names the target: as a commit, with its values.",
      of([
        ...standing,
        step(1_500, message("m1"), verdict("held")),
        step(
          afterDeadline,
          deadlinePassed,
          startTimer(STORE_RESOLUTION_MS),
          readStore(1),
          warning("seal.deadlinePassed"),
        ),
        step(afterDeadline + 1, authorityRead(1, found(movedRecord)), startTimer(STORE_RESOLUTION_MS), repoint),
        step(afterDeadline + 2, applied, stopTimer, release("target", "m1")),
      ]),
    ),
    ...(
      [
        ["gone", absent, "ownerGone"],
        ["unreadable", unknown, "ownerUnknown"],
        ["other-object", found(changed(movedRecord, { objectGeneration: "4" })), "ownerGone"],
      ] as const
    ).map(([name, answer, reason]) =>
      scenario(
        `deadline-${name}`,
        "S5",
        "Nobody can say whom the binding leads to: it ends, and the held message is failed.",
        of([
          ...standing,
          step(1_500, message("m1"), verdict("held")),
          step(
            afterDeadline,
            deadlinePassed,
            startTimer(STORE_RESOLUTION_MS),
            readStore(1),
            warning("seal.deadlinePassed"),
          ),
          step(afterDeadline + 1, authorityRead(1, answer), stopTimer, failHeld(reason, "m1"), endBinding(reason)),
        ]),
      ),
    ),
    scenario(
      "early-timer",
      "S5",
      "The deadline is absolute: a timer that fires early is set again for what is left.",
      of([...standing, step(1_500, deadlinePassed, startTimer(SEAL_DEADLINE_MS - 500))]),
    ),
    scenario(
      "install-failed",
      "S6",
      "Sealing itself fails: what was held goes back to the source, which is told.",
      of([
        sealing,
        step(1_000, message("m1"), verdict("held")),
        step(
          1_001,
          { type: "SealInstallFailed", identity, reason: "the binding is gone" },
          stopTimer,
          release("source", "m1"),
          sendRefusal("requestRejected"),
          warning("seal.failed"),
        ),
        step(1_002, message("m2"), verdict("feed")),
      ]),
    ),
    scenario(
      "same-route-again",
      "S7",
      "The 44 once more, also by the coordinator in the target's place: a warning, no effect.",
      of([
        ...committed,
        step(2_000, routeReceived(commit, target, bound(targetFence)), warning("route.repeated")),
        step(
          2_001,
          routeReceived(route("coordinator", commitUpdate), source, bound(targetFence)),
          warning("route.repeated"),
        ),
      ]),
    ),
    scenario(
      "commit-after-abort",
      "S7",
      "A commit newer than the binding's route comes after the abort: the store is read, and confirms it.",
      of([
        ...aborted,
        step(2_000, routeReceived(commit, target), startTimer(STORE_RESOLUTION_MS), readStore(1)),
        step(2_000, message("m1"), verdict("held")),
        step(2_001, authorityRead(1, found(movedRecord)), startTimer(STORE_RESOLUTION_MS), repoint),
        step(2_002, applied, stopTimer, release("target", "m1")),
      ]),
    ),
    scenario(
      "commit-after-abort-not-confirmed",
      "S7",
      "The same, but the store still names the source: the binding goes on as it was.",
      of([
        ...aborted,
        step(2_000, routeReceived(commit, target), startTimer(STORE_RESOLUTION_MS), readStore(1)),
        step(2_001, authorityRead(1, found(baseRecord)), stopTimer, release("source"), warning("route.unconfirmed")),
      ]),
    ),
    scenario(
      "abort-after-commit",
      "S7",
      "An abort after the commit contradicts it: a protocol error, nothing changes.",
      of([...committed, step(2_000, routeReceived(abort, source, bound(targetFence)), protocolError("route.refused"))]),
    ),
    scenario(
      "unknown-identity",
      "S8",
      "A 44 that comes first: a warning, and its late 42 cannot seal any more.",
      of([
        step(1_000, routeReceived(abort, source), warning("route.unknownIdentity")),
        step(1_001, sealReceived(), sendRefusal("requestRejected"), warning("seal.refused")),
        step(1_002, message("m1"), verdict("feed")),
      ]),
    ),
    scenario(
      "route-while-setting",
      "S9",
      "The 44 overtakes the seal: it waits, then applies; the timer stops when it has been applied.",
      of([
        sealing,
        step(1_000, routeReceived(commit, target)),
        step(1_001, installed, sendSealed, repoint),
        step(1_002, applied, stopTimer, release("target")),
      ]),
    ),
    ...(
      [
        ["coordinator", changed(commit, { coordinator: changed(coordinator, { leaseGeneration: "11" }) }), target],
        [
          "previous-generation",
          route("target", changed(commitUpdate, { previousAuthorityOwnerGeneration: "6" })),
          target,
        ],
        ["abort-generation", route("source", { action: "abort", currentAuthorityOwnerGeneration: "8" }), source],
        ["session-owner", changed(commit, { session: changed(session, { ownerId: "somebody" }) }), target],
        ["stranger", commit, stranger],
        ["source-speaks-for-target", commit, source],
        ["target-speaks-for-source", abort, target],
      ] as const
    ).map(([name, command, peer]) =>
      scenario(
        `wrong-${name}`,
        "S10",
        "A 44 that does not match the sealed fence, or not from who may say it: refused, the seal stands.",
        of([
          ...standing,
          step(1_010, routeReceived(command, peer), protocolError("route.refused", peer.nodeRid)),
          step(1_011, message("m1"), verdict("held")),
        ]),
      ),
    ),
    scenario(
      "commit-without-lease",
      "S11 S15",
      "The 44 does not carry the lease: the store is read for it.",
      of([
        ...standing,
        step(
          1_010,
          routeReceived(route("target", changed(commitUpdate, { targetOwnerLeaseGeneration: undefined })), target),
          readStore(1),
        ),
        step(1_011, authorityRead(1, found(movedRecord)), repoint),
        step(1_012, applied, stopTimer, release("target")),
      ]),
    ),
    scenario(
      "abort",
      "S12",
      "An abort keeps the route; held messages go to the source in order.",
      of([
        ...standing,
        step(1_002, message("m1"), verdict("held")),
        step(1_003, message("m2"), verdict("held")),
        step(1_010, routeReceived(abort, source), stopTimer, release("source", "m1", "m2")),
        step(1_011, message("m3"), verdict("feed")),
      ]),
    ),
    scenario(
      "apply-failed",
      "S13",
      "The accepted route cannot be applied: held messages are failed, the binding ends, the identity is terminal.",
      of([
        ...standing,
        step(1_002, message("m1"), verdict("held")),
        step(1_010, routeReceived(commit, target), repoint),
        step(
          1_011,
          { type: "RouteApplyFailed", identity, reason: "no link" },
          stopTimer,
          failHeld("routeFailed", "m1"),
          endBinding("routeFailed"),
          warning("route.applyFailed"),
        ),
      ]),
    ),
    scenario(
      "memory-is-bounded",
      "S14",
      "Only so many ended identities are remembered: the oldest is a stranger again.",
      of(
        [
          step(
            1_000,
            routeReceived(changed(abort, { relocation: { high: "9", low: "1" } }), source),
            warning("route.unknownIdentity"),
          ),
          step(
            1_001,
            routeReceived(changed(abort, { relocation: { high: "9", low: "2" } }), source),
            warning("route.unknownIdentity"),
          ),
          step(
            1_002,
            routeReceived(changed(abort, { relocation: { high: "9", low: "1" } }), source),
            warning("route.repeated"),
          ),
          step(
            1_003,
            routeReceived(changed(abort, { relocation: { high: "9", low: "3" } }), source),
            warning("route.unknownIdentity"),
          ),
          step(
            1_004,
            routeReceived(changed(abort, { relocation: { high: "9", low: "1" } }), source),
            warning("route.repeated"),
          ),
          step(
            1_005,
            routeReceived(changed(abort, { relocation: { high: "9", low: "2" } }), source),
            warning("route.unknownIdentity"),
          ),
        ],
        { limits: changed(limits, { maxEndedIdentities: 2 }) },
      ),
    ),
    scenario(
      "older-push",
      "S15",
      "After the route, what the source still pushes is stale.",
      of([
        ...committed,
        step(1_012, changed(push("p1", fence), { binding: bound(targetFence) }), {
          type: "PushVerdict",
          outcome: "refused",
          reason: "stale",
        }),
        step(1_013, changed(push("p2", targetFence), { binding: bound(targetFence) }), {
          type: "PushVerdict",
          outcome: "pass",
        }),
      ]),
    ),
    scenario(
      "cleared",
      "S16",
      "The actor is destroyed: timer, identity and held messages go, each message reported.",
      of([
        ...standing,
        step(1_002, message("m1"), verdict("held")),
        step(
          1_003,
          { type: "OwnershipCleared", actorId: actor.actorId },
          stopTimer,
          failHeld("ownershipCleared", "m1"),
        ),
        step(1_004, deadlinePassed),
        step(1_005, message("m2"), verdict("feed")),
      ]),
    ),
    scenario(
      "held-and-overflow",
      "S17",
      "The hold has a count and a byte limit; an unbind queues behind what is held, and nothing comes after it.",
      of([
        ...standing,
        step(1_002, message("m1"), verdict("held")),
        step(1_003, message("too large", 91), verdict("overflow")),
        step(1_004, message("m2"), verdict("held")),
        step(1_005, message("m3"), verdict("held")),
        step(1_006, message("one too many"), verdict("overflow")),
        step(1_007, { type: "UnbindOffered", binding, message: "unbind" }, { type: "UnbindVerdict", verdict: "held" }),
        step(1_008, message("m4"), verdict("closing")),
        step(1_010, routeReceived(abort, source), stopTimer, release("source", "m1", "m2", "m3", "unbind")),
      ]),
    ),
    scenario(
      "pushes-while-sealed",
      "S17",
      "The source's pushes go through, the target's wait for its route, anybody else's are refused.",
      of([
        ...standing,
        step(1_002, push("from source", fence), { type: "PushVerdict", outcome: "pass" }),
        step(1_003, push("from target", targetFence), { type: "PushVerdict", outcome: "held" }),
        step(1_004, push("from nobody", changed(fence, { ...stranger })), {
          type: "PushVerdict",
          outcome: "refused",
          reason: "otherOwner",
        }),
        step(1_005, push("older", changed(fence, { authorityOwnerGeneration: "6" })), {
          type: "PushVerdict",
          outcome: "refused",
          reason: "stale",
        }),
        step(1_010, routeReceived(commit, target), repoint),
        step(1_011, applied, stopTimer, release("target"), {
          type: "DeliverHeldPushes",
          binding,
          items: ["from target"],
        }),
      ]),
    ),
    scenario(
      "second-identity",
      "S19",
      "A 42 of another move is refused until the first has ended, and then seals.",
      of([
        ...standing,
        step(
          1_002,
          sealReceived(changed(seal, { relocation: otherRelocation })),
          sendRefusal("requestRejected", changed(seal, { relocation: otherRelocation })),
          warning("seal.refused"),
        ),
        step(1_010, routeReceived(abort, source), stopTimer, release("source")),
        step(
          1_011,
          sealReceived(changed(seal, { relocation: { high: "5", low: "6" } })),
          { type: "StartSealTimer", identity: "5:6:user%3A42:3:session-1:5", delayMs: SEAL_DEADLINE_MS },
          { type: "InstallSeal", identity: "5:6:user%3A42:3:session-1:5", binding },
        ),
        step(
          1_012,
          sealReceived(changed(seal, { relocation: otherRelocation })),
          sendRefusal("requestRejected", changed(seal, { relocation: otherRelocation })),
          warning("seal.refused"),
        ),
      ]),
    ),
  ],
);
