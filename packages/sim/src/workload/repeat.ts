import type { Dice } from "../random.ts";
import type { VirtualTime } from "../world/virtual-time.ts";

export interface Rhythm {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly perSecond: number;
  readonly untilMs: number;
}

/** Repeats `act` at random intervals. */
export function repeat({ time, dice, perSecond, untilMs }: Rhythm, act: () => void): void {
  if (perSecond <= 0) return;
  const next = (): void => {
    const atMs = time.nowMs + dice.wait(perSecond);
    if (atMs >= untilMs) return;
    time.at(atMs, () => {
      act();
      next();
    });
  };
  next();
}
