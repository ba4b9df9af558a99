/** The sockets of either runtime, as bare as they come: what a program without a transport would use. */
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** Writes all it is given, in order. */
export interface BareSocket {
  /** Whether the operating system has all that was ever written. If not, the bytes must not change any more. */
  write(bytes: Uint8Array): boolean;
  end(): void;
}

export type OnData = (bytes: Uint8Array) => void;

interface BunSocket {
  write(bytes: Uint8Array): number;
  end(): void;
  data: BunPeer | undefined;
}

interface BunHandlers {
  open(socket: BunSocket): void;
  data(socket: BunSocket, bytes: Uint8Array): void;
  drain(socket: BunSocket): void;
  error(): void;
  close(): void;
}

interface BunSockets {
  listen(options: { hostname: string; port: number; socket: BunHandlers }): { readonly port: number };
  connect(options: { hostname: string; port: number; socket: BunHandlers }): Promise<BunSocket>;
}

const bun = (globalThis as { Bun?: BunSockets }).Bun;
const hostname = "127.0.0.1";

/** Bun's `write` takes what fits and keeps nothing. */
class BunPeer implements BareSocket {
  readonly onData: OnData;
  readonly #socket: BunSocket;
  #waiting: Uint8Array[] = [];

  constructor(socket: BunSocket, attach: (socket: BareSocket) => OnData) {
    this.#socket = socket;
    this.onData = attach(this);
  }

  write(bytes: Uint8Array): boolean {
    if (this.#waiting.length > 0) this.#waiting.push(bytes);
    else this.#try(bytes);
    return this.#waiting.length === 0;
  }

  end(): void {
    this.#socket.end();
  }

  drain(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const bytes of waiting) this.write(bytes);
  }

  #try(bytes: Uint8Array): void {
    const taken = Math.max(0, this.#socket.write(bytes));
    if (taken < bytes.length) this.#waiting.push(bytes.subarray(taken));
  }
}

function bunHandlers(attach: (socket: BareSocket) => OnData): BunHandlers {
  return {
    open: (socket) => (socket.data = new BunPeer(socket, attach)),
    data: (socket, bytes) => socket.data!.onData(bytes),
    drain: (socket) => socket.data?.drain(),
    error: () => undefined,
    close: () => undefined,
  };
}

function attachNode(socket: Socket, attach: (socket: BareSocket) => OnData): void {
  socket.on("error", () => undefined);
  const write = (bytes: Uint8Array): boolean => {
    socket.write(bytes);
    return socket.writableLength === 0;
  };
  socket.on("data", attach({ write, end: () => socket.destroy() }));
}

/** Resolves with the port. */
export async function listen(attach: (socket: BareSocket) => OnData): Promise<number> {
  if (bun !== undefined) return bun.listen({ hostname, port: 0, socket: bunHandlers(attach) }).port;
  const server = createServer({ noDelay: true }, (socket) => attachNode(socket, attach));
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  return (server.address() as AddressInfo).port;
}

export async function dial(port: number, attach: (socket: BareSocket) => OnData): Promise<void> {
  if (bun !== undefined) {
    await bun.connect({ hostname, port, socket: bunHandlers(attach) });
    return;
  }
  const socket = connect({ host: hostname, port, noDelay: true });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  attachNode(socket, attach);
}
