import { OwedRoutes } from "@rehome/core";
import { ridToDisplay, type Rid, type SessionRelocationRoute } from "@rehome/wire";
import type { Host } from "../host.ts";

/** Sends 44s, and again on every new link for as long as a seal can live (`protocol.md` S20). */
export class OwedRouteSender {
  readonly #host: Host;
  readonly #owed: OwedRoutes;

  constructor(host: Host) {
    this.#host = host;
    this.#owed = new OwedRoutes(host.config.deadlines.sealMs);
    host.links.onUp((peer) => {
      for (const command of this.#owed.linkUp(peer.nodeRid, host.config.clock.nowMs()))
        host.links.send(peer.nodeRid, command);
    });
  }

  send(peer: Rid, command: SessionRelocationRoute): void {
    const forgotten = this.#owed.owe(peer, command, this.#host.config.clock.nowMs());
    if (forgotten) this.#host.config.log.write("error", "route.forgotten", { peer: ridToDisplay(peer) });
    this.#host.links.send(peer, command);
  }
}
