import { TransportError } from "../../src/errors.ts";
import type {
  ByteStream,
  ConnectHandler,
  PendingConnect,
  ProvenIdentity,
  StreamAdapter,
  StreamHandler,
  StreamListener,
} from "../../src/byte-stream.ts";

/** A small generator of repeatable numbers (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}

export interface NetworkOptions {
  readonly seed?: number;
  /** How many bytes one read brings, at most. */
  readonly readSize?: (available: number) => number;
  /** How many of these bytes one write takes. */
  readonly writeTakes?: (offered: number) => number;
  /** How many bytes are under way in one direction, at most. */
  readonly capacity?: number;
}

/** A network in memory. Nothing happens in it but in {@link FakeNetwork.run}, in an order that the seed chooses. */
export class FakeNetwork {
  readonly options: Required<NetworkOptions>;
  readonly random: () => number;
  readonly streams: FakeStream[] = [];
  readonly listeners = new Map<string, (stream: ByteStream) => void>();
  /** What connections prove of whoever has this endpoint. */
  readonly proofs = new Map<string, ProvenIdentity>();
  /** Sees both ends of every connection that a node makes, before anything happens on it. */
  onConnection: (near: FakeStream, far: FakeStream) => void = () => {};
  private readonly tasks: (() => void)[] = [];
  private deferred: (() => void)[] = [];

  constructor(options: NetworkOptions = {}) {
    this.options = { seed: 1, readSize: (n) => n, writeTakes: (n) => n, capacity: 1 << 20, ...options };
    this.random = seeded(this.options.seed);
  }

  adapter(endpoint: string): StreamAdapter {
    return {
      securityIdentity: "plain",
      listen: (accept) => this.listen(endpoint, accept),
      connect: (target, handler) => this.connect(endpoint, target, handler),
      defer: (fn) => void this.deferred.push(fn),
    };
  }

  /** A connection to an endpoint whose other end is the test itself. */
  raw(endpoint: string): RawPeer {
    const [near, far] = this.pair(endpoint);
    this.tasks.push(() => this.listeners.get(endpoint)!(far));
    return new RawPeer(near);
  }

  /** Everything that can happen now, happens. */
  run(): void {
    for (let steps = 0; this.step(); steps += 1) if (steps > 5_000_000) throw new Error("The network never rests.");
  }

  /** One thing that can happen now, if there is one. */
  step(): boolean {
    const choices: (() => void)[] = [];
    if (this.tasks.length > 0) choices.push(() => this.tasks.shift()!());
    if (this.deferred.length > 0) choices.push(() => this.runDeferred());
    for (const stream of this.streams) if (stream.canStep) choices.push(() => stream.step());
    if (choices.length === 0) return false;
    choices[Math.floor(this.random() * choices.length)]!();
    return true;
  }

  private runDeferred(): void {
    const deferred = this.deferred;
    this.deferred = [];
    for (const fn of deferred) fn();
  }

  private listen(endpoint: string, accept: (stream: ByteStream) => void): Promise<StreamListener> {
    if (this.listeners.has(endpoint)) return Promise.reject(new TransportError("addressInUse", "Choose another."));
    this.listeners.set(endpoint, accept);
    const close = (): Promise<void> => {
      this.listeners.delete(endpoint);
      return Promise.resolve();
    };
    return Promise.resolve({ endpoint, close });
  }

  private connect(from: string, endpoint: string, handler: ConnectHandler): PendingConnect {
    let cancelled = false;
    this.tasks.push(() => {
      if (cancelled) return;
      const accept = this.listeners.get(endpoint);
      if (accept === undefined) return handler.onFailed(new TransportError("connectFailed", "nobody there"));
      const [near, far] = this.pair(endpoint);
      near.proven = this.proofs.get(endpoint);
      far.proven = this.proofs.get(from);
      this.onConnection(near, far);
      // Either end may learn of the connection first.
      this.tasks.push(() => (cancelled ? near.destroy() : handler.onConnected(near)));
      if (this.random() < 0.5) this.tasks.reverse();
      this.tasks.push(() => accept(far));
    });
    return { cancel: () => void (cancelled = true) };
  }

  private pair(endpoint: string): [FakeStream, FakeStream] {
    const near = new FakeStream(this, `to ${endpoint}`);
    const far = new FakeStream(this, `from a dialer of ${endpoint}`);
    near.other = far;
    far.other = near;
    if (this.streams.length > 64) {
      const open = this.streams.filter((stream) => !stream.isClosed);
      this.streams.splice(0, this.streams.length, ...open);
    }
    this.streams.push(near, far);
    return [near, far];
  }
}

