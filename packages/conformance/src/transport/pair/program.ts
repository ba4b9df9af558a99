import { createInterface } from "node:readline";
import { TransportEnd } from "./end.ts";
import type { MakeEnd } from "./end.ts";
import type { PeerCommand, PeerReport } from "./protocol.ts";

/**
 * Runs one end of the suite in a process of its own: commands on stdin, reports on stdout, a line each. Ends with stdin. A
 * fixture that imports an implementation calls this, on whichever runtime it is started with.
 */
export function runTransportEnd(make: MakeEnd): void {
  let reports: PeerReport[] = [];
  const flush = () => {
    const line = JSON.stringify(reports);
    reports = [];
    process.stdout.write(`${line}\n`);
  };
  const end = new TransportEnd(make, (report) => {
    // Those of one tick in one line: a thousand records would be a thousand writes.
    if (reports.push(report) === 1) setImmediate(flush);
  });
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    for (const command of JSON.parse(line) as PeerCommand[]) end.run(command);
  });
  lines.on("close", () => process.exit(0));
}
