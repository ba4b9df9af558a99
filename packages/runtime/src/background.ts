import type { Log } from "@rehome/core";
import { errorText } from "./error-text.ts";

/** Work that nobody awaits. It reports its own errors; one that gets here is a bug, and is logged, not thrown at the process. */
export function background(log: Log, what: string, work: Promise<unknown>): void {
  work.catch((error: unknown) => log.write("error", "background.failed", { what, error: errorText(error) }));
}
