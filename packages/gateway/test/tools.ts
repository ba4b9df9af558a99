import { connect as connectTcp, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, expect } from "vitest";
import { WebSocket } from "ws";
import { connect, type Client, type ConnectOptions } from "@rehome/client";
import {
  decodeGatewayPacket,
  encodeClientFrame,
  encodeClientPacket,
  PROTOCOL_VERSION,
  type ClientFrame,
  type ClientPacket,
  type GatewayFrame,
  type GatewayPacket,
  type Hello,
  type Outgoing,
} from "@rehome/client/protocol";
import { startGateway, type Gateway, type GatewayOptions } from "../src/index.ts";
import { FakeNode } from "./fake-node.ts";

const closers: (() => unknown)[] = [];
const unhandled: unknown[] = [];
process.on("unhandledRejection", (error) => unhandled.push(error));

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await sleep(5);
  expect(unhandled.splice(0)).toEqual([]);
});

/** To be called when the test ends, however it ends. */
export function atEnd(close: () => unknown): void {
  closers.push(close);
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until it holds. */
export async function until(what: () => boolean, limitMs = 10_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!what()) {
    if (performance.now() > end) throw new Error(`It did not come to this in ${limitMs} ms: ${what.toString()}`);
    await sleep(2);
  }
}

export async function gatewayOn(node: FakeNode, options: Partial<Omit<GatewayOptions, "node">> = {}): Promise<Gateway> {
  const gateway = await startGateway({ node, ...options });
  atEnd(() => gateway.close());
  return gateway;
}

/** A client that comes back at once. */
export function clientOf(url: string | readonly string[], options: Partial<ConnectOptions> = {}): Client {
  const client = connect({ url, webSocket: WebSocket, reconnect: { baseMs: 4, capMs: 40 }, ...options });
  atEnd(() => client.close());
  return client;
}

/** A client without manners: a bare WebSocket that says what it is told to. */
export class RawClient {
  readonly socket: WebSocket;
  readonly packets: GatewayPacket[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  failed: string | undefined;
  autoPong = true;
  #acknowledged = 0;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(url, { headers, perMessageDeflate: false });
    this.socket.on("message", (data) => {
      const packet = decodeGatewayPacket(data as Buffer);
      this.packets.push(packet);
      if (packet.frames.length > 0) this.#acknowledged = packet.first + packet.frames.length - 1;
      if (packet.ping !== undefined && this.autoPong)
        this.send({ pong: packet.ping, acknowledged: this.#acknowledged });
    });
    this.socket.on("close", (code, reason) => (this.closed = { code, reason: String(reason) }));
    this.socket.on("error", (error) => (this.failed = error.message));
    atEnd(() => this.socket.terminate());
  }

  get frames(): GatewayFrame[] {
    return this.packets.flatMap((packet) => packet.frames);
  }

  get received(): number {
    return this.#acknowledged;
  }

  /** Connects and says hello; gives the answer. */
  static async greet(url: string, hello: Partial<Hello> = {}): Promise<RawClient & { readonly answer: GatewayPacket }> {
    const client = new RawClient(url);
    await client.open();
    client.hello(hello);
    await until(() => client.packets.length > 0 || client.closed !== undefined);
    return Object.assign(client, { answer: client.packets[0]! });
  }

  async open(): Promise<void> {
    await until(() => this.socket.readyState === WebSocket.OPEN || this.failed !== undefined);
  }

  hello(hello: Partial<Hello> = {}): void {
    this.send({ hello: { protocolVersion: PROTOCOL_VERSION, token: "", resume: undefined, ...hello } });
  }

  send(packet: Outgoing<ClientPacket>): void {
    this.socket.send(encodeClientPacket(packet));
  }

  /** Frames with the numbers from `first` on. */
  say(first: number, ...frames: ClientFrame[]): void {
    this.send({ first, acknowledged: this.#acknowledged, frames: frames.map(encodeClientFrame) });
  }

  async untilClosed(): Promise<{ readonly code: number; readonly reason: string }> {
    await until(() => this.closed !== undefined);
    return this.closed!;
  }
}

/** A TCP connection on which the WebSocket handshake is done; what comes back is in `heard`. */
export async function upgraded(url: string): Promise<Socket & { readonly heard: Buffer[] }> {
  const target = new URL(url);
  const socket = Object.assign(connectTcp(Number(target.port), target.hostname), { heard: [] as Buffer[] });
  atEnd(() => socket.destroy());
  socket.on("data", (data: Buffer) => socket.heard.push(data));
  socket.on("error", () => undefined);
  const lines = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="];
  socket.write(["GET / HTTP/1.1", "Host: x", ...lines, "Sec-WebSocket-Version: 13", "", ""].join("\r\n"));
  await until(() => socket.heard.length > 0);
  socket.heard.length = 0;
  return socket;
}

/** A TCP proxy in front of a port that can cut what goes through it. */
export class Proxy {
  readonly #server: Server;
  readonly #pairs = new Set<[Socket, Socket]>();
  /** Called with each piece of data; returns how many bytes of it pass before both sides are reset. */
  cutAfter: (bytes: number) => number | undefined = () => undefined;
  /** Connections that the proxy has reset. */
  cuts = 0;
  /** Nothing passes, and nobody is told. */
  swallow = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async to(url: string): Promise<Proxy & { readonly url: string }> {
    const target = new URL(url);
    const server = createServer({ allowHalfOpen: true });
    const proxy = new Proxy(server);
    server.on("connection", (inner) => {
      const outer = connectTcp(Number(target.port), target.hostname);
      const pair: [Socket, Socket] = [inner, outer];
      proxy.#pairs.add(pair);
      for (const [from, to] of [pair, [outer, inner]] as const) {
        from.setNoDelay(true);
        from.on("data", (data: Buffer) => proxy.#pass(data, to, pair));
        from.on("end", () => proxy.swallow || to.end());
        from.on("error", () => undefined);
        from.on("close", () => {
          if (!proxy.swallow) to.destroy();
          if (inner.destroyed && outer.destroyed) proxy.#pairs.delete(pair);
        });
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    atEnd(() => proxy.close());
    const { port } = server.address() as AddressInfo;
    return Object.assign(proxy, { url: `ws://127.0.0.1:${port}${target.pathname}` });
  }

  /** Resets every connection now. */
  cut(): void {
    for (const pair of [...this.#pairs]) this.#reset(pair);
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #pass(data: Buffer, to: Socket, pair: [Socket, Socket]): void {
    if (this.swallow) return;
    const passes = this.cutAfter(data.length);
    if (passes === undefined) {
      to.write(data);
      return;
    }
    // What passes has to arrive before the reset, which would throw it away.
    to.write(data.subarray(0, passes), () => setTimeout(() => this.#reset(pair), 1));
    for (const socket of pair) socket.removeAllListeners("data").resume();
  }

  #reset(pair: [Socket, Socket]): void {
    if (!this.#pairs.delete(pair)) return;
    this.cuts++;
    for (const socket of pair) socket.resetAndDestroy();
  }
}
