import { readFileSync } from "node:fs";
import type { Clock } from "@rehome/core";
import { SqliteStoreError } from "./errors.ts";

/**
 * A clock whose `nowMs` all processes of this machine share: the system's monotonic clock. It starts anew with each boot
 * and stands still while the machine sleeps. Rejects with `clockMissing`.
 *
 * Unlike other clocks, its timers keep the process alive: they run only while somebody waits for the store's answer.
 */
export async function machineClock(): Promise<StoreClock> {
  const nowMs = process.versions["bun"] === undefined ? nodeNowMs : await bunNowMs();
  return {
    nowMs,
    after(delayMs, fn) {
      const timer = setTimeout(fn, delayMs);
      return { cancel: () => clearTimeout(timer) };
    },
  };
}

/** What a store needs of a {@link Clock}. */
export type StoreClock = Pick<Clock, "nowMs" | "after">;

/** Node gives the system's clock as it is, unlike `performance.now()`. */
function nodeNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

interface BunFfi {
  dlopen(
    library: string,
    symbols: { clock_gettime: { args: readonly string[]; returns: string } },
  ): { readonly symbols: { clock_gettime(clockId: number, into: BigInt64Array): number } };
}

/** The clocks that Node reads on these systems. */
const CLOCKS: Readonly<Partial<Record<NodeJS.Platform, { id: number; libraries: readonly string[] }>>> = {
  linux: { id: 1, libraries: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"] },
  darwin: { id: 4, libraries: ["libSystem.dylib"] },
};

/** Bun counts from the start of the process, so the clock is read from the C library. */
async function bunNowMs(): Promise<() => number> {
  const moduleName = "bun:ffi";
  const clock = CLOCKS[process.platform];
  const ffi = (await import(moduleName)) as BunFfi;
  for (const library of clock?.libraries ?? []) {
    try {
      const signature = { args: ["i32", "ptr"], returns: "i32" };
      const { symbols } = ffi.dlopen(library, { clock_gettime: signature });
      const time = new BigInt64Array(2);
      const nowMs = () => {
        symbols.clock_gettime(clock!.id, time);
        return Number(time[0]) * 1000 + Number(time[1]) / 1e6;
      };
      if (nowMs() > 0) return nowMs;
    } catch {
      continue; // a C library by another name
    }
  }
  throw new SqliteStoreError(
    "clockMissing",
    "Bun shows no clock on this system that its processes share: pass `clock`, or run on Node.",
  );
}

/** Names this boot of the machine, where the system has such a name (Linux). */
export function readBootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
