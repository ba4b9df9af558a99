import { defineActor, defineSpot, type ActorContext, type ActorType, type SpotType } from "@rehome/runtime";
import { ActorState } from "./actor-state.ts";
import {
  ACTOR_TYPE,
  messageNames,
  SPOT_TYPE,
  type Answer,
  type AskMessage,
  type GoMessage,
  type NumberedMessage,
} from "./messages.ts";
import { SeededRandom } from "./random.ts";

/** A push follows every so many-th message. */
const MESSAGES_PER_PUSH = 4;
/** Pushes that nobody asked for come this often. */
const BEAT_MS = 250;
const BEAT = "beat";

/** What the actors of one process tell that process; none of it is part of the judgement. */
export interface ActorHooks {
  /** A message was run. */
  onRun(): void;
  /** The answer to a join has reached the actor. */
  onJoined(actorId: string, accepted: boolean, reason: string): void;
}

export interface ActorConfig {
  readonly seed: number;
  readonly stateBytes: number;
}

/** The actor of the arena: it keeps an account of what it runs, answers with numbers, and pushes numbers. */
export function arenaActor(config: ActorConfig, hooks: ActorHooks): ActorType {
  return defineActor<ActorState>({
    type: ACTOR_TYPE,
    create: (ctx) => {
      const padSeed = new SeededRandom(config.seed, "state", ctx.actorId).next();
      return new ActorState({ stateBytes: config.stateBytes, padSeed });
    },
    on: {
      [messageNames.say]: (ctx, message: NumberedMessage) => {
        run(ctx, message, false);
      },
      [messageNames.ask]: (ctx, message: AskMessage): Answer => {
        run(ctx, message, true);
        if (message.rest === true) {
          ctx.state.awake = false;
          ctx.clearTimer(BEAT);
        }
        return { n: message.n, answer: ctx.state.nextAnswer(), pushes: ctx.state.pushes };
      },
      [messageNames.go]: (ctx, order: GoMessage) => ctx.join(order.spotId),
      [messageNames.account]: (ctx) => ctx.state.account(ctx.actorId),
    },
    capture: (state) => state.capture(),
    restore: (bytes: Uint8Array) => ActorState.restore(bytes),
    onTimer: (ctx) => {
      if (!ctx.state.awake) return;
      push(ctx);
      ctx.setTimer(BEAT, BEAT_MS);
    },
    onJoin: (ctx, result) => {
      hooks.onJoined(ctx.actorId, result.outcome === "accepted", result.outcome === "rejected" ? result.reason : "");
    },
  });

  function run(ctx: ActorContext<ActorState>, message: NumberedMessage, isRequest: boolean): void {
    ctx.state.note(message, isRequest);
    hooks.onRun();
    if (!ctx.state.awake) {
      ctx.state.awake = true;
      ctx.setTimer(BEAT, BEAT_MS);
    }
    if (message.n % MESSAGES_PER_PUSH === 0) push(ctx);
  }
}

/** Pushed whether or not a session is bound: were a binding lost in a move, the account would show it. */
function push(ctx: ActorContext<ActorState>): void {
  ctx.push(messageNames.push, ctx.state.nextPush());
}

/** The spot of the arena: every node has one, and everybody is let in. */
export function arenaSpot(): SpotType {
  return defineSpot<null>({ type: SPOT_TYPE, create: () => null });
}
