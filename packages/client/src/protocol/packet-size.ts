/** Small enough to get through a connection that hardly lives. */
const FIRST_PACKET_BYTES = 1_024;
/** A packet is closed when it has so many bytes: past this, more frames in one write gain nothing. */
const LAST_PACKET_BYTES = 64 * 1024;

/**
 * How many bytes of frames go into the packets of one connection: each twice as many as the one before, up to a limit.
 * A packet counts only when all of it has arrived: with large ones from the start, a network that breaks every
 * connection after a few kilobytes would let nothing through, ever.
 */
export class PacketSize {
  #bytes = FIRST_PACKET_BYTES / 2;

  next(): number {
    this.#bytes = Math.min(this.#bytes * 2, LAST_PACKET_BYTES);
    return this.#bytes;
  }
}
