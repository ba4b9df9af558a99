import type { Session } from "@rehome/wire";
import type { ActorAddress, ActorContext, BoundSession, RequestOptions } from "../api.ts";
import { RuntimeError } from "../errors.ts";
import { assertName } from "../names.ts";
import { timeoutOf } from "../options.ts";
import { payloadOf, valueOf, type Payload } from "../payload.ts";
import type { Activation } from "./activation.ts";
import { saveActor } from "./saving.ts";

/** A timer longer than this is a scheduler's job: setTimeout cannot count further (2^31−1 ms, about 24 days). */
const MAX_TIMER_MS = 0x7fffffff;

/** What user code holds of an activation; it forwards everything, and refuses once the copy has moved away. */
export function contextOf(activation: Activation): ActorContext<unknown> {
  const live = (): Activation => {
    if (activation.departed) {
      throw new RuntimeError("closed", `this copy of actor "${activation.actorId}" is gone; the actor lives elsewhere`);
    }
    return activation;
  };
  return {
    get state() {
      return activation.state;
    },
    set state(state: unknown) {
      live().state = state;
    },
    actorId: activation.actorId,
    actorType: activation.actorType,
    nodeRid: activation.host.self.nodeRid,
    get spotId() {
      return activation.place?.spotId;
    },
    get sessions() {
      return activation.bindings.list().map((session) => boundSession(activation, session));
    },
    push: (name: string, value?: unknown) => live().sends.push(undefined, payloadOf(name, value)),
    send: (to: ActorAddress, name: string, value?: unknown) => live().sends.send(to, payloadOf(name, value)),
    async request(to: ActorAddress, name: string, value?: unknown, options?: RequestOptions) {
      const answer: Payload | undefined = await live().sends.request(to, payloadOf(name, value), timeoutOf(options));
      return answer && valueOf(answer);
    },
    join(spotId: string, value?: unknown) {
      assertName("a spot's id", spotId);
      live().askToJoin(spotId, payloadOf("join", value));
    },
    setTimer(name: string, delayMs: number) {
      assertName("a timer's name", name);
      if (typeof (delayMs as unknown) !== "number" || !(delayMs >= 0) || delayMs > MAX_TIMER_MS) {
        throw new RuntimeError(
          "invalidArgument",
          `a timer's delay must be from 0 to ${MAX_TIMER_MS} ms, not ${String(delayMs)}`,
        );
      }
      live().timers.set(name, delayMs);
    },
    clearTimer(name: string) {
      assertName("a timer's name", name);
      live().timers.clear(name);
    },
    save: async () => saveActor(live()),
    destroy: () => live().askToEnd(),
  };
}

export function boundSession(activation: Activation, session: Session): BoundSession {
  return {
    sessionRid: session.sessionRid,
    push(name: string, value?: unknown) {
      if (activation.departed) throw new RuntimeError("closed", `this copy of actor "${activation.actorId}" is gone`);
      activation.sends.push(session, payloadOf(name, value));
    },
  };
}
