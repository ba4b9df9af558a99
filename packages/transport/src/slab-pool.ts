/** About what one system call moves. */
export const SLAB_BYTES: number = 64 * 1024;
/** 1 MiB, which is what one link has under way when its sender is told to wait: a busy link then needs no new memory. */
const MAX_SPARE = 16;

/**
 * Slabs that no link needs any more, for those that do: memory that is new to the process costs more than what is written
 * into it. All links of a transport share it.
 */
export class SlabPool {
  private readonly spare: Uint8Array[] = [];

  /** {@link SLAB_BYTES} bytes, which may hold anything. */
  take(): Uint8Array {
    return this.spare.pop() ?? new Uint8Array(SLAB_BYTES);
  }

  /** Nobody reads or writes these bytes any more. */
  give(bytes: Uint8Array): void {
    if (this.spare.length < MAX_SPARE) this.spare.push(bytes);
  }
}
