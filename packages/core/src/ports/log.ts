export type LogLevel = "debug" | "info" | "warn" | "error";

/**
 * Where a component reports what nobody awaits: refused records, post-commit errors, lost links.
 *
 * - `write` MUST NOT throw and MUST NOT block. `event` is a stable dotted name (`seal.conflict`); `fields` holds plain
 *   values and MUST NOT hold secrets or payload bytes.
 */
export interface Log {
  write(level: LogLevel, event: string, fields: Readonly<Record<string, unknown>>): void;
}
