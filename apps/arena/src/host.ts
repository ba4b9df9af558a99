import type { Node, NodeEvent } from "@rehome/runtime";
import { RuntimeError, startNode } from "@rehome/runtime";
import { arenaActor, arenaSpot } from "./actor.ts";
import type { ChildProcess } from "./child.ts";
import type { MoveEvent, ToChild } from "./ipc.ts";
import { machineClockOffsetMs, nodeTransport, stderrLog } from "./node-parts.ts";
import { ACTOR_TYPE, messageNames, SPOT_TYPE } from "./messages.ts";
import type { ActorAccount } from "./account/accounts.ts";
import { openStore } from "./store-url.ts";

/** How often a process reports. Events wait that long: telling them at once would cost time in the pause they measure. */
const REPORT_MS = 200;
/** The runtime's own bound for `close`, shorter than this process's. */
const NODE_CLOSE_MS = 3_000;
const ENTRY_WEIGHT = 50;
/** Questions to actors that are asked at the same time. */
const CONCURRENT_QUESTIONS = 64;
/** Longer than a move may take, so that an order is never called lost while it is carried out. */
const JOIN_REQUEST_MS = 12_000;

/** One node of the arena, in its own process, and its part in what the main process orders. */
export class Host {
  readonly node: Node;
  readonly #child: ChildProcess;
  readonly #books: Books;

  private constructor(child: ChildProcess, node: Node, books: Books) {
    this.#child = child;
    this.node = node;
    this.#books = books;
  }

  static async start(child: ChildProcess, message: Extract<ToChild, { type: "startNode" }>): Promise<Host> {
    const books = new Books(child, await machineClockOffsetMs());
    const log = stderrLog(child.name);
    const { meshName, storeUrl, spotId } = message;
    const store = await openStore(storeUrl);
    child.onClose(() => store.close());
    const node = await startNode({
      meshName,
      name: child.name,
      store,
      transport: nodeTransport(log),
      actors: [
        arenaActor(message, {
          onRun: () => books.run++,
          onJoined: (actorId, accepted, reason) =>
            books.ended(actorId, accepted ? undefined : `rejected: ${withoutNames(reason)}`),
        }),
      ],
      spots: [arenaSpot()],
      placementWeight: spotId === undefined ? 0 : ENTRY_WEIGHT,
      deadlines: { closeMs: NODE_CLOSE_MS },
      log,
      observe: (event) => books.observe(event),
    });
    child.onClose(() => node.close());
    const reporting = setInterval(() => books.report(), REPORT_MS);
    child.onClose(() => Promise.resolve(clearInterval(reporting)));
    if (spotId !== undefined) await node.createSpot(SPOT_TYPE, spotId);
    return new Host(child, node, books);
  }

  async handle(message: ToChild): Promise<void> {
    switch (message.type) {
      case "listActors":
        this.#child.tell({ type: "owned", actorIds: this.node.actors().map((actor) => actor.actorId) });
        return;
      case "relocate":
        return this.#relocate(message.actorId, message.to);
      case "join":
        return this.#join(message.actorId, message.spotId);
      case "collect": {
        const accounts = await this.#collect(message.actorIds, message.withinMs);
        this.#books.report();
        this.#child.tell({ type: "actorAccounts", accounts });
        return;
      }
      default:
        throw new Error(`a node does not understand "${message.type}"`);
    }
  }

  async #relocate(actorId: string, to: string): Promise<void> {
    try {
      await this.node.relocate(actorId, { to });
      this.#books.ended(actorId, undefined);
    } catch (error) {
      this.#books.ended(actorId, reasonOf(error));
    }
  }

  /** Succeeds silently: the actor says how its join ended, from the node where it then is. */
  async #join(actorId: string, spotId: string): Promise<void> {
    try {
      await this.node.request(ACTOR_TYPE, actorId, messageNames.go, { spotId }, { timeoutMs: JOIN_REQUEST_MS });
    } catch (error) {
      this.#books.ended(actorId, reasonOf(error));
    }
  }

  /** Whoever does not answer in time is missing. */
  async #collect(actorIds: readonly string[], withinMs: number): Promise<ActorAccount[]> {
    const accounts: ActorAccount[] = [];
    const left = [...actorIds];
    const endsAt = performance.now() + withinMs;
    const ask = async (): Promise<void> => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        const timeoutMs = Math.max(1, Math.ceil(endsAt - performance.now()));
        const answer = this.node.request(ACTOR_TYPE, id, messageNames.account, undefined, { timeoutMs });
        await answer.then(
          (account) => accounts.push(account as ActorAccount),
          () => undefined,
        );
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_QUESTIONS }, ask));
    return accounts;
  }
}

/** What a node's process gathers for the main process and sends in batches, in order. */
class Books {
  run = 0;
  readonly #child: ChildProcess;
  readonly #clockOffsetMs: number;
  #events: MoveEvent[] = [];

  constructor(child: ChildProcess, clockOffsetMs: number) {
    this.#child = child;
    this.#clockOffsetMs = clockOffsetMs;
  }

  observe(event: NodeEvent): void {
    if (event.type === "NodeFailed") {
      this.#child.fail(`the node stopped: ${event.error.message}`);
    } else if (event.type === "MovePaused") {
      this.#events.push({ type: "paused", relocation: event.relocation, atMs: this.#shared(event.atMs) });
    } else if (event.type === "MoveOpened") {
      const { relocation, actorId, atMs } = event;
      this.#events.push({ type: "opened", relocation, actorId, atMs: this.#shared(atMs) });
    } else if (event.type === "MoveEnded") {
      if (event.outcome === "committed") this.#events.push({ type: "committed", steps: event.steps });
      else this.#events.push({ type: "undone", relocation: event.relocation, reason: event.reason ?? event.outcome });
    }
  }

  #shared(atMs: number): number {
    return atMs + this.#clockOffsetMs;
  }

  ended(actorId: string, trouble: string | undefined): void {
    this.report();
    this.#child.tell({ type: "orderEnded", actorId, trouble });
  }

  report(): void {
    if (this.#events.length > 0) this.#child.tell({ type: "moves", events: this.#events });
    this.#events = [];
    this.#child.tell({ type: "nodeStats", run: this.run });
  }
}

/** The codes say why; the texts name actors, and no two would be the same. */
function reasonOf(error: unknown): string {
  if (!(error instanceof RuntimeError)) return String(error);
  return error.cause instanceof RuntimeError ? `${error.code} (${reasonOf(error.cause)})` : error.code;
}

/** What is quoted in a reason names this actor or that; the rest says why. */
function withoutNames(reason: string): string {
  return reason.replace(/"[^"]*"/g, "…");
}
