import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ActorAccount, ClientAccount } from "./account/accounts.ts";
import type { Ending } from "./ending.ts";
import type { ClientsPlan, ClientStats, FromChild, ToChild } from "./ipc.ts";
import { judge } from "./judge.ts";
import { Mover } from "./mover.ts";
import type { ArenaConfig } from "./options.ts";
import type { Output } from "./output.ts";
import { progressText } from "./progress.ts";
import { launchOf, launchOfHarness } from "./runtimes.ts";
import { withoutPassword } from "./store-url.ts";
import { NoAnswer, Supervisor, within, type Casualty, type Child } from "./supervisor.ts";
import type { Verdict } from "./verdict.ts";

const PROGRESS_MS = 1_000;
/** For a process to boot and do what it is first told to. Generous: the machine may be busy. */
const START_MS = 30_000;
/** What a thousand clients may take on top of that to connect and bind. */
const BIND_MS_PER_CLIENT = 20;
/** Longer than a request of a client may take, which is longer than a move may. */
const QUIET_MS = 16_000;
const MOVES_END_MS = 16_000;
const MOVES_POLL_MS = 20;
const COLLECT_MS = 5_000;
/** Actors that were lost with their node never answer. */
const COLLECT_AFTER_FAILURE_MS = 1_500;
/** Added to what a process was given to do something, for saying so. */
const ANSWER_MS = 2_000;
/** Longer than a process takes to close at most; see child.ts. */
const STOP_MS = 6_000;

/** The run cannot start; the message says what to do. */
export class StartFailure extends Error {}

/** One run, from the first process to the last. Whatever happens, no process and no private file outlive it. */
export async function runArena(config: ArenaConfig, output: Output, ending: Ending): Promise<Verdict> {
  const directory = config.store === undefined ? await mkdtemp(join(tmpdir(), "rehome-arena-")) : undefined;
  const arena = new Arena(config, output, ending, directory);
  try {
    return await arena.run();
  } finally {
    await arena.close();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }
}

class Arena {
  readonly #config: ArenaConfig;
  readonly #output: Output;
  readonly #ending: Ending;
  readonly #supervisor: Supervisor;
  readonly #storeUrl: string;
  readonly #meshName = `arena-${randomBytes(4).toString("hex")}`;
  readonly #actorIds: readonly string[];
  readonly #spotIds: readonly string[];
  readonly #run = new Map<Child, number>();
  readonly #gone = new Set<Child>();
  #nodes: Child[] = [];
  #gateway!: Child;
  #clients!: Child;
  #mover: Mover | undefined;
  #clientStats: ClientStats = { sent: 0, disconnects: 0, anomalies: 0 };
  #startedAtMs: number | undefined;
  #stoppedAtMs: number | undefined;
  #startFailure: StartFailure | undefined;

