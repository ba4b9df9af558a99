import { RuntimeError } from "../errors.ts";
import type { Payload } from "../payload.ts";
import { checkFormat, PAYLOAD_FORMAT, STATE } from "./payload.ts";
import { decodeSpotMessage, encodeSpotMessage, fromHalves, toHalves } from "./payload-schema.ts";

/** Everything of a spot that moves (`protocol.md` section 4, step 4). */
export interface SpotPayload {
  readonly spotId: string;
  readonly stableType: string;
  readonly objectGeneration: bigint;
  readonly authorityOwnerGeneration: bigint;
  readonly applicationVersion: bigint;
  readonly stateVersion: number;
  readonly state: Payload;
  readonly membershipEpoch: bigint;
  readonly members: readonly SpotMember[];
}

export interface SpotMember {
  readonly baseVersion: string;
  /** The member's own payload, encoded. */
  readonly payload: Uint8Array;
}

export function encodeSpotPayload(payload: SpotPayload): Uint8Array {
  return encodeSpotMessage({
    format: PAYLOAD_FORMAT,
    spotId: payload.spotId,
    stableType: payload.stableType,
    objectGeneration: toHalves(payload.objectGeneration),
    authorityOwnerGeneration: toHalves(payload.authorityOwnerGeneration),
    applicationVersion: toHalves(payload.applicationVersion),
    state: { version: payload.stateVersion, contentType: payload.state.contentType, data: payload.state.data },
    membershipEpoch: toHalves(payload.membershipEpoch),
    members: payload.members.map(({ baseVersion, payload: bytes }) => ({ baseVersion, payload: bytes })),
  });
}

/** Throws `protocolError` for bytes that are no spot's payload, `typeMismatch` for a format that is too new. */
export function decodeSpotPayload(bytes: Uint8Array): SpotPayload {
  try {
    return decodeChecked(bytes);
  } catch (cause) {
    if (cause instanceof RuntimeError) throw cause;
    throw new RuntimeError("protocolError", "the payload of the spot's move cannot be decoded", { cause });
  }
}

function decodeChecked(bytes: Uint8Array): SpotPayload {
  const message = decodeSpotMessage(bytes);
  checkFormat(message.format);
  if (!message.state) throw new RuntimeError("protocolError", "the payload of the spot's move has no state");
  const { state } = message;
  return {
    spotId: message.spotId,
    stableType: message.stableType,
    objectGeneration: fromHalves(message.objectGeneration),
    authorityOwnerGeneration: fromHalves(message.authorityOwnerGeneration),
    applicationVersion: fromHalves(message.applicationVersion),
    stateVersion: state.version,
    state: { packetName: STATE, contentType: state.contentType, data: state.data },
    membershipEpoch: fromHalves(message.membershipEpoch),
    members: message.members.map(({ baseVersion, payload }) => ({ baseVersion, payload })),
  };
}
