import type { PeerIdentity } from "@rehome/core";
import { ridToDisplay, type FrozenSource, type Rid, type SendRefused } from "@rehome/wire";
import { wireResultOf, type RuntimeErrorCode } from "../errors.ts";
import type { Host } from "../host.ts";

/** Refusals that wait for a link to one node; more than a hold and a follow together can refuse at once. */
const MAX_OWED_PER_PEER = 4_096;

interface Owed {
  readonly nodeGeneration: bigint;
  readonly commands: SendRefused[];
}

/**
 * Tells senders that a one-way message was not run (`protocol.md` I2), by 200. One that is lost with its link is said
 * again on the next link to the same run of the sender's node, as an outcome that nobody can tell: the first may have
 * arrived, and the message may have been sent again and run since.
 */
export class Refusals {
  readonly #host: Host;
  readonly #owed = new Map<Rid, Owed>();

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
    this.#host.links.send(to.nodeRid, command, { onUnsent: () => this.#owe(to, inDoubt(command)) });
  }

  #owe({ nodeRid, nodeGeneration }: Pick<PeerIdentity, "nodeRid" | "nodeGeneration">, command: SendRefused): void {
    if (this.#host.stopped()) return;
    const known = this.#owed.get(nodeRid);
    const owed = known?.nodeGeneration === nodeGeneration ? known : { nodeGeneration, commands: [] };
    this.#owed.set(nodeRid, owed);
    owed.commands.push(command);
    if (owed.commands.length <= MAX_OWED_PER_PEER) return;
    owed.commands.shift();
    this.#host.config.log.write("error", "refusal.forgotten", { peer: ridToDisplay(nodeRid) });
  }

  #sendOwed(peer: PeerIdentity): void {
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
