import { defineActor, RuntimeError, type ActorContext, type ActorType } from "@rehome/runtime";
import type { LifeState } from "../check/accounts.ts";
import { pushName, type Ledger } from "../check/ledger.ts";
import type { SaveOutcome } from "../check/saves.ts";
import type { Dice } from "../random.ts";
import type { Process } from "../world/process.ts";
import type { Trace } from "../world/trace.ts";

export const ACTOR_TYPE = "tally";

/** What messages ask an actor for; a message is named `verb#id`, so that whoever hears of it knows which one it was. */
export type Verb = "note" | "ask" | "slow" | "tell" | "query" | "announce" | "timer" | "join" | "refuse" | "save";

/** What a message carries. */
export interface Order {
  /** For `slow` and `timer`. */
  readonly ms?: number;
  /** For `tell` and `query`: another actor. */
  readonly to?: string;
  /** For `join`: a spot. */
  readonly spot?: string;
  /** For `save`: how often at once. */
  readonly times?: number;
  /** For `save`: the turn does not wait for it. */
  readonly aside?: boolean;
  /** Bytes that only take room. */
  readonly padding?: string;
}

/** How captures and restores go wrong; shares of their calls. */
export interface UserFaults {
  readonly captureFails: number;
  readonly captureHangs: number;
  readonly captureSlow: number;
  readonly restoreFails: number;
  readonly restoreHangs: number;
  readonly restoreSlow: number;
  readonly slowMs: { readonly least: number; readonly most: number };
}

export type UserFaultName =
  "captureFails" | "captureHangs" | "captureSlow" | "restoreFails" | "restoreHangs" | "restoreSlow";

/** What the actors of one run of a node know of the world around the product. */
export interface Surroundings {
  readonly ledger: Ledger;
  readonly process: Process;
  readonly trace: Trace;
  /** For what goes wrong in user code. */
  readonly dice: Dice;
  readonly afterLoss: "restore" | "new";
  faults(): UserFaults;
  onFault(name: UserFaultName): void;
}

type Context = ActorContext<LifeState>;
const PATTERN = /^([a-z]+)#(\d+)$/;

/** The actor type of one run of a node: every turn writes what it ran into the ledger. */
export function tallyType(around: Surroundings): ActorType {
  const { ledger, process, trace } = around;
  const callback = (ctx: Context, what: string, then: () => void = () => undefined): void => {
    trace.note(process.name, `${ctx.actorId} runs ${what}`);
    const end = ledger.turn(process, ctx.state, what);
    if (!end) return;
    then();
    end();
  };
  return defineActor<LifeState>({
    type: ACTOR_TYPE,
    create: (ctx) => ledger.born(ctx.actorId),
    on: handlersOf((verb, id) => (ctx, order) => run(around, ctx, { verb, id, order })),
    capture: (state) => {
      // What a save keeps is the state of this moment, however slow the rest is.
      const copy = { ...state };
      return troubled(around, "capture", () => copy);
    },
    restore: (state: LifeState) => troubled(around, "restore", () => ({ ...state })),
    afterLoss: around.afterLoss,
    onTimer: (ctx, name) => callback(ctx, name, () => ledger.timerFired(ctx.state, Number(name.slice(1)))),
    onJoin: (ctx, result) =>
      callback(ctx, `join ${result.outcome} ${result.spotId}`, () => ledger.joinAnswered(ctx.state, result)),
    onBind: (ctx) => callback(ctx, "bound"),
    onUnbind: (ctx) => callback(ctx, "unbound"),
  });
}

interface Call {
  readonly verb: Verb;
  readonly id: number;
  readonly order: Order | undefined;
}

async function slowTurn(around: Surroundings, ms: number, then: () => void): Promise<void> {
  await new Promise<void>((resolve) => around.process.clock.after(ms, resolve));
  then();
}

function run(around: Surroundings, ctx: Context, { verb, id, order }: Call): unknown {
  const { ledger, process, trace } = around;
  trace.note(process.name, `${ctx.actorId} runs m${id} (${verb})`);
  const end = ledger.turn(process, ctx.state, `m${id}`, ledger.messages[id]);
  if (!end) return id;
  if (verb === "slow") return slowTurn(around, order?.ms ?? 1, end).then(() => id);
  if (verb === "query" && order?.to !== undefined)
    return query(around, ctx, order.to)
      .finally(end)
      .then(() => id);
  if (verb === "save") {
    const saved = saveAll(around, ctx, order?.times ?? 1);
    if (order?.aside !== true) return saved.finally(end).then(() => id);
  }
  act(around, ctx, { verb, id, order });
  end();
  if (verb === "refuse") throw new RuntimeError("rejected", "as asked");
  return id;
}

