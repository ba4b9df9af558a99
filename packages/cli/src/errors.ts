/**
 * Why a command could not do its work.
 *
 * - `usage`: an unknown command or option, or an argument that cannot be what it should be.
 * - `bad-file`: a vector file that cannot be read, or is none.
 * - `program-failed`: the program under test died, hung, or broke the line protocol.
 * - `output-closed`: nobody reads the output any more.
 */
export type CliErrorCode = "usage" | "bad-file" | "program-failed" | "output-closed";

/** The one error of this package. Its message is one for people, without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;

  constructor(code: CliErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
