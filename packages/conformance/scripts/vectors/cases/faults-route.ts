/** Faults of 42 to 44 (3.3) and of replies (3.2). */
import { frame, measured, rid, u16, u32, u64, u8, union16, type Bytes } from "../bytes.ts";
import {
  fault,
  relocation,
  coordinator,
  actorFence,
  session,
  payload,
  seal,
  route,
  commit,
  abort,
  type Fault,
} from "./faults.ts";

export const routeFaults: readonly Fault[] = [
  fault(
    "route-commit-from-source",
    "A source does not commit (3.3).",
    [route(1, commit(11, 12))],
    ["invalid-field", "senderRole"],
  ),
  fault(
    "route-commit-leased-from-source",
    "Nor does it with a lease.",
    [route(1, commit(11, 12, u64(18)))],
    ["invalid-field", "senderRole"],
  ),
  fault(
    "route-abort-from-target",
    "A target does not abort (3.3).",
    [route(2, abort)],
    ["invalid-field", "senderRole"],
  ),
  fault(
    "route-commit-same-generation",
    "A commit's target generation is greater than its previous one: the same is not.",
    [route(2, commit(12, 12))],
    ["invalid-field"],
  ),
  fault("route-commit-lower-generation", "Nor is a lower one.", [route(3, commit(12, 11))], ["invalid-field"]),
  fault(
    "route-commit-signed-generation",
    "Generations are compared as 64-bit numbers: 2^53 and 2^53 + 1 the wrong way round.",
    [route(2, union16(1, u64(2n ** 53n + 1n), u64(2n ** 53n), rid("target"), u64(4)))],
    ["invalid-field"],
  ),
  fault(
    "route-rule-after-trailing",
    "A commit from a source with a byte too many: the rule comes when the frame has been read whole.",
    [route(1, commit(11, 12), u8(0))],
    ["trailing-byte"],
  ),
  fault(
    "route-rule-after-cut",
    "A commit from a source that is cut.",
    [route(1, commit(11, 12).subarray(0, -1))],
    ["truncated-field"],
  ),
  fault(
    "route-rule-after-body",
    "A commit from a source whose body has a byte too many.",
    [route(1, commit(11, 12, u8(0)))],
    ["trailing-byte"],
  ),
  fault(
    "route-rule-before-frames",
    "A commit from a source with a frame too many: frame-count comes last.",
    [route(1, commit(11, 12)), payload],
    ["invalid-field", "senderRole"],
  ),
  fault(
    "route-generation-before-frames",
    "A commit to a lower generation with a frame too many.",
    [route(2, commit(12, 11)), payload],
    ["invalid-field"],
  ),
  ...[1, 7, 9, 15, 16].map((left) =>
    fault(
      `route-commit-${left}-left`,
      `${left} bytes are left in the body of a commit, not exactly eight: there is no lease, and they are too many.`,
      [route(2, commit(11, 12, ...Array<Bytes>(left).fill(u8(1))))],
      ["trailing-byte"],
    ),
  ),
  fault(
    "route-commit-zeros-left",
    "Sixteen bytes of 0 are left: they are no lease that would be 0, they are too many.",
    [route(2, commit(11, 12, u64(0), u64(0)))],
    ["trailing-byte"],
  ),
  fault(
    "route-commit-lease-0",
    "Exactly eight bytes are left, all 0: a lease generation of 0.",
    [route(2, commit(11, 12, u64(0)))],
    ["invalid-field", "route.targetOwnerLeaseGeneration"],
  ),
  fault(
    "route-commit-lease-2p63",
    "A lease generation of 2^63.",
    [route(2, commit(11, 12, u64(2n ** 63n)))],
    ["invalid-field", "route.targetOwnerLeaseGeneration"],
  ),
  fault(
    "route-commit-lease-outside",
    "A lease behind the body instead of in it.",
    [route(2, commit(11, 12), u64(18))],
    ["trailing-byte"],
  ),
  fault("route-abort-leased", "An abort has no lease.", [route(1, union16(2, u64(11), u64(18)))], ["trailing-byte"]),
  fault(
    "seal-from-target",
    "A target does not seal: a limit on one field, checked as it is read.",
    [seal(u8(2), actorFence, session)],
    ["invalid-field", "senderRole"],
  ),
  fault(
    "seal-from-target-cut",
    "So it comes before the end of the frame.",
    [seal(u8(2))],
    ["invalid-field", "senderRole"],
  ),
  fault(
    "seal-from-target-trailing",
    "And before a byte too many.",
    [seal(u8(2), actorFence, session, u8(0))],
    ["invalid-field", "senderRole"],
  ),
  fault(
    "sealed-with-role",
    "A 43 has no role: the byte is the length of the actor's id.",
    [frame(43, 0, relocation, coordinator, u8(1), actorFence, session)],
    ["invalid-field"],
  ),
];

