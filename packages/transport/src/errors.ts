/**
 * What went wrong, for code to decide on:
 *
 * - `addressInUse`: another socket listens on that host and port.
 * - `addressUnavailable`: the host is unknown, or none of this machine's addresses.
 * - `addressForbidden`: the operating system does not let this process listen there (ports below 1024).
 * - `plaintextRefused`: plain TCP to or from another machine, without the option that allows it.
 * - `certificateUnusable`: the files for TLS cannot be read, do not fit together, are not valid now, or name another node.
 * - `invalidEndpoint`: an endpoint that this transport cannot parse.
 * - `invalidOptions`: options that contradict each other or are out of range.
 * - `connectFailed`: nobody answered at that endpoint, or the connection broke before the handshake was over.
 * - `alreadyListening`, `notListening`, `closed`: a call in the wrong phase of a transport's life.
 */
export type TransportErrorCode =
  | "addressInUse"
  | "addressUnavailable"
  | "addressForbidden"
  | "plaintextRefused"
  | "certificateUnusable"
  | "invalidEndpoint"
  | "invalidOptions"
  | "connectFailed"
  | "alreadyListening"
  | "notListening"
  | "closed";

/** The one error of the transport packages. Its message says what to do; decide on `code`, never on the message. */
export class TransportError extends Error {
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "TransportError";
    this.code = code;
  }
}

/**
 * The peer broke the rules of `docs/transport.md`. Never leaves this package: it ends the peer's connection, and its
 * message goes to the log.
 */
export class ProtocolViolation extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ProtocolViolation";
  }
}
