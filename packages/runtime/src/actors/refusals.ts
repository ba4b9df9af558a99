import type { PeerIdentity, TimerHandle } from "@rehome/core";
import { ridToDisplay, type FrozenSource, type Rid, type SendRefused } from "@rehome/wire";
import { background } from "../background.ts";
import { wireResultOf, type RuntimeErrorCode } from "../errors.ts";
import type { Host } from "../host.ts";

/** Refusals that wait for a link to one node; more than a hold and a follow together can refuse at once. */
const MAX_OWED_PER_PEER = 4_096;
/** Pauses between tries while there is no link: receivers wait for a refused place for the follow period, which is far longer. */
const RETRY_MS = 500;

interface Owed {
  readonly nodeGeneration: bigint;
  readonly commands: SendRefused[];
}

/**
 * Tells senders that a one-way message was not run (`protocol.md` I2), by 200. One that is lost with its link is said
 * again on the next link to the same run of the sender's node, as an outcome that nobody can tell: the first may have
 * arrived, and the message may have been sent again and run since. As the sender's node may have no reason to open that
 * link, this one tries to, for as long as the store knows that run.
 */
export class Refusals {
  readonly #host: Host;
  readonly #owed = new Map<Rid, Owed>();
  #retry: TimerHandle | undefined;

  constructor(host: Host) {
    this.#host = host;
    host.links.onLost(({ peer, unacknowledged }) => {
      for (const command of unacknowledged) if (command.command === "sendRefused") this.#send(peer, inDoubt(command));
    });
    host.links.onUp((peer) => this.#sendOwed(peer));
  }

  tell(source: FrozenSource, operation: SendRefused["operation"], code: RuntimeErrorCode): void {
    const command = { command: "sendRefused", operation, ...wireResultOf(code) } as const;
    this.#send(source, command);
  }

  #send(to: Pick<PeerIdentity, "nodeRid" | "nodeGeneration">, command: SendRefused): void {
    this.#host.links.send(to.nodeRid, command, {
      toGeneration: to.nodeGeneration,
      onUnsent: () => this.#owe(to, inDoubt(command)),
    });
  }

  #owe({ nodeRid, nodeGeneration }: Pick<PeerIdentity, "nodeRid" | "nodeGeneration">, command: SendRefused): void {
    if (this.#host.stopped()) return;
    const known = this.#owed.get(nodeRid);
    const owed = known?.nodeGeneration === nodeGeneration ? known : { nodeGeneration, commands: [] };
    this.#owed.set(nodeRid, owed);
    owed.commands.push(command);
    this.#retryLater();
    if (owed.commands.length <= MAX_OWED_PER_PEER) return;
    owed.commands.shift();
    this.#host.config.log.write("error", "refusal.forgotten", { peer: ridToDisplay(nodeRid) });
  }

  #retryLater(): void {
    if (this.#retry) return;
    const { clock, log } = this.#host.config;
    this.#retry = clock.after(RETRY_MS, () => {
      this.#retry = undefined;
      background(log, "refusal.retry", this.#tryAgain());
    });
  }

  async #tryAgain(): Promise<void> {
    const nodes = await this.#host.directory.nodes(true).catch(() => undefined);
    for (const [nodeRid, { nodeGeneration }] of [...this.#owed]) {
      const owner = nodes?.find(({ descriptor }) => descriptor.owner.nodeRid === nodeRid)?.descriptor.owner;
      if (!nodes || owner?.nodeGeneration === nodeGeneration) this.#sendOwed({ nodeRid, nodeGeneration });
      else this.#owed.delete(nodeRid);
    }
  }

  #sendOwed(peer: Pick<PeerIdentity, "nodeRid" | "nodeGeneration">): void {
    const owed = this.#owed.get(peer.nodeRid);
    if (!owed) return;
    this.#owed.delete(peer.nodeRid);
    // Nobody of an earlier run waits to hear of it.
    if (owed.nodeGeneration === peer.nodeGeneration) for (const command of owed.commands) this.#send(peer, command);
  }
}

function inDoubt(command: SendRefused): SendRefused {
  return { ...command, ...wireResultOf("outcomeUnknown") };
}