  constructor(config: ArenaConfig, output: Output, ending: Ending, directory: string | undefined) {
    this.#config = config;
    this.#output = output;
    this.#ending = ending;
    this.#storeUrl = config.store ?? `sqlite:${join(directory!, "authority.db")}`;
    // Ids of their own for each run: a store that is kept may hold the actors of an earlier one.
    this.#actorIds = Array.from({ length: config.clients }, (_, i) => `${this.#meshName}/actor-${i + 1}`);
    this.#spotIds = Array.from({ length: config.nodes }, (_, i) => `${this.#meshName}/hall-${i + 1}`);
    this.#supervisor = new Supervisor(directory, {
      onMessage: (child, message) => this.#onMessage(child, message),
      onCasualty: (casualty) => this.#onCasualty(casualty),
    });
  }

  async run(): Promise<Verdict> {
    const started = this.#start().catch((error: unknown) => this.#startFailed(error));
    await Promise.race([started, this.#ending.ended]);
    if (this.#startFailure !== undefined) throw this.#startFailure;
    if (this.#ending.isEnded) return this.#verdict([], new Map());
    this.#go();
    await this.#ending.ended;
    return this.#wind();
  }

  /** Ends all processes, in bounded time. */
  async close(): Promise<void> {
    this.#mover?.stop();
    await this.#supervisor.stop(STOP_MS, this.#ending.now);
  }

  async #start(): Promise<void> {
    const { nodes, port, seed, stateBytes, runtime } = this.#config;
    const supervisor = this.#supervisor;
    this.#nodes = Array.from({ length: nodes }, (_, i) =>
      supervisor.start(`node-${letter(i)}`, "node", launchOf(runtime, i)),
    );
    this.#gateway = supervisor.start("gateway", "gateway", launchOf(runtime, nodes));
    this.#clients = supervisor.start("clients", "clients", launchOfHarness());
    const pids = supervisor.children.map((child) => `${child.name} ${child.pid}`).join(", ");
    this.#output.line(`processes: ${pids}; seed ${seed}`);

    const where = { meshName: this.#meshName, storeUrl: this.#storeUrl };
    const common = { type: "startNode", ...where, seed, stateBytes } as const;
    await this.#gateway.ask({ type: "openStore", url: this.#storeUrl }, "storeOpen", START_MS);
    const gatewayReady = this.#gateway.ask({ ...common, spotId: undefined, gatewayPort: port }, "ready", START_MS);
    const nodesReady = this.#nodes.map((node, i) =>
      node.ask({ ...common, spotId: this.#spotIds[i], gatewayPort: undefined }, "ready", START_MS),
    );
    const [{ url }] = await Promise.all([gatewayReady, ...nodesReady]);
    this.#output.line(`gateway: ${url}; store: ${withoutPassword(this.#storeUrl)}`);
    const bindMs = START_MS + BIND_MS_PER_CLIENT * this.#config.clients;
    await this.#clients.ask({ type: "startClients", plan: this.#clientsPlan(url!) }, "ready", bindMs);
    this.#mover = await this.#makeMover();
  }

  #clientsPlan(url: string): ClientsPlan {
    const { seed, rate, sabotage } = this.#config;
    const clients = this.#actorIds.map((actorId, i) => ({ client: `client-${i + 1}`, actorId }));
    return { url, seed, rate, sabotage, clients };
  }

  async #makeMover(): Promise<Mover> {
    const homes = new Map<string, number>();
    const lists = this.#nodes.map((node) => node.ask({ type: "listActors" }, "owned", START_MS));
    for (const [index, list] of (await Promise.all(lists)).entries()) {
      for (const actorId of list.actorIds) homes.set(actorId, index);
    }
    const homeOf = (actorId: string): number => {
      const home = homes.get(actorId);
      if (home === undefined) throw new StartFailure(`no node has the actor ${actorId} that a client is bound to`);
      return home;
    };
    const plan = {
      seed: this.#config.seed,
      nodes: this.#nodes,
      gateway: this.#gateway,
      spotIds: this.#spotIds,
      actorIds: this.#actorIds,
    };
    return new Mover(plan, this.#actorIds.map(homeOf));
  }

  #startFailed(error: unknown): void {
    // A process that died or failed has said more about it than its silence does.
    if (this.#ending.isEnded) return;
    const why = error instanceof StartFailure || error instanceof NoAnswer ? error.message : undefined;
    if (why === undefined) throw error;
    this.#startFailure = new StartFailure(`the arena did not start: ${why}`);
  }

  #go(): void {
    const { seconds, keep } = this.#config;
    this.#startedAtMs = performance.now();
    this.#clients.tell({ type: "go" });
    this.#mover!.start();
    const progress = setInterval(() => this.#output.progress(this.#progress()), PROGRESS_MS);
    const timer = keep ? undefined : setTimeout(() => this.#ending.finish(), seconds * 1_000);
    void this.#ending.ended.then(() => {
      clearInterval(progress);
      clearTimeout(timer);
      this.#stoppedAtMs = performance.now();
    });
  }

  #progress(): string {
    const { seconds, keep } = this.#config;
    const elapsed = (performance.now() - this.#startedAtMs!) / 1_000;
    return progressText({
      secondsLeft: keep ? undefined : Math.max(0, seconds - elapsed),
      seconds: elapsed,
      moves: this.#mover!.pauses.moves,
      sent: this.#clientStats.sent,
      run: this.#runSoFar(),
      faults: this.#clientStats.anomalies + this.#clientStats.disconnects,
      pauseMs: this.#mover!.pauses.pauseMs,
    });
  }

  /** Traffic and orders end; then everybody hands in an account. */
  async #wind(): Promise<Verdict> {
    this.#mover!.stop();
    const rested = this.#answer(this.#clients, { type: "rest", withinMs: QUIET_MS }, "clientAccounts", QUIET_MS);
    await this.#movesEnd();
    const inTime = await Promise.race([rested, this.#ending.hurry]);
    const clients = inTime ?? (await this.#answer(this.#clients, { type: "report" }, "clientAccounts", 0));
    return this.#verdict(clients?.accounts ?? [], await this.#collect());
  }

  async #movesEnd(): Promise<void> {
    const endsAtMs = performance.now() + MOVES_END_MS;
    while (this.#mover!.underWay > 0 && performance.now() < endsAtMs && this.#ending.failure === undefined) {
      await within(this.#ending.now, MOVES_POLL_MS);
    }
  }

  /** Every actor's account, asked for through any node that is left. */
  async #collect(): Promise<Map<string, ActorAccount>> {
    const accounts = new Map<string, ActorAccount>();
    const asked = [...this.#nodes, this.#gateway].find((node) => !this.#gone.has(node));
    if (asked === undefined) return accounts;
    const withinMs = this.#ending.failure === undefined ? COLLECT_MS : COLLECT_AFTER_FAILURE_MS;
    const question = { type: "collect", actorIds: this.#actorIds, withinMs } as const;
    const answer = await this.#answer(asked, question, "actorAccounts", withinMs);
    for (const account of answer?.accounts ?? []) accounts.set(account.actorId, account);
    return accounts;
  }

  #verdict(clients: readonly ClientAccount[], actors: ReadonlyMap<string, ActorAccount>): Verdict {
    const judgement = judge(clients, actors);
    const unjudged = this.#startedAtMs !== undefined && clients.length < this.#config.clients;
    return {
      // Without the clients' accounts there is only what they last said.
      judgement: unjudged ? { ...judgement, ...this.#lastHeard(judgement.received) } : judgement,
      moves: this.#mover?.pauses.moves ?? 0,
      undone: this.#mover?.undone ?? new Map<string, number>(),
      troubles: this.#mover?.troubles ?? new Map<string, number>(),
      givenUp: this.#mover?.givenUp ?? 0,
      pauses: this.#mover?.pauses ?? { pauseMs: { p50: 0, p99: 0, max: 0 }, steps: [] },
      seconds: this.#startedAtMs === undefined ? 0 : (this.#stoppedAtMs! - this.#startedAtMs) / 1_000,
      seed: this.#config.seed,
      failure: this.#ending.failure,
      stopped: this.#ending.isSignalled,
      unjudged: unjudged ? "the clients' accounts are not to be had, so loss and order could not be judged" : undefined,
    };
  }

  #lastHeard(received: number): { sent: number; received: number; disconnects: number } {
    const connectionsGone = this.#gone.has(this.#clients) ? this.#config.clients : 0;
    return {
      sent: this.#clientStats.sent,
      received: Math.max(received, this.#runSoFar()),
      disconnects: Math.max(connectionsGone, this.#clientStats.disconnects),
    };
  }

  #runSoFar(): number {
    return Array.from(this.#run.values()).reduce((sum, run) => sum + run, 0);
  }

  #onMessage(child: Child, message: FromChild): void {
    if (message.type === "moves" || message.type === "orderEnded") this.#mover?.note(child, message);
    else if (message.type === "nodeStats") this.#run.set(child, message.run);
    else if (message.type === "clientStats") this.#clientStats = message.stats;
  }

  #onCasualty({ child, what, message, signal }: Casualty): void {
    this.#gone.add(child);
    // One that is still booting does not ignore a terminal's signal yet.
    if (signal === "SIGINT" || signal === "SIGTERM" || signal === "SIGHUP")
      return this.#ending.signal(performance.now());
    const started = this.#startedAtMs !== undefined;
    if (message !== undefined && !started) this.#startFailure ??= new StartFailure(message);
    const who = `${child.name} (${child.role} process, pid ${child.pid})`;
    const reason = `${who} ${what}${message === undefined ? "" : `: ${message}`}`;
    if (this.#startFailure === undefined) this.#output.error(reason);
    this.#ending.fail(reason);
  }

  /** The answer, or nothing if the process is gone or silent, or nothing is waited for any longer. */
  async #answer<T extends FromChild["type"]>(child: Child, question: ToChild, answer: T, withinMs: number) {
    const answered = child.ask(question, answer, withinMs + ANSWER_MS).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
    });
    return (await Promise.race([answered, this.#ending.now])) ?? undefined;
  }
}

function letter(index: number): string {
  return String.fromCharCode("a".charCodeAt(0) + index);
}
