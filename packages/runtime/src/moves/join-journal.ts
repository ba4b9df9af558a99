import {
  afterLoss,
  afterMove,
  JoinDeliveries,
  rereadOf,
  startDelivery,
  stepDelivery,
  unmarkedJoin,
  type DeliveryEffect,
  type DeliveryInput,
  type DeliveryOutcome,
  type DeliveryState,
  type DeliveryStep,
  type JournalOccupant,
  type JournalRecord,
  type JournalReread,
  type MoveFailure,
  type JournalStep,
  type WriteOutcome,
} from "@rehome/core";
import { operationKey, type Id128 } from "@rehome/wire";
import type { JoinResult } from "../api.ts";
import type { Activation } from "../actors/activation.ts";
import { joinAnswer, type MailboxItem } from "../actors/delivery.ts";
import { ownerDocuments } from "../actors/owner-document.ts";
import { background } from "../background.ts";
import type { Host } from "../host.ts";
import { id128Text } from "../ids.ts";
import { valueOf, type Payload } from "../payload.ts";

interface Run {
  readonly operation: Id128;
  readonly activation: Activation;
  state: DeliveryState;
}

/** What a join's move brought along: the answer that the spot gave. */
export interface ArrivedJoin {
  readonly operation: Id128;
  readonly spotId: string;
  readonly reply: Payload;
}

/** The answers of accepted joins, from the journal to the actors: does what `core/join-journal` decides (`protocol.md` J2–J5). */
export class JoinJournal {
  readonly #host: Host;
  readonly #deliveries = new JoinDeliveries();
  readonly #runs = new Map<string, Run>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** What stands in a new join's way. */
  occupant({ writes }: Activation): JournalOccupant {
    const journal = writes?.document?.journal;
    if (!journal || journal.cursor === "delivered") return { type: "none" };
    const { operation } = journal;
    if (journal.cursor === "prepared") return { type: "prepared", operation };
    const told = this.#deliveries.knows(operation) === "told" ? "told" : "untold";
    return { type: "committed", operation, told };
  }

  write({ writes }: Activation, step: JournalStep): Promise<WriteOutcome> {
    return writes?.write({ type: "journal", step }) ?? Promise.resolve({ type: "failed", reason: "notOwner" });
  }

  /** Both steps that are left; the outcome is the last one's. */
  async markDelivered(activation: Activation, operation: Id128): Promise<WriteOutcome> {
    const committed = this.write(activation, { type: "commit", operation });
    const delivered = this.write(activation, { type: "deliver", operation });
    await committed;
    return delivered;
  }

  /** Before the actor moves on. Gives why it has to stay. */
  async marked(activation: Activation): Promise<MoveFailure | undefined> {
    const unmarked = (): Id128 | undefined =>
      unmarkedJoin(activation.writes?.document?.journal, activation.record.relocation);
    const operation = unmarked();
    if (operation === undefined) return undefined;
    await this.write(activation, { type: "commit", operation });
    if (unmarked() === undefined) return undefined;
    const { actorId } = activation;
    const message = `the store did not take the mark of the join that brought actor "${actorId}" here; try again`;
    return { code: "storeUnavailable", message, actorId };
  }

