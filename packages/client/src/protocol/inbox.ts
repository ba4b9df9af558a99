/**
 * The receiving half of a numbered stream: knows which number comes next, and how many frames have been received since
 * the peer was last told.
 */
export class Inbox {
  #received = 0;
  #owed = 0;
  #owedBytes = 0;

  /** Every frame up to this number has been received. */
  get received(): number {
    return this.#received;
  }

  /** Frames received that the peer has not been told of. Repeats count: they say that an acknowledgement was lost. */
  get owed(): number {
    return this.#owed;
  }

  get owedBytes(): number {
    return this.#owedBytes;
  }

  /**
   * Takes in the frames of one packet. Returns how many of them are repeats and to be skipped, or `undefined` when
   * there is a hole before the first one: the peer has broken the protocol, and nothing was taken in.
   */
  accept(first: number, count: number, packetBytes: number): number | undefined {
    if (count === 0) return 0;
    if (first < 1 || first > this.#received + 1) return undefined;
    const repeats = Math.min(count, this.#received + 1 - first);
    this.#received += count - repeats;
    this.#owed += count;
    this.#owedBytes += packetBytes;
    return repeats;
  }

  /** To be called with every packet that goes out. Returns the number to put into it. */
  acknowledgement(): number {
    this.#owed = 0;
    this.#owedBytes = 0;
    return this.#received;
  }
}
