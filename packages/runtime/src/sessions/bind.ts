import type { ActorFence, BoundSessionBind, Rid } from "@rehome/wire";
import { RuntimeError, type RuntimeErrorCode } from "../errors.ts";
import type { Host } from "../host.ts";
import type { Answer } from "../links/requests.ts";
import type { Binding } from "./binding.ts";
import type { ClientSession } from "./client-session.ts";

/** Pauses between tries while the actor is moving (H7) or its route is stale. */
const RETRY_PAUSE_MS = 20;
/** What a later try can mend. `outcomeUnknown`: the link broke; a repeat under a new generation replaces what stands. */
const retried: ReadonlySet<RuntimeErrorCode> = new Set(["busy", "stale", "notFound", "notConnected", "outcomeUnknown"]);
/** After these the actor's node may hold a binding that nobody here knows. */
const ambiguous: ReadonlySet<RuntimeErrorCode> = new Set(["timedOut", "outcomeUnknown", "protocolError"]);

/** Finds or makes the actor and binds the session to it, wherever it is by then (`protocol.md` H7: the caller retries). */
export async function bindActor(
  host: Host,
  session: ClientSession,
  type: string,
  actorId: string,
): Promise<{ readonly created: boolean }> {
  const { clock, deadlines } = host.config;
  const deadline = clock.nowMs() + deadlines.createMs;
  let created = false;
  for (;;) {
    const placed = await host.placement.ensure(type, actorId, Math.max(1, deadline - clock.nowMs()));
    created ||= placed.created;
    const error = await tryBind(host, session, type, placed.fence, Math.max(1, deadline - clock.nowMs()));
    if (!error) return { created };
    if (!retried.has(error.code) || clock.nowMs() >= deadline || session.closed) throw error;
    host.directory.drop(placed.fence);
    await host.directory.pause(RETRY_PAUSE_MS);
  }
}

/** One try. The binding stands before the promise settles, so that pushes and seals right behind the 20 find it. */
function tryBind(
  host: Host,
  session: ClientSession,
  type: string,
  fence: ActorFence,
  timeoutMs: number,
): Promise<RuntimeError | undefined> {
  const bindingGeneration = host.sessions.nextBindingGeneration();
  const { sessionRid } = session;
  return new Promise((resolve) => {
    const ask: Ask = { actor: fence, sessionRid, binding: { state: "active", bindingGeneration }, timeoutMs };
    askActor(host, ask, (answer) => {
      if (answer.ok && answer.tail?.operation === "streamBind") {
        const { authorityOwnerGeneration } = answer.tail;
        host.sessions.bound(session, type, bindingGeneration, { ...fence, authorityOwnerGeneration });
        resolve(undefined);
        return;
      }
      const error = answer.ok
        ? new RuntimeError("protocolError", "the actor's node answered a bind without its result")
        : answer.error;
      if (ambiguous.has(error.code)) host.sessions.retire(fence, sessionRid, bindingGeneration);
      resolve(error);
    });
  });
}

/** A binding that is over here and has to end at the actor's node. */
export interface Retiring {
  readonly sessionRid: Rid;
  readonly bindingGeneration: bigint;
  readonly route: () => ActorFence;
  /** Looks for the actor after a node said that it is not there. False: there is nothing left to end. */
  readonly relocate: () => Promise<boolean>;
}

/**
 * Tells the actor's node that a binding has ended, as often as it takes. It gives up after as long as a move can keep the
 * actor busy: whatever that node still says on the binding has it retired again.
 */
export async function retireBinding(host: Host, retiring: Retiring): Promise<void> {
  const { clock, deadlines } = host.config;
  const deadline = clock.nowMs() + deadlines.createMs;
  const { sessionRid, bindingGeneration: retiredBindingGeneration } = retiring;
  for (;;) {
    const timeoutMs = Math.max(1, deadline - clock.nowMs());
    const binding = { state: "tombstone", retiredBindingGeneration } as const;
    const answer = await new Promise<Answer>((resolve) =>
      askActor(host, { actor: retiring.route(), sessionRid, binding, timeoutMs }, resolve),
    );
    if (answer.ok || host.stopped() || !retried.has(answer.error.code) || clock.nowMs() >= deadline) return;
    await host.directory.pause(RETRY_PAUSE_MS);
    if (!(await retiring.relocate())) return;
  }
}

/** For a binding that stands here until the actor's node has answered. */
export function unbindActor(host: Host, binding: Binding): Promise<void> {
  const { sessionRid, bindingGeneration } = binding;
  return retireBinding(host, {
    sessionRid,
    bindingGeneration,
    route: () => binding.route,
    relocate: async () => {
      const isGone = await host.sessions.verify(binding);
      return !isGone && !binding.ended;
    },
  });
}

/** For one that is gone here, or never came about. */
export function retireLost(host: Host, fence: ActorFence, sessionRid: Rid, bindingGeneration: bigint): Promise<void> {
  let route = fence;
  return retireBinding(host, {
    sessionRid,
    bindingGeneration,
    route: () => route,
    relocate: async () => {
      const { actorId, objectGeneration } = route.actor;
      try {
        const { fence: found } = await host.directory.locate(actorId, host.config.deadlines.storeResolutionMs);
        if (found.actor.objectGeneration !== objectGeneration) return false;
        route = found;
        return true;
      } catch (error) {
        // As long as the store does not answer, nobody can say that there is nothing left to end.
        return error instanceof RuntimeError && error.code === "storeUnavailable";
      }
    },
  });
}

interface Ask {
  readonly actor: ActorFence;
  readonly sessionRid: Rid;
  readonly binding: BoundSessionBind["binding"];
  readonly timeoutMs: number;
}

function askActor(host: Host, { actor, sessionRid, binding, timeoutMs }: Ask, settle: (answer: Answer) => void): void {
  const what = `binding to actor "${actor.actor.actorId}"`;
  const correlation = host.requests.open({ kind: "streamBind", what, timeoutMs, settle });
  host.requests.sentTo(correlation, actor.nodeRid);
  host.links.send(
    actor.nodeRid,
    { command: "boundSessionBind", correlation, actor, sessionRid, binding },
    { onUnsent: (error) => host.requests.fail(correlation, error) },
  );
}
