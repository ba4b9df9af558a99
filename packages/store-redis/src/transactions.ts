import { OptimisticCall, RowMemory } from "@rehome/core";
import type {
  AuthorityTransactions,
  OptimisticStep,
  OwnerLease,
  RowBundle,
  RowNeeds,
  TransactionBody,
  UnknownAnswer,
} from "@rehome/core";
import type { Argument } from "./connection.ts";
import { replyCode, textOf } from "./errors.ts";
import { bundleArguments } from "./bundle.ts";
import type { WriterGuard } from "./bundle.ts";
import { LeaseReader, needsArguments, snapshotFrom } from "./exchange.ts";
import type { RedisLease, RedisSnapshot, Reply } from "./exchange.ts";
import type { Link } from "./link.ts";
import type { RedisStoreConfig } from "./options.ts";
import { leaseId, nonceOf } from "./rows.ts";
import { APPLY_SCRIPT, FETCH_SCRIPT, KEY_NAMES } from "./scripts.ts";
import type { Script } from "./scripts.ts";
import { Witness } from "./witness.ts";
import type { Testimony } from "./witness.ts";

/** Answers of Redis that come before it runs anything of a script (its documentation, "Error codes"). */
const REFUSALS = new Set([
  "NOSCRIPT",
  "LOADING",
  "BUSY",
  "READONLY",
  "MASTERDOWN",
  "NOREPLICAS",
  "MISCONF",
  "OOM",
  "NOAUTH",
  "NOPERM",
  "CLUSTERDOWN",
  "MOVED",
  "ASK",
  "TRYAGAIN",
]);
/** Those that another connection, to what the address leads to then, may not give. */
const WRONG_SERVER = new Set(["READONLY", "MASTERDOWN", "NOAUTH", "CLUSTERDOWN", "MOVED"]);

const NOTHING_WRITTEN = "Nothing was written.";
const NOT_KNOWN = "Whether the write took effect is not known.";

/** A request that got no reply of the script. */
class Failure {
  readonly reason: string;
  /** Whether it is certain that the script has not run. */
  readonly hasNotRun: boolean;

  constructor(reason: string, hasNotRun: boolean) {
    this.reason = reason;
    this.hasNotRun = hasNotRun;
  }
}

/** What a request is sent with. */
interface Sent {
  readonly needs: RowNeeds;
  /** To be compared with its answer. */
  readonly recalled: ReadonlyMap<string, Testimony | undefined>;
  readonly aheadUs: number;
}

/** How tests move the server's clock; 0 in a store. */
export type AheadUs = () => number;

/** The transactions of one client: each call reads and writes rows in as many requests as it needs, usually one or two. */
export class RedisTransactions implements AuthorityTransactions {
  readonly #config: RedisStoreConfig;
  readonly #link: Link;
  readonly #keys: readonly string[];
  readonly #aheadUs: AheadUs;
  readonly #witness = new Witness();
  readonly #memory = new RowMemory<RedisLease>();
  readonly #leases = new LeaseReader();

  constructor(config: RedisStoreConfig, link: Link, aheadUs: AheadUs) {
    this.#config = config;
    this.#link = link;
    this.#keys = keysOf(config.prefix);
    this.#aheadUs = aheadUs;
  }

  read<A>(body: TransactionBody<A>, needs: RowNeeds): Promise<A | UnknownAnswer> {
    return this.#call(body, needs, false);
  }

  write<A>(body: TransactionBody<A>, needs: RowNeeds): Promise<A | UnknownAnswer> {
    return this.#call(body, needs, true);
  }

  close(): Promise<void> {
    this.#link.close();
    return Promise.resolve();
  }

