import { decodeRecord } from "@rehome/wire";
import { commandName, type End, type SentRecord } from "./link.ts";
import type { Trace } from "./trace.ts";

/** Says in the trace which record arrives, and in full to who reads along. */
export function noteRecord(trace: Trace, { station, peer }: End, { frames }: SentRecord): void {
  trace.note(peer.station.process.name, `gets ${commandName(frames)} from ${station.process.name}`);
  trace.explain(() => {
    try {
      const command = decodeRecord(frames, { operationOf: () => undefined });
      return JSON.stringify(command, (_key, part: unknown) => plainText(part)).slice(0, 2_000);
    } catch {
      return "(its tail is only read by who asked)";
    }
  });
}

function plainText(part: unknown): unknown {
  if (typeof part === "bigint") return part.toString();
  return part instanceof Uint8Array ? `${part.length} bytes` : part;
}
