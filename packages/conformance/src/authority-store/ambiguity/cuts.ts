import { describe, expect, it } from "vitest";
import type { CutRule, MatchBytes } from "../../cut-proxy/index.ts";
import { withProxiedStore } from "./scene.ts";
import type { MakeStoreBehindProxy, ProxiedScene } from "./scene.ts";
import { WRITE_CASES } from "./write-cases.ts";
import type { PreparedWrite, WriteCase } from "./write-cases.ts";

/** More than a call that connects anew, logs in and runs a transaction sends. */
const MOST_CHUNKS = 40;
const TEST_TIMEOUT_MS = 60_000;

export function cutTests(make: MakeStoreBehindProxy): void {
  describe.each(["before", "after"] as const)("a connection that is cut %s the server acts", (at) => {
    it.each(WRITE_CASES.map((write) => [write.name, write] as const))(
      "D5: leaves `%s` done or unknown, never failed, never twice, wherever the cut is",
      (_, write) => cutEverywhere(make, write, at),
      TEST_TIMEOUT_MS,
    );
  });

  describe("a server whose answers stop coming", () => {
    const commit = WRITE_CASES.find((write) => write.name === "commit")!;
    it.each(["swallow", "swallowAnswer"] as const)(
      "D5: a commit settles within its deadline and is done or unknown (%s)",
      (at) => cutEverywhere(make, commit, at),
      TEST_TIMEOUT_MS,
    );
  });
}

/**
 * The same write over and over, each on a scene of its own: the first time the cut is at the first bytes that the client
 * sends, the next time at the second, and so on until the call is over before the cut.
 */
export function cutEverywhere(make: MakeStoreBehindProxy, write: WriteCase, at: CutRule["at"]): Promise<void> {
  return withProxiedStore(make, async (scene) => {
    const seen = { cuts: 0, done: 0 };
    for (;;) {
      const verdict = await cutAt(scene, write, { at, chunk: seen.cuts });
      if (verdict === "notCut") break;
      seen.cuts += 1;
      if (verdict === "done") seen.done += 1;
      expect(seen.cuts).toBeLessThan(MOST_CHUNKS);
    }
    expect(seen.cuts).toBeGreaterThan(0);
    // The last answer that a call waits for is the one that says that it is done.
    if (at === "after" || at === "swallowAnswer") expect(seen.done).toBeGreaterThan(0);
  });
}

/** A machine so slow that a call's deadline passes before its bytes go out has shown nothing: the cut is tried again. */
const SLOW_TRIES = 3;

async function cutAt(
  scene: ProxiedScene,
  write: WriteCase,
  where: { readonly at: CutRule["at"]; readonly chunk: number },
  triesLeft = SLOW_TRIES,
): Promise<"done" | "notDone" | "notCut"> {
  await scene.reachable();
  const prepared = await write.prepare(scene, `${write.name} ${where.at} ${where.chunk} ${triesLeft}`);
  const cut = scene.proxy.arm({ at: where.at, request: chunkNumber(where.chunk) });
  const answer = await scene.settled(prepared.call(scene.proxied));
  cut.disarm();
  if (!cut.fired) {
    if (answer.outcome === "unknown" && triesLeft > 0) return cutAt(scene, write, where, triesLeft - 1);
    expect(prepared.done).toContain(answer.outcome);
    return "notCut";
  }
  expect([...prepared.done, "unknown"]).toContain(answer.outcome);
  await scene.reachable();
  const isDone = await prepared.happened();
  if (answer.outcome !== "unknown") expect(isDone).toBe(true);
  await expectSettledOnce(scene, prepared, isDone);
  return isDone ? "done" : "notDone";
}

/** The same call again, undisturbed, is answered by what is there; nothing that was cut takes effect any more. */
async function expectSettledOnce(scene: ProxiedScene, write: PreparedWrite, isDone: boolean): Promise<void> {
  const again = await scene.settled(write.call(scene.proxied));
  expect(again.outcome).toBe(isDone ? write.again.ifDone : write.again.ifNot);
  if (write.done.includes(again.outcome)) expect(await write.happened()).toBe(true);
}

/** Matches the chunk with this number, from 0, of all that the client sends from now on. */
function chunkNumber(wanted: number): MatchBytes {
  let next = 0;
  return () => next++ === wanted;
}
