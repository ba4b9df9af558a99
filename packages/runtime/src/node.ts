import type { DrainResult, NodeDescriptor, OwnerIdentity } from "@rehome/core";
import { useNativeCrc32c } from "@rehome/system";
import type { Rid } from "@rehome/wire";
import { refuse } from "./actors/answers.ts";
import { Sender } from "./actors/outgoing.ts";
import type {
  ActorDefinition,
  ActorInfo,
  DrainOptions,
  MoveOptions,
  MoveResult,
  Node,
  NodeOptions,
  RequestOptions,
  Session,
  SessionHandler,
  ShutdownOptions,
  SpotDefinition,
  SpotInfo,
} from "./api.ts";
import { background } from "./background.ts";
import { acquireLease, assertParts, byType, findEarlierRun, reportEarlierRun } from "./boot.ts";
import { parseConfig, type NodeConfig } from "./config.ts";
import { countsOf, type NodeCounts } from "./counts.ts";
import { RuntimeError } from "./errors.ts";
import { blocked, Drainer } from "./drain/drainer.ts";
import { parseDrain, parseShutdown } from "./drain/options.ts";
import { untilQuiet } from "./drain/quiet.ts";
import { assembleHost, type Host, type NodeWork } from "./host.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { assertName } from "./names.ts";
import { assertMove, timeoutOf } from "./options.ts";
import { payloadOf, valueOf } from "./payload.ts";

/** Pauses of a closing node while its moves end. */
const CLOSE_POLL_MS = 10;

/**
 * Starts a node: takes its lease, listens, and says in the store that it serves. Rejects with a RuntimeError
 * (`invalidArgument`, `storeUnavailable`, `operationInProgress` when another run of it still holds the lease), or with the
 * transport's error when it cannot listen; then nothing is left behind.
 */
export async function startNode(options: NodeOptions): Promise<Node> {
  const config = parseConfig(options);
  assertParts(options);
  await useNativeCrc32c();
  const actorTypes = byType("actor", options.actors ?? []);
  const spotTypes = byType("spot", options.spots ?? []);
  const earlier = await findEarlierRun(config, options);
  const askedAtMs = config.clock.nowMs();
  const { owner, durationMs } = await acquireLease(config, options);
  if (earlier !== undefined) reportEarlierRun(config, earlier);
  const node = new RunningNode({ config, options, actorTypes, spotTypes, owner });
  try {
    await node.start(askedAtMs, durationMs);
  } catch (error) {
    await node.close();
    throw error;
  }
  return node;
}

interface NodeParts {
  readonly config: NodeConfig;
  readonly options: NodeOptions;
  readonly actorTypes: ReadonlyMap<string, ActorDefinition<unknown>>;
  readonly spotTypes: ReadonlyMap<string, SpotDefinition<unknown>>;
  readonly owner: OwnerIdentity;
}

class RunningNode implements Node {
  readonly name: string;
  readonly rid: Rid;
  readonly nodeGeneration: bigint;
  endpoint = "";
  readonly #config: NodeConfig;
  readonly #options: NodeOptions;
  readonly #owner: OwnerIdentity;
  readonly #host: Host;
  readonly #sender = new Sender(undefined);
  #lease: LeaseKeeper | undefined;
  #stage: "starting" | "serving" | "closing" | "closed" = "starting";
  #work: NodeWork = "all";
  #closing: Promise<void> | undefined;
  #shuttingDown: Promise<void> | undefined;
  #beginClosing: () => void = () => undefined;
  readonly #whenClosing = new Promise<void>((resolve) => (this.#beginClosing = resolve));
  readonly #drainer: Drainer;

