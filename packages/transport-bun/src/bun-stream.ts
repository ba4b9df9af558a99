import type { ByteStream, StreamHandler } from "@rehome/transport";

/** A socket that Bun has accepted. Its `data` is the stream that stands for it. */
export type BunSocket = Bun.Socket<BunStream | undefined>;

/**
 * An accepted connection of `Bun.listen` as a {@link ByteStream}. A write goes to the operating system at once: Bun says
 * how many bytes that took, and keeps none of the rest.
 */
export class BunStream implements ByteStream {
  readonly remote: string;
  readonly proven = undefined;
  readonly heldBytes = 0;
  private readonly socket: BunSocket;
  private handler: StreamHandler | undefined;
  private endSent = false;
  private goneBecause: string | undefined;

  constructor(socket: BunSocket) {
    this.socket = socket;
    this.remote = `${socket.remoteAddress}:${socket.remotePort}`;
    socket.setNoDelay(true);
    // Until somebody listens.
    socket.pause();
  }

  start(handler: StreamHandler): void {
    this.handler = handler;
    if (this.goneBecause === undefined) this.socket.resume();
    else this.tellOfEnd();
  }

  write(bytes: Uint8Array): number {
    if (this.endSent || this.goneBecause !== undefined) return 0;
    // -1 where the connection is closing: its end is on the way.
    return Math.max(0, this.socket.write(bytes));
  }

  close(): void {
    if (this.endSent || this.goneBecause !== undefined) return;
    this.endSent = true;
    // `end` would close both directions, and reset a peer that is still sending.
    this.socket.shutdown();
  }

  destroy(): void {
    this.socket.terminate();
  }

  // What Bun reports.

  onData(bytes: Uint8Array): void {
    this.handler?.onData(bytes);
  }

  onDrain(): void {
    this.handler?.onDrain();
  }

  /** The peer sends nothing more. Nobody reads there any more either, as far as anyone can tell. */
  onPeerEnd(): void {
    this.socket.end();
  }

  /** Bun may call this from within any call of the socket. */
  onClose(error: Error | undefined): void {
    const { code, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
    this.goneBecause ??= code ?? message ?? "ended";
    if (this.handler !== undefined) this.tellOfEnd();
  }

  private tellOfEnd(): void {
    setImmediate(() => this.handler!.onClose(this.goneBecause!));
  }
}

/** What every accepted socket of a listener is handled by: its own stream. */
export function socketHandler(accept: (stream: BunStream) => void): Bun.SocketHandler<BunStream | undefined> {
  return {
    binaryType: "uint8array",
    open(socket) {
      socket.data = new BunStream(socket);
      accept(socket.data);
    },
    data: (socket, bytes) => socket.data?.onData(bytes),
    drain: (socket) => socket.data?.onDrain(),
    end: (socket) => socket.data?.onPeerEnd(),
    close: (socket, error) => socket.data?.onClose(error),
    // Bun catches what a handler throws. It is a fault of this program, to be seen like any other.
    error: (_socket, error) => void setImmediate(() => rethrow(error)),
  };
}

function rethrow(error: Error): never {
  throw error;
}
