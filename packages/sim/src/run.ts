import { useNativeCrc32c } from "@rehome/system";
import type { Report, Violation } from "./check/violation.ts";
import { checkAtRest, checkHolds, movingUnits } from "./check/at-rest.ts";
import { closeAccounts, type Death } from "./check/settled.ts";
import { NodeReports } from "./node-reports.ts";
import { probe } from "./probe.ts";
import {
  DEADLINES,
  DEADLY,
  drawAfterLoss,
  drawScale,
  drawStrengths,
  LIVENESS_MS,
  networkTerms,
  SLOWING,
  storeTerms,
  userFaults,
  type FaultName,
  type ProfileName,
  type Scale,
  type Strengths,
} from "./profile.ts";
import { Dice } from "./random.ts";
import { Client, OpenCalls } from "./workload/clients.ts";
import { Chores } from "./workload/chores.ts";
import { Traffic } from "./workload/traffic.ts";
import { Cluster, type Run } from "./world/cluster.ts";
import { Network } from "./world/network.ts";
import { SimStore } from "./world/store.ts";
import { Trace } from "./world/trace.ts";
import { Trouble } from "./world/trouble.ts";
import { VirtualTime } from "./world/virtual-time.ts";
import { watching } from "./watch/watch.ts";

export interface RunOptions {
  readonly seed: number;
  readonly profile: ProfileName;
  /** Gets every line of the trace at once. */
  readonly sink?: (line: string) => void;
}

/** What came of one seed. */
export interface RunResult {
  readonly seed: number;
  readonly hash: string;
  readonly events: number;
  readonly virtualMs: number;
  readonly messages: number;
  readonly turns: number;
  /** Moves by kind and outcome, `relocate committed`. */
  readonly moves: Readonly<Record<string, number>>;
  /** Actors that were made again after their node was lost, by what they began with. */
  readonly recreated: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** Messages that were lost with a node that had accepted them, without a word. */
  readonly silent: number;
  readonly violations: readonly Violation[];
  /** The last events, if a rule was broken. */
  readonly trace: readonly string[];
}

const TRACE_LINES = 120;
const HOLD_MESSAGES = 1_024;
/** How often the nodes' bounds are looked at. */
const LOOK_MS = 20;
/** More than a few moves in a row take, less than a seal lasts. */
const PROMPT_MS = 1_200;
/** After the faults end: as long as anything that is under way may take. */
const SETTLE_MS = 2 * DEADLINES.followMs + DEADLINES.sealMs + DEADLINES.leaseMs + DEADLINES.moveMs;

/** Runs one seed from beginning to end. The same seed always gives the same result. */
export async function runSeed(options: RunOptions): Promise<RunResult> {
  // Looked for once per process, in real time: not in the middle of the first run.
  await useNativeCrc32c();
  return new Simulation(options).run();
}

