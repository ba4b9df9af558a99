/** The worker process: takes one task, warms it up, and gives one sample for each line that it is asked with. */
import { createInterface } from "node:readline";
import { codecTask } from "./codec/tasks.ts";
import { Measurement, type Machine } from "./measure.ts";
import type { Task, TaskName } from "./task.ts";
import { transportTask } from "./transport/tasks.ts";
import { SAMPLE, type Assignment, type WorkerMessage } from "./worker-messages.ts";

/** Who makes the tasks of each bench. */
const tasks: Readonly<Record<string, (name: TaskName) => Task | Promise<Task>>> = {
  codec: codecTask,
  transport: transportTask,
};

const bun = (globalThis as { Bun?: { gc(force: boolean): void; version: string } }).Bun;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const assignment = JSON.parse(process.argv[2] ?? "{}") as Assignment;
const machine: Machine = {
  now: assignment.time === "cpu" ? cpuMs : () => performance.now(),
  collect: () => {
    if (bun !== undefined) bun.gc(true);
    else globalThis.gc?.();
  },
};

function say(message: WorkerMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

const make = tasks[assignment.bench];
if (make === undefined) throw new Error(`There is no bench "${assignment.bench}"`);
const task = await make(assignment);
const measurement = new Measurement(task, machine);
await measurement.warmUp(assignment);
say({
  type: "ready",
  runtime: bun === undefined ? `Node ${process.versions.node}` : `Bun ${bun.version}`,
  bytes: task.bytes,
  operationsPerSample: measurement.count,
});
for await (const line of createInterface({ input: process.stdin })) {
  if (line === SAMPLE) say({ type: "sample", nsPerOperation: await measurement.sample() });
}
