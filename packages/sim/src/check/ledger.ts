import type { JoinResult } from "@rehome/runtime";
import type { LifeAccount, LifeState, MessageAccount, PushAccount } from "./accounts.ts";
import { JoinAnswers } from "./joins.ts";
import { Rooms, type SpotRecords } from "./rooms.ts";
import { SavedStates } from "./saves.ts";
import type { Report } from "./violation.ts";

/** Who runs a turn: one run of a node. */
export interface Runner {
  readonly name: string;
  readonly alive: boolean;
}

const NO_SPOTS: SpotRecords = { faultOfOwner: () => undefined, generationOf: () => undefined };
/** How much earlier than asked a timer may come, as machines' clocks go at different rates. */
const TIMER_TOLERANCE = 0.1;

/**
 * The accounts of clients and actors, kept outside of the product, and the rules that can be checked at once as they are
 * written. Nothing of the product is asked: what counts is what an actor's turn says, and what a sender was told.
 */
export class Ledger {
  readonly messages: MessageAccount[] = [];
  readonly lives: LifeAccount[] = [];
  readonly pushes = new Map<string, PushAccount>();
  readonly saves: SavedStates;
  readonly joins: JoinAnswers;
  readonly rooms: Rooms;
  /** Actors that a node said it had made from what they had saved, with their object generation. */
  readonly restored = new Set<string>();
  turns = 0;
  readonly #now: () => number;
  readonly #report: Report;
  /** Says whether this run of a node owns the actor, by the store's records; a reason when it does not. */
  readonly #faultOfOwner: (runner: Runner, actorId: string) => string | undefined;
  readonly #generationOf: (actorId: string) => bigint | undefined;
  readonly #nodesLive: boolean;

  constructor(options: {
    now: () => number;
    report: Report;
    faultOfOwner?: (runner: Runner, actorId: string) => string | undefined;
    /** The actor's object generation, by the store's records. */
    generationOf?: (actorId: string) => bigint | undefined;
    spots?: SpotRecords;
    afterLoss?: "restore" | "new";
    /** No node can be lost. */
    nodesLive?: boolean;
  }) {
    this.#now = options.now;
    this.#report = options.report;
    this.#faultOfOwner = options.faultOfOwner ?? (() => undefined);
    this.#generationOf = options.generationOf ?? (() => undefined);
    this.#nodesLive = options.nodesLive ?? false;
    this.rooms = new Rooms(options.report, options.spots ?? NO_SPOTS);
    this.joins = new JoinAnswers(options.report);
    this.saves = new SavedStates(options.afterLoss ?? "restore");
  }

  // What senders write.

  sent(kind: "send" | "request", stream: string, actorId: string): MessageAccount {
    const message: MessageAccount = {
      id: this.messages.length,
      kind,
      stream,
      actorId,
      sentAtMs: this.#now(),
      told: "nothing",
      toldWhat: "",
      abandoned: false,
      ranOn: undefined,
      ranAtMs: 0,
    };
    this.messages.push(message);
    return message;
  }

