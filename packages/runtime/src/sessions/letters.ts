import { payloadBytes } from "../actors/delivery.ts";
import type { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import type { Answer } from "../links/requests.ts";
import type { Payload } from "../payload.ts";

/** A client's one-way message. `ticket` is what the gateway knows it by. */
export interface SendLetter {
  readonly kind: "send";
  readonly ticket: bigint;
  readonly payload: Payload;
}

/** A client's request. `settle` takes the first answer. */
export interface RequestLetter {
  readonly kind: "request";
  readonly payload: Payload;
  readonly deadlineMs: number;
  readonly settle: (answer: Answer) => void;
  /** The client has its answer. */
  readonly isSettled: () => boolean;
}

/** An unbind that queues behind what is held (S17). */
export interface UnbindLetter {
  readonly kind: "unbind";
  readonly run: () => void;
}

/** What can wait behind a seal. */
export type Letter = SendLetter | RequestLetter | UnbindLetter;

/** A request that is answered once: by whoever is first, at the latest by its timeout. */
export function requestLetter(options: {
  readonly host: Host;
  readonly payload: RequestLetter["payload"];
  readonly timeoutMs: number;
  readonly timedOut: () => RuntimeError;
  readonly settle: (answer: Answer) => void;
}): RequestLetter {
  const { clock } = options.host.config;
  let settled = false;
  const settle = (answer: Answer): void => {
    if (settled) return;
    settled = true;
    expiry.cancel();
    options.settle(answer);
  };
  const expiry = clock.after(options.timeoutMs, () => settle(failedAnswer(options.timedOut())));
  return {
    kind: "request",
    payload: options.payload,
    deadlineMs: clock.nowMs() + options.timeoutMs,
    settle,
    isSettled: () => settled,
  };
}

export function failedAnswer(error: RuntimeError): Answer {
  return { ok: false, error, result: undefined };
}

/** What a letter counts against the limits of a hold. */
export function letterBytes(letter: Letter): number {
  return letter.kind === "unbind" ? 0 : payloadBytes(letter.payload);
}

/** Tells whoever sent a letter that it was not run. */
export function failLetter(
  letter: Letter,
  error: RuntimeError,
  onRefused: (ticket: bigint, error: RuntimeError) => void,
): void {
  switch (letter.kind) {
    case "send":
      onRefused(letter.ticket, error);
      return;
    case "request":
      letter.settle(failedAnswer(error));
      return;
    case "unbind":
      letter.run();
      return;
  }
}
