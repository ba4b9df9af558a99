import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Task, TaskName } from "../task.ts";
import { dialBare } from "./bare.ts";
import { contenders, inputs, windowOf } from "./contenders.ts";
import { EchoRun } from "./echo-client.ts";
import { dialRehome } from "./rehome.ts";

/** Records to a process of its own that echoes them, on the same runtime. */
export async function transportTask({ contender, input, operation }: TaskName): Promise<Task> {
  const recordBytes = inputs[input];
  if (recordBytes === undefined) throw new Error(`There is no input "${input}"`);
  const address = await startEcho(contender);
  const client =
    contender === contenders.rehome
      ? await dialRehome(address, recordBytes)
      : await dialBare(Number(address), recordBytes, contender === contenders.batched);
  const run = new EchoRun(client, recordBytes, windowOf(operation, recordBytes));
  return { bytes: recordBytes, run: (count) => run.run(count), check: () => run.check() };
}

async function startEcho(contender: string): Promise<string> {
  const script = fileURLToPath(new URL("echo.js", import.meta.url));
  // Its input ends with this process, however that ends.
  const child = spawn(process.execPath, [script, contender], { stdio: ["pipe", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error(`the echo of "${contender}" did not start`);
}
