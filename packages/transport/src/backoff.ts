import type { Random } from "@rehome/core";

/** Between half and all of a delay that doubles from `minMs` to `maxMs`, so that nodes do not come back in step. */
export class Backoff {
  private readonly random: Random;
  private readonly minMs: number;
  private readonly maxMs: number;
  private nextMs: number;

  constructor(random: Random, minMs: number, maxMs: number) {
    this.random = random;
    this.minMs = minMs;
    this.maxMs = maxMs;
    this.nextMs = minMs;
  }

  reset(): void {
    this.nextMs = this.minMs;
  }

  /** The delay before the next try. */
  delayMs(): number {
    const bytes = this.random.bytes(2);
    const delay = this.nextMs * (0.5 + (bytes[0]! * 256 + bytes[1]!) / 0x20000);
    this.nextMs = Math.min(this.nextMs * 2, this.maxMs);
    return delay;
  }
}
