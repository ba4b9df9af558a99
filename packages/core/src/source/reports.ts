import type { Command, Rid } from "@rehome/wire";
import { ridToDisplay } from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import type { SourceEffect } from "./effects.ts";
import type { SourceState } from "./state.ts";

/**
 * Events of a source's `Report`.
 *
 * - `recordRefused`: a record that is not this move's or not from its rightful sender; nothing changed (I9).
 * - `recordLate`: a record of a move that has ended here; nothing changed (O10).
 * - `storeContradiction`: the store said something that its obligations rule out.
 * - `ownerUndecided`: the deadline passed without evidence; the actor stays closed and reading goes on (O5). `failure` is a
 *   `MoveFailure` for whoever asked for the move; `Settle` comes when there is evidence, if ever.
 */
export const SOURCE_EVENTS = {
  recordRefused: "source.record.refused",
  recordLate: "source.record.late",
  storeContradiction: "source.store.contradiction",
  ownerUndecided: "source.owner.undecided",
} as const;

/** I9: refused and logged, nothing changes. `field` is the first one that was off. */
export function reportRefused(state: SourceState, peer: Rid, command: Command, field: string): SourceEffect {
  return {
    type: "Report",
    event: SOURCE_EVENTS.recordRefused,
    fields: { state: state.type, command: command.command, peer: ridToDisplay(peer), field },
  };
}

/** O10. */
export function reportLate(state: SourceState, peer: Rid, command: Command): SourceEffect {
  return {
    type: "Report",
    event: SOURCE_EVENTS.recordLate,
    fields: { state: state.type, command: command.command, peer: ridToDisplay(peer) },
  };
}

export function reportContradiction(state: SourceState): SourceEffect {
  return { type: "Report", event: SOURCE_EVENTS.storeContradiction, fields: { state: state.type } };
}

/** O5. */
export function reportUndecided(failure: MoveFailure): SourceEffect {
  return { type: "Report", event: SOURCE_EVENTS.ownerUndecided, fields: { failure } };
}