function act({ ledger, trace, process }: Surroundings, ctx: Context, { verb, id, order = {} }: Call): void {
  switch (verb) {
    case "tell": {
      if (order.to === undefined) return;
      const message = ledger.sent("send", `life ${ctx.state.life}`, order.to);
      trace.note(process.name, `${ctx.actorId} sends m${message.id} (note) to ${order.to}`);
      ctx.send({ type: ACTOR_TYPE, id: order.to }, `note#${message.id}`, {});
      return;
    }
    case "announce": {
      const push = ledger.pushed(
        ctx.state,
        ctx.sessions.map(({ sessionRid }) => sessionRid),
      );
      trace.note(process.name, `${ctx.actorId} pushes ${pushName(push)}`);
      ctx.push(pushName(push));
      return;
    }
    case "timer":
      ledger.timerSet(ctx.state, id, order.ms ?? 1);
      ctx.setTimer(`t${id}`, order.ms ?? 1);
      return;
    case "join":
      try {
        ctx.join(order.spot ?? "nowhere");
        ledger.joinAsked(ctx.state, order.spot ?? "nowhere");
      } catch (error) {
        // It has asked for another one that its turn has not got round to.
        if (!(error instanceof RuntimeError) || error.code !== "operationInProgress") throw error;
      }
      return;
    default:
      return;
  }
}

/** A request to another actor, inside a turn. */
async function query({ ledger, process }: Surroundings, ctx: Context, to: string): Promise<void> {
  const message = ledger.sent("request", `life ${ctx.state.life}`, to);
  await ctx.request({ type: ACTOR_TYPE, id: to }, `ask#${message.id}`, {}, { timeoutMs: 400 }).then(
    (value) => process.alive && ledger.answered(message, value),
    (error: unknown) => process.alive && settleRequest(ledger, message, error),
  );
}

/** Saves at once, all behind one another. */
async function saveAll({ ledger, process, trace }: Surroundings, ctx: Context, times: number): Promise<void> {
  const one = async (): Promise<void> => {
    const save = ledger.saves.asked(ctx.actorId, ctx.state);
    const end = (outcome: SaveOutcome): void => {
      if (!process.alive) return;
      trace.note(process.name, `${ctx.actorId}, turn ${save.kept.turns}: ${outcome}`);
      ledger.saves.settled(save, outcome);
    };
    await ctx.save().then(
      () => end("saved"),
      (error: unknown) => end(error instanceof RuntimeError && NOT_SAVED.has(error.code) ? "notSaved" : "inDoubt"),
    );
  };
  await Promise.all(Array.from({ length: times }, one));
}

/** Errors of a save after which it is certain that the store has nothing of it. */
const NOT_SAVED: ReadonlySet<string> = new Set(["handlerFailed", "tooLarge", "storeUnavailable", "backpressured"]);

/** What the failure of a request says. */
export function settleRequest(ledger: Ledger, message: Ledger["messages"][number], error: unknown): void {
  const code = error instanceof RuntimeError ? error.code : String(error);
  if (UNCERTAIN.has(code)) ledger.toldUnknown(message, code);
  else if (HAD_ITS_TURN.has(code)) ledger.toldFailed(message, code);
  else ledger.toldNotRun(message, code);
}

/** Errors of a request after which nobody can tell whether it ran. */
const UNCERTAIN: ReadonlySet<string> = new Set(["timedOut", "outcomeUnknown", "closed", "leaseLost"]);
const HAD_ITS_TURN: ReadonlySet<string> = new Set(["rejected", "handlerFailed"]);

type Handler = (ctx: Context, order: Order | undefined) => unknown;

/** Handlers for all names of the pattern: the runtime looks one up by the message's name. */
function handlersOf(
  make: (verb: Verb, id: number) => Handler,
): Record<string, (ctx: Context, value: never) => unknown> {
  const find = (name: string | symbol): Handler | undefined => {
    const match = typeof name === "string" ? PATTERN.exec(name) : null;
    return match ? make(match[1] as Verb, Number(match[2])) : undefined;
  };
  return new Proxy(
    {},
    {
      get: (_target, name) => find(name),
      getOwnPropertyDescriptor: (_target, name) => {
        const value = find(name);
        return value && { value, configurable: true, enumerable: true, writable: false };
      },
    },
  );
}

/** Runs user code of a move that may fail, hang or be slow. */
export function troubled<T>(around: Surroundings, what: "capture" | "restore", work: () => T): T | Promise<T> {
  const faults = around.faults();
  let luck = around.dice.fraction();
  if ((luck -= faults[`${what}Fails`]) < 0) {
    around.onFault(`${what}Fails`);
    throw new Error(`simulated: the ${what} fails`);
  }
  if ((luck -= faults[`${what}Hangs`]) < 0) {
    around.onFault(`${what}Hangs`);
    return new Promise(() => undefined);
  }
  if (luck - faults[`${what}Slow`] >= 0) return work();
  around.onFault(`${what}Slow`);
  const { least, most } = faults.slowMs;
  return new Promise((resolve) => {
    around.process.clock.after(around.dice.between(least, most), () => resolve(work()));
  });
}
