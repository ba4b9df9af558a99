import { WireError } from "../error.ts";
import { commands } from "../schema/commands.ts";
import { frozenRecord, payloadEnvelope } from "../schema/composites.ts";
import { durables } from "../schema/durable.ts";
import { field, inline, metadata, type Part } from "../schema/node.ts";
import type { Command } from "../values/commands.ts";
import type { DurableEnvelope, FrozenRecord } from "../values/composites.ts";
import { partsFromJson, partsToJson, type Fields } from "./convert.ts";

const commandParts = new Map<unknown, readonly Part[]>(
  commands.map((schema) => [
    schema.name,
    [...schema.parts, field("metadata", metadata, "flags"), field("payload", payloadEnvelope, "bool")],
  ]),
);
const durableParts = new Map<unknown, readonly Part[]>(durables.map(({ magic, parts }) => [magic, parts]));
const frozenParts: readonly Part[] = [inline(frozenRecord)];

/**
 * The JSON form of a command (`wire.md` section 7): what vectors, `inspect` and every tool show. Throws `WireError`
 * `invalid-field` for a value of the wrong type; ranges are checked by encoding.
 */
export function toJson(command: Command): Record<string, unknown> {
  return tagged("command", commandParts, command, partsToJson);
}

/**
 * The command that this JSON form shows. Throws `WireError`: `unknown-command`, or `invalid-field` for a field that is
 * missing, of the wrong type, not in its one spelling, or that the command does not have. Ranges are checked by encoding.
 */
export function fromJson(json: unknown): Command {
  return tagged("command", commandParts, json, partsFromJson) as unknown as Command;
}

/** As {@link toJson}, for a frozen record on its own. */
export function frozenRecordToJson(record: FrozenRecord): Record<string, unknown> {
  return partsToJson(frozenParts, record);
}

/** As {@link fromJson}, for a frozen record on its own. */
export function frozenRecordFromJson(json: unknown): FrozenRecord {
  return partsFromJson(frozenParts, json) as unknown as FrozenRecord;
}

/** As {@link toJson}, for a durable envelope. */
export function durableToJson(envelope: DurableEnvelope): Record<string, unknown> {
  return tagged("magic", durableParts, envelope, partsToJson);
}

/** As {@link fromJson}, for a durable envelope. */
export function durableFromJson(json: unknown): DurableEnvelope {
  return tagged("magic", durableParts, json, partsFromJson) as unknown as DurableEnvelope;
}

function tagged(
  tag: string,
  cases: ReadonlyMap<unknown, readonly Part[]>,
  value: unknown,
  convert: (parts: readonly Part[], value: unknown) => Fields,
): Fields {
  const name = typeof value === "object" && value !== null ? (value as Fields)[tag] : undefined;
  const parts = cases.get(name);
  if (parts === undefined) {
    throw new WireError(tag === "command" ? "unknown-command" : "invalid-field", tag, undefined, "no such name");
  }
  const rest = { ...(value as Fields) };
  delete rest[tag];
  return { [tag]: name, ...convert(parts, rest) };
}
