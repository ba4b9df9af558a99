/** Field 3 with wire type 2: `frames` in both kinds of packet. */
const FRAMES_TAG = 0x1a;

/** An upper bound of what a packet adds to its frames: its own fields, and tag and length of a single frame. */
export const PACKET_OVERHEAD_BYTES = 64;

/**
 * Appends encoded frames to the encoding of a packet's other fields. By the rules of protobuf, the concatenation is the
 * encoding of the whole, so a frame that is kept for a resume is encoded once however often it is sent.
 */
export function assemblePacket(head: Uint8Array, frames: readonly Uint8Array[] | undefined): Uint8Array {
  if (frames === undefined || frames.length === 0) return head;
  let size = head.length;
  for (const frame of frames) size += 1 + varintBytes(frame.length) + frame.length;
  const packet = new Uint8Array(size);
  packet.set(head, 0);
  let at = head.length;
  for (const frame of frames) {
    packet[at++] = FRAMES_TAG;
    let length = frame.length;
    while (length > 0x7f) {
      packet[at++] = (length & 0x7f) | 0x80;
      length >>>= 7;
    }
    packet[at++] = length;
    packet.set(frame, at);
    at += frame.length;
  }
  return packet;
}

function varintBytes(value: number): number {
  let count = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) count++;
  return count;
}
