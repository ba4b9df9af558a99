import { describe, expect, it } from "vitest";
import { effortFor } from "../src/comparison.ts";
import { Measurement, type Machine } from "../src/measure.ts";
import type { Task } from "../src/task.ts";

/** A machine on which an operation takes what `cost` says, and time passes only while one runs. */
class FakeMachine implements Machine {
  time = 0;
  collected = 0;
  ran: number[] = [];
  cost: (operation: number) => number;
  #operations = 0;

  constructor(cost: (operation: number) => number) {
    this.cost = cost;
  }

  now(): number {
    return this.time;
  }

  collect(): void {
    this.collected++;
  }

  task(check: () => void = () => undefined): Task {
    return {
      bytes: 1,
      check,
      run: (count) => {
        this.ran.push(count);
        for (let index = 0; index < count; index++) this.time += this.cost(this.#operations++);
      },
    };
  }
}

describe("Measurement", () => {
  it("warms up for as long as it is told and then knows how many operations make a sample", async () => {
    const machine = new FakeMachine(() => 0.01);
    const measurement = new Measurement(machine.task(), machine);
    await measurement.warmUp({ warmUpMs: 50, sampleMs: 2, time: "wall" });
    expect(machine.time).toBeGreaterThanOrEqual(50);
    expect(measurement.count).toBe(200);
  });

  it("judges by the last batch, not by the operations before the compiler had seen them", async () => {
    const machine = new FakeMachine((operation) => (operation < 100 ? 1 : 0.001));
    const measurement = new Measurement(machine.task(), machine);
    await measurement.warmUp({ warmUpMs: 300, sampleMs: 2, time: "wall" });
    expect(measurement.count).toBe(2000);
  });

  it("gives nanoseconds per operation, without those that run before the clock starts", async () => {
    const machine = new FakeMachine(() => 0.25);
    const measurement = new Measurement(machine.task(), machine);
    await measurement.warmUp({ warmUpMs: 10, sampleMs: 5, time: "wall" });
    machine.ran = [];
    expect(await measurement.sample()).toBeCloseTo(250_000, 3);
    expect(machine.ran).toEqual([2, 20]);
  });

  it("takes at least one operation, however long that lasts", async () => {
    const machine = new FakeMachine(() => 700);
    const measurement = new Measurement(machine.task(), machine);
    await measurement.warmUp({ warmUpMs: 10, sampleMs: 5, time: "wall" });
    expect(measurement.count).toBe(1);
    expect(await measurement.sample()).toBe(700 * 1e6);
  });

  it("collects what making the task has left, and nothing later", async () => {
    const machine = new FakeMachine(() => 1);
    const measurement = new Measurement(machine.task(), machine);
    await measurement.warmUp({ warmUpMs: 5, sampleMs: 2, time: "wall" });
    await measurement.sample();
    expect(machine.collected).toBe(1);
  });

  it("looks at the results of every sample", async () => {
    const machine = new FakeMachine(() => 1);
    let right = true;
    const task = machine.task(() => {
      if (!right) throw new Error("wrong result");
    });
    const measurement = new Measurement(task, machine);
    await measurement.warmUp({ warmUpMs: 5, sampleMs: 2, time: "wall" });
    await measurement.sample();
    right = false;
    await expect(measurement.sample()).rejects.toThrow("wrong result");
  });
});

describe("effortFor", () => {
  it("spreads the seconds over all series", () => {
    const { rounds, sampleMs } = effortFor(60, 100, "wall");
    expect(rounds * sampleMs * 100).toBeCloseTo(60_000, -3);
  });

  it("takes more samples when they are as long as is useful", () => {
    expect(effortFor(1000, 100, "wall")).toMatchObject({ sampleMs: 40, rounds: 250 });
  });

  it("never takes fewer samples than a median needs", () => {
    expect(effortFor(0.001, 100, "wall")).toMatchObject({ sampleMs: 2, rounds: 5 });
  });
});
