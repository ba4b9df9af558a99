/** One change of a source file. The text must be there exactly once. */
export interface Edit {
  /** From the repository's root. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A deliberate bug, and what the product promises that it breaks. */
export interface Sabotage {
  readonly name: string;
  /** Of docs/protocol.md. */
  readonly rule: string;
  readonly what: string;
  readonly edits: readonly Edit[];
}

export const CORE = "packages/core/src";
export const RUNTIME = "packages/runtime/src";
