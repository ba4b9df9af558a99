import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { TransportError } from "@rehome/transport";
import type { ByteStream, ConnectHandler, PendingConnect, StreamAdapter, StreamListener } from "@rehome/transport";
import { dialPlain, formatEndpoint, listenFailure, NodeStream, resolveAddress } from "@rehome/transport/sockets";
import type { SocketTransportConfig } from "@rehome/transport/sockets";

/** Plain TCP over `node:net`. */
export class NodeAdapter implements StreamAdapter {
  readonly securityIdentity = "plain";
  private readonly config: SocketTransportConfig;

  constructor(config: SocketTransportConfig) {
    this.config = config;
  }

  listen(accept: (stream: ByteStream) => void): Promise<StreamListener> {
    const { host, port, advertisedHost, allowPlaintextOffLoopback, log } = this.config;
    return new Promise((resolve, reject) => {
      resolveAddress(host, allowPlaintextOffLoopback, (address) => {
        if (address instanceof TransportError) return reject(address);
        const server = createServer({ noDelay: true }, (socket) => accept(new NodeStream(socket)));
        const onListenError = (error: Error) => reject(listenFailure(error, { host, port }));
        server.once("error", onListenError);
        server.listen(port, address, () => {
          server.off("error", onListenError);
          server.on("error", (error) => log.write("error", "listener.failed", { error: error.message }));
          const { port } = server.address() as AddressInfo;
          const endpoint = formatEndpoint("tcp", { host: advertisedHost ?? address, port });
          resolve({ endpoint, close: () => closeServer(server) });
        });
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

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
