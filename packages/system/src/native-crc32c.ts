import { accelerateCrc32c } from "@rehome/wire";

let loading: Promise<boolean> | undefined;

/**
 * Lets `crc32c` of `@rehome/wire` use `@node-rs/crc32` for long buffers, in the whole process, where that is installed and
 * loads. Resolves to whether it does; without it everything works the same, only slower on large payloads. It is looked for
 * once: later calls wait for nothing outside of the program, so that a run with an injected clock can be repeated exactly.
 */
export function useNativeCrc32c(): Promise<boolean> {
  loading ??= load();
  return loading;
}

async function load(): Promise<boolean> {
  try {
    const { crc32c } = await import("@node-rs/crc32");
    accelerateCrc32c(crc32c);
    return true;
  } catch {
    return false;
  }
}
