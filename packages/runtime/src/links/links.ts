import type {
  LinkEvent,
  PeerAddress,
  PeerIdentity,
  SendResult,
  TimerHandle,
  TrafficClass,
  Transport,
  TransportHandler,
} from "@rehome/core";
import {
  decodeRecord,
  encodeRecord,
  ridToDisplay,
  WireError,
  type Command,
  type OperationKind,
  type Rid,
} from "@rehome/wire";
import type { NodeConfig } from "../config.ts";
import { errorText } from "../error-text.ts";
import { RuntimeError } from "../errors.ts";

type AnyHandler = (peer: PeerIdentity, command: Command, frames: readonly Uint8Array[]) => void;
type CommandOf<N extends Command["command"]> = Extract<Command, { command: N }>;
export type RecordHandler<N extends Command["command"]> = (
  peer: PeerIdentity,
  command: CommandOf<N>,
  frames: readonly Uint8Array[],
) => void;

/** A link that is gone, with what nobody can tell the fate of, in the order it was sent (`protocol.md` N2). */
export interface LostLink {
  readonly peer: PeerIdentity;
  readonly unacknowledged: readonly Command[];
}

export interface SendOptions {
  /** Default `control`. */
  readonly traffic?: TrafficClass;
  /** For this run of the peer only: to another one nothing is sent. */
  readonly toGeneration?: bigint;
  /** The record was certainly not sent: no room, or no link within `connectMs`. */
  readonly onUnsent?: (error: RuntimeError) => void;
}

interface PendingRecord {
  readonly frames: readonly Uint8Array[];
  readonly traffic: TrafficClass;
  readonly toGeneration?: bigint | undefined;
  readonly onUnsent: ((error: RuntimeError) => void) | undefined;
}

interface PendingPeer {
  readonly records: PendingRecord[];
  readonly deadline: TimerHandle;
}

/** Undecodable or unexpected records after which a peer is cut off (`protocol.md` I9): enough for a version skew, not for a flood. */
const MAX_VIOLATIONS_PER_PEER = 64;

/**
 * Commands to and from other nodes, and to this node itself: a record to the own rid takes the same way through the
 * codec and comes back asynchronously, so that a session and its actor on one node need no second code path.
 */
export class Links implements TransportHandler {
  readonly #config: NodeConfig;
  readonly #transport: Transport;
  readonly #resolve: (rid: Rid) => Promise<PeerAddress | undefined>;
  readonly #operationOf: (correlation: bigint) => OperationKind | undefined;
  readonly #handlers = new Map<string, AnyHandler>();
  readonly #lostListeners: ((lost: LostLink) => void)[] = [];
  readonly #upListeners: ((peer: PeerIdentity) => void)[] = [];
  readonly #drainListeners = new Set<(rid: Rid) => void>();
  readonly #pending = new Map<Rid, PendingPeer>();
  /** Who waits for a link, by the empty record that holds their place in the queue. */
  readonly #waiters = new Map<PendingRecord, (peer: PeerIdentity) => void>();
  readonly #violations = new Map<Rid, number>();
  readonly #loopback: (readonly Uint8Array[])[] = [];
  readonly #self: PeerIdentity;
  #loopbackScheduled = false;
  #closed = false;

  constructor(options: {
    config: NodeConfig;
    self: PeerIdentity;
    transport: Transport;
    /** Looks a node's address up in the store; `undefined` when it has no live descriptor. */
    resolve: (rid: Rid) => Promise<PeerAddress | undefined>;
    /** Which operation an open request is, for the tail of its reply. */
    operationOf: (correlation: bigint) => OperationKind | undefined;
  }) {
    this.#config = options.config;
    this.#self = options.self;
    this.#transport = options.transport;
    this.#resolve = options.resolve;
    this.#operationOf = options.operationOf;
  }

  /** One handler per command. */
  handle<N extends Command["command"]>(name: N, handler: RecordHandler<N>): void {
    this.#handlers.set(name, handler as AnyHandler);
  }

  onLost(listener: (lost: LostLink) => void): void {
    this.#lostListeners.push(listener);
  }

  onUp(listener: (peer: PeerIdentity) => void): void {
    this.#upListeners.push(listener);
  }

  /** The proven identity of a linked node; this node itself included. */
  peer(rid: Rid): PeerIdentity | undefined {
    return rid === this.#self.nodeRid ? this.#self : this.#transport.peer(rid);
  }

