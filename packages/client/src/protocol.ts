// The subpath `@rehome/client/protocol`: everything that both ends of a connection must agree on.
export { CLOSE_CODES, meaningOf, type CloseReason } from "./protocol/close-codes.ts";
export { PACKET_OVERHEAD_BYTES } from "./protocol/assemble.ts";
export {
  decodeClientPacket,
  decodeGatewayPacket,
  encodeClientFrame,
  encodeClientPacket,
  encodeGatewayFrame,
  encodeGatewayPacket,
  MalformedPacket,
} from "./protocol/codec.ts";
export { FAILURE_CODES, isFailureCode, type FailureCode } from "./protocol/error-codes.ts";
export {
  PROTOCOL_VERSION,
  type ClientFrame,
  type ClientPacket,
  type Failure,
  type GatewayFrame,
  type GatewayPacket,
  type GoingAway,
  type Hello,
  type Outgoing,
  type Payload,
  type Refused,
  type ReplyResult,
  type SessionLimits,
  type Welcome,
} from "./protocol/frames.ts";
export { Inbox } from "./protocol/inbox.ts";
export { Outbox, type KeptFrame } from "./protocol/outbox.ts";
export { PacketSize } from "./protocol/packet-size.ts";
export { TokenBucket } from "./protocol/token-bucket.ts";
