import type { Socket } from "node:net";
import type { ByteStream, ProvenIdentity, StreamHandler } from "../byte-stream.ts";

/** What Node may hold on to for a socket before the transport waits: a few of its writes, so that none has to be small. */
const WRITE_ROOM_BYTES = 256 * 1024;

/** A connected socket of `node:net` or `node:tls` as a {@link ByteStream}. Takes whole writes, or nothing while Node's own buffer is full. */
export class NodeStream implements ByteStream {
  readonly remote: string;
  readonly proven: ProvenIdentity | undefined;
  private readonly socket: Socket;
  private reason = "ended";
  private isGone = false;

  constructor(socket: Socket, proven?: ProvenIdentity) {
    this.socket = socket;
    this.proven = proven;
    this.remote = `${socket.remoteAddress ?? "unknown"}:${socket.remotePort ?? 0}`;
    socket.on("error", (error: NodeJS.ErrnoException) => (this.reason = error.code ?? error.message));
    socket.on("close", () => (this.isGone = true));
  }

  start(handler: StreamHandler): void {
    const { socket } = this;
    if (this.isGone) {
      setImmediate(() => handler.onClose(this.reason));
      return;
    }
    // A plain view: methods of Buffer differ from those of Uint8Array where it matters (`slice` does not copy).
    socket.on("data", (chunk: Buffer) => handler.onData(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length)));
    socket.on("drain", () => handler.onDrain());
    socket.on("end", () => {
      // Nobody reads there any more; without this, what is left to write would keep the socket open for good.
      if (socket.writableLength > 0) socket.destroy();
    });
    socket.on("close", () => handler.onClose(this.reason));
  }

  write(bytes: Uint8Array): number {
    const { socket } = this;
    if (!socket.writable || socket.writableLength >= WRITE_ROOM_BYTES) return 0;
    socket.write(bytes);
    return bytes.length;
  }

  get heldBytes(): number {
    return this.socket.writableLength;
  }

  close(): void {
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }
}
