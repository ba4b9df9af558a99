import type { MoveFailure, SpotPlace } from "@rehome/core";
import type { Activation } from "../actors/activation.ts";
import { withDeadline } from "../deadline.ts";
import { RuntimeError } from "../errors.ts";
import { payloadOf, type Payload } from "../payload.ts";
import { encodePayload } from "./payload.ts";

/** The spot that the actor is about to join, with the spot's answer. */
export interface JoinGrant {
  readonly place: SpotPlace;
  readonly reply: Payload;
}

export type Captured =
  | { readonly type: "captured"; readonly bytes: Uint8Array }
  | { readonly type: "failed"; readonly failure: MoveFailure };

/** Runs the application's `capture` and makes the payload of a move. Never rejects, and settles within `timeoutMs`. */
export async function capturePayload(
  activation: Activation,
  grant: JoinGrant | undefined,
  timeoutMs: number,
  maxBytes: number,
): Promise<Captured> {
  const { host, actorId, definition } = activation;
  try {
    const value = await withDeadline(host.config.clock, timeoutMs, `capture of actor "${actorId}"`, () =>
      definition.capture(activation.state),
    );
    const bytes = encodePayload(
      {
        actorId,
        stableType: definition.type,
        objectGeneration: activation.record.objectGeneration,
        authorityOwnerGeneration: activation.record.authorityOwnerGeneration,
        applicationVersion: host.config.applicationVersion,
        stateVersion: definition.version ?? 1,
        state: payloadOf("state", value),
        queued: activation.queued(),
        timers: activation.timers.pause(),
        streams: activation.streams.capture(host.config.clock.nowMs()),
        sessions: activation.bindings.list(),
        outgoing: activation.sender.positions.entries(),
        previousPlace: activation.place,
        join: grant,
      },
      activation.fence,
    );
    if (bytes.length > maxBytes) {
      const message = `the state of actor "${actorId}" makes ${bytes.length} bytes, more than the ${maxBytes} that may move`;
      return { type: "failed", failure: { code: "stateTooLarge", message } };
    }
    return { type: "captured", bytes };
  } catch (cause) {
    const message = cause instanceof RuntimeError ? cause.message : `capture of actor "${actorId}" failed`;
    const code = cause instanceof RuntimeError && cause.code === "timedOut" ? "deadlineExceeded" : "captureFailed";
    return { type: "failed", failure: { code, message, cause } };
  }
}
