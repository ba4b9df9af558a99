export { answerLine, answerRequest, refusedLine } from "./answer.ts";
export { bytesFromHex, hexFromBytes } from "./hex.ts";
export type { CodecAnswer, CodecError, CodecErrorCode, CodecRequest, JsonObject } from "./protocol.ts";
