declare module "crc-32/crc32c.js" {
  const crc32c: {
    /** Signed result; `seed` is the signed result of the piece before. */
    buf(bytes: Uint8Array, seed?: number): number;
  };
  export default crc32c;
}