  constructor(parts: NodeParts) {
    this.#config = parts.config;
    this.#options = parts.options;
    this.#owner = parts.owner;
    this.name = parts.config.name;
    this.rid = parts.config.rid;
    this.nodeGeneration = parts.owner.nodeGeneration;
    const { config, options, actorTypes, spotTypes, owner: self } = parts;
    const { store, transport } = options;
    const asks = { work: () => this.#work, stopped: () => this.#stopped() };
    this.#host = assembleHost({ config, self, store, transport, actorTypes, spotTypes, ...asks });
    this.#drainer = new Drainer(this.#host, {
      closed: () => this.#takeOnly("old", "draining"),
      opened: () => this.#reopen(),
    });
  }

  async start(askedAtMs: number, durationMs: number): Promise<void> {
    const { store, transport } = this.#options;
    this.#lease = new LeaseKeeper({
      config: this.#config,
      store,
      owner: this.#owner,
      askedAtMs,
      durationMs,
      onLost: (error) => this.#fail(error),
    });
    const { meshName, nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration } = this.#owner;
    const { applicationVersion, placementWeight } = this.#config;
    const lease = { ownerId, ownerLeaseGeneration };
    const listening = await transport.listen(
      { meshName, nodeRid, nodeGeneration, lease, applicationVersion, placementWeight },
      this.#host.links,
    );
    this.endpoint = listening.endpoint;
    const answer = await store.describe(this.#descriptor("serving"));
    if (answer.outcome !== "described") {
      const reason = answer.outcome === "unknown" ? answer.reason : answer.outcome;
      throw new RuntimeError("storeUnavailable", `the store does not take this node's descriptor: ${reason}`);
    }
    this.#stage = "serving";
  }

  #descriptor(state: NodeDescriptor["state"]): NodeDescriptor {
    return {
      owner: this.#owner,
      endpoint: this.endpoint,
      state,
      applicationVersion: this.#config.applicationVersion,
      stableTypes: [...this.#host.actorTypes.keys(), ...this.#host.spotTypes.keys()],
      placementWeight: this.#config.placementWeight,
      capacity: this.#config.capacity,
    };
  }

  async getOrCreate(type: string, actorId: string): Promise<{ readonly created: boolean }> {
    this.#assertOpen();
    assertName("an actor's id", actorId);
    const { created } = await this.#host.placement.ensure(type, actorId);
    return { created };
  }

  send(type: string, actorId: string, name: string, value?: unknown): void {
    this.#assertOpen();
    assertName("an actor's id", actorId);
    this.#host.outbox.send(this.#sender, { type, id: actorId }, payloadOf(name, value));
  }

  async request(
    type: string,
    actorId: string,
    name: string,
    value?: unknown,
    options?: RequestOptions,
  ): Promise<unknown> {
    this.#assertOpen();
    assertName("an actor's id", actorId);
    const answer = await this.#host.outbox.request(
      this.#sender,
      { type, id: actorId },
      payloadOf(name, value),
      timeoutOf(options),
    );
    return answer && valueOf(answer);
  }

  async destroy(type: string, actorId: string): Promise<void> {
    this.#assertOpen();
    assertName("an actor's id", actorId);
    await this.#host.placement.destroy(type, actorId);
  }

  async createSpot(type: string, spotId: string, value?: unknown): Promise<void> {
    this.#assertOpen();
    assertName("a spot's id", spotId);
    await this.#host.spots.create(type, spotId, value);
  }

  async relocate(actorId: string, options: MoveOptions): Promise<MoveResult> {
    this.#assertOpen();
    assertMove(options);
    return this.#host.mover.relocate(actorId, options.to, options.deadlineMs);
  }

  async relocateSpot(spotId: string, options: MoveOptions): Promise<MoveResult> {
    this.#assertOpen();
    assertMove(options);
    return this.#host.mover.relocateSpot(spotId, options.to, options.deadlineMs);
  }

  spots(): readonly SpotInfo[] {
    return this.#host.spots.list();
  }

  actors(): readonly ActorInfo[] {
    return this.#host.actors.list();
  }

  counts(): NodeCounts {
    return countsOf(this.#host);
  }

  openSession(handler: SessionHandler): Session {
    this.#assertOpen();
    return this.#host.sessions.open(handler);
  }

  async drain(options: DrainOptions = {}): Promise<DrainResult> {
    const request = parseDrain(options);
    const { ended } = this.#drainer;
    if (ended) return ended;
    if (this.#stage !== "serving" || this.#stopped()) return blocked("runtimeNotReady");
    return this.#drainer.drain(request, options);
  }

  /** D1: what this node takes on, said in the store too; a store that is silent changes nothing about it. */
  async #takeOnly(work: NodeWork, state: NodeDescriptor["state"]): Promise<void> {
    if (this.#stage !== "serving" || this.#shuttingDown) return;
    this.#work = work;
    this.#host.mover.arrivals.declineNew(work === "all" ? undefined : `node "${this.name}" is being drained`);
    const deadline = this.#config.clock.nowMs() + this.#config.deadlines.storeResolutionMs;
    await this.#within(deadline, this.#describe(state));
  }

  /** D4: whoever awaited the drain may create here at once, so this node's own list must say so too. */
  async #reopen(): Promise<void> {
    await this.#takeOnly("all", "serving");
    if (this.#stage !== "serving") return;
    const deadline = this.#config.clock.nowMs() + this.#config.deadlines.storeResolutionMs;
    await this.#within(deadline, this.#host.directory.renewed());
  }

  async #describe(state: NodeDescriptor["state"]): Promise<void> {
    const { outcome } = await this.#options.store.describe(this.#descriptor(state));
    if (outcome !== "described") this.#config.log.write("warn", "node.undescribed", { state, outcome });
  }

  async shutdown(options: ShutdownOptions = {}): Promise<void> {
    const deadlineMs = parseShutdown(options, this.#config.deadlines.closeMs);
    this.#shuttingDown ??= this.#shutdown(deadlineMs);
    return this.#shuttingDown;
  }

  /** D5: new work is refused, what was accepted is finished as far as the time goes; `close` releases the lease last. */
  async #shutdown(deadlineMs: number): Promise<void> {
    if (this.#stage === "serving" && !this.#stopped()) {
      const deadline = this.#config.clock.nowMs() + deadlineMs;
      this.#stage = "closing";
      this.#work = "ending";
      this.#drainer.end("ShutdownRequested");
      const message = `node "${this.name}" is shutting down`;
      this.#host.mover.arrivals.declineNew(message);
      // What the store has not been asked about yet stays where it lives.
      this.#host.mover.arrivals.abortAll(message);
      // A close meanwhile ends the node's clock, and with it every wait for time.
      await Promise.race([this.#finish(deadline), this.#whenClosing]);
    }
    await this.close();
  }

  async #finish(deadlineMs: number): Promise<void> {
    await this.#within(deadlineMs, this.#describe("stopped"));
    if (!(await untilQuiet(this.#host, deadlineMs))) this.#config.log.write("warn", "shutdown.unfinished", {});
  }

  close(): Promise<void> {
    this.#beginClosing();
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** In bounded time: sessions end, moves end or are undone, actors end, the lease goes last. */
  async #close(): Promise<void> {
    const { mover, requests, links, sessions } = this.#host;
    const { clock, deadlines } = this.#config;
    const deadline = clock.nowMs() + deadlines.closeMs;
    const lost = this.#stopped();
    this.#drainer.end(lost ? "LeaseLost" : "ShutdownRequested");
    if (!lost) {
      this.#stage = "closing";
      if (this.endpoint !== "") await this.#within(deadline, this.#options.store.describe(this.#descriptor("stopped")));
      await this.#within(deadline, sessions.close());
      const message = `node "${this.name}" is closing`;
      mover.departures.abortAll({ code: "aborted", message });
      mover.arrivals.abortAll(message);
      while (clock.nowMs() < deadline && (mover.departures.openCount > 0 || mover.arrivals.openCount > 0)) {
        await this.#host.directory.pause(CLOSE_POLL_MS);
      }
    }
    if (!lost) this.#refuseUnrun();
    this.#host.outbox.close();
    requests.close();
    this.#stage = "closed";
    mover.stop();
    sessions.stop();
    for (const activation of this.#host.actors.all()) this.#host.actors.remove(activation);
    this.#lease?.stop();
    links.close();
    await this.#options.transport.close();
    if (!lost) await this.#within(deadline, this.#options.store.release(this.#owner));
    clock.end();
  }

  /** I2: whoever sent what will not be run here is told so. */
  #refuseUnrun(): void {
    for (const activation of this.#host.actors.all()) {
      for (const delivery of activation.unrun())
        refuse(this.#host, delivery, "notConnected", `actor "${activation.actorId}" ended with its node`);
    }
  }

  async #within(deadlineMs: number, work: Promise<unknown>): Promise<void> {
    const left = Math.max(1, deadlineMs - this.#config.clock.nowMs());
    await Promise.race([work.catch(() => undefined), this.#host.directory.pause(left)]);
  }

  #assertOpen(): void {
    if (this.#stage !== "serving") throw new RuntimeError("closed", `node "${this.name}" is not serving any more`);
  }

  #stopped(): boolean {
    if (this.#stage === "closed") return true;
    return this.#lease !== undefined && !this.#lease.stands();
  }

  /** L1: without its lease this run may do nothing any more. */
  #fail(error: RuntimeError): void {
    this.#config.log.write("error", "node.failed", { code: error.code, message: error.message });
    this.#config.observe({ type: "NodeFailed", error });
    background(this.#config.log, "node.close", this.close());
  }
}