  answered(message: MessageAccount, value: unknown): void {
    if (!this.#tell(message, "answered", "answered")) return;
    if (message.ranOn === undefined)
      this.#report("I3", `m${message.id} was answered and did not run`, [`m${message.id}`]);
    else if (value !== message.id) {
      this.#report("I3", `m${message.id} got the answer of m${String(value)}`, [`m${message.id}`]);
    }
  }

  /** The sender was told that the message was not run and will not be. */
  toldNotRun(message: MessageAccount, code: string): void {
    if (!this.#tell(message, "notRun", code)) return;
    if (message.ranOn === undefined) return;
    this.#report("I2", `m${message.id} ran on ${message.ranOn}, and its sender was told: ${code}`, [`m${message.id}`]);
  }

  /** Its handler had its turn and failed. */
  toldFailed(message: MessageAccount, code: string): void {
    if (!this.#tell(message, "answered", code)) return;
    if (message.ranOn === undefined) {
      this.#report("I3", `m${message.id} did not run, and its sender was told: ${code}`, [`m${message.id}`]);
    }
  }

  toldUnknown(message: MessageAccount, code: string): void {
    this.#tell(message, "unknown", code);
  }

  /** Nobody is left who waits to hear of it, or the loss of the whole way was told. */
  abandoned(message: MessageAccount, why: string): void {
    if (message.told !== "nothing") return;
    message.told = "unknown";
    message.toldWhat = why;
    message.abandoned = true;
  }

  #tell(message: MessageAccount, told: "answered" | "notRun" | "unknown", what: string): boolean {
    if (message.abandoned) return false;
    const id = `m${message.id}`;
    if (message.told !== "nothing") {
      const isSame = message.told === "unknown" || told === "unknown";
      if (message.kind === "request" || !isSame) {
        this.#report("I3", `${id}: its sender was told "${message.toldWhat}" and then "${what}"`, [id]);
      }
      if (message.told !== "unknown") return false;
    }
    message.told = told;
    message.toldWhat = what;
    return true;
  }

  // What actors write.

  born(actorId: string): LifeState {
    const { life } = this.#newLife(actorId, "new");
    return { life, turns: 0, chain: 0, pushes: 0 };
  }

  #newLife(actorId: string, from: LifeAccount["from"]): LifeAccount {
    const life: LifeAccount = {
      life: this.lives.length,
      actorId,
      objectGeneration: undefined,
      from,
      turns: 0,
      chain: 0,
      running: undefined,
      lastTurnOn: undefined,
      lastOf: new Map(),
      pushes: 0,
      joins: new Map(),
      timers: new Map(),
    };
    this.lives.push(life);
    return life;
  }

  /** The life that has a turn. An actor that is made again is another object, and so has another life (L3). */
  #lifeOf(state: LifeState, about: readonly string[]): LifeAccount {
    const life = this.lives[state.life]!;
    const { actorId } = life;
    const objectGeneration = this.#generationOf(actorId);
    if (life.objectGeneration === undefined) {
      const hadOthers = this.lives.some((other) => other.actorId === actorId && other.turns > 0);
      if (hadOthers) this.#checkBegun(actorId, undefined, about);
      life.objectGeneration = objectGeneration;
      return life;
    }
    if (objectGeneration === undefined || objectGeneration === life.objectGeneration) return life;
    this.#checkBegun(actorId, state, about);
    const next = this.#newLife(actorId, "savedState");
    next.objectGeneration = objectGeneration;
    next.turns = state.turns;
    next.chain = state.chain;
    state.life = next.life;
    return next;
  }

  #checkBegun(actorId: string, state: LifeState | undefined, about: readonly string[]): void {
    const fault = this.saves.faultOf(actorId, state);
    if (fault !== undefined) this.#report("L3", `${actorId} was made again: ${fault}`, about);
    if (this.#nodesLive) this.#report("L3", `${actorId} was made again, and no node was lost`, about);
    this.saves.begun(actorId, state);
  }

  /** A node says that it has made the actor from what it had saved. */
  wasRestored(actorId: string): void {
    this.restored.add(`${actorId}@${this.#generationOf(actorId)}`);
  }

