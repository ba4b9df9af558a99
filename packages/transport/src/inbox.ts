import type { Clock, TimerHandle } from "@rehome/core";
import { ProtocolViolation } from "./errors.ts";
import type { TransportLimits } from "./limits.ts";

export interface InboxOptions {
  readonly clock: Clock;
  readonly limits: TransportLimits;
  /** An acknowledgement is due now, with or without something else to send. */
  readonly onDue: () => void;
}

/** What has come in on a link, over all its connections, and how much of that the peer has been told. */
export class Inbox {
  private readonly options: InboxOptions;
  private received = 0;
  private told = 0;
  private untoldBytes = 0;
  private timer: TimerHandle | undefined;

  constructor(options: InboxOptions) {
    this.options = options;
  }

  /** The number of the last record that was handed on, 0 before the first. */
  get receivedThrough(): number {
    return this.received;
  }

  get owesAcknowledgement(): boolean {
    return this.told !== this.received;
  }

  /** Whether this record is the next one. False for a repeat; throws {@link ProtocolViolation} for one out of its turn. */
  isDue(number: number): boolean {
    if (number <= this.received) return false;
    if (number !== this.received + 1) throw new ProtocolViolation("a record out of its turn");
    return true;
  }

  /** The next record is about to be handed on. */
  took(bytes: number): void {
    const { clock, limits, onDue } = this.options;
    this.received += 1;
    this.untoldBytes += bytes;
    if (this.untoldBytes >= limits.ackAfterBytes || this.received - this.told >= limits.ackAfterRecords) {
      onDue();
      return;
    }
    this.timer ??= clock.after(limits.ackDelayMs, () => {
      this.timer = undefined;
      if (this.owesAcknowledgement) onDue();
    });
  }

  /** The peer is being told of everything that has come. */
  tell(): void {
    this.told = this.received;
    this.untoldBytes = 0;
  }

  stop(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }
}
