import { STATE_AFTER_LOSS, type AuthorityRecord, type RecreationDecision, type SavedState } from "@rehome/core";
import type { Id128, Reservation } from "@rehome/wire";
import type { ActorDefinition } from "../api.ts";
import { withDeadline } from "../deadline.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { restoredState, valueOf } from "../payload.ts";
import type { Activation } from "./activation.ts";
import { ownerDocuments } from "./owner-document.ts";

/** What a new copy takes over from a lost owner of the same object; `none` when there is nothing. */
export type Inheritance =
  | { readonly type: "none" }
  | {
      readonly type: "found";
      readonly saved: SavedState | undefined;
      /** The move that made the lost owner. */
      readonly relocation: Id128 | undefined;
    }
  | { readonly type: "unreadable" };

const NOTHING: Inheritance = { type: "none" };

/** Reads what the reservation inherits. Only an object that existed before can have something. */
export async function readInheritance(host: Host, key: string, reservation: Reservation): Promise<Inheritance> {
  if (reservation.objectGeneration <= 1n) return NOTHING;
  const reading = await host.directory.readSettled(key, host.config.deadlines.createMs);
  if (!reading || !isReserved(reading.record, reservation)) {
    throw new RuntimeError("stale", "the reservation does not stand any more");
  }
  if (reading.record.payload.length === 0) return NOTHING;
  const { payload, relocation } = reading.record;
  const document = ownerDocuments.decode(payload);
  return document ? { type: "found", saved: document.saved, relocation } : { type: "unreadable" };
}

/**
 * The state that a new copy begins with (`protocol.md` L3), and what to call it. Throws `dataLoss` when its saved state cannot
 * be read and the type wants it, and whatever `create` and `restore` throw.
 */
export async function beginState(
  activation: Activation,
  definition: ActorDefinition<unknown>,
  inheritance: Inheritance,
): Promise<{ readonly state: unknown; readonly from: "savedState" | "new" }> {
  const saved = inheritance.type === "found" ? inheritance.saved : undefined;
  switch (decide(definition, inheritance)) {
    case "createNew":
      return { state: await definition.create(activation.context), from: "new" };
    case "restoreSaved":
      return { state: await restoreSaved(activation, definition, saved!), from: "savedState" };
    case "refuse":
      throw new RuntimeError(
        "dataLoss",
        `the saved state of actor "${activation.actorId}" is damaged in the store; to begin anew without it, set afterLoss: "new" for type "${definition.type}"`,
      );
  }
}

function decide(definition: ActorDefinition<unknown>, inheritance: Inheritance): RecreationDecision {
  const policy = definition.afterLoss ?? "restore";
  if (inheritance.type === "unreadable") return STATE_AFTER_LOSS.unreadable[policy];
  return STATE_AFTER_LOSS[inheritance.type === "found" && inheritance.saved ? "saved" : "none"][policy];
}

async function restoreSaved(
  { host, actorId }: Activation,
  definition: ActorDefinition<unknown>,
  { contentType, data, stateVersion }: SavedState,
): Promise<unknown> {
  const value = valueOf({ packetName: "state", contentType, data });
  const { clock, deadlines } = host.config;
  const state = await withDeadline(clock, deadlines.moveMs, `restore of actor "${actorId}"`, () =>
    definition.restore(value as never, { version: stateVersion }),
  );
  return restoredState(value, state);
}

function isReserved(record: AuthorityRecord, reservation: Reservation): boolean {
  return (
    record.state === "reserved" &&
    record.objectGeneration === reservation.objectGeneration &&
    record.owner.ownerId === reservation.ownerId
  );
}
