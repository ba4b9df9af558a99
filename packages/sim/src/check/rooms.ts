import type { Runner } from "./ledger.ts";
import type { Report } from "./violation.ts";

/** What a room keeps as its state, and so what moves. */
export interface RoomState {
  readonly room: number;
  steps: number;
  members: string[];
}

/** What the store says of spots. */
export interface SpotRecords {
  faultOfOwner(runner: Runner, spotId: string): string | undefined;
  /** Its object generation. */
  generationOf(spotId: string): bigint | undefined;
}

interface RoomAccount {
  readonly spotId: string;
  /** By the store, at its last step. */
  objectGeneration: bigint | undefined;
  steps: number;
  members: readonly string[];
}

/** The accounts of rooms, as their own callbacks write them. */
export class Rooms {
  readonly #report: Report;
  readonly #accounts: RoomAccount[] = [];
  readonly #records: SpotRecords;

  constructor(report: Report, records: SpotRecords) {
    this.#report = report;
    this.#records = records;
  }

  opened(spotId: string): RoomState {
    this.#accounts.push({ spotId, objectGeneration: undefined, steps: 0, members: [] });
    return { room: this.#accounts.length - 1, steps: 0, members: [] };
  }

  /** A callback of the room runs; `change` is what it does to its members. */
  step(runner: Runner, state: RoomState, what: string, change: () => void = () => undefined): void {
    const account = this.#accounts[state.room]!;
    const { spotId } = account;
    const about = [spotId];
    const fault = this.#records.faultOfOwner(runner, spotId);
    if (fault !== undefined) this.#report("I1", `${spotId} runs ${what} on ${runner.name}: ${fault}`, about);
    if (state.steps !== account.steps) {
      const text = `${spotId} runs ${what} on ${runner.name} after ${state.steps} steps, and had ${account.steps}`;
      this.#report("I6", text, about);
    }
    change();
    account.objectGeneration = this.#records.generationOf(spotId);
    state.steps = account.steps += 1;
    account.members = [...state.members];
  }

  /** At rest: who is in a room by its own account, by its node, and by the store. */
  checkMembers(spotId: string, byNode: readonly string[], byStore: readonly string[]): void {
    const generation = this.#records.generationOf(spotId);
    const account = this.#accounts.findLast((each) => each.spotId === spotId && each.objectGeneration === generation);
    const own = account && account.steps > 0 ? account.members : [];
    const [one, other, third] = [own, byNode, byStore].map((members) => [...members].sort().join(" "));
    if (one === other && other === third) return;
    const text = `${spotId} has the members "${one}" by its own account, "${other}" by its node, "${third}" by the store`;
    this.#report("H7", text, [spotId]);
  }
}
