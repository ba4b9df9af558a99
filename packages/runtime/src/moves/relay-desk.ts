import { ReplyRelayReceiver, ReplyRelaySender, type RelayedResult } from "@rehome/core";
import { ridToDisplay, type FrozenSource, type RequestSource } from "@rehome/wire";
import { payloadBytes, type Delivery, type RelayContext } from "../actors/delivery.ts";
import type { Host } from "../host.ts";

/** Answers of requests that have moved: 33 and 46, on both sides (`protocol.md` section 10). */
export class RelayDesk {
  readonly #host: Host;
  readonly #sender = new ReplyRelaySender();
  readonly #receiver: ReplyRelayReceiver;

  constructor(host: Host) {
    this.#host = host;
    const { links, requests, self, config } = host;
    this.#receiver = new ReplyRelayReceiver(requesterOf(self));
    requests.onSettled((operation, correlation) => this.#receiver.closed(operation, correlation));
    links.handle("replyRelay", (peer, command) => {
      const answer = this.#receiver.receive(
        command,
        requests.openRequest(command.replyRouteId, command.operation, requesterOf(self)),
      );
      if (answer.outcome === "refused") {
        config.log.write("warn", "relay.refused", { peer: ridToDisplay(peer.nodeRid), field: answer.field });
        return;
      }
      if (answer.outcome === "deliver") requests.complete(command.replyRouteId, command);
      links.send(peer.nodeRid, answer.ack);
    });
    links.handle("replyRelayAck", (peer, command) => {
      const answer = this.#sender.acknowledge(peer.nodeRid, command);
      if (answer.outcome === "refused") {
        config.log.write("warn", "relayAck.refused", { peer: ridToDisplay(peer.nodeRid), field: answer.field });
      }
    });
    links.onUp((peer) => {
      for (const command of this.#sender.linkUp(peer.nodeRid, peer.nodeGeneration))
        links.send(peer.nodeRid, command, { traffic: "data" });
    });
  }

  /** Sends the terminal result of a request that moved here, and again until it is acknowledged (Q3). */
  relay(delivery: Delivery, relocation: RelayContext, result: RelayedResult): void {
    const sent = this.#sender.relay(
      {
        operation: delivery.operation,
        replyRouteId: delivery.replyRouteId,
        requester: requesterOf(delivery.source),
        move: relocation,
      },
      result,
      result.payload ? payloadBytes(result.payload) : 0,
    );
    for (const dropped of sent.dropped) {
      this.#host.config.log.write("error", "relay.dropped", { replyRouteId: dropped.replyRouteId });
    }
    this.#host.links.send(sent.peer, sent.command, { traffic: "data" });
  }

  /** Results that have not been acknowledged. */
  get waiting(): number {
    return this.#sender.size;
  }

  /** The store says that this lease has ended: nobody waits for its answers any more (Q3). */
  leaseEnded(ownerId: string, ownerLeaseGeneration: bigint): void {
    this.#sender.leaseEnded(ownerId, ownerLeaseGeneration);
  }
}

function requesterOf(source: FrozenSource | RequestSource): RequestSource {
  const { ownerId, ownerLeaseGeneration, nodeRid, nodeGeneration } = source;
  return { ownerId, ownerLeaseGeneration, nodeRid, nodeGeneration };
}