  /**
   * Sends, or queues until the link is up. Returns false when there was no room; `onUnsent` has then been called.
   * Per peer, records leave in the order of the calls.
   */
  send(peer: Rid, command: Command, options: SendOptions = {}): boolean {
    const frames = encodeRecord(command);
    const traffic = options.traffic ?? "control";
    if (this.#closed) return this.#unsent(options.onUnsent, "closed", "this node is closing");
    const { toGeneration, onUnsent } = options;
    if (isAnotherRun(this.peer(peer), toGeneration)) return this.#goneRun(peer, onUnsent);
    if (peer === this.#self.nodeRid) {
      this.#loop(frames);
      return true;
    }
    const pending = this.#pending.get(peer);
    if (pending) return this.#queue(peer, pending, { frames, traffic, toGeneration, onUnsent });
    const result = this.#transport.send(peer, frames, traffic);
    if (result === "refused")
      return this.#unsent(options.onUnsent, "backpressured", `the link to ${ridToDisplay(peer)} is full`);
    if (result === "tooLarge")
      return this.#unsent(options.onUnsent, "tooLarge", `no link to ${ridToDisplay(peer)} carries so large a record`);
    if (result === "noLink")
      return this.#queue(peer, this.#openPending(peer), { frames, traffic, toGeneration, onUnsent });
    return true;
  }

  /**
   * For senders of much data that pace themselves with `onceDrained`. Nothing was queued when the answer is `refused`,
   * `tooLarge` (never wait then) or `noLink`; the loss of the link is told to every `onLost` listener.
   */
  sendPaced(peer: Rid, command: Command): SendResult {
    if (this.#closed) return "noLink";
    if (peer === this.#self.nodeRid || this.#pending.has(peer)) return this.send(peer, command) ? "accepted" : "noLink";
    return this.#transport.send(peer, encodeRecord(command), "data");
  }

  /** Makes sure a link comes up if it can; settles when it is up, rejects with `notConnected` after `connectMs`. */
  ready(peer: Rid): Promise<PeerIdentity> {
    const linked = this.peer(peer);
    if (linked) return Promise.resolve(linked);
    return new Promise((resolve, reject) => {
      const pending = this.#pending.get(peer) ?? this.#openPending(peer);
      const waiter: PendingRecord = { frames: [], traffic: "control", onUnsent: reject };
      pending.records.push(waiter);
      this.#waiters.set(waiter, resolve);
    });
  }

  close(): void {
    this.#closed = true;
    for (const rid of [...this.#pending.keys()]) this.#failPending(rid, "closed", "this node is closing");
    this.#loopback.length = 0;
  }

  onRecord(peer: PeerIdentity, frames: readonly Uint8Array[]): void {
    let command: Command;
    // The answer to a request that has timed out meanwhile: how to read its tail is forgotten, and no fault of the peer's (Q2).
    let isTooLate = false;
    const operationOf = (correlation: bigint): OperationKind | undefined => {
      const kind = this.#operationOf(correlation);
      isTooLate = kind === undefined;
      return kind;
    };
    try {
      command = decodeRecord(frames, { operationOf });
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      if (isTooLate) this.#config.log.write("debug", "reply.unexpected", { peer: ridToDisplay(peer.nodeRid) });
      else this.#violation(peer, "record.undecodable", { code: error.code, field: error.field, offset: error.offset });
      return;
    }
    const handler = this.#handlers.get(command.command);
    if (!handler) {
      this.#violation(peer, "record.unexpected", { command: command.command });
      return;
    }
    try {
      handler(peer, command, frames);
    } catch (error) {
      this.#config.log.write("error", "record.failed", { command: command.command, error: errorText(error) });
    }
  }

  onLink(event: LinkEvent): void {
    switch (event.type) {
      case "LinkUp":
        this.#violations.delete(event.peer.nodeRid);
        this.#linkUp(event.peer);
        return;
      case "LinkLost":
        this.#config.log.write("warn", "link.lost", {
          peer: ridToDisplay(event.peer.nodeRid),
          reason: event.reason,
          unacknowledged: event.unacknowledged.length,
        });
        for (const listener of [...this.#drainListeners]) listener(event.peer.nodeRid);
        this.#lost(event.peer, event.unacknowledged);
        return;
      case "ConnectFailed":
        this.#config.log.write("debug", "link.connectFailed", {
          peer: ridToDisplay(event.address.nodeRid),
          reason: event.reason,
        });
        return;
      case "LinkDrained":
        for (const listener of [...this.#drainListeners]) listener(event.peer.nodeRid);
        return;
      case "LinkResumed":
        return;
    }
  }

  /** Calls once when the peer's queue has room again, or its link is lost. Returns how to stop waiting. */
  onceDrained(peer: Rid, listener: () => void): () => void {
    const entry = (rid: Rid): void => {
      if (rid !== peer) return;
      this.#drainListeners.delete(entry);
      listener();
    };
    this.#drainListeners.add(entry);
    return () => this.#drainListeners.delete(entry);
  }

  #lost(peer: PeerIdentity, unacknowledged: readonly (readonly Uint8Array[])[]): void {
    const commands: Command[] = [];
    for (const frames of unacknowledged) {
      // What an own 20 answers, only its peer knows; and it settles nothing here.
      let isReply = false;
      const operationOf = (): undefined => void (isReply = true);
      try {
        const command = decodeRecord(frames, { operationOf });
        if (!isReply) commands.push(command);
      } catch (error) {
        if (!isReply) this.#config.log.write("error", "record.undecodable", { own: true, error: errorText(error) });
      }
    }
    for (const listener of this.#lostListeners) listener({ peer, unacknowledged: commands });
  }

  #loop(frames: readonly Uint8Array[]): void {
    this.#loopback.push(frames);
    if (this.#loopbackScheduled) return;
    this.#loopbackScheduled = true;
    queueMicrotask(() => {
      this.#loopbackScheduled = false;
      for (const record of this.#loopback.splice(0)) if (!this.#closed) this.onRecord(this.#self, record);
    });
  }

  #openPending(peer: Rid): PendingPeer {
    const ms = this.#config.deadlines.connectMs;
    const deadline = this.#config.clock.after(ms, () =>
      this.#failPending(peer, "notConnected", `no link to ${ridToDisplay(peer)} within ${ms} ms`),
    );
    const pending: PendingPeer = { records: [], deadline };
    this.#pending.set(peer, pending);
    this.#resolve(peer).then(
      (address) => {
        if (this.#pending.get(peer) !== pending) return;
        if (address) this.#transport.connect(address);
        else this.#failPending(peer, "notConnected", `node ${ridToDisplay(peer)} has no live descriptor in the store`);
      },
      (error: unknown) =>
        this.#failPending(
          peer,
          "notConnected",
          `the address of ${ridToDisplay(peer)} cannot be read: ${String(error)}`,
        ),
    );
    return pending;
  }

  #queue(peer: Rid, pending: PendingPeer, record: PendingRecord): boolean {
    if (pending.records.length >= this.#config.limits.pendingRecordsPerPeer) {
      return this.#unsent(
        record.onUnsent,
        "backpressured",
        `too many records wait for a link to ${ridToDisplay(peer)}`,
      );
    }
    pending.records.push(record);
    return true;
  }

  /** What listeners send first (owed routes, `protocol.md` S20) goes before what has waited for the link. */
  #linkUp(peer: PeerIdentity): void {
    const pending = this.#pending.get(peer.nodeRid);
    this.#pending.delete(peer.nodeRid);
    pending?.deadline.cancel();
    for (const listener of this.#upListeners) listener(peer);
    if (pending) this.#flush(peer, pending);
  }

  #flush(peer: PeerIdentity, pending: PendingPeer): void {
    for (const record of pending.records) {
      const waiter = this.#waiters.get(record);
      if (waiter) {
        this.#waiters.delete(record);
        waiter(peer);
        continue;
      }
      if (isAnotherRun(peer, record.toGeneration)) {
        this.#goneRun(peer.nodeRid, record.onUnsent);
        continue;
      }
      const result = this.#transport.send(peer.nodeRid, record.frames, record.traffic);
      if (result === "refused") this.#unsent(record.onUnsent, "backpressured", "the link is full");
      if (result === "tooLarge") this.#unsent(record.onUnsent, "tooLarge", "no link carries so large a record");
      if (result === "noLink") this.#unsent(record.onUnsent, "notConnected", "the link was lost at once");
    }
  }

