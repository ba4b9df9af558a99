import { connect } from "node:net";
import type { ByteStream, ConnectHandler, PendingConnect } from "../byte-stream.ts";
import type { TransportError } from "../errors.ts";
import { parseEndpoint, resolveAddress } from "./addresses.ts";
import type { HostAndPort, Scheme } from "./addresses.ts";
import { connectFailure } from "./failures.ts";
import { NodeStream } from "./node-stream.ts";

/** How a socket that has been asked for turned out. One of the two, once, and never before the opener has returned. */
export interface DialOutcome {
  connected(stream: ByteStream): void;
  failed(error: TransportError): void;
}

export interface DialOptions {
  readonly scheme: Scheme;
  readonly allowOffLoopback: boolean;
  /** Opens a socket, and returns what gives up on it. */
  open(target: HostAndPort, outcome: DialOutcome): () => void;
}

/** One attempt to connect: endpoint, name, permission, socket. */
export class Dial implements PendingConnect, DialOutcome {
  private readonly handler: ConnectHandler;
  private giveUp: (() => void) | undefined;
  private isOver = false;

  constructor(endpoint: string, handler: ConnectHandler, options: DialOptions) {
    this.handler = handler;
    let target: HostAndPort;
    try {
      target = parseEndpoint(options.scheme, endpoint);
    } catch (error) {
      setImmediate(() => this.failed(error as TransportError));
      return;
    }
    resolveAddress(target.host, options.allowOffLoopback, (address) => {
      if (this.isOver) return;
      if (typeof address === "string") this.giveUp = options.open({ host: address, port: target.port }, this);
      else this.failed(address);
    });
  }

  cancel(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.giveUp?.();
  }

  connected(stream: ByteStream): void {
    if (this.isOver) return stream.destroy();
    this.isOver = true;
    this.handler.onConnected(stream);
  }

  failed(error: TransportError): void {
    if (this.isOver) return;
    this.isOver = true;
    this.handler.onFailed(error);
  }
}

/** A dial over plain TCP. */
export function dialPlain(endpoint: string, handler: ConnectHandler, allowOffLoopback: boolean): PendingConnect {
  const open = (target: HostAndPort, outcome: DialOutcome): (() => void) => {
    const socket = connect({ ...target, noDelay: true });
    socket.on("error", (error) => outcome.failed(connectFailure(error, "tcp", target)));
    socket.once("connect", () => outcome.connected(new NodeStream(socket)));
    return () => socket.destroy();
  };
  return new Dial(endpoint, handler, { scheme: "tcp", allowOffLoopback, open });
}
