import { describe, expect, it } from "vitest";
import { machineClock } from "../src/machine-clock.ts";
import { bunProgramOf, Child, programOf } from "./support/child-process.ts";
import type { Program } from "./support/child-process.ts";

const onBun = bunProgramOf("clock.ts");

describe("the machine's clock", () => {
  it("does not go back, and its timers fire and can be cancelled", async () => {
    const clock = await machineClock();
    const before = clock.nowMs();
    let cancelled = true;
    clock.after(1, () => (cancelled = false)).cancel();
    await new Promise<void>((resolve) => clock.after(10, resolve));
    expect(clock.nowMs()).toBeGreaterThan(before);
    expect(cancelled).toBe(true);
  });

  it("D3: shows the same in another process of this runtime", async () => {
    const program = await programOf("clock.ts");
    try {
      await expectSameClock(program);
    } finally {
      program.remove();
    }
  });

  it.skipIf(onBun === undefined)("D3: shows the same in a process that runs on Bun", () => expectSameClock(onBun!));
});

/** A clock that began with its process would show less than this one did before the process was started. */
async function expectSameClock(program: Program): Promise<void> {
  const clock = await machineClock();
  const before = clock.nowMs();
  const child = new Child(program);
  const said = (await child.firstLine()) as { nowMs: number };
  await child.exited();
  expect(said.nowMs).toBeGreaterThan(before);
  expect(said.nowMs).toBeLessThan(clock.nowMs());
}
