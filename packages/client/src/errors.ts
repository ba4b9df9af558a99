import { isFailureCode, type FailureCode } from "./protocol/error-codes.ts";
import type { Failure } from "./protocol/frames.ts";

/**
 * Every code that a {@link ClientError} can have: those that a gateway reports, and the client's own: `invalidPayload`
 * (what came cannot be decoded), `connectFailed` (no connection, or it broke), `sessionReplaced` (somebody else resumed
 * this client's session). The README says what each means and what to do.
 */
export type ClientErrorCode = FailureCode | "invalidPayload" | "connectFailed" | "sessionReplaced";

/** The one error class of this package. Match on `code`, never on the text. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** A failure that the gateway reported. A code of a newer gateway becomes `failed`; the text names it. */
export function fromFailure(failure: Failure): ClientError {
  if (isFailureCode(failure.code)) return new ClientError(failure.code, failure.message || failure.code);
  return new ClientError("failed", `${failure.code}: ${failure.message}`);
}