class Simulation {
  readonly #seed: number;
  readonly #strengths: Strengths;
  readonly #scale: Scale;
  readonly #time = new VirtualTime();
  readonly #trace: Trace;
  readonly #network: Network;
  readonly #store: SimStore;
  readonly #cluster: Cluster;
  readonly #reports: NodeReports;
  readonly #trouble: Trouble;
  readonly #traffic: Traffic;
  readonly #chores: Chores;
  readonly #clients: Client[] = [];
  readonly #calls = new OpenCalls();
  readonly #actorIds: readonly string[];
  readonly #spotIds: readonly string[];
  readonly #violations: Violation[] = [];
  readonly #faults: Record<string, number> = {};
  readonly #deaths: Death[] = [];
  readonly #report: Report = (rule, text, about = []) => {
    this.#violations.push({ rule, text, about, atMs: this.#time.nowMs });
    this.#trace.note("checker", `${rule} is broken: ${text}`);
  };
  #lives: ReadonlyMap<string, number> = new Map();
  #calm = false;
  #linkLosses = 0;

  constructor({ seed, profile, sink }: RunOptions) {
    this.#seed = seed;
    this.#strengths = drawStrengths(seed, profile);
    this.#scale = drawScale(seed);
    const time = this.#time;
    time.onError = (error) => this.#threw(error);
    const trace = (this.#trace = new Trace(time, sink));
    const strengths = this.#strengths;
    this.#actorIds = Array.from({ length: this.#scale.actors }, (_, at) => `actor-${at}`);
    this.#spotIds = Array.from({ length: this.#scale.spots }, (_, at) => `room-${at}`);
    this.#network = new Network({ time, trace, dice: new Dice(seed, "network"), terms: networkTerms(strengths) });
    const rate = strengths.clockDrift > 0 ? new Dice(seed, "store clock").between(0.98, 1.02) : 1;
    this.#store = new SimStore({ time, trace, dice: new Dice(seed, "store"), terms: storeTerms(strengths), rate });
    this.#cluster = this.#makeCluster();
    this.#reports = new NodeReports({
      ...{ time, trace, cluster: this.#cluster, deaths: this.#deaths, report: this.#report },
      onFault: (name) => this.#count(name),
    });
    const shared = { time, trace, strengths, cluster: this.#cluster, actorIds: this.#actorIds };
    this.#trouble = new Trouble({
      ...shared,
      dice: new Dice(seed, "trouble"),
      network: this.#network,
      store: this.#store,
      leaseMs: DEADLINES.leaseMs,
      livenessMs: LIVENESS_MS,
      onFault: (name) => this.#count(name),
    });
    this.#traffic = new Traffic({
      ...shared,
      dice: new Dice(seed, "traffic"),
      calls: this.#calls,
      spotIds: this.#spotIds,
      clients: this.#clients,
    });
    this.#chores = new Chores({
      ...{ ...shared, calls: this.#calls, traffic: this.#traffic },
      ...{ dice: new Dice(seed, "chores"), spots: new Dice(seed, "spot moves") },
    });
    this.#network.onFault = (name) => this.#count(name);
    this.#store.onFault = (name) => this.#count(name);
  }

  get #holdMessages(): number {
    const { smallHold } = this.#strengths;
    return smallHold > 0 ? 2 + Math.round(10 * (1 - smallHold)) : HOLD_MESSAGES;
  }

  get #isGentle(): boolean {
    return SLOWING.every((name) => this.#strengths[name] === 0);
  }

  get #nodesLive(): boolean {
    return DEADLY.every((name) => this.#strengths[name] === 0);
  }

  #makeCluster(): Cluster {
    const { smallMailbox, tinyChunks, clockDrift, join } = this.#strengths;
    const off = userFaults({ ...this.#strengths, ...OFF });
    const on = userFaults(this.#strengths);
    const cluster = new Cluster({
      seed: this.#seed,
      time: this.#time,
      trace: this.#trace,
      network: this.#network,
      store: this.#store,
      report: this.#report,
      deadlines: DEADLINES,
      isGentle: this.#isGentle,
      afterLoss: drawAfterLoss(this.#seed, this.#strengths),
      spotsMove: this.#strengths.spotMove > 0,
      sendersLive: this.#nodesLive,
      limits: {
        holdMessages: this.#holdMessages,
        ...(smallMailbox > 0 ? { mailboxMessages: 2 + Math.round(10 * (1 - smallMailbox)) } : {}),
        ...(tinyChunks > 0 ? { chunkBytes: 32 + Math.round(200 * (1 - tinyChunks)) } : {}),
      },
      surroundings: { faults: () => (this.#calm ? off : on), onFault: (name) => this.#count(name) },
      refusals: () => (join > 0 && !this.#calm ? 0.15 : 0),
      onEvent: (run, event) => this.#reports.on(run, event),
      onServing: () => undefined,
      onDeath: (run) => this.#onDeath(run),
    });
    const dice = new Dice(this.#seed, "machines");
    const add = (name: string, isGateway: boolean): void => {
      const rate = clockDrift > 0 ? dice.between(0.98, 1.02) : 1;
      cluster.addHost(name, isGateway, { rate, unixOffsetMs: 1.7e12 + dice.between(-5_000, 5_000) });
    };
    for (let at = 0; at < this.#scale.nodes; at++) add(`n${at}`, false);
    for (let at = 0; at < this.#scale.gateways; at++) add(`g${at}`, true);
    return cluster;
  }

  async run(): Promise<RunResult> {
    const stop = (): boolean => this.#violations.length > 0;
    const leave = watching((rule, text) => this.#report(rule, text));
    try {
      await this.#act(stop);
    } finally {
      leave();
    }
    const silent = this.#violations.length > 0 ? 0 : this.#close();
    const first = this.#violations[0];
    return {
      seed: this.#seed,
      hash: this.#trace.hash,
      events: this.#time.count,
      virtualMs: this.#time.nowMs,
      messages: this.#cluster.ledger.messages.length,
      turns: this.#cluster.ledger.turns,
      moves: this.#reports.moves,
      recreated: this.#reports.recreated,
      faults: this.#faults,
      silent,
      violations: this.#violations,
      trace: first
        ? [...this.#trace.last(TRACE_LINES / 2, first.about), "…", ...this.#trace.last(TRACE_LINES / 2)]
        : [],
    };
  }

  async #act(stop: () => boolean): Promise<void> {
    const { activeMs, clients, messagesPerSecond, movesPerSecond } = this.#scale;
    const time = this.#time;
    for (const host of this.#cluster.hosts) this.#cluster.start(host);
    await time.runUntil(30, stop);
    this.#traffic.spots();
    for (let at = 0; at < clients; at++) this.#addClient(at);
    await time.runUntil(80, stop);
    const untilMs = 80 + activeMs;
    this.#trouble.begin(untilMs);
    this.#traffic.repeat(messagesPerSecond, untilMs, () => this.#traffic.message());
    this.#traffic.repeat(movesPerSecond, untilMs, () => this.#traffic.move());
    this.#traffic.repeat(6, untilMs, () => this.#traffic.client());
    this.#chores.begin(untilMs);
    this.#look(untilMs);
    await time.runUntil(untilMs, stop);
    this.#calmDown();
    await time.runUntil(untilMs + SETTLE_MS, stop);
    if (stop()) return;
    this.#cluster.checkPlaces(this.#actorIds);
    for (const run of this.#cluster.serving()) {
      checkAtRest(run.name, run.node.counts(), this.#cluster.hosts.length - 1, this.#report);
      for (const { spotId, members } of run.node.spots()) {
        this.#cluster.ledger.rooms.checkMembers(spotId, members, this.#cluster.membersOf(spotId, this.#actorIds));
      }
    }
    if (stop()) return;
    this.#lives = await probe({
      ...{ time, cluster: this.#cluster, store: this.#store, calls: this.#calls },
      ...{ actorIds: this.#actorIds, report: this.#report, stop },
    });
  }

  /** I8, while it happens. */
  #look(untilMs: number): void {
    if (this.#time.nowMs >= untilMs) return;
    this.#cluster.checkPlaces(this.#actorIds);
    for (const run of this.#cluster.serving("nodes")) {
      const counts = run.node.counts();
      const moving = movingUnits(run.node.actors(), run.node.spots(), counts);
      if (moving > 0) checkHolds(run.name, counts, moving, this.#holdMessages, this.#report);
    }
    this.#time.after(LOOK_MS, () => this.#look(untilMs));
  }

  #addClient(at: number): void {
    const client = new Client({
      name: `c${at}`,
      cluster: this.#cluster,
      dice: new Dice(this.#seed, `client/${at}`),
      trace: this.#trace,
      calls: this.#calls,
      actorIds: this.#actorIds,
      now: () => this.#time.nowMs,
      onLost: (binding, code) => {
        if (!this.#nodesLive) return;
        this.#report("I5", `${client.name} lost its binding to ${binding.actorId} (${code}), and no node was lost`, [
          binding.actorId,
        ]);
      },
    });
    this.#clients.push(client);
    client.connect();
  }

  /** Nothing goes wrong any more; what went wrong is mended. */
  #calmDown(): void {
    this.#trace.note("trouble", "is over");
    this.#calm = true;
    const calm = { ...this.#strengths, ...OFF };
    this.#network.terms = networkTerms(calm);
    this.#store.terms = storeTerms(calm);
    this.#trouble.end();
  }

  #close(): number {
    const { silent } = closeAccounts(
      {
        ledger: this.#cluster.ledger,
        clients: this.#clients,
        deaths: this.#deaths,
        lives: this.#lives,
        linksHeld: this.#linkLosses === 0,
        isSure: this.#nodesLive && this.#deaths.length === 0 && this.#strengths.storeConflict === 0,
        promptMs: this.#isGentle ? PROMPT_MS : undefined,
      },
      this.#report,
    );
    return silent;
  }

  #onDeath(run: Run): void {
    this.#deaths.push({ name: run.name, atMs: this.#time.nowMs, isClean: run.isEmpty });
    for (const client of this.#clients) client.gatewayDied(run);
  }

  /** Neither a transport's handler nor a timer may throw. */
  #threw(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#report("internal", `a callback throws ${text.split("\n").slice(0, 6).join(" ")}`);
  }

  #count(name: FaultName | "leaseLost" | "slowRecord"): void {
    this.#faults[name] = (this.#faults[name] ?? 0) + 1;
    if (name === "linkLoss" || name === "partition" || name === "oneWayPartition" || name === "shortPause") {
      this.#linkLosses += 1;
    }
  }
}

/** What ends when the trouble is over. */
const OFF = {
  slowRecords: 0,
  backpressure: 0,
  repeatedControl: 0,
  storeSlow: 0,
  storeLostCall: 0,
  storeLostAnswer: 0,
  storeLateWrite: 0,
  captureFails: 0,
  captureHangs: 0,
  captureSlow: 0,
  restoreFails: 0,
  restoreHangs: 0,
  restoreSlow: 0,
} as const;
