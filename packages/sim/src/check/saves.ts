import type { LifeState } from "./accounts.ts";

/** One call of `ctx.save`, as the actor that made it accounts for it. */
export interface SaveAccount {
  readonly actorId: string;
  readonly kept: Pick<LifeState, "life" | "turns" | "chain">;
  /** Whoever called it has been told that nobody can tell. */
  inDoubt: boolean;
}

export type SaveOutcome = "saved" | "notSaved" | "inDoubt";

interface Saves {
  last: SaveAccount | undefined;
  /** Those that were not answered yet, or in doubt: each may be what the store has, or not. */
  readonly perhaps: Set<SaveAccount>;
}

/** What the actors saved of themselves, and so may begin with once their node is lost (L3). */
export class SavedStates {
  readonly #afterLoss: "restore" | "new";
  readonly #byActor = new Map<string, Saves>();

  constructor(afterLoss: "restore" | "new") {
    this.#afterLoss = afterLoss;
  }

  asked(actorId: string, { life, turns, chain }: LifeState): SaveAccount {
    const save = { actorId, kept: { life, turns, chain }, inDoubt: false };
    this.#of(actorId).perhaps.add(save);
    return save;
  }

  settled(save: SaveAccount, outcome: SaveOutcome): void {
    const saves = this.#of(save.actorId);
    // The actor has begun again meanwhile: what it began with is what the store had.
    if (!saves.perhaps.has(save)) return;
    if (outcome === "inDoubt") {
      save.inDoubt = true;
      return;
    }
    saves.perhaps.delete(save);
    if (outcome === "notSaved") return;
    saves.last = save;
    // One that is given up in doubt is settled, or ruled out, before the next is written (J2).
    for (const other of saves.perhaps) if (other.inDoubt) saves.perhaps.delete(other);
  }

  /** What is wrong with an actor that begins with this after its node was lost; `undefined`: it begins new. */
  faultOf(actorId: string, state: LifeState | undefined): string | undefined {
    const { last, perhaps } = this.#of(actorId);
    const isNewDue = this.#afterLoss === "new";
    if (!state) return isNewDue || !last ? undefined : `it begins new, and had saved ${textOf(last.kept)}`;
    if (isNewDue) return `it begins with ${textOf(state)}, and its type begins new`;
    if ([...(last ? [last] : []), ...perhaps].some(({ kept }) => isSame(kept, state))) return undefined;
    return `it begins with ${textOf(state)}, and had saved ${last ? textOf(last.kept) : "nothing"}`;
  }

  /** It has begun again with this, which is what the store has. */
  begun(actorId: string, state: LifeState | undefined): void {
    const saves = this.#of(actorId);
    const save = [...saves.perhaps].find(({ kept }) => state && isSame(kept, state));
    if (save) saves.last = save;
    saves.perhaps.clear();
  }

  #of(actorId: string): Saves {
    const known = this.#byActor.get(actorId);
    if (known) return known;
    const saves: Saves = { last: undefined, perhaps: new Set() };
    this.#byActor.set(actorId, saves);
    return saves;
  }
}

type Kept = SaveAccount["kept"];

function isSame(one: Kept, other: Kept): boolean {
  return one.life === other.life && one.turns === other.turns && one.chain === other.chain;
}

function textOf({ life, turns, chain }: Kept): string {
  return `turn ${turns} of life ${life} (${chain})`;
}
