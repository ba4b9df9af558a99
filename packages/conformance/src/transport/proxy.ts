import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** Where a connection ends. `reset` may take along what was on its way; after `end` exactly these bytes have arrived. */
export interface Cut {
  readonly way: "toTarget" | "toClient";
  readonly afterBytes: number;
  readonly how: "reset" | "end";
}

/** Forwards TCP connections, until told to hold them, to swallow everything, or to cut them. */
export class CuttingProxy {
  readonly endpoint: string;
  private readonly server: Server;
  private readonly pairs = new Set<{ readonly client: Socket; readonly target: Socket }>();
  private swallows = false;
  /** Cuts a connection once this many bytes have gone through it towards the target. */
  cutAfterBytes = Number.POSITIVE_INFINITY;
  /** Says for each connection, counted from 1, where to cut it. */
  plan: (connection: number) => Cut | undefined = () => undefined;
  connections = 0;
  /** Swallows everything, for good, once this many more bytes have gone towards a target. */
  swallowAfterBytes = Number.POSITIVE_INFINITY;
  /** Set before a connection is made: its bytes go on towards the target one at a time. */
  drips = false;
  /** Reads that brought bytes for the target. */
  reads = 0;

  private constructor(server: Server) {
    this.server = server;
    this.endpoint = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async to(endpoint: string): Promise<CuttingProxy> {
    const target = portOf(endpoint);
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const proxy = new CuttingProxy(server);
    server.on("connection", (client) =>
      proxy.join(client, connect({ host: "127.0.0.1", port: target, noDelay: true })),
    );
    return proxy;
  }

  /** Nothing is read from the client, or the target, any more, until {@link resume}. */
  pause(side: "client" | "target" = "client"): void {
    for (const pair of this.pairs) pair[side].pause();
  }

  resume(): void {
    for (const { client, target } of this.pairs) {
      client.resume();
      target.resume();
    }
  }

  /** From now on everything is read and thrown away, on the connections of now and of later. */
  swallow(): void {
    this.swallows = true;
  }

  /** Forwards again, on new connections. */
  heal(): void {
    this.swallows = false;
    this.swallowAfterBytes = Number.POSITIVE_INFINITY;
  }

  /** Resets every connection. */
  cut(): void {
    for (const { client, target } of this.pairs) {
      client.resetAndDestroy();
      target.resetAndDestroy();
    }
  }

  destroy(): void {
    this.server.close();
    this.cut();
  }

  private join(client: Socket, target: Socket): void {
    const pair = { client, target };
    this.pairs.add(pair);
    this.connections += 1;
    const cut = this.plan(this.connections);
    let left = this.cutAfterBytes;
    const forward = (from: Socket, to: Socket, way: Cut["way"]) => {
      let swallowed = false;
      let planned = cut?.way === way ? cut.afterBytes : Number.POSITIVE_INFINITY;
      const dripping: number[] = [];
      if (this.drips) drip(to, dripping);
      from.on("error", () => undefined);
      from.on("data", (chunk: Buffer) => {
        swallowed ||= this.swallows;
        if (swallowed) return;
        const most = way === "toTarget" ? Math.min(left, this.swallowAfterBytes) : chunk.length;
        const bytes = chunk.subarray(0, Math.min(planned, most));
        if (way === "toTarget") {
          this.reads += 1;
          left -= bytes.length;
          this.swallowAfterBytes -= bytes.length;
          this.swallows ||= this.swallowAfterBytes <= 0;
        }
        planned -= bytes.length;
        if (this.drips && way === "toTarget") dripping.push(...bytes);
        else if (bytes.length > 0) to.write(bytes);
        if (left <= 0) setImmediate(() => this.cut());
        if (planned <= 0 && cut !== undefined) end(pair, cut);
      });
      from.on("end", () => (this.swallows ? undefined : to.end()));
      from.on("close", () => {
        this.pairs.delete(pair);
        if (!this.swallows) to.destroy();
      });
    };
    forward(client, target, "toTarget");
    forward(target, client, "toClient");
    if (cut?.afterBytes === 0) end(pair, cut);
  }
}

function end({ client, target }: { readonly client: Socket; readonly target: Socket }, { how, way }: Cut): void {
  if (how === "reset") {
    client.resetAndDestroy();
    target.resetAndDestroy();
    return;
  }
  // What was let through still arrives.
  const [from, to] = way === "toTarget" ? [client, target] : [target, client];
  from.destroy();
  to.end();
}

/** Each byte in a write of its own, with a turn of the event loop in between. */
function drip(to: Socket, bytes: number[]): void {
  const byte = bytes.shift();
  if (byte !== undefined) to.write(Uint8Array.of(byte));
  if (!to.destroyed) setImmediate(() => drip(to, bytes));
}

export function portOf(endpoint: string): number {
  return Number(endpoint.slice(endpoint.lastIndexOf(":") + 1));
}
