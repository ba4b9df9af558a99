import {
  createMemoryStore,
  MemoryTables,
  type AuthorityStore,
  type MemoryStore,
  type UnknownAnswer,
} from "@rehome/core";
import type { Dice } from "../random.ts";
import type { Process } from "./process.ts";
import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** How the store of one run behaves, to the nodes. Shares are of its calls. */
export interface StoreTerms {
  readonly latencyMs: { readonly least: number; readonly most: number };
  readonly slow: number;
  readonly slowMs: { readonly least: number; readonly most: number };
  /** Nothing was written, and the caller cannot tell. */
  readonly lostCall: number;
  /** It was written, and the caller cannot tell. */
  readonly lostAnswer: number;
  /** It is written after the caller was told that nobody can tell. */
  readonly lateWrite: number;
}

/** How long a call waits before it ends as `unknown`. */
const CALL_TIMEOUT_MS = 120;
const LATE_MS = 150;

export type StoreFault = "storeSlow" | "storeLostCall" | "storeLostAnswer" | "storeLateWrite" | "storeOutage";
const READS: ReadonlySet<string> = new Set(["read", "nodes", "scan"]);

/** The store of a run: `core`'s store in memory, behind calls that are slow, get lost, or lose their answer. */
export class SimStore {
  readonly tables = new MemoryTables();
  terms: StoreTerms;
  /** Nodes whose calls do not get through, by name, while a partition lasts; `*` for all. */
  readonly cutOff = new Set<string>();
  onFault: (fault: StoreFault) => void = () => undefined;
  readonly #time: VirtualTime;
  readonly #dice: Dice;
  readonly #trace: Trace;
  readonly #store: MemoryStore;

  constructor(parts: { time: VirtualTime; dice: Dice; trace: Trace; terms: StoreTerms; rate: number }) {
    this.#time = parts.time;
    this.#dice = parts.dice;
    this.#trace = parts.trace;
    this.terms = parts.terms;
    const { time, rate } = parts;
    this.#store = createMemoryStore({ clock: { nowMs: () => 1e6 + time.nowMs * rate }, tables: this.tables });
  }

  /** Straight to the records, without faults: for the one who watches, and for faults that are writes. */
  get direct(): AuthorityStore {
    return this.#store;
  }

  /** One node's handle. */
  of(process: Process): AuthorityStore {
    const handle = this.#store.share();
    const wrap = <A extends readonly never[], R extends { readonly outcome: string }>(
      name: string,
      call: (...args: A) => Promise<R | UnknownAnswer>,
    ): ((...args: A) => Promise<R | UnknownAnswer>) => {
      return (...args) => this.#call(process, name, () => call(...args));
    };
    const wrapped = Object.entries(handle)
      .filter(([name]) => name !== "close" && name !== "share")
      .map(([name, call]) => [name, wrap(name, call as never)] as const);
    return { ...(Object.fromEntries(wrapped) as unknown as AuthorityStore), close: () => handle.close() };
  }

  #call<R extends { readonly outcome: string }>(
    process: Process,
    name: string,
    call: () => Promise<R | UnknownAnswer>,
  ): Promise<R | UnknownAnswer> {
    if (!process.output()) return new Promise(() => undefined);
    return new Promise((resolve) => {
      const answer = (delayMs: number, value: R | UnknownAnswer): void => {
        this.#time.after(delayMs, () => process.enter(() => resolve(value)));
      };
      const fault = this.#faultFor(process, name);
      if (fault) {
        this.onFault(fault);
        this.#trace.note(process.name, `store ${name}: ${fault}`);
        const unknown = { outcome: "unknown", reason: `simulated: ${fault}` } as const;
        answer(CALL_TIMEOUT_MS * this.#dice.between(0.1, 1), unknown);
        if (fault === "storeLostAnswer") this.#time.after(this.#latency(), () => void call());
        if (fault === "storeLateWrite")
          this.#time.after(CALL_TIMEOUT_MS + this.#dice.between(0, LATE_MS), () => void call());
        return;
      }
      this.#time.after(this.#latency(), () => {
        void call().then((value) => {
          if (!READS.has(name) && name !== "renew") this.#trace.note(process.name, `store ${name}: ${value.outcome}`);
          else this.#trace.explain(() => `${process.name} store ${name}: ${value.outcome}`);
          answer(this.#latency(), value);
        });
      });
    });
  }

  #faultFor(process: Process, name: string): StoreFault | undefined {
    if (this.cutOff.has(process.name) || this.cutOff.has("*")) return "storeOutage";
    const { lostCall, lostAnswer, lateWrite } = this.terms;
    let luck = this.#dice.fraction();
    if ((luck -= lostCall) < 0) return "storeLostCall";
    if (READS.has(name)) return undefined;
    if ((luck -= lostAnswer) < 0) return "storeLostAnswer";
    return luck - lateWrite < 0 ? "storeLateWrite" : undefined;
  }

  #latency(): number {
    const { latencyMs, slow, slowMs } = this.terms;
    if (!this.#dice.chance(slow)) return this.#dice.between(latencyMs.least, latencyMs.most);
    this.onFault("storeSlow");
    return this.#dice.between(slowMs.least, slowMs.most);
  }
}
