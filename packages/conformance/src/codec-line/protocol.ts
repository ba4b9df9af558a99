/** The line protocol with which any implementation of `wire.md` can be checked: one JSON object asks, one answers. */
import type { OperationKind, WireErrorCode } from "@rehome/wire";

/** A value in the JSON form of `wire.md` section 7. */
export type JsonObject = Record<string, unknown>;

/** What may be asked. A line holds one of these as JSON. Members that are not named here are ignored. */
export type CodecRequest =
  | { readonly op: "encode"; readonly value: unknown }
  | {
      readonly op: "decode";
      readonly frames: readonly string[];
      /** Of the correlation that a 20 answers: it selects the reply's tail (`wire.md` 3.2). */
      readonly operation?: OperationKind;
    }
  /** Of a 42, a 43 or a 44 (`wire.md` section 5). */
  | { readonly op: "identityKey"; readonly value: unknown }
  | { readonly op: "authorityKey"; readonly kind: "actor" | "spot"; readonly id: string }
  | { readonly op: "parseAuthorityKey"; readonly key: string }
  /** Over the pieces, one after the other. */
  | { readonly op: "crc32c"; readonly hex: readonly string[] }
  /** Answered by the decoded envelope itself. */
  | { readonly op: "durable"; readonly hex: string }
  /** Plays a machine of `protocol.md` (`test-vectors/scenarios/README.md`). */
  | {
      readonly op: "scenario";
      readonly machine: string;
      readonly config: JsonObject;
      readonly steps: readonly { readonly atMs: number; readonly input: JsonObject }[];
    };

/**
 * Why a request was refused: a code of `wire.md` section 4, or
 *
 * - `invalid-json`: the line is not JSON.
 * - `invalid-request`: it is JSON, but nothing that this protocol knows.
 * - `line-too-long`: longer than the longest record needs.
 * - `internal-error`: the implementation has a fault. No bytes and no value may ever lead to it.
 */
export type CodecErrorCode = WireErrorCode | "invalid-json" | "invalid-request" | "line-too-long" | "internal-error";

export interface CodecError {
  readonly code: CodecErrorCode;
  /** Path of the field (`session.sessionRid`). */
  readonly field?: string;
  /** Where the field begins in its frame, in bytes. */
  readonly offset?: number;
  /** For people; no two implementations need the same. */
  readonly message: string;
}

export type CodecAnswer =
  | { readonly frames: readonly string[] }
  | { readonly value: JsonObject }
  | { readonly key: string }
  | { readonly kind: "actor" | "spot"; readonly id: string }
  | { readonly crc32c: number }
  /** For each step, in order. */
  | { readonly effects: readonly (readonly unknown[])[] }
  | { readonly error: CodecError }
  | JsonObject;
