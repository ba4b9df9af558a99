/**
 * What a caller of this package can be told.
 *
 * - `holdNotOwned`: another operation than the one that opened a hold tried to promote or release it (`protocol.md` H2).
 *   Leave the hold alone; answer `busy`.
 * - `holdEnded`: the hold was already given back, forwarded or failed. Nothing is in it any more.
 * - `deadlinesInconsistent`: a seal would end before the move that it serves can have been decided (S5). Raise the seal's
 *   deadline above the move's deadline plus the store resolution.
 * - `assertionFailed`: a caller broke this package's contract. It is a bug, never a condition to handle.
 */
export type CoreErrorCode = "holdNotOwned" | "holdEnded" | "deadlinesInconsistent" | "assertionFailed";

/** The only error that this package throws. Tell cases apart by `code`, never by `message`. */
export class CoreError extends Error {
  override readonly name = "CoreError";
  readonly code: CoreErrorCode;

  constructor(code: CoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** States what the code around it relies on; throws `assertionFailed` when a caller broke it. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CoreError("assertionFailed", message);
}
