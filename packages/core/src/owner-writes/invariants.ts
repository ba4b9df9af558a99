import { sameBytes } from "./evidence.ts";
import { MAX_WAITING_WRITES } from "./state.ts";
import type { WriterEffect, WriterState } from "./state.ts";

const WRITES: ReadonlySet<WriterEffect["type"]> = new Set(["Publish", "Destroy", "FenceAuthority"]);

/**
 * What holds after every step of an owner's writer; the broken ones, by number.
 *
 * 1. While a move stands on the version nothing is written and nothing is out (O6).
 * 2. An idle writer has nothing to do.
 * 3. What waits is bounded (I8).
 * 4. A write that is out holds what its change made of the known document.
 */
export function brokenWriterInvariants(state: WriterState, effects: readonly WriterEffect[]): readonly string[] {
  const broken: string[] = [];
  if (state.type === "ended") return broken;
  if (state.gate === "closed" && (state.type !== "idle" || effects.some(({ type }) => WRITES.has(type)))) {
    broken.push("1: it writes under a move");
  }
  if (state.type === "idle" && (state.gate === "closing" || (state.gate === "open" && state.waiting.length > 0))) {
    broken.push("2: it rests with work to do");
  }
  if (state.waiting.length > MAX_WAITING_WRITES) broken.push("3: too much waits");
  if (state.type === "writing" && state.sent.type === "published") {
    if (!sameBytes(state.sent.bytes, state.config.codec.encode(state.sent.document))) broken.push("4: other bytes");
  }
  return broken;
}
