import { createHmac } from "node:crypto";

/** HMAC-SHA-256 (RFC 2104) of the message: 32 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const digest = createHmac("sha256", key).update(message).digest();
  return new Uint8Array(digest.buffer, digest.byteOffset, digest.length);
}
