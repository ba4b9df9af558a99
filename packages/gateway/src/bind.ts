import type { Failure } from "@rehome/client/protocol";
import { LATE, pause, withDeadline } from "./deadline.ts";
import { failure, failureOf, textOf } from "./failures.ts";
import type { GatewayConfig, Principal } from "./options.ts";
import type { Session } from "./session-port.ts";
import { randomFraction } from "./random-fraction.ts";

/** An actor on the move answers `busy` (`protocol.md` H7): the next tries come after waits that double between these. */
const FIRST_WAIT_MS = 20;
const LAST_WAIT_MS = 320;

export type BindOutcome =
  | { readonly ok: true; readonly created: boolean }
  /** `unsettled`: the node has not answered yet; settles when it has, and what it bound is unbound. */
  | { readonly ok: false; readonly failure: Failure; readonly unsettled?: Promise<void> };

export interface BindRequest {
  readonly config: GatewayConfig;
  readonly principal: Principal;
  readonly node: Session;
  readonly actorType: string;
  readonly actorId: string;
  /** Whether anybody still wants it. */
  readonly isWanted: () => boolean;
}

/** Asks the application, then the node, again and again while the actor is on the move. Never rejects. */
export async function bindActor(request: BindRequest): Promise<BindOutcome> {
  const refusal = await authorize(request);
  if (refusal !== undefined) return { ok: false, failure: refusal };
  const { clock, deadlines, random } = request.config;
  const endsMs = clock.nowMs() + deadlines.bindMs;
  for (let waitMs = FIRST_WAIT_MS; request.isWanted(); waitMs = Math.min(waitMs * 2, LAST_WAIT_MS)) {
    const outcome = await tryOnce(request, endsMs - clock.nowMs());
    const jitteredMs = waitMs * (0.5 + randomFraction(random));
    if (outcome.ok || outcome.failure.code !== "busy" || clock.nowMs() + jitteredMs >= endsMs) return outcome;
    await pause(clock, jitteredMs);
  }
  return { ok: false, failure: failure("closed", "The binding was given up.") };
}

/** `undefined`: allowed. */
async function authorize(request: BindRequest): Promise<Failure | undefined> {
  const { config, principal, actorType, actorId } = request;
  const { clock, deadlines, log } = config;
  const what = { principal: principal.id, actorType, actorId };
  try {
    const answer = await withDeadline(clock, deadlines.authorizeMs, () =>
      config.authorizeBind(principal, actorType, actorId),
    );
    if (answer === true) return undefined;
    if (answer !== LATE) return failure("forbidden", `You may not bind to ${actorType} "${actorId}".`);
    log.write("error", "gateway.authorize.late", { ...what, authorizeMs: deadlines.authorizeMs });
  } catch (error) {
    log.write("error", "gateway.authorize.failed", { ...what, error: textOf(error) });
  }
  return failure("unavailable", "Whether you may bind could not be found out: try again later.");
}

async function tryOnce(request: BindRequest, limitMs: number): Promise<BindOutcome> {
  const { config, node, actorType, actorId } = request;
  // Called inside of an async function, so that even a throw becomes a rejection.
  const attempt = (async () => node.bind(actorType, actorId))();
  try {
    const answer = await withDeadline(config.clock, limitMs, () => attempt);
    if (answer !== LATE) return { ok: true, created: answer.created };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
  const undo = async (): Promise<void> => {
    try {
      await attempt;
      await node.unbind(actorId);
    } catch (error) {
      config.log.write("warn", "gateway.bind.late", { actorType, actorId, error: textOf(error) });
    }
  };
  return { ok: false, failure: failure("timedOut", "The bind took too long."), unsettled: undo() };
}
