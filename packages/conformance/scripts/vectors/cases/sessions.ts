/** Sessions and moves: 38, 42, 43, 44, 51. */
import type { JsonObject } from "../../../src/vectors/file.ts";
import { actorFence, actorRef, coordinator, relocation, session, type Shape } from "./parts.ts";

const seal = {
  command: "sessionRelocationSeal",
  relocation,
  coordinator,
  senderRole: "source",
  actor: actorFence,
  session,
};
const routeHead = {
  command: "sessionRelocationRoute",
  relocation,
  coordinator,
  senderRole: "source",
  actor: actorRef,
  session,
};
const commit = {
  action: "commit",
  previousAuthorityOwnerGeneration: "11",
  targetAuthorityOwnerGeneration: "12",
  targetNodeRid: "target",
  targetNodeGeneration: "4",
};
const leased = { ...commit, targetOwnerLeaseGeneration: "18" };
const abort = { action: "abort", currentAuthorityOwnerGeneration: "11" };

function route(id: string, note: string, senderRole: string, update: JsonObject): Shape {
  return { id: `sessionRelocationRoute-${id}`, note, value: { ...routeHead, senderRole, route: update } };
}
function bind(state: JsonObject): JsonObject {
  return { command: "boundSessionBind", correlation: "91", actor: actorFence, sessionRid: "session", binding: state };
}

/** Records that were known to be right before these files were made. */
export const fixedPoints: readonly (Shape & { readonly frames: readonly string[] })[] = [
  {
    id: "sessionRelocationSeal-fixed-point",
    note: "A fixed point: a 42 known to be right.",
    value: seal,
    frames: [
      "5a4d012a00000000000000000700000000000000090b636f6f7264696e61746f72000000000000000306736f757263650000000000000002000973746f72652d76313701076163746f722d31000000000000000506736f7572636500000000000000020000" +
        "00000000000b000000000000000d06736f7572636500000000000000020d73657373696f6e2d6f776e657200000000000000080773657373696f6e0000000000000006",
    ],
  },
  {
    id: "sessionRelocationSealed-fixed-point",
    note: "A fixed point: the 43 that answers it, the same without the role.",
    value: { command: "sessionRelocationSealed", relocation, coordinator, actor: actorFence, session },
    frames: [
      "5a4d012b00000000000000000700000000000000090b636f6f7264696e61746f72000000000000000306736f757263650000000000000002000973746f72652d763137076163746f722d31000000000000000506736f7572636500000000000000020000" +
        "00000000000b000000000000000d06736f7572636500000000000000020d73657373696f6e2d6f776e657200000000000000080773657373696f6e0000000000000006",
    ],
  },
  {
    id: "sessionRelocationRoute-commit-fixed-point",
    note: "A fixed point: a 44 that commits, without the target's lease.",
    value: { ...routeHead, senderRole: "target", route: commit },
    frames: [
      "5a4d012c00000000000000000700000000000000090b636f6f7264696e61746f72000000000000000306736f757263650000000000000002000973746f72652d76313702076163746f722d31000000000000000506736f7572636500000000000000020d" +
        "73657373696f6e2d6f776e657200000000000000080773657373696f6e000000000000000601001f000000000000000b000000000000000c067461726765740000000000000004",
    ],
  },
  {
    id: "sessionRelocationRoute-abort-fixed-point",
    note: "A fixed point: a 44 that aborts.",
    value: { ...routeHead, senderRole: "source", route: abort },
    frames: [
      "5a4d012c00000000000000000700000000000000090b636f6f7264696e61746f72000000000000000306736f757263650000000000000002000973746f72652d76313701076163746f722d31000000000000000506736f7572636500000000000000020d" +
        "73657373696f6e2d6f776e657200000000000000080773657373696f6e0000000000000006020008000000000000000b",
    ],
  },
];

const fixed = fixedPoints.map(({ id, note, value }): Shape => ({ id, note, value }));

export const sessionShapes: readonly Shape[] = [
  {
    id: "boundSessionBind-typical",
    note: "A session is bound to an actor.",
    value: bind({ state: "active", bindingGeneration: "6" }),
    fullest: true,
    barest: true,
  },
  {
    id: "boundSessionBind-tombstone",
    note: "A binding has ended.",
    value: bind({ state: "tombstone", retiredBindingGeneration: "6" }),
  },
  { ...fixed[0]!, fullest: true, barest: true },
  { ...fixed[1]!, fullest: true, barest: true },
  fixed[2]!,
  { ...fixed[3]!, barest: true },
  {
    ...route(
      "commit-leased",
      "A commit that names the target's lease: eight bytes more in the body.",
      "target",
      leased,
    ),
    fullest: true,
  },
  {
    id: "boundSessionReplaced-typical",
    note: "A session that was bound has been replaced.",
    value: { command: "boundSessionReplaced", actor: actorFence, retired: session },
    fullest: true,
    barest: true,
  },
];

export const sessionCases: readonly Shape[] = [
  {
    id: "sessionRelocationSeal-from-coordinator",
    note: "A coordinator seals too.",
    value: { ...seal, senderRole: "coordinator" },
  },
  route("commit-from-coordinator", "A coordinator commits too.", "coordinator", commit),
  route("commit-leased-from-coordinator", "A coordinator commits and names the lease.", "coordinator", leased),
  route("abort-from-coordinator", "A coordinator aborts too.", "coordinator", abort),
  route("commit-skips", "The target generation is greater, not necessarily the next.", "target", {
    ...commit,
    targetAuthorityOwnerGeneration: "9223372036854775807",
  }),
  route("commit-lease-of-one", "The least lease generation: eight bytes are left, and they are not zero.", "target", {
    ...commit,
    targetOwnerLeaseGeneration: "1",
  }),
];
