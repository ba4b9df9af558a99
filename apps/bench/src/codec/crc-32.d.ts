// A pattern, so that it stands beside the declaration that the wire package has of the same file.
declare module "crc-32/*.js" {
  const crc: { buf(bytes: Uint8Array, seed?: number): number };
  export default crc;
}