  /** The journal holds this answer: the actor is told (J3). A second call for the same operation shares the first (J4). */
  deliver(activation: Activation, record: JournalRecord, tell: "now" | "queued" = "now"): void {
    if (this.#deliveries.begin(record.operation) !== "start") return;
    const first = startDelivery(record, tell);
    const { operation } = record;
    const run: Run = { operation, activation, state: first.state };
    this.#runs.set(operationKey(operation), run);
    this.#perform(run, first);
  }

  /** A move has brought the actor here; to be called before what else it brought is queued. */
  arrived(activation: Activation, joined: ArrivedJoin | undefined, queued: readonly MailboxItem[]): void {
    const journal = activation.writes?.document?.journal;
    const queuedOperations = queued.flatMap((item) => (item.type === "joinAnswer" ? [item.operation] : []));
    for (const decision of afterMove(journal, joined?.operation, queuedOperations)) {
      if (decision === "tellUnkept") activation.enqueue(joinAnswer(joined!.operation, acceptedResult(joined!)));
      if (!journal) continue;
      const { operation } = journal;
      if (decision === "deliver") this.deliver(activation, journal);
      if (decision === "awaitTurn") this.deliver(activation, journal, "queued");
      if (decision === "markDelivered") this.#detached("mark", this.markDelivered(activation, operation));
      if (decision === "discard") this.#detached("discard", this.write(activation, { type: "discard", operation }));
    }
  }

  /** A lost owner's actor was made again here; `lastRelocation` is the store's word on its last move (L3). */
  recovered(activation: Activation, lastRelocation: Id128 | undefined): void {
    const journal = activation.writes?.document?.journal;
    if (!journal) return;
    const { operation, spotId } = journal;
    const decision = afterLoss(journal, lastRelocation);
    if (decision === "deliver") this.deliver(activation, journal);
    if (decision !== "reject") return;
    this.#detached("discard", this.write(activation, { type: "discard", operation }));
    const reason = "the actor's node was lost before the join was decided";
    const result = { outcome: "rejected", operation: id128Text(operation), spotId, reason, reply: undefined } as const;
    activation.enqueue(joinAnswer(operation, result));
  }

  /** The actor's `onJoin` has run. */
  told(activation: Activation, operation: Id128): void {
    const run = this.#runs.get(operationKey(operation));
    if (run?.activation === activation) this.#dispatch(run, { type: "Told" });
  }

  /** This copy has ended: what it was not told is in the payload of its move, or waits for the next start. */
  left(activation: Activation): void {
    for (const [key, run] of this.#runs) {
      if (run.activation !== activation) continue;
      this.#runs.delete(key);
      this.#deliveries.end(run.operation, run.state.type === "marking" ? "told" : "notTold");
    }
  }

  #dispatch(run: Run, input: DeliveryInput): void {
    this.#perform(run, stepDelivery(run.state, input));
  }

  #perform(run: Run, step: DeliveryStep): void {
    run.state = step.state;
    for (const effect of step.effects) this.#performOne(run, effect);
  }

  #performOne(run: Run, effect: DeliveryEffect): void {
    const { activation } = run;
    switch (effect.type) {
      case "TellActor":
        this.#tell(run, effect.record);
        return;
      case "ReadJournal":
        this.#detached(
          "read",
          this.#reread(activation, effect.operation).then((reread) =>
            this.#dispatch(run, { type: "JournalRead", reread }),
          ),
        );
        return;
      case "MarkCommitted":
        this.#detached("mark", this.write(activation, { type: "commit", operation: effect.operation }));
        return;
      case "MarkDelivered":
        this.#detached(
          "mark",
          this.markDelivered(activation, effect.operation).then((outcome) =>
            this.#dispatch(run, { type: "MarkSettled", outcome }),
          ),
        );
        return;
      case "StartTimer":
        this.#host.config.clock.after(effect.delayMs, () => this.#dispatch(run, { type: "RetryDue" }));
        return;
      case "Settle":
        this.#settled(run, effect.outcome);
        return;
    }
  }

  #tell(run: Run, record: JournalRecord): void {
    const { operation, spotId, contentType, reply } = record;
    const payload = { packetName: "join", contentType, data: reply };
    const item = joinAnswer(operation, acceptedResult({ operation, spotId, reply: payload }));
    if (!run.activation.enqueue(item))
      this.#dispatch(run, { type: "NotTold", reason: "the actor's mailbox is closed" });
  }

  async #reread(activation: Activation, operation: Id128): Promise<JournalReread> {
    const answer = await this.#host.store.read(activation.record.key);
    if (answer.outcome !== "found") return rereadOf(undefined, operation);
    const document = ownerDocuments.decode(answer.reading.record.payload);
    return rereadOf(document && { record: document.journal }, operation);
  }

  #settled(run: Run, outcome: DeliveryOutcome): void {
    const { activation, operation } = run;
    this.#runs.delete(operationKey(operation));
    this.#deliveries.end(operation, outcome.type === "failed" ? "notTold" : "told");
    const { actorId } = activation;
    if (outcome.type === "unmarked" && !activation.departed)
      this.#host.config.log.write("warn", "join.unmarked", { actorId, reason: outcome.reason });
    if (outcome.type !== "failed") return;
    this.#host.config.observe({ type: "JoinAnswerUndelivered", actorId, reason: outcome.reason });
  }

  #detached(what: string, work: Promise<unknown>): void {
    background(this.#host.config.log, `journal.${what}`, work);
  }
}

function acceptedResult({ operation, spotId, reply }: ArrivedJoin): JoinResult {
  return { outcome: "accepted", operation: id128Text(operation), spotId, reply: valueOf(reply) };
}
