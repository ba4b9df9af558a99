import { accelerateCrc32c } from "@rehome/wire";

/**
 * Lets `crc32c` of `@rehome/wire` use `@node-rs/crc32` for long buffers, in the whole process, where that is installed and
 * loads. Resolves to whether it does; without it everything works the same, only slower on large payloads.
 */
export async function useNativeCrc32c(): Promise<boolean> {
  try {
    const { crc32c } = await import("@node-rs/crc32");
    accelerateCrc32c(crc32c);
    return true;
  } catch {
    return false;
  }
}
