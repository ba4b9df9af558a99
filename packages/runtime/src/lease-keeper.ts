import type { AuthorityStore, OwnerIdentity, TimerHandle } from "@rehome/core";
import type { NodeConfig } from "./config.ts";
import { RuntimeError } from "./errors.ts";

/** Renewals per lease (`protocol.md` L1: well before it ends); two may fail before the node has to stop. */
const RENEWALS_PER_LEASE = 3;
/** The node stops this share of the lease before it ends, so that nobody else can have taken over yet (L1). */
const SAFETY_SHARE = 0.1;

/**
 * Holds this run's lease. By its own monotonic clock it knows until when the lease surely stands; past that,
 * `onLost` is called once and nothing of this node may have effect any more (`protocol.md` I1, L1).
 */
export class LeaseKeeper {
  readonly #config: NodeConfig;
  readonly #store: AuthorityStore;
  readonly #owner: OwnerIdentity;
  readonly #onLost: (error: RuntimeError) => void;
  #validUntilMs: number;
  #renewTimer: TimerHandle | undefined;
  #expiryTimer: TimerHandle | undefined;
  #ended = false;

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
    this.#validUntilMs = options.askedAtMs + options.durationMs * (1 - SAFETY_SHARE);
    this.#schedule(options.durationMs);
  }

  /** False once the lease may have ended, also right after a suspension that no timer has noticed yet. */
  stands(): boolean {
    if (!this.#ended && this.#config.clock.nowMs() >= this.#validUntilMs) this.#lost("it could not be renewed in time");
    return !this.#ended;
  }

  stop(): void {
    this.#ended = true;
    this.#renewTimer?.cancel();
    this.#expiryTimer?.cancel();
  }

  #schedule(durationMs: number): void {
    this.#renewTimer = this.#config.clock.after(durationMs / RENEWALS_PER_LEASE, () => this.#renew());
    this.#expiryTimer?.cancel();
    this.#expiryTimer = this.#config.clock.after(this.#validUntilMs - this.#config.clock.nowMs(), () => this.stands());
  }

  #renew(): void {
    const askedAtMs = this.#config.clock.nowMs();
    this.#store.renew(this.#owner, this.#config.deadlines.leaseMs).then(
      (answer) => {
        if (this.#ended) return;
        if (answer.outcome === "staleLease") {
          this.#lost("the store says that it has ended");
          return;
        }
        if (answer.outcome === "renewed") this.#validUntilMs = askedAtMs + answer.durationMs * (1 - SAFETY_SHARE);
        else this.#config.log.write("warn", "lease.unrenewed", { reason: answer.reason });
        this.#schedule(this.#config.deadlines.leaseMs);
      },
      (error: unknown) => this.#lost(`the store failed: ${String(error)}`),
    );
  }

  #lost(reason: string): void {
    if (this.#ended) return;
    this.stop();
    this.#onLost(new RuntimeError("leaseLost", `this node's lease is lost (${reason}); start the node again`));
  }
}
