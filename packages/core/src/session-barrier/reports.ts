import type { Rid } from "@rehome/wire";
import type { BarrierEffect } from "./effects.ts";

/** What a barrier reports. `protocolError` events are `ReportProtocolError`s, the others warnings. */
export type BarrierEvent =
  /** S4, S19: a 42 was refused. */
  | "seal.refused"
  /** S3: a 42 of a known identity with other bytes. */
  | "seal.conflict"
  /** S6. */
  | "seal.failed"
  /** S5. */
  | "seal.deadlinePassed"
  /** S8. */
  | "route.unknownIdentity"
  /** S7: the route that the identity ended with, once more. */
  | "route.repeated"
  /** S7: nothing is left that it could change. */
  | "route.late"
  /** S7, S10: it does not match what stands. */
  | "route.refused"
  /** S7, S11: the store does not name the target of a commit, or could not be read. */
  | "route.unconfirmed"
  /** S13. */
  | "route.applyFailed";

type Fields = Readonly<Record<string, unknown>>;

export function report(event: BarrierEvent, fields: Fields): BarrierEffect {
  return { type: "Report", event, fields };
}

export function protocolError(peer: Rid, event: BarrierEvent, fields: Fields): BarrierEffect {
  return { type: "ReportProtocolError", peer, event, fields };
}
