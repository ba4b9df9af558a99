import {
  leaseStands,
  startLease,
  stepLease,
  type AuthorityStore,
  type LeaseEffect,
  type LeaseInput,
  type LeaseLossReason,
  type LeaseState,
  type LeaseTimer,
  type OwnerIdentity,
} from "@rehome/core";
import type { NodeConfig } from "./config.ts";
import { errorText } from "./error-text.ts";
import { RuntimeError } from "./errors.ts";
import { NamedTimers } from "./named-timers.ts";

const LOST_BECAUSE: Readonly<Record<LeaseLossReason, string>> = {
  lapsed: "it could not be renewed in time",
  refused: "the store says that it has ended",
  replaced: "another process has been started as this node, under its name",
  storeFailed: "the store failed",
};
const WHAT_TO_DO: Readonly<Record<LeaseLossReason, string>> = {
  lapsed: "start the node again",
  refused: "start the node again",
  replaced: "leave it to that one, or give each process a name of its own",
  storeFailed: "start the node again",
};

/**
 * Holds this run's lease: does what the machine in `core/lease` decides. Past its end `onLost` is called once and nothing
 * of this node may have effect any more (`protocol.md` I1, L1).
 */
export class LeaseKeeper {
  readonly #config: NodeConfig;
  readonly #store: AuthorityStore;
  readonly #owner: OwnerIdentity;
  readonly #onLost: (error: RuntimeError) => void;
  readonly #timers: NamedTimers<LeaseTimer>;
  #state: LeaseState;
  /** The last renewal had no answer. */
  #isUnrenewed = false;

  constructor(options: {
    config: NodeConfig;
    store: AuthorityStore;
    owner: OwnerIdentity;
    /** When the acquiring call was made: the lease runs from then at the latest. */
    askedAtMs: number;
    durationMs: number;
    onLost: (error: RuntimeError) => void;
  }) {
    this.#config = options.config;
    this.#store = options.store;
    this.#owner = options.owner;
    this.#onLost = options.onLost;
    const { clock, deadlines } = options.config;
    this.#timers = new NamedTimers(clock, (timer) => this.#dispatch({ type: "TimerFired", timer }));
    const first = startLease({ durationMs: deadlines.leaseMs }, options, clock.nowMs());
    this.#state = first.state;
    for (const effect of first.effects) this.#perform(effect);
  }

  /** False once the lease may have ended, also right after a suspension that no timer has noticed yet. */
  stands(): boolean {
    const now = this.#config.clock.nowMs();
    if (leaseStands(this.#state, now)) return true;
    this.#dispatch({ type: "Looked" });
    return false;
  }

  stop(): void {
    this.#dispatch({ type: "Stopped" });
  }

  #dispatch(input: LeaseInput): void {
    const step = stepLease(this.#state, input, this.#config.clock.nowMs());
    this.#state = step.state;
    for (const effect of step.effects) this.#perform(effect);
  }

  #perform(effect: LeaseEffect): void {
    switch (effect.type) {
      case "RenewLease":
        this.#renew(effect.durationMs);
        return;
      case "StartTimer":
        this.#timers.start(effect.timer, effect.delayMs);
        return;
      case "StopTimer":
        this.#timers.stop(effect.timer);
        return;
      case "ReportUnrenewed":
        this.#reportUnrenewed(effect.reason);
        return;
      case "LoseLease":
        this.#onLost(
          new RuntimeError(
            "leaseLost",
            `this node's lease is lost (${LOST_BECAUSE[effect.reason]}); ${WHAT_TO_DO[effect.reason]}`,
          ),
        );
        return;
    }
  }

  #renew(durationMs: number): void {
    this.#store.renew(this.#owner, durationMs).then(
      (answer) => {
        this.#dispatch({ type: "RenewSettled", answer });
        if (answer.outcome === "renewed") this.#reportRenewed();
      },
      (error: unknown) => {
        this.#config.log.write("error", "lease.storeFailed", { error: errorText(error) });
        this.#dispatch({ type: "RenewRejected" });
      },
    );
  }

  #reportUnrenewed(reason: string): void {
    this.#isUnrenewed = true;
    const remainingMs = this.#state.type === "ended" ? 0 : this.#state.validUntilMs - this.#config.clock.nowMs();
    this.#config.log.write("warn", "lease.unrenewed", { reason, remainingMs });
    this.#config.observe({ type: "LeaseUnrenewed", reason, remainingMs });
  }

  #reportRenewed(): void {
    if (!this.#isUnrenewed || this.#state.type === "ended") return;
    this.#isUnrenewed = false;
    this.#config.log.write("info", "lease.renewed", {});
    this.#config.observe({ type: "LeaseRenewed" });
  }
}
