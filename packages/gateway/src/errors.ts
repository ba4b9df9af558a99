/**
 * Why a gateway could not be started: `portInUse`, `portForbidden` (the system does not let this process have it),
 * `addressUnavailable` (the host is not of this machine), `listenFailed` (anything else: see `cause`),
 * `invalidOption`.
 */
export type GatewayErrorCode =
  "portInUse" | "portForbidden" | "addressUnavailable" | "listenFailed" | "invalidOption" | "closed";

/** The one error class of this package. Match on `code`, never on the text. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: GatewayErrorCode;

  constructor(code: GatewayErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** What a failed `listen` means, and what to do about it. */
export function listenError(cause: NodeJS.ErrnoException, host: string, port: number): GatewayError {
  const at = `${host}:${port}`;
  switch (cause.code) {
    case "EADDRINUSE":
      return new GatewayError("portInUse", `${at} is in use: stop what uses it, or choose another \`port\`.`, {
        cause,
      });
    case "EACCES":
      return new GatewayError(
        "portForbidden",
        `This process may not listen on ${at}: choose a \`port\` from 1024 on.`,
        {
          cause,
        },
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new GatewayError("addressUnavailable", `${host} is no address of this machine: choose another \`host\`.`, {
        cause,
      });
    default:
      return new GatewayError("listenFailed", `Listening on ${at} failed: ${cause.message}.`, { cause });
  }
}
