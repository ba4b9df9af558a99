export { answerLine, answerRequest, refusedLine } from "./answer.ts";
export type { CodecAnswer, CodecError, CodecErrorCode, CodecRequest, JsonObject } from "./protocol.ts";