export const replyFaults: readonly Fault[] = [
  {
    ...fault(
      "reply-tail-untold",
      "A tail, but the decoder is told no operation.",
      [frame(20, 0, u64(51), u32(0), u32(0), u64(6), u64(11))],
      ["trailing-byte"],
    ),
  },
  {
    ...fault(
      "reply-tail-not-ok",
      "A tail, but the result is not ok.",
      [frame(20, 0, u64(51), u32(106), u32(0), u64(6), u64(11))],
      ["trailing-byte"],
    ),
    operation: "streamBind",
  },
  {
    ...fault(
      "reply-tail-of-none",
      "A tail, but the operation has none.",
      [frame(20, 0, u64(51), u32(0), u32(0), u64(6), u64(11))],
      ["trailing-byte"],
    ),
    operation: "streamUnbind",
  },
  ...["actorLookup", "actorJoin", "actorCreate", "streamBind"].map((operation) => ({
    ...fault(
      `reply-no-tail-${operation}`,
      `An ${operation} that is ok has a tail: it is missing.`,
      [frame(20, 0, u64(51), u32(0), u32(0))],
      ["truncated-field"] as const,
    ),
    operation,
  })),
  {
    ...fault(
      "reply-tail-of-other",
      "The tail of a streamBind where that of an actorJoin is due: its first four bytes are joinResult 0, the next two a body of length 0.",
      [frame(20, 0, u64(51), u32(0), u32(0), u64(6), u64(11))],
      ["truncated-field"],
    ),
    operation: "actorJoin",
  },
  {
    ...fault(
      "reply-join-bool",
      "A rejected join: the bool of its spot is 2.",
      [frame(20, 0, u64(51), u32(0), u32(0), u32(1), measured(2, u8(2), u16(0)))],
      ["invalid-field"],
    ),
    operation: "actorJoin",
  },
  {
    ...fault(
      "reply-join-rejected-bytes",
      "A rejected join without a spot, whose inner body is not empty.",
      [frame(20, 0, u64(51), u32(0), u32(0), u32(1), measured(2, u8(0), u16(1), u8(0)))],
      ["trailing-byte"],
    ),
    operation: "actorJoin",
  },
  {
    ...fault(
      "reply-create-rejected-bytes",
      "A rejected creation has nothing in its body.",
      [frame(20, 0, u64(51), u32(0), u32(0), union16(3, u8(0)))],
      ["trailing-byte"],
    ),
    operation: "actorCreate",
  },
  {
    ...fault(
      "reply-reserved-code",
      "23 is reserved.",
      [frame(20, 0, u64(51), u32(106), u32(23))],
      ["invalid-field", "failureCode"],
    ),
  },
  {
    ...fault(
      "relay-context-1",
      "A 33's context 1 is of a feature that this version does not have.",
      [
        frame(
          33,
          0,
          u64(61),
          u64(62),
          u64(73),
          union16(1, relocation, u64(21), coordinator, u64(1), u64(81)),
          u32(0),
          u32(0),
        ),
      ],
      ["invalid-field", "context.kind"],
    ),
  },
];
