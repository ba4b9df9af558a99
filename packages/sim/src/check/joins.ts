import type { JoinResult } from "@rehome/runtime";
import type { Report } from "./violation.ts";

/** What the actors were told of one join. */
interface Told {
  readonly actorId: string;
  readonly spotId: string;
  /** Outcome and reply. */
  readonly text: string;
  readonly lives: Set<number>;
}

interface Moved {
  readonly operation: string;
  readonly actorId: string;
  /** The life that the actor had when its join's move committed. */
  readonly life: number | undefined;
}

/**
 * The answers to joins, by operation (J1, J2): exactly once in a life, and to a later one, after a loss, the same again. A
 * join that moves its actor is named by its move.
 */
export class JoinAnswers {
  readonly #report: Report;
  readonly #told = new Map<string, Told>();
  readonly #asked = new Map<string, number>();
  readonly #moved: Moved[] = [];

  constructor(report: Report) {
    this.#report = report;
  }

  asked(actorId: string, spotId: string): void {
    const key = keyOf(actorId, spotId);
    this.#asked.set(key, (this.#asked.get(key) ?? 0) + 1);
  }

  answered({ actorId, life }: { readonly actorId: string; readonly life: number }, result: JoinResult): void {
    const { operation, spotId, outcome, reply } = result;
    const text = `${outcome} ${JSON.stringify(reply)}`;
    const before = this.#told.get(operation);
    if (!before) {
      this.#told.set(operation, { actorId, spotId, text, lives: new Set([life]) });
      this.#checkAsked(actorId, spotId);
      return;
    }
    const again = `${actorId} is told of join ${operation}`;
    if (before.actorId !== actorId || before.spotId !== spotId) {
      this.#report("I3", `${again}, which is one of ${before.actorId} to ${before.spotId} (J1)`, [actorId]);
    }
    if (before.lives.has(life)) this.#report("I3", `${again} twice (J1)`, [actorId]);
    else if (before.text !== text) this.#report("I3", `${again}: ${text}, after ${before.text} (J1)`, [actorId]);
    before.lives.add(life);
  }

  #checkAsked(actorId: string, spotId: string): void {
    const asked = this.#asked.get(keyOf(actorId, spotId)) ?? 0;
    const told = [...this.#told.values()].filter((each) => each.actorId === actorId && each.spotId === spotId).length;
    if (told <= asked) return;
    this.#report("I3", `${actorId} asked for ${spotId} ${asked} times and got one more answer (J1)`, [actorId]);
  }

  /** A node says that an actor's join has moved it, under this relocation id. */
  moved(actorId: string, operation: string, life: number | undefined): void {
    this.#moved.push({ actorId, operation, life });
  }

  /** Every move of a join was told to its actor, unless that life of it has ended. */
  close(lives: ReadonlyMap<string, number>): void {
    for (const { actorId, operation, life } of this.#moved) {
      if (life === undefined || lives.get(actorId) !== life) continue;
      const told = this.#told.get(operation);
      if (told?.actorId === actorId && told.text.startsWith("accepted")) continue;
      this.#report("I2", `${actorId} was moved by join ${operation} and not told so (J1, J2)`, [actorId]);
    }
  }
}

function keyOf(actorId: string, spotId: string): string {
  return `${actorId} ${spotId}`;
}
