import { OptimisticCall, RowMemory } from "@rehome/core";
import type {
  AuthorityTransactions,
  OptimisticStep,
  RowNeeds,
  RowSnapshot,
  SeenLease,
  SeenTerm,
  TransactionBody,
  UnknownAnswer,
} from "@rehome/core";
import { applyValues } from "./bundle.ts";
import type { Connections, Statement, StatementOutcome } from "./connections.ts";
import { isConflict, textOf } from "./errors.ts";
import { endedLeases, fetchOf, fetchStatements, snapshotFrom, stillEndedOf } from "./fetch.ts";
import type { FetchedRow, FetchStatements } from "./fetch.ts";
import type { PostgresStoreConfig } from "./options.ts";
import type { Names } from "./schema.ts";

const NOTHING_WRITTEN = "Nothing was written.";
const NOT_KNOWN = "Whether the write took effect is not known.";

/**
 * The calls of one client. Each decides over rows that one statement has read, or that it has seen a moment ago, and writes with
 * one more, which is a transaction by itself: between them no lock is held, so that a client that stops or dies there keeps nobody waiting.
 */
export class PostgresTransactions implements AuthorityTransactions {
  readonly #config: PostgresStoreConfig;
  readonly #connections: Connections;
  readonly #fetches: FetchStatements;
  readonly #apply: Statement;
  readonly #memory = new RowMemory<SeenLease>();

  constructor(config: PostgresStoreConfig, connections: Connections, names: Names) {
    this.#config = config;
    this.#connections = connections;
    this.#fetches = fetchStatements(names);
    this.#apply = { name: "rehome_apply", text: `SELECT ${names.apply}($1::jsonb, $2::json, $3::bytea) AS applied` };
  }

  read<A>(body: TransactionBody<A>, needs: RowNeeds): Promise<A | UnknownAnswer> {
    return this.#run(body, needs, undefined);
  }

  write<A>(body: TransactionBody<A>, needs: RowNeeds): Promise<A | UnknownAnswer> {
    return this.#run(body, needs, this.#memory.recall(needs, this.#config.clock.nowMs()));
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #run<A>(
    body: TransactionBody<A>,
    needs: RowNeeds,
    remembered: RowSnapshot | undefined,
  ): Promise<A | UnknownAnswer> {
    const { clock, callDeadlineMs } = this.#config;
    const deadlineMs = clock.nowMs() + callDeadlineMs;
    const call = new OptimisticCall(body, needs, callDeadlineMs);
    let step = call.begin(remembered);
    for (;;) {
      if (step.do === "settle") return step.answer;
      if (step.do === "giveUp") return unknown("Other calls changed the same rows again and again.", NOTHING_WRITTEN);
      const next: OptimisticStep<A> | UnknownAnswer =
        step.do === "fetch"
          ? await this.#fetch(call, step.needs, deadlineMs)
          : await this.#write(call, step, deadlineMs);
      if ("outcome" in next) return next;
      step = next;
    }
  }

  async #fetch<A>(
    call: OptimisticCall<A>,
    needs: RowNeeds,
    deadlineMs: number,
  ): Promise<OptimisticStep<A> | UnknownAnswer> {
    const { statement, values } = fetchOf(this.#fetches, needs);
    const outcome = await this.#connections.run<FetchedRow>(statement, values, deadlineMs);
    if (outcome.kind !== "done") return this.#unread(outcome);
    const snapshot = snapshotFrom(needs, outcome.rows);
    this.#memory.note(snapshot, this.#config.clock.nowMs());
    const step = call.fetched(snapshot);
    const ended = endedLeases(snapshot);
    // A write looks again under locks by itself.
    return step.do === "settle" && ended.length > 0 ? this.#confirm(call, step, ended, deadlineMs) : step;
  }

  /** Nobody is told that a lease has ended while its renewal is being committed: once that is said it must stay true. */
  async #confirm<A>(
    call: OptimisticCall<A>,
    step: OptimisticStep<A>,
    ended: readonly SeenTerm[],
    deadlineMs: number,
  ): Promise<OptimisticStep<A> | UnknownAnswer> {
    const { statement, values } = stillEndedOf(this.#fetches, ended);
    const outcome = await this.#connections.run<{ unchanged: number }>(statement, values, deadlineMs);
    if (outcome.kind !== "done") return this.#unread(outcome);
    return outcome.rows[0]!.unchanged === ended.length ? step : call.conflicted(undefined);
  }

  /** Sent once. Whoever does not hear how it ended says so and leaves it. */
  async #write<A>(
    call: OptimisticCall<A>,
    step: Extract<OptimisticStep<A>, { do: "apply" }>,
    deadlineMs: number,
  ): Promise<OptimisticStep<A> | UnknownAnswer> {
    const values = applyValues(step.bundle);
    const outcome = await this.#connections.run<{ applied: boolean }>(this.#apply, values, deadlineMs);
    if (outcome.kind !== "done") this.#memory.clear();
    switch (outcome.kind) {
      case "done":
        if (!outcome.rows[0]!.applied) return call.conflicted(undefined);
        this.#memory.noteWrites(step.bundle);
        return { do: "settle", answer: step.answer };
      case "rolledBack":
        if (isConflict(outcome.error)) return call.conflicted(undefined);
        return unknown(this.#obstacle(outcome), NOTHING_WRITTEN);
      case "notSent":
        return unknown(outcome.reason, NOTHING_WRITTEN);
      case "lost":
        return unknown(outcome.reason, NOT_KNOWN);
    }
  }

  #unread(outcome: Exclude<StatementOutcome<unknown>, { kind: "done" }>): UnknownAnswer {
    this.#memory.clear();
    return unknown(this.#obstacle(outcome), NOTHING_WRITTEN);
  }

  #obstacle(outcome: Exclude<StatementOutcome<unknown>, { kind: "done" }>): string {
    if (outcome.kind !== "rolledBack") return outcome.reason;
    return `The server at ${this.#config.where} refused a statement (${textOf(outcome.error)}).`;
  }
}

function unknown(reason: string, consequence: string): UnknownAnswer {
  return { outcome: "unknown", reason: `${reason} ${consequence}` };
}
