import type { Clock } from "@rehome/core";
import { RuntimeError } from "./errors.ts";

/** Runs user code that may throw, reject or never settle; after `timeoutMs` the result is `timedOut`, whatever comes later. */
export function withDeadline<T>(clock: Clock, timeoutMs: number, what: string, run: () => T | Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(timeoutMs, () =>
      reject(new RuntimeError("timedOut", `${what} did not end within ${timeoutMs} ms`)),
    );
    Promise.resolve()
      .then(run)
      .then(resolve, reject)
      .finally(() => timer.cancel());
  });
}
