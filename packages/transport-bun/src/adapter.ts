import { TransportError } from "@rehome/transport";
import type { ByteStream, ConnectHandler, PendingConnect, StreamAdapter, StreamListener } from "@rehome/transport";
import { dialPlain, formatEndpoint, listenFailure, resolveAddress } from "@rehome/transport/sockets";
import type { SocketTransportConfig } from "@rehome/transport/sockets";
import { socketHandler, type BunStream } from "./bun-stream.ts";

/**
 * Plain TCP over Bun's own sockets. Dials go through `node:net`: a `Bun.connect` cannot be given up, so one to a machine that
 * is silent would hold a socket, and keep the process alive, for minutes.
 */
export class BunAdapter implements StreamAdapter {
  readonly securityIdentity = "plain";
  private readonly config: SocketTransportConfig;

  constructor(config: SocketTransportConfig) {
    this.config = config;
  }

  listen(accept: (stream: ByteStream) => void): Promise<StreamListener> {
    const { host, port, advertisedHost, allowPlaintextOffLoopback } = this.config;
    return new Promise((resolve, reject) => {
      resolveAddress(host, allowPlaintextOffLoopback, (hostname) => {
        if (hostname instanceof TransportError) return reject(hostname);
        try {
          const listener = Bun.listen<BunStream | undefined>({
            hostname,
            port,
            // Without it another process may listen on the same port and take a part of the connections.
            exclusive: true,
            // Otherwise the end of the peer's bytes would end this end's, sent or not.
            allowHalfOpen: true,
            socket: socketHandler(accept),
          });
          const endpoint = formatEndpoint("tcp", { host: advertisedHost ?? hostname, port: listener.port });
          resolve({ endpoint, close: () => Promise.resolve(listener.stop()) });
        } catch (error) {
          reject(listenFailure(error, { host, port }));
        }
      });
    });
  }

  connect(endpoint: string, handler: ConnectHandler): PendingConnect {
    return dialPlain(endpoint, handler, this.config.allowPlaintextOffLoopback);
  }

  defer(fn: () => void): void {
    // After the sockets that are readable now have been read, so that one write carries the answers to all of them.
    setImmediate(fn);
  }
}
