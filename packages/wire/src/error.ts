/**
 * Why bytes or a value were refused (`wire.md` section 4).
 *
 * - `truncated-field`: the bytes end, or the enclosing delimited body ends, inside a field.
 * - `invalid-magic`, `unsupported-major`, `unknown-command`, `forbidden-flag`: the prefix, in that order.
 * - `invalid-field`: a value that its field cannot hold, or that breaks a rule across fields.
 * - `trailing-byte`: bytes are left after the last field of the frame or of a delimited body.
 * - `frame-count`: no frame at all, one missing, or one too many.
 * - `checksum-mismatch`: a durable envelope whose CRC32C is wrong. To its reader that is data loss.
 */
export type WireErrorCode =
  | "truncated-field"
  | "invalid-magic"
  | "unsupported-major"
  | "unknown-command"
  | "forbidden-flag"
  | "invalid-field"
  | "trailing-byte"
  | "frame-count"
  | "checksum-mismatch";

/**
 * The only error that encoding and decoding throw, for bytes and values that `wire.md` does not allow.
 *
 * `field` is the path of the field (`session.sessionRid`, `channels[2].name`). `offset` is where that field begins in its
 * frame, in bytes (on encode: where it would have begun); it is `undefined` where there is no frame, as for keys and JSON.
 */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: WireErrorCode;
  readonly field: string;
  readonly offset: number | undefined;

  constructor(code: WireErrorCode, field: string, offset: number | undefined, reason: string) {
    super(`${code} in ${field}${offset === undefined ? "" : ` at byte ${offset}`}: ${reason}`);
    this.code = code;
    this.field = field;
    this.offset = offset;
  }
}
