import type { Clock, Log, Random } from "@rehome/core";
import { silentLog, systemClock, systemRandom } from "@rehome/system";
import type { Node, NodeEvent, NodeOptions } from "./api.ts";
import { background } from "./background.ts";
import { errorText } from "./error-text.ts";
import { RuntimeError } from "./errors.ts";
import { startNode } from "./node.ts";
import { ScopedClock } from "./scoped-clock.ts";

/** A store that is back for a moment is noticed soon. */
const FIRST_PAUSE_MS = 250;
/** Half a default lease: nobody waits much longer for a node than its lease would have taken to end. */
const LONGEST_PAUSE_MS = 5_000;

/** A node that outlives the loss of its lease: see {@link keepNode}. */
export interface KeptNode {
  /** The run of now, or `undefined` while there is none. */
  readonly node: Node | undefined;
  /** Settles when the node is kept no longer: by `close`, or because it cannot go on. Never rejects. */
  readonly ended: Promise<KeepingEnd>;
  /** Ends the run of now, and does not start another. */
  close(): Promise<void>;
}

/**
 * `replaced`: another process runs a newer run of this node; two would take its place from each other for ever.
 * `invalidOptions`: the next run's options are wrong.
 */
export type KeepingEnd = "closed" | "replaced" | "invalidOptions";

/**
 * Starts a node, and starts it again whenever it has lost its lease, for example because the store was away for longer than
 * that (`protocol.md` L1): a new run with the next `nodeGeneration`, which owns nothing of what the old one did. Its actors are made
 * anew where they are next bound or created (L3); clients of its sessions have to connect again.
 *
 * `makeOptions` gives the options of each run; each needs a transport of its own, the store may be the same. `onRun` gets each
 * run, the first included, when it serves, and must not throw. Rejects like `startNode` if the first run does not start.
 */
export async function keepNode(makeOptions: () => NodeOptions, onRun?: (node: Node) => void): Promise<KeptNode> {
  const keeper = new NodeKeeper(makeOptions, onRun ?? (() => undefined));
  await keeper.start();
  return keeper;
}

class NodeKeeper implements KeptNode {
  node: Node | undefined;
  readonly ended: Promise<KeepingEnd>;
  readonly #makeOptions: () => NodeOptions;
  readonly #onRun: (node: Node) => void;
  #settleEnded!: (end: KeepingEnd) => void;
  #isClosing = false;
  #wake: () => void = () => undefined;
  #starting: Promise<void> = Promise.resolve();

  constructor(makeOptions: () => NodeOptions, onRun: (node: Node) => void) {
    this.#makeOptions = makeOptions;
    this.#onRun = onRun;
    this.ended = new Promise((resolve) => (this.#settleEnded = resolve));
  }

  async start(): Promise<void> {
    const options = this.#makeOptions();
    const run: { node?: Node; failed?: RuntimeError } = {};
    const observe = (event: NodeEvent) => {
      options.observe?.(event);
      if (event.type !== "NodeFailed") return;
      run.failed = event.error;
      if (run.node !== undefined) this.#failed(run.node, options);
    };
    const node = await startNode({ ...options, observe });
    // It may have lost its lease while it was still starting.
    if (run.failed !== undefined) throw run.failed;
    run.node = node;
    this.node = node;
    this.#onRun(node);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wake();
    await this.#starting;
    await this.node?.close();
    this.node = undefined;
    this.#settleEnded("closed");
  }

  #failed(node: Node, options: NodeOptions): void {
    if (this.node !== node) return;
    this.node = undefined;
    const log = options.log ?? silentLog;
    this.#starting = this.#startAgain(node, options, log);
    background(log, "node.startAgain", this.#starting);
  }

  async #startAgain(lost: Node, options: NodeOptions, log: Log): Promise<void> {
    await lost.close();
    const { clock = systemClock, random = systemRandom } = options;
    for (let pauseMs = FIRST_PAUSE_MS; !this.#isClosing; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await this.#pause(jittered(pauseMs, random), clock);
      if (this.#isClosing) return;
      const end = await this.#tryStart(lost, options, log);
      if (end === "started") return;
      if (end !== "later") return this.#giveUp(end, log);
    }
  }

  async #tryStart(lost: Node, options: NodeOptions, log: Log): Promise<"started" | "later" | KeepingEnd> {
    try {
      const listed = await options.store.nodes(options.meshName);
      if (listed.outcome === "unknown") {
        log.write("warn", "node.storeSilent", { reason: listed.reason });
        return "later";
      }
      const isNewer = ({ owner }: (typeof listed.nodes)[number]["descriptor"]) =>
        owner.nodeRid === lost.rid && owner.nodeGeneration > lost.nodeGeneration;
      if (listed.nodes.some(({ descriptor }) => isNewer(descriptor))) return "replaced";
      await this.start();
      log.write("info", "node.startedAgain", { nodeGeneration: this.node?.nodeGeneration });
      return "started";
    } catch (error) {
      log.write("warn", "node.startFailed", { error: errorText(error) });
      return error instanceof RuntimeError && error.code === "invalidArgument" ? "invalidOptions" : "later";
    }
  }

  #giveUp(end: KeepingEnd, log: Log): void {
    log.write("error", "node.givenUp", { reason: end });
    this.#settleEnded(end);
  }

  async #pause(delayMs: number, clock: Clock): Promise<void> {
    const scoped = new ScopedClock(clock);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      scoped.after(delayMs, resolve);
    });
    scoped.end();
  }
}

/** Shortened at random by up to half, so that the nodes of a mesh do not fall upon a store that is just coming back. */
function jittered(pauseMs: number, random: Random): number {
  return pauseMs * (1 - random.bytes(1)[0]! / 512);
}
