import type { LinkEvent, PeerAddress, PeerIdentity, TransportHandler } from "@rehome/core";
import type { Rid } from "@rehome/wire";
import type { End } from "./link.ts";
import type { Process } from "./process.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A listening node on the network. */
export class Station {
  readonly process: Process;
  readonly identity: PeerIdentity;
  readonly handler: TransportHandler;
  readonly ends = new Map<Rid, End>();
  /** Nodes that it tries to reach, or would again after a loss. */
  readonly wanted = new Map<Rid, PeerAddress>();
  /** The newest run of each node that it knows of; older ones are refused. */
  readonly newest = new Map<Rid, bigint>();
  closed = false;
  /** Ends that are lost, of which the process has not been told yet. */
  readonly #fading = new Map<Rid, End>();

  constructor(process: Process, identity: PeerIdentity, handler: TransportHandler) {
    this.process = process;
    this.identity = identity;
    this.handler = handler;
  }

  /** The link as the process sees it. */
  current(nodeRid: Rid): End | undefined {
    const fading = this.#fading.get(nodeRid);
    if (fading && !fading.gone) return fading;
    const end = this.ends.get(nodeRid);
    return end?.up === true && !end.gone ? end : undefined;
  }

  fade(nodeRid: Rid, end: End): void {
    if (end.up) this.#fading.set(nodeRid, end);
  }

  tell(time: VirtualTime, event: LinkEvent): void {
    time.after(0, () => this.process.enter(() => this.handler.onLink(event)));
  }
}
