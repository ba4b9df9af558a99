import type { BarriersView } from "./barriers.ts";
import { keyOf } from "./barriers.ts";
import { subjectOf } from "./state.ts";
import { bindingOf } from "./transitions.ts";

/** What must hold of a registry of barriers after every step. Answers with what does not; empty when all is well. */
export function brokenBarrierInvariants(view: BarriersView): readonly string[] {
  return [...identities(view), ...bounds(view)];
}

function identities({ active, byBinding, ended }: BarriersView): readonly string[] {
  const violations: string[] = [];
  for (const { key, state } of active) {
    const subject = subjectOf(state);
    if (subject.identity !== key) violations.push(`B1: ${key} is kept under another identity's key`);
    if (ended.has(key)) violations.push(`B2: ${key} is both active and ended`);
    if (byBinding.get(keyOf(bindingOf(subject))) !== key) violations.push(`B3: ${key} does not hold its binding (S19)`);
  }
  if (byBinding.size !== active.length) violations.push("B3: a binding is held by no active identity (S19)");
  for (const [key, state] of ended) {
    if (state.identity !== key) violations.push(`B1: ended ${key} is kept under another identity's key`);
  }
  return violations;
}

function bounds({ active, ended, heldTotalBytes, limits }: BarriersView): readonly string[] {
  const violations: string[] = [];
  let total = 0;
  for (const { key, heldMessages, heldPushes, heldBytes } of active) {
    total += heldBytes;
    // One more: the unbind, which always fits.
    if (heldMessages > limits.maxHeldMessages + 1) violations.push(`B4: ${key} holds ${heldMessages} messages (I8)`);
    if (heldPushes > limits.maxHeldPushes) violations.push(`B4: ${key} holds ${heldPushes} pushes (I8)`);
    if (heldBytes > limits.maxHeldMessageBytes + limits.maxHeldPushBytes) {
      violations.push(`B4: ${key} holds ${heldBytes} bytes (I8)`);
    }
  }
  if (total !== heldTotalBytes) violations.push(`B5: ${heldTotalBytes} bytes counted, ${total} held`);
  if (heldTotalBytes > limits.maxHeldTotalBytes) violations.push(`B5: ${heldTotalBytes} bytes held in all (I8)`);
  if (ended.size > limits.maxEndedIdentities) violations.push(`B6: ${ended.size} ended identities kept (S14)`);
  return violations;
}
