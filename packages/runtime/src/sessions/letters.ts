import type { TimerHandle } from "@rehome/core";
import type { Answer } from "../links/requests.ts";
import type { Payload } from "../payload.ts";
import type { RuntimeError } from "../errors.ts";

/** A client's one-way message. `ticket` is what the gateway knows it by. */
export interface SendLetter {
  readonly kind: "send";
  readonly ticket: bigint;
  readonly payload: Payload;
}

/** A client's request. `expiry` runs until it is fed; then the open request's own timeout counts. */
export interface RequestLetter {
  readonly kind: "request";
  readonly payload: Payload;
  readonly deadlineMs: number;
  readonly expiry: TimerHandle;
  readonly settle: (answer: Answer) => void;
  settled: boolean;
}

/** Fills the place of a message that will not be run (`protocol.md` N5). */
export interface MarkerLetter {
  readonly kind: "marker";
  readonly sequence: bigint;
}

/** An unbind that queues behind what is held (S17). */
export interface UnbindLetter {
  readonly kind: "unbind";
  readonly resolve: () => void;
}

/** What can wait behind a seal. */
export type Letter = SendLetter | RequestLetter | MarkerLetter | UnbindLetter;

export function failedAnswer(error: RuntimeError): Answer {
  return { ok: false, error, result: undefined };
}
