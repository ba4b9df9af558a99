import type { Rid } from "@rehome/wire";

/** Who is at the other end of a link, as the handshake proved it (`wire.md` 3.1). */
export interface PeerIdentity {
  readonly meshName: string;
  readonly nodeRid: Rid;
  readonly nodeGeneration: bigint;
  /** The peer's lease, or `undefined` for a peer that owns nothing. */
  readonly lease: { readonly ownerId: string; readonly ownerLeaseGeneration: bigint } | undefined;
}

/** Where a node can be reached, taken from its descriptor in the store. */
export interface PeerAddress {
  readonly nodeRid: Rid;
  readonly nodeGeneration: bigint;
  /** What the adapter's `listen` returned on that node, for example `tcp://127.0.0.1:7801`. */
  readonly endpoint: string;
}

/**
 * What became of a record handed to `send`.
 * `accepted`: it is queued on the link. `backedUp`: it is queued too, but the queue is past its mark: send no more data
 * until `LinkDrained`. `refused`: data found no room; nothing was queued, and `LinkDrained` says when there is room again.
 * `tooLarge`: no link to that peer can ever carry this record; nothing was queued, and no event follows. `noLink`: there is
 * no link to that peer; nothing was queued.
 */
export type SendResult = "accepted" | "backedUp" | "refused" | "tooLarge" | "noLink";

/** `control` has room of its own when data is refused (`protocol.md` N3); neither overtakes the other. */
export type TrafficClass = "control" | "data";

export type LinkEvent =
  | { readonly type: "LinkUp"; readonly peer: PeerIdentity }
  /** The same link goes on over a new connection; nothing was lost (`protocol.md` N1). Nobody needs to do anything. */
  | { readonly type: "LinkResumed"; readonly peer: PeerIdentity }
  /** Every record the peer has not acknowledged is listed, in the order it was sent: its outcome is unknown (N2). */
  | {
      readonly type: "LinkLost";
      readonly peer: PeerIdentity;
      readonly reason: LinkLossReason;
      readonly unacknowledged: readonly (readonly Uint8Array[])[];
    }
  /** The queue that made `send` answer `backedUp` or `refused` has room again. */
  | { readonly type: "LinkDrained"; readonly peer: PeerIdentity }
  /** A connection attempt to this address failed; the transport goes on trying with backoff until told to forget it. */
  | { readonly type: "ConnectFailed"; readonly address: PeerAddress; readonly reason: string };

/**
 * Why a link could not go on (`protocol.md` N2). The end of a connection is no reason: a link outlives it.
 *
 * - `closedLocally`: this node closed it, with `close` or `forget`.
 * - `closedByPeer`: the peer closed it on purpose.
 * - `lostByPeer`: the same run of the peer has no such link any more and wants a new one.
 * - `replacedByNewerGeneration`: the peer has started again.
 * - `livenessTimeout`: no matching answer within the liveness limit, over however many connections (L2).
 * - `resendBufferFull`: the peer acknowledges nothing, and control found no room.
 * - `protocolViolation`: the peer broke the rules of the bytes.
 */
export type LinkLossReason =
  | "closedLocally"
  | "closedByPeer"
  | "lostByPeer"
  | "replacedByNewerGeneration"
  | "livenessTimeout"
  | "resendBufferFull"
  | "protocolViolation";

/** Receives what a transport has to say. Neither method may throw. */
export interface TransportHandler {
  /** One whole record, in link order. The frames are the handler's to keep. */
  onRecord(peer: PeerIdentity, frames: readonly Uint8Array[]): void;
  onLink(event: LinkEvent): void;
}

/** What a transport tells about its own node in the handshake. */
export interface LocalIdentity {
  readonly meshName: string;
  readonly nodeRid: Rid;
  readonly nodeGeneration: bigint;
  readonly lease: { readonly ownerId: string; readonly ownerLeaseGeneration: bigint };
  readonly applicationVersion: bigint;
  readonly placementWeight: number;
}

/**
 * Links to other nodes (`protocol.md` N1–N3).
 *
 * - Records MUST arrive whole, in order and exactly once per link and direction, or the link MUST be lost with one
 *   `LinkLost`; after it, nothing of that link MUST be delivered.
 * - A link MUST outlive its connections: between `LinkUp` and `LinkLost`, `send` queues and `peer` answers whether or not
 *   there is a connection at the moment.
 * - `LinkUp` MUST come before the first record of a link, and only after the peer's identity was proven.
 * - `send` MUST copy or own what it is given: the caller may reuse its buffers at once. It MUST NOT call the handler
 *   before it returns.
 * - `close` MUST settle in bounded time, flush what is queued within that time, and leave no timer and no socket behind.
 */
export interface Transport {
  /** Starts accepting links. Settles with the endpoint that other nodes can connect to. */
  listen(identity: LocalIdentity, handler: TransportHandler): Promise<{ readonly endpoint: string }>;
  /** Makes sure that there is, or soon will be, a link to this run of that node. Repeating the call is harmless. */
  connect(address: PeerAddress): void;
  /** Stops trying to reach a node, and drops its link if there is one. */
  forget(nodeRid: Rid): void;
  send(nodeRid: Rid, frames: readonly Uint8Array[], traffic: TrafficClass): SendResult;
  /** The proven identity behind the current link, if there is one. */
  peer(nodeRid: Rid): PeerIdentity | undefined;
  close(): Promise<void>;
}
