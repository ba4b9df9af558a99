import type { ActorFence, BoundSessionBind } from "@rehome/wire";
import { RuntimeError, type RuntimeErrorCode } from "../errors.ts";
import type { Host } from "../host.ts";
import type { Answer } from "../links/requests.ts";
import type { Binding } from "./binding.ts";
import type { ClientSession } from "./client-session.ts";

/** Pauses between tries while the actor is moving (H7) or its route is stale. */
const RETRY_PAUSE_MS = 20;
/** A tombstone is tried for as long as a move may keep the actor busy, not forever: its node drops dead sessions itself. */
const retried: ReadonlySet<RuntimeErrorCode> = new Set(["busy", "stale", "notFound", "notConnected"]);

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
    const error = await tryBind(host, session, type, placed.fence);
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
): Promise<RuntimeError | undefined> {
  const bindingGeneration = host.sessions.nextBindingGeneration();
  return new Promise((resolve) => {
    ask(host, fence, session.sessionRid, { state: "active", bindingGeneration }, (answer) => {
      if (!answer.ok) {
        resolve(answer.error);
        return;
      }
      if (answer.tail?.operation !== "streamBind") {
        resolve(new RuntimeError("protocolError", "the actor's node answered a bind without its result"));
        return;
      }
      const { authorityOwnerGeneration } = answer.tail;
      host.sessions.bound(session, type, bindingGeneration, { ...fence, authorityOwnerGeneration });
      resolve(undefined);
    });
  });
}

/** Tells the actor that the binding has ended. Gives up quietly: an actor's node drops what a lost session left behind. */
export async function unbindActor(host: Host, binding: Binding): Promise<void> {
  const { clock, deadlines } = host.config;
  const deadline = clock.nowMs() + deadlines.createMs;
  const { sessionRid, bindingGeneration } = binding;
  while (!host.stopped() && !binding.ended) {
    const answer = await new Promise<Answer>((resolve) =>
      ask(
        host,
        binding.route,
        sessionRid,
        { state: "tombstone", retiredBindingGeneration: bindingGeneration },
        resolve,
      ),
    );
    if (answer.ok || !retried.has(answer.error.code) || clock.nowMs() >= deadline) return;
    await host.directory.pause(RETRY_PAUSE_MS);
    await host.sessions.verify(binding);
  }
}

function ask(
  host: Host,
  actor: ActorFence,
  sessionRid: Binding["sessionRid"],
  binding: BoundSessionBind["binding"],
  settle: (answer: Answer) => void,
): void {
  const correlation = host.requests.open({
    kind: "streamBind",
    what: `binding to actor "${actor.actor.actorId}"`,
    timeoutMs: host.config.deadlines.createMs,
    settle,
  });
  host.requests.sentTo(correlation, actor.nodeRid);
  host.links.send(
    actor.nodeRid,
    { command: "boundSessionBind", correlation, actor, sessionRid, binding },
    { onUnsent: (error) => host.requests.fail(correlation, error) },
  );
}
