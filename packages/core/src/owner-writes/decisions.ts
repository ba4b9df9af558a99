import type { FenceAnswer } from "../ports/authority-store.ts";
import type { WriteEvidence, WriteSeen } from "./evidence.ts";

/**
 * Why the owner asks the store.
 *
 * - `publish`, `destroy`: it has sent that write and wants to know whether it happened.
 * - `settle`: an earlier write was given up in doubt; before the next one it must be known whether it happened, and made
 *   sure that it cannot happen any more.
 */
export type WritePurpose = "publish" | "destroy" | "settle";

/**
 * - `done`: it is written. `read`: ask what is there now. `writeAgain`: it did not happen; send it again, on the version
 *   that is there. `fence`: change the version, so that the write in doubt cannot succeed any more.
 * - `goOn`: the doubt is over; do what waits. `keepReading`: no answer; ask again after a pause.
 * - `notOwner`, `leaseEnded`, `dataLoss`: it ends so.
 */
export type WriteDecision =
  "done" | "read" | "writeAgain" | "fence" | "goOn" | "keepReading" | "notOwner" | "leaseEnded" | "dataLoss";

/**
 * After a publish or destroy. Even a plain `stale` is followed by a reading: it says nothing about an earlier try of the
 * same write whose answer was lost, and nothing about who owns the object.
 */
export const AFTER_WRITE: Readonly<Record<WriteSeen, WriteDecision>> = {
  written: "done",
  otherBytes: "dataLoss",
  stale: "read",
  staleLease: "leaseEnded",
  unknown: "read",
};

/** After a reading. */
export const AFTER_WRITE_READ: Readonly<Record<WriteEvidence, Readonly<Record<WritePurpose, WriteDecision>>>> = {
  written: { publish: "done", destroy: "dataLoss", settle: "goOn" },
  base: { publish: "writeAgain", destroy: "writeAgain", settle: "fence" },
  rebased: { publish: "writeAgain", destroy: "writeAgain", settle: "goOn" },
  foreign: { publish: "dataLoss", destroy: "writeAgain", settle: "dataLoss" },
  gone: { publish: "notOwner", destroy: "done", settle: "notOwner" },
  newerOwner: { publish: "notOwner", destroy: "notOwner", settle: "notOwner" },
  none: { publish: "keepReading", destroy: "keepReading", settle: "keepReading" },
};

/** After the owner's own fence write on the version that a doubtful write stands on. */
export const AFTER_DOUBT_FENCE: Readonly<Record<FenceAnswer["outcome"], WriteDecision>> = {
  fenced: "goOn",
  stale: "read",
  staleLease: "leaseEnded",
  unknown: "read",
};
