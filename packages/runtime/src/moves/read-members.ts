import type { AuthorityStore, ReadAnswer } from "@rehome/core";

/** Readings of a spot's members that are out at once: a store answers them side by side, and other callers get a turn too. */
const READS_AT_ONCE = 16;

/** One answer for each key, in their order. */
export async function readMembers(store: AuthorityStore, keys: readonly string[]): Promise<readonly ReadAnswer[]> {
  const answers = new Array<ReadAnswer>(keys.length);
  let next = 0;
  const reader = async (): Promise<void> => {
    for (let index = next++; index < keys.length; index = next++) answers[index] = await store.read(keys[index]!);
  };
  await Promise.all(Array.from({ length: Math.min(READS_AT_ONCE, keys.length) }, reader));
  return answers;
}