  /** A turn begins. Gives how to end it, or `undefined` when the run of the node is dead and nothing counts any more. */
  turn(runner: Runner, state: LifeState, what: string, message?: MessageAccount): (() => void) | undefined {
    if (!runner.alive) return undefined;
    this.turns += 1;
    const { actorId } = this.lives[state.life]!;
    const about = message ? [`m${message.id} `, actorId] : [actorId];
    const life = this.#lifeOf(state, about);
    this.#checkOwner(runner, life, what, about);
    if (state.turns !== life.turns || state.chain !== life.chain) {
      const found = `${state.turns} turns (${state.chain})`;
      const left = `${life.turns} (${life.chain})`;
      this.#report(
        "I6",
        `${life.actorId} runs ${what} on ${runner.name} with ${found}, its last turn left ${left}`,
        about,
      );
    }
    if (message) this.#checkMessage(runner, life, message, about);
    state.turns = life.turns += 1;
    state.chain = life.chain = (Math.imul(life.chain, 31) + hashOf(what)) | 0;
    life.running = life.lastTurnOn = runner.name;
    return () => {
      if (life.running === runner.name) life.running = undefined;
    };
  }

  #checkOwner(runner: Runner, life: LifeAccount, what: string, about: readonly string[]): void {
    if (life.running !== undefined) {
      this.#report("I1", `${life.actorId} runs ${what} on ${runner.name} during a turn on ${life.running}`, about);
    }
    const fault = this.#faultOfOwner(runner, life.actorId);
    if (fault !== undefined) this.#report("I1", `${life.actorId} runs ${what} on ${runner.name}: ${fault}`, about);
  }

  #checkMessage(runner: Runner, life: LifeAccount, message: MessageAccount, about: readonly string[]): void {
    const { id, stream } = message;
    if (message.actorId !== life.actorId)
      this.#report("I3", `m${id} for ${message.actorId} ran on ${life.actorId}`, about);
    if (message.ranOn !== undefined) {
      this.#report("I3", `m${id} ran on ${message.ranOn} and again on ${runner.name}`, about);
    }
    if (message.told === "notRun") {
      this.#report("I2", `m${id} runs on ${runner.name}, and its sender was told: ${message.toldWhat}`, about);
    }
    const last = life.lastOf.get(stream) ?? -1;
    if (last > id)
      this.#report("I4", `m${id} runs at ${life.actorId} after m${last} of the same sender (${stream})`, about);
    life.lastOf.set(stream, id);
    message.ranOn = runner.name;
    message.ranAtMs = this.#now();
  }

  /** The runner is gone: its turns have ended. */
  died(runner: Runner): void {
    for (const life of this.lives) if (life.running === runner.name) life.running = undefined;
  }

  timerSet(state: LifeState, timer: number, delayMs: number): void {
    this.lives[state.life]!.timers.set(timer, { setAtMs: this.#now(), delayMs, fired: false });
  }

  timerFired(state: LifeState, timer: number): void {
    const life = this.lives[state.life]!;
    const account = life.timers.get(timer);
    const what = `timer t${timer} of ${life.actorId}`;
    if (!account) this.#report("I3", `${what} fired and was never set`, [life.actorId]);
    else if (account.fired) this.#report("I3", `${what} fired twice (T12)`, [life.actorId]);
    else if (this.#now() - account.setAtMs < account.delayMs * (1 - TIMER_TOLERANCE)) {
      this.#report("I3", `${what} fired too early (T12)`, [life.actorId]);
    }
    if (account) account.fired = true;
  }

  joinAsked(state: LifeState, spotId: string): void {
    const { joins, actorId } = this.lives[state.life]!;
    const none = { asked: 0, answered: 0 };
    const join = joins.get(spotId) ?? none;
    joins.set(spotId, {
      ...join,
      asked: join.asked + 1,
      answeredBefore: join.answered,
    });
    this.joins.asked(actorId, spotId);
  }

  joinAnswered(state: LifeState, result: JoinResult): void {
    const life = this.lives[state.life]!;
    const join = life.joins.get(result.spotId);
    if (join) join.answered += 1;
    this.joins.answered(life, result);
  }

  /** A node says that a join has moved its actor. */
  joinMoved(actorId: string, relocation: string): void {
    const life = this.lives.findLast((each) => each.actorId === actorId && each.turns > 0)?.life;
    this.joins.moved(actorId, relocation, life);
  }

  pushed(state: LifeState, to: readonly string[]): PushAccount {
    const life = this.lives[state.life]!;
    state.pushes = life.pushes += 1;
    const push: PushAccount = {
      life: state.life,
      number: life.pushes,
      actorId: life.actorId,
      atMs: this.#now(),
      to,
      receivedBy: new Set(),
      dropped: false,
    };
    this.pushes.set(pushName(push), push);
    return push;
  }

  // What clients write.

  /** `last` is what this binding received before, by life. */
  pushReceived(name: string, by: string, last: Map<number, number>): void {
    const push = this.pushes.get(name);
    if (!push) {
      this.#report("I3", `${by} received ${name}, which nobody pushed`, [name]);
      return;
    }
    const before = last.get(push.life) ?? 0;
    if (before === push.number) this.#report("I3", `${by} received ${name} of ${push.actorId} twice`, [push.actorId]);
    if (before > push.number) {
      this.#report("I4", `${by} received ${name} of ${push.actorId} after push ${before}`, [push.actorId]);
    }
    last.set(push.life, push.number);
    push.receivedBy.add(by);
  }

  pushDropped(name: string): void {
    const push = this.pushes.get(name);
    if (push) push.dropped = true;
  }
}

export function pushName({ life, number }: Pick<PushAccount, "life" | "number">): string {
  return `p${life}.${number}`;
}

function hashOf(text: string): number {
  let hash = 7;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
