import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { TransportError } from "@rehome/transport";
import type { ByteStream, ConnectHandler, PendingConnect, StreamAdapter, StreamListener } from "@rehome/transport";
import { formatEndpoint, parseEndpoint, resolveAddress } from "./addresses.ts";
import type { HostAndPort } from "./addresses.ts";
import type { NodeTransportConfig } from "./options.ts";
import { SocketStream } from "./socket-stream.ts";

/** Plain TCP over `node:net`. */
export class NodeAdapter implements StreamAdapter {
  readonly securityIdentity = "plain";
  private readonly config: NodeTransportConfig;

  constructor(config: NodeTransportConfig) {
    this.config = config;
  }

  listen(accept: (stream: ByteStream) => void): Promise<StreamListener> {
    const { host, port, advertisedHost, allowPlaintextOffLoopback, log } = this.config;
    return new Promise((resolve, reject) => {
      resolveAddress(host, allowPlaintextOffLoopback, (address) => {
        if (address instanceof TransportError) return reject(address);
        const server = createServer({ noDelay: true }, (socket) => accept(new SocketStream(socket)));
        const onListenError = (error: NodeJS.ErrnoException) => reject(listenError(error, { host, port }));
        server.once("error", onListenError);
        server.listen(port, address, () => {
          server.off("error", onListenError);
          server.on("error", (error) => log.write("error", "listener.failed", { error }));
          const endpoint = formatEndpoint({
            host: advertisedHost ?? address,
            port: (server.address() as AddressInfo).port,
          });
          resolve({ endpoint, close: () => closeServer(server) });
        });
      });
    });
  }

  connect(endpoint: string, handler: ConnectHandler): PendingConnect {
    return new Dial(endpoint, handler, this.config.allowPlaintextOffLoopback);
  }

  defer(fn: () => void): void {
    // After the sockets that are readable now have been read, so that one write carries the answers to all of them.
    setImmediate(fn);
  }
}

/** One attempt to connect: name, permission, socket. */
class Dial implements PendingConnect {
  private readonly handler: ConnectHandler;
  private socket: Socket | undefined;
  private isOver = false;

  constructor(endpoint: string, handler: ConnectHandler, allowOffLoopback: boolean) {
    this.handler = handler;
    let target: HostAndPort;
    try {
      target = parseEndpoint(endpoint);
    } catch (error) {
      setImmediate(() => this.fail(error as TransportError));
      return;
    }
    resolveAddress(target.host, allowOffLoopback, (address) => {
      if (this.isOver) return;
      if (address instanceof TransportError) this.fail(address);
      else this.open({ host: address, port: target.port });
    });
  }

  cancel(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.socket?.destroy();
  }

  private open(target: HostAndPort): void {
    const socket = connect({ ...target, noDelay: true });
    this.socket = socket;
    socket.on("error", (error: NodeJS.ErrnoException) => this.fail(connectError(error, target)));
    socket.once("connect", () => {
      if (this.isOver) return;
      this.isOver = true;
      this.handler.onConnected(new SocketStream(socket));
    });
  }

  private fail(error: TransportError): void {
    if (this.isOver) return;
    this.isOver = true;
    this.handler.onFailed(error);
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function listenError(error: NodeJS.ErrnoException, { host, port }: HostAndPort): TransportError {
  const options = { cause: error };
  switch (error.code) {
    case "EADDRINUSE":
      return new TransportError(
        "addressInUse",
        `Port ${port} on ${host} is in use: stop what listens there, or choose another port (0 takes any free one).`,
        options,
      );
    case "EACCES":
    case "EPERM":
      return new TransportError(
        "addressForbidden",
        `This process may not listen on port ${port} of ${host}: choose a port from 1024 on.`,
        options,
      );
    default:
      return new TransportError(
        "addressUnavailable",
        `Cannot listen on ${host}: choose an address of this machine (${error.code ?? error.message}).`,
        options,
      );
  }
}

function connectError(error: NodeJS.ErrnoException, target: HostAndPort): TransportError {
  const reason = error.code ?? error.message;
  return new TransportError("connectFailed", `Nobody answers at ${formatEndpoint(target)} (${reason}).`, {
    cause: error,
  });
}
