/**
 * WebSocket close codes of a gateway. `endsSession`: nothing of the session is kept, so a client need not try to resume
 * it. `final`: connecting again in the same way is of no use.
 */
export const CLOSE_CODES = {
  /** The bytes are no packet, or a packet out of place: not a client of this protocol. */
  protocolError: { code: 4400, endsSession: true, final: false },
  /** The authentication hook refused the token. */
  unauthenticated: { code: 4401, endsSession: true, final: true },
  /** No hello in time. */
  helloTimeout: { code: 4408, endsSession: false, final: false },
  /** Another connection has resumed the session. */
  replaced: { code: 4409, endsSession: false, final: true },
  /** A message over the limit on bytes. */
  tooLarge: { code: 4413, endsSession: true, final: false },
  /** The gateway does not speak the client's protocol version. */
  unsupportedVersion: { code: 4426, endsSession: true, final: true },
  /** More messages than allowed. */
  rateLimited: { code: 4429, endsSession: true, final: false },
  /** The client does not read, or does not acknowledge, what is sent to it. */
  slowConsumer: { code: 4430, endsSession: true, final: false },
  /** No answer to a ping in time. */
  silent: { code: 4440, endsSession: false, final: false },
  /** The gateway failed; its log says how. */
  internalError: { code: 4500, endsSession: true, final: false },
  /** The gateway is closing. */
  goingAway: { code: 4501, endsSession: true, final: false },
  /** Too many at once; the refusal says when to come again. */
  overloaded: { code: 4503, endsSession: false, final: false },
} as const;

/** The name of a reason to close a connection. */
export type CloseReason = keyof typeof CLOSE_CODES;

/** Codes of RFC 6455 with which a WebSocket implementation ends a connection over what it has read. */
const BROKEN_STREAM_CODES: readonly number[] = [1002, 1003, 1007, 1009];

/** What a close code that was received means for the session. */
export function meaningOf(code: number): {
  readonly reason: CloseReason | undefined;
  readonly endsSession: boolean;
  readonly final: boolean;
} {
  for (const [reason, meaning] of Object.entries(CLOSE_CODES)) {
    if (meaning.code === code) return { reason: reason as CloseReason, ...meaning };
  }
  return { reason: undefined, endsSession: BROKEN_STREAM_CODES.includes(code), final: false };
}
