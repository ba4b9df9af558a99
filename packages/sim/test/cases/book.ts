import { defineActor, type ActorContext, type ActorType } from "@rehome/runtime";
import { hashText } from "../../src/random.ts";
import type { Process } from "../../src/world/process.ts";

/** One turn, as somebody writes it down who sees all nodes at once. */
export interface Turn {
  readonly actorId: string;
  readonly on: string;
  readonly from: string;
  readonly number: number;
  readonly atMs: number;
}

/** What an actor of the cases keeps: how many turns it had, and which. */
export interface State {
  readonly actorId: string;
  count: number;
  chain: number;
}

/** What user code does besides its work, changed while a case runs. */
export interface Manners {
  captureMs?: number;
  restoreMs?: number;
  /** Its capture gives bytes that its restore cannot read. */
  unreadable?: (actorId: string) => boolean;
  /** Characters that only take room in the state. */
  ballast?: number;
  saves?: boolean;
}

interface Order {
  readonly ms?: number;
  readonly to?: string;
  readonly padding?: string;
}

export const ACTOR = "diary";
const NAME = /^([a-z]+)#(.+)\.(\d+)$/;

/** A message's name says who sent it and which one it is, so that whoever hears of it knows: `note#c.17`. */
export const called = (verb: string, from: string, number: number): string => `${verb}#${from}.${number}`;

/** Every turn of every actor, kept outside of the product; and what must never be seen in it. */
export class Book {
  readonly turns: Turn[] = [];
  /** Rules that a turn broke. */
  readonly faults: string[] = [];
  /** When actors were built from a payload, and where. */
  readonly restored: { readonly actorId: string; readonly on: string; readonly atMs: number }[] = [];
  readonly #running = new Map<string, string>();
  readonly #lastCopy = new Map<string, number>();
  readonly #ran = new Set<string>();
  readonly #world: { nowMs(): number; ownerOf(actorId: string): string | undefined };
  #copies = 0;

  constructor(world: { nowMs(): number; ownerOf(actorId: string): string | undefined }) {
    this.#world = world;
  }

  newCopy(): number {
    return ++this.#copies;
  }

  wasRestored(actorId: string, on: string): void {
    this.restored.push({ actorId, on, atMs: this.#world.nowMs() });
  }

  /** I1, I3: on the owner alone, never on a copy that came before the last one, never twice. */
  begin(copy: number, turn: Omit<Turn, "atMs">): () => void {
    const { actorId, on, from, number } = turn;
    const what = `${from}.${number} of ${actorId} on ${on}`;
    const owner = this.#world.ownerOf(actorId);
    if (owner !== on) this.faults.push(`${what}: the store names ${owner ?? "nobody"}`);
    const running = this.#running.get(actorId);
    if (running !== undefined) this.faults.push(`${what}: while a turn runs on ${running}`);
    if (copy < (this.#lastCopy.get(actorId) ?? 0)) this.faults.push(`${what}: on a past copy`);
    const key = `${actorId} ${from}.${number}`;
    if (this.#ran.has(key)) this.faults.push(`${what}: a second time`);
    this.#ran.add(key);
    this.#lastCopy.set(actorId, copy);
    this.#running.set(actorId, on);
    this.turns.push({ ...turn, atMs: this.#world.nowMs() });
    return () => this.#running.delete(actorId);
  }

  died(name: string): void {
    for (const [actorId, on] of this.#running) if (on === name) this.#running.delete(actorId);
  }

  of(actorId: string, from?: string): Turn[] {
    return this.turns.filter((turn) => turn.actorId === actorId && (from === undefined || turn.from === from));
  }

  numbers(actorId: string, from: string): number[] {
    return this.of(actorId, from).map(({ number }) => number);
  }

  /** What the state of an actor is that had exactly these turns. */
  static stateAfter(turns: readonly Turn[]): { count: number; chain: number } {
    return { count: turns.length, chain: turns.reduce((chain, turn) => chained(chain, turn.from, turn.number), 0) };
  }
}

const chained = (chain: number, from: string, number: number): number => hashText(`${from}.${number}`, chain) >>> 0;

type Kept = State & { copy: number };

/** The actors of the cases: each turn goes into the book and into the state. */
export function diary(book: Book, process: Process, manners: Manners = {}): ActorType {
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void process.clock.after(ms, resolve));
  const run = async (ctx: ActorContext<Kept>, [verb, from, number]: [string, string, number], order: Order) => {
    if (verb === "read") return { count: ctx.state.count, chain: ctx.state.chain };
    if (!process.alive) return undefined;
    const end = book.begin(ctx.state.copy, { actorId: ctx.actorId, on: process.name, from, number });
    ctx.state.count += 1;
    ctx.state.chain = chained(ctx.state.chain, from, number);
    if (verb === "slow") await pause(order.ms ?? 1);
    if (verb === "tell") ctx.send({ type: ACTOR, id: order.to! }, called("note", ctx.actorId, number), {});
    if (verb === "announce") ctx.push(called("news", from, number));
    end();
    if (manners.saves === true && verb === "save") await ctx.save();
    return number;
  };
  return defineActor<Kept>({
    type: ACTOR,
    create: (ctx) => ({ actorId: ctx.actorId, count: 0, chain: 0, copy: book.newCopy() }),
    on: handlers((call) => (ctx, order) => run(ctx, call, order)),
    capture: async ({ actorId, count, chain }) => {
      if (manners.captureMs !== undefined) await pause(manners.captureMs);
      const text = JSON.stringify({ actorId, count, chain, ballast: "x".repeat(manners.ballast ?? 0) });
      const isUnreadable = manners.unreadable?.(actorId) === true;
      return new TextEncoder().encode(isUnreadable ? text.slice(0, -1) : text);
    },
    restore: async (bytes: Uint8Array) => {
      if (manners.restoreMs !== undefined) await pause(manners.restoreMs);
      const { actorId, count, chain } = JSON.parse(new TextDecoder().decode(bytes)) as State;
      book.wasRestored(actorId, process.name);
      return { actorId, count, chain, copy: book.newCopy() };
    },
  });
}

type Handler = (ctx: ActorContext<Kept>, order: Order) => unknown;

/** Handlers for all names of the pattern: the runtime looks one up by the message's name. */
function handlers(
  make: (call: [string, string, number]) => Handler,
): Record<string, (ctx: ActorContext<Kept>, value: never) => unknown> {
  const find = (name: string | symbol): Handler | undefined => {
    const match = typeof name === "string" ? NAME.exec(name) : null;
    return match ? make([match[1]!, match[2]!, Number(match[3])]) : undefined;
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
