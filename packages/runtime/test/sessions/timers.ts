import type { Clock } from "@rehome/core";

/** Time that passes when the test says so. */
export class Timers implements Clock {
  now = 0;
  readonly due: { readonly at: number; readonly run: () => void }[] = [];

  nowMs(): number {
    return this.now;
  }

  unixMs(): number {
    return this.now;
  }

  after(delayMs: number, run: () => void) {
    const timer = { at: this.now + delayMs, run };
    this.due.push(timer);
    const cancel = (): void => {
      const index = this.due.indexOf(timer);
      if (index >= 0) this.due.splice(index, 1);
    };
    return { cancel };
  }

  pass(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const next = this.due.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.due.splice(this.due.indexOf(next), 1);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = until;
  }
}
