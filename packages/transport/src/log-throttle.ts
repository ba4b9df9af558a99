import type { Clock, Log, LogLevel } from "@rehome/core";

const SILENCE_MS = 1_000;

/**
 * A log for what strangers can cause as often as they like: one line per event and second, which says how many more there
 * were.
 */
export class LogThrottle {
  private readonly log: Log;
  private readonly clock: Clock;
  private readonly seen = new Map<string, { atMs: number; suppressed: number }>();

  constructor(log: Log, clock: Clock) {
    this.log = log;
    this.clock = clock;
  }

  /** `event` is one of a few names in the code, never something that a peer chose. */
  write(level: LogLevel, event: string, fields: Readonly<Record<string, unknown>>): void {
    const nowMs = this.clock.nowMs();
    const last = this.seen.get(event);
    if (last !== undefined && nowMs - last.atMs < SILENCE_MS) {
      last.suppressed += 1;
      return;
    }
    this.log.write(level, event, last?.suppressed ? { ...fields, suppressed: last.suppressed } : fields);
    this.seen.set(event, { atMs: nowMs, suppressed: 0 });
  }
}
