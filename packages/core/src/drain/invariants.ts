import type { DrainState } from "./state.ts";

/**
 * What holds in every state of a drain; the broken ones, by number.
 *
 * 1. No more units move than may at once (T4).
 * 2. A unit waits, moves or stays, never two of them.
 * 3. Nothing is sent to this node itself (D2).
 */
export function brokenDrainInvariants(state: DrainState): readonly string[] {
  if (state.type === "ended") return [];
  const broken: string[] = [];
  const { config, waiting, moving, stayed } = state;
  if (moving.length > config.maxMoving) broken.push("1: too many move at once");
  const names = [...waiting.map(({ unit }) => unit), ...moving.map(({ unit }) => unit), ...stayed].map(
    ({ kind, id }) => `${kind}:${id}`,
  );
  if (new Set(names).size !== names.length) broken.push("2: a unit is in two places");
  if (moving.some(({ target }) => target === config.self)) broken.push("3: sent to this node itself");
  return broken;
}