  async #call<A>(body: TransactionBody<A>, needs: RowNeeds, mayWrite: boolean): Promise<A | UnknownAnswer> {
    const { clock, callDeadlineMs } = this.#config;
    const deadlineMs = clock.nowMs() + callDeadlineMs;
    const call = new OptimisticCall(body, needs, callDeadlineMs);
    let snapshot = mayWrite ? this.#memory.recall(needs, clock.nowMs()) : undefined;
    let step: OptimisticStep<A> = call.begin(snapshot);
    for (;;) {
      switch (step.do) {
        case "settle":
          return step.answer;
        case "giveUp":
          return unknown(`Others changed the same rows again and again. ${NOTHING_WRITTEN}`);
        case "fetch": {
          const fetched = await this.#fetch(step.needs, deadlineMs);
          if (fetched instanceof Failure) return unknown(`${fetched.reason} ${NOTHING_WRITTEN}`);
          snapshot = fetched;
          step = call.fetched(fetched);
          break;
        }
        case "apply": {
          const outcome = await this.#apply(step.bundle, step.needs, snapshot!, deadlineMs);
          if (outcome === "applied") return step.answer;
          if (outcome instanceof Failure) {
            return unknown(`${outcome.reason} ${outcome.hasNotRun ? NOTHING_WRITTEN : NOT_KNOWN}`);
          }
          snapshot = outcome;
          step = call.conflicted(outcome);
        }
      }
    }
  }

  async #fetch(needs: RowNeeds, deadlineMs: number): Promise<RedisSnapshot | Failure> {
    const sent = this.#sending(needs);
    const reply = await this.#request(FETCH_SCRIPT, sent, [], deadlineMs);
    return reply instanceof Failure ? reply : this.#snapshotFrom(reply, sent);
  }

  async #apply(
    bundle: RowBundle,
    needs: RowNeeds,
    snapshot: RedisSnapshot,
    deadlineMs: number,
  ): Promise<"applied" | RedisSnapshot | Failure> {
    const sent = this.#sending(needs);
    const writer = writerOf(bundle, needs, snapshot);
    const nonce = writer === undefined ? Buffer.from(this.#config.random.bytes(NONCE_BYTES)).toString("hex") : "";
    const known = writer === undefined ? undefined : sent.recalled.get(writer.row.owner.ownerId);
    const guard = writer === undefined ? undefined : guardOf(writer, known);
    const rest = bundleArguments(bundle, snapshot, { writer: guard, nonce });
    const reply = await this.#request(APPLY_SCRIPT, sent, rest, deadlineMs);
    if (reply instanceof Failure) {
      this.#memory.forget(bundle);
      return reply;
    }
    const [isApplied, written] = reply as readonly [number, number];
    if (isApplied !== 1) return this.#snapshotFrom(reply, sent);
    if (writer !== undefined) this.#noteWrite(writer, BigInt(written));
    else for (const { row } of bundle.writes.leases) if (row !== undefined) this.#noteNew(row.owner, nonce);
    this.#memory.noteWrites(bundle);
    return "applied";
  }

  #noteWrite({ row, revision }: RedisLease, writes: bigint): void {
    const { ownerId, ownerLeaseGeneration } = row.owner;
    this.#witness.note(ownerId, { ownerLeaseGeneration, nonce: nonceOf(revision), writes });
  }

  #noteNew({ ownerId, ownerLeaseGeneration }: OwnerLease, nonce: string): void {
    this.#witness.note(ownerId, { ownerLeaseGeneration, nonce, writes: 0n });
  }

  #sending(needs: RowNeeds): Sent {
    const recalled = new Map(needs.leases.map((ownerId) => [ownerId, this.#witness.recall(ownerId)]));
    return { needs, recalled, aheadUs: this.#aheadUs() };
  }

  /** A lease of which the server has forgotten something counts as ended here: its holder is told so, and stops. */
  #snapshotFrom(reply: Reply, { needs, recalled, aheadUs }: Sent): RedisSnapshot | Failure {
    let snapshot: RedisSnapshot;
    try {
      snapshot = snapshotFrom(reply as readonly Reply[], needs, { aheadUs, leases: this.#leases });
    } catch (error) {
      return new Failure(`The data in Redis cannot be read (${textOf(error)}).`, true);
    }
    const leases = new Map(snapshot.leases);
    for (const [ownerId, testimony] of recalled) {
      const lease = leases.get(ownerId);
      if (lease === undefined || this.#witness.confirms(lease, testimony)) continue;
      leases.set(ownerId, { ...lease, row: { ...lease.row, endsAtMs: Number.NEGATIVE_INFINITY } });
    }
    const shown = { ...snapshot, leases };
    this.#memory.note(shown, this.#config.clock.nowMs());
    return shown;
  }

  /** One request, on the connection that there is by then. It is never sent twice. */
  async #request(
    script: Script,
    { needs, aheadUs }: Sent,
    bundle: readonly Argument[],
    deadlineMs: number,
  ): Promise<Reply | Failure> {
    const connection = this.#link.connection ?? (await this.#link.connected(deadlineMs));
    if (connection === undefined) return new Failure(this.#whyNoConnection(), true);
    try {
      const wanted = needsArguments(needs);
      const scriptArguments = [String(aheadUs), String(wanted.length), ...wanted, ...bundle];
      return await connection.run(script, this.#keys, scriptArguments, deadlineMs);
    } catch (error) {
      const code = replyCode(error);
      if (WRONG_SERVER.has(code)) connection.break(error);
      return new Failure(this.#link.isClosed ? "The store is closed." : reasonOf(error), REFUSALS.has(code));
    }
  }

  #whyNoConnection(): string {
    if (this.#link.isClosed) return "The store is closed.";
    return this.#link.obstacle?.message ?? "There is no connection to Redis.";
  }
}

/** 128 random bits: no two runs have the same. */
const NONCE_BYTES = 16;

/** All keys of a store. The braces are Redis's hash tag: in a cluster they are all in one slot. */
export function keysOf(prefix: string): readonly string[] {
  return KEY_NAMES.map((name) => `{${prefix}}:${name}`);
}

/** The lease under which a bundle writes: the one that its call names, unless the bundle makes or ends it. */
function writerOf(bundle: RowBundle, needs: RowNeeds, snapshot: RedisSnapshot): RedisLease | undefined {
  const [ownerId] = needs.leases;
  const lease = ownerId === undefined ? undefined : snapshot.leases.get(ownerId);
  const written = bundle.writes.leases.find((write) => write.ownerId === ownerId);
  const generation = lease?.row.owner.ownerLeaseGeneration;
  const isMadeOrEnded = written !== undefined && written.row?.owner.ownerLeaseGeneration !== generation;
  return isMadeOrEnded ? undefined : lease;
}

function guardOf(writer: RedisLease, known: Testimony | undefined): WriterGuard {
  const isSame = known?.ownerLeaseGeneration === writer.row.owner.ownerLeaseGeneration;
  const writes = isSame && known.writes > writer.writes ? known.writes : writer.writes;
  return { leaseId: leaseId(writer.row.owner), writes };
}

function reasonOf(error: unknown): string {
  return `The connection to Redis failed (${textOf(error)}).`;
}

function unknown(reason: string): UnknownAnswer {
  return { outcome: "unknown", reason };
}