export class FakeStream implements ByteStream {
  readonly remote: string;
  proven: ProvenIdentity | undefined;
  other!: FakeStream;
  /** Nothing arrives here any more, and nothing tells of it: a silent death. */
  frozen = false;
  writes = 0;
  /** How many bytes may arrive here; then {@link onCut} is called instead. */
  cutAfter = Number.POSITIVE_INFINITY;
  onCut: () => void = () => {};
  /** All bytes that have arrived here. */
  readonly history: Uint8Array[] = [];
  private arrived = 0;
  private readonly network: FakeNetwork;
  private handler: StreamHandler | undefined;
  /** What is under way to here, where its sender has it: as if the sender's socket had not copied it yet. */
  private inbox: Uint8Array[] = [];
  private inboxBytes = 0;
  private closing: string | undefined;
  private endArrived = false;
  private ended = false;
  private closed = false;
  private drainIsDue = false;
  private busy = false;

  constructor(network: FakeNetwork, remote: string) {
    this.network = network;
    this.remote = remote;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  start(handler: StreamHandler): void {
    this.handler = handler;
    // Unasked, as Bun does it.
    this.drainIsDue = true;
  }

  write(bytes: Uint8Array): number {
    this.writes += 1;
    if (this.closed || this.ended) return 0;
    const { writeTakes, capacity } = this.network.options;
    const room = Math.min(bytes.length, capacity - this.other.inboxBytes);
    const taken = Math.min(room, writeTakes(bytes.length));
    this.other.receive(bytes.subarray(0, taken));
    if (taken < bytes.length) this.drainIsDue = true;
    return taken;
  }

  get heldBytes(): number {
    return this.other.inboxBytes;
  }

  /** Writes past every limit, as a peer may that follows no rules. */
  inject(bytes: Uint8Array): void {
    this.other.receive(bytes.slice());
  }

  close(): void {
    this.ended = true;
    this.other.endArrived = true;
    if (this.endArrived && this.inboxBytes === 0) this.closing ??= "ended";
  }

  destroy(): void {
    if (this.handler === undefined) this.closed = true;
    this.reset("destroyed");
    if (!this.other.frozen) this.other.reset("reset by the peer");
  }

  /** The connection breaks, and both ends hear of it. */
  reset(reason: string): void {
    this.closing ??= reason;
  }

  get canStep(): boolean {
    if (this.handler === undefined || this.closed) return false;
    if (this.closing !== undefined) return true;
    if (this.frozen) return false;
    if (this.arrived >= this.cutAfter) return true;
    return this.inboxBytes > 0 || this.endArrived || (this.drainIsDue && this.hasRoom);
  }

  step(): void {
    if (this.busy) throw new Error("A stream called its handler from within a call.");
    this.busy = true;
    if (this.closing !== undefined) this.finish(this.closing);
    else if (this.arrived >= this.cutAfter) this.cut();
    else if (this.drainIsDue && this.hasRoom) this.drain();
    else if (this.inboxBytes > 0) this.deliver();
    else if (this.endArrived) this.end();
    this.busy = false;
  }

  private cut(): void {
    this.cutAfter = Number.POSITIVE_INFINITY;
    this.onCut();
  }

  private get hasRoom(): boolean {
    return this.other.inboxBytes < this.network.options.capacity;
  }

  private drain(): void {
    this.drainIsDue = false;
    this.handler!.onDrain();
  }

  private deliver(): void {
    const offered = Math.min(this.inboxBytes, this.cutAfter - this.arrived);
    const size = Math.max(1, Math.min(offered, this.network.options.readSize(offered)));
    const bytes = this.takeFromInbox(size);
    this.arrived += size;
    this.history.push(bytes.slice());
    this.handler!.onData(bytes);
  }

  private takeFromInbox(size: number): Uint8Array {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size;) {
      const first = this.inbox[0]!;
      const part = first.subarray(0, size - at);
      bytes.set(part, at);
      at += part.length;
      if (part.length === first.length) this.inbox.shift();
      else this.inbox[0] = first.subarray(part.length);
    }
    this.inboxBytes -= size;
    return bytes;
  }

  private end(): void {
    this.other.reset("ended");
    this.finish("ended by the peer");
  }

  private finish(reason: string): void {
    this.closed = true;
    this.inbox = [];
    this.inboxBytes = 0;
    this.handler!.onClose(reason);
  }

  private receive(bytes: Uint8Array): void {
    if (this.closed) return;
    if (bytes.length > 0) this.inbox.push(bytes);
    this.inboxBytes += bytes.length;
  }
}

/** The test's own end of a connection. */
export class RawPeer implements StreamHandler {
  readonly stream: FakeStream;
  received = new Uint8Array(0);
  closed: string | undefined;
  onFirstBytes: () => void = () => {};

  constructor(stream: FakeStream) {
    this.stream = stream;
    stream.start(this);
  }

  write(bytes: Uint8Array): void {
    this.stream.inject(bytes);
  }

  onData(bytes: Uint8Array): void {
    const first = this.received.length === 0;
    const grown = new Uint8Array(this.received.length + bytes.length);
    grown.set(this.received);
    grown.set(bytes, this.received.length);
    this.received = grown;
    if (first) this.onFirstBytes();
  }

  onDrain(): void {
    // A raw peer writes what fits.
  }

  onClose(reason: string): void {
    this.closed = reason;
  }
}
