import type { Task, TaskName } from "../task.ts";
import { crcTask } from "./crc-task.ts";
import { recordTask } from "./record-task.ts";

/** The names of a codec bench's operations. */
export const operations = { encode: "encode", decode: "decode", crc32c: "crc32c" } as const;

export function codecTask(name: TaskName): Task {
  return name.operation === operations.crc32c ? crcTask(name) : recordTask(name);
}