  #goneRun(peer: Rid, onUnsent: ((error: RuntimeError) => void) | undefined): false {
    return this.#unsent(onUnsent, "notConnected", `the run of ${ridToDisplay(peer)} that it was for is gone`);
  }

  #failPending(peer: Rid, code: "notConnected" | "closed", message: string): void {
    const pending = this.#pending.get(peer);
    if (!pending) return;
    this.#pending.delete(peer);
    pending.deadline.cancel();
    if (!this.#transport.peer(peer)) this.#transport.forget(peer);
    for (const record of pending.records) {
      this.#waiters.delete(record);
      this.#unsent(record.onUnsent, code, message);
    }
  }

  #unsent(
    onUnsent: ((error: RuntimeError) => void) | undefined,
    code: "backpressured" | "tooLarge" | "notConnected" | "closed",
    message: string,
  ): false {
    if (onUnsent) onUnsent(new RuntimeError(code, message));
    else this.#config.log.write("warn", "record.unsent", { code, message });
    return false;
  }

  /** A record that decodes and contradicts what stands (`protocol.md` I9). It counts towards cutting the peer off. */
  reportViolation(peer: Rid, event: string, fields: Record<string, unknown>): void {
    const identity = this.peer(peer);
    if (identity) this.#violation(identity, event, fields);
    else this.#config.log.write("warn", event, { peer: ridToDisplay(peer), ...fields });
  }

  #violation(peer: PeerIdentity, event: string, fields: Record<string, unknown>): void {
    const count = (this.#violations.get(peer.nodeRid) ?? 0) + 1;
    this.#violations.set(peer.nodeRid, count);
    this.#config.log.write("warn", event, { peer: ridToDisplay(peer.nodeRid), ...fields });
    if (count < MAX_VIOLATIONS_PER_PEER || peer === this.#self) return;
    this.#config.log.write("error", "peer.cutOff", { peer: ridToDisplay(peer.nodeRid), violations: count });
    this.#violations.delete(peer.nodeRid);
    this.#transport.forget(peer.nodeRid);
  }
}

function isAnotherRun(peer: PeerIdentity | undefined, toGeneration: bigint | undefined): boolean {
  return peer !== undefined && toGeneration !== undefined && peer.nodeGeneration !== toGeneration;
}
