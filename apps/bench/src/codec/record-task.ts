import { isDeepStrictEqual } from "node:util";
import type { Task, TaskName } from "../task.ts";
import type { Format } from "./formats/format.ts";
import { jsonFormats } from "./formats/json.ts";
import { protobufFormats, tunedProtobufFormats } from "./formats/protobuf.ts";
import { wireFormat } from "./formats/wire.ts";
import { recordCase, type BenchCommand, type RecordCase } from "./records.ts";

/** Results that are kept, a power of two: a decoder's work cannot be left out, and memory does not grow. */
const KEPT = 64;

const formats: Readonly<Record<string, (command: BenchCommand["command"]) => Format>> = {
  wire: () => wireFormat,
  protobufjs: (command) => protobufFormats[command],
  "protobufjs tuned": (command) => tunedProtobufFormats[command],
  JSON: (command) => jsonFormats[command],
};
export const recordContenders = Object.keys(formats);

/** Encodes and decodes every value before anything is timed, and throws unless each comes back as it was. */
export function encodedAndVerified(format: Format, { name, values }: RecordCase): unknown[] {
  return values.map((value) => {
    const encoded = format.received(format.encode(value));
    if (!isDeepStrictEqual(format.decode(encoded), value)) throw new Error(`${name} does not survive its round trip`);
    return encoded;
  });
}

export function recordTask({ contender, input, operation }: TaskName): Task {
  const record = recordCase(input);
  const format = formats[contender]?.(record.values[0]!.command);
  if (format === undefined) throw new Error(`There is no contender "${contender}"`);
  const encoded = encodedAndVerified(format, record);
  const bytes = format.size(encoded[0]);
  return operation === "encode" ? encodeTask(format, record.values, bytes) : decodeTask(format, record, encoded, bytes);
}

function encodeTask(format: Format, values: readonly BenchCommand[], bytes: number): Task {
  const kept: unknown[] = Array.from({ length: KEPT }, () => format.encode(values[0]!));
  const mask = values.length - 1;
  let last = 0;
  return {
    bytes,
    run(count) {
      for (let index = 0; index < count; index++) kept[index & (KEPT - 1)] = format.encode(values[index & mask]!);
      last = count - 1;
    },
    check() {
      if (!isDeepStrictEqual(format.decode(kept[last & (KEPT - 1)]), values[last & mask]))
        throw new Error("what was encoded while the time was taken is wrong");
    },
  };
}

function decodeTask(format: Format, { values }: RecordCase, encoded: readonly unknown[], bytes: number): Task {
  const kept: BenchCommand[] = Array.from({ length: KEPT }, () => format.decode(encoded[0]));
  const mask = values.length - 1;
  let last = 0;
  return {
    bytes,
    run(count) {
      for (let index = 0; index < count; index++) kept[index & (KEPT - 1)] = format.decode(encoded[index & mask]);
      last = count - 1;
    },
    check() {
      if (!isDeepStrictEqual(kept[last & (KEPT - 1)], values[last & mask]))
        throw new Error("what was decoded while the time was taken is wrong");
    },
  };
}
