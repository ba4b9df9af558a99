import type { AddressInfo, Socket } from "node:net";
import { connect, createServer } from "node:tls";
import type { TLSSocket } from "node:tls";
import type { LocalIdentity } from "@rehome/core";
import type {
  ByteStream,
  ConnectHandler,
  PendingConnect,
  ProvenIdentity,
  StreamAdapter,
  StreamListener,
} from "../byte-stream.ts";
import { TransportError } from "../errors.ts";
import { resolveLimits } from "../limits.ts";
import { LogThrottle } from "../log-throttle.ts";
import { formatEndpoint, resolveAddress } from "./addresses.ts";
import type { HostAndPort } from "./addresses.ts";
import { CredentialWatch } from "./credentials.ts";
import type { TlsFiles } from "./credentials.ts";
import { Dial } from "./dial.ts";
import type { DialOutcome } from "./dial.ts";
import { codeOf, connectFailure, listenFailure } from "./failures.ts";
import { identityIn } from "./identity-uri.ts";
import { NodeStream } from "./node-stream.ts";
import type { SocketTransportConfig } from "./options.ts";
import { remoteOf, TlsHandshakes } from "./tls-handshakes.ts";

/** The same at both ends: each shows a certificate, and each refuses one that none of its authorities has signed. */
const MUTUAL = { minVersion: "TLSv1.3", requestCert: true, rejectUnauthorized: true } as const;

/**
 * TLS 1.3 over `node:tls`, on Node and on Bun (`docs/transport.md` 8). A stream is handed on only when the certificate of
 * its other end was accepted and names a node.
 */
export class TlsAdapter implements StreamAdapter {
  readonly securityIdentity = "tls";
  private readonly config: SocketTransportConfig;
  private readonly files: Required<TlsFiles>;
  private readonly strangers: LogThrottle;
  private credentials: CredentialWatch | undefined;

  constructor(config: SocketTransportConfig, files: Required<TlsFiles>) {
    this.config = config;
    this.files = files;
    this.strangers = new LogThrottle(config.log, config.clock);
  }

  async listen(accept: (stream: ByteStream) => void, identity: LocalIdentity): Promise<StreamListener> {
    const { clock, log } = this.config;
    const credentials = await CredentialWatch.open({ files: this.files, identity, clock, log });
    const address = await this.ownAddress();
    const listener = await this.bind(address, credentials, accept);
    this.credentials = credentials;
    return listener;
  }

  connect(endpoint: string, handler: ConnectHandler): PendingConnect {
    return new Dial(endpoint, handler, {
      scheme: "tls",
      allowOffLoopback: true,
      open: (target, outcome) => this.open(target, outcome),
    });
  }

  defer(fn: () => void): void {
    // After the sockets that are readable now have been read, so that one write carries the answers to all of them.
    setImmediate(fn);
  }

  private ownAddress(): Promise<string> {
    return new Promise((resolve, reject) => {
      resolveAddress(this.config.host, true, (address) =>
        address instanceof TransportError ? reject(address) : resolve(address),
      );
    });
  }

  private bind(
    address: string,
    credentials: CredentialWatch,
    accept: (stream: ByteStream) => void,
  ): Promise<StreamListener> {
    const { host, port, advertisedHost, clock, log, limits } = this.config;
    const handshakes = new TlsHandshakes(clock, resolveLimits(limits), this.strangers);
    const server = createServer({ ...MUTUAL, ...credentials.current, noDelay: true });
    server.on("connection", (socket: Socket) => handshakes.begin(socket));
    server.on("secureConnection", (socket) => {
      handshakes.over(socket);
      const stream = this.streamOf(socket);
      if (stream !== undefined) accept(stream);
    });
    server.on("tlsClientError", (error, socket) => {
      // Node ends a connection whose certificate it refuses like one that was reset, and keeps the reason here.
      const reason = refusalOf(socket) ?? codeOf(error);
      this.strangers.write("warn", "tls.refused", { remote: handshakes.remoteOf(socket), reason });
      socket.destroy();
    });
    const close = (): Promise<void> => {
      credentials.stop();
      handshakes.dropAll();
      return new Promise((resolve) => server.close(() => resolve()));
    };
    return new Promise((resolve, reject) => {
      const onListenError = (error: Error) => reject(listenFailure(error, { host, port }));
      server.once("error", onListenError);
      server.listen(port, address, () => {
        server.off("error", onListenError);
        server.on("error", (error: Error) => log.write("error", "listener.failed", { error: error.message }));
        credentials.start((renewed) => server.setSecureContext({ ...MUTUAL, ...renewed }));
        const { port } = server.address() as AddressInfo;
        resolve({ endpoint: formatEndpoint("tls", { host: advertisedHost ?? address, port }), close });
      });
    });
  }

  private open(target: HostAndPort, outcome: DialOutcome): () => void {
    const socket = connect({
      ...target,
      ...MUTUAL,
      ...this.credentials!.current,
      // The name that counts is in the certificate, and is the node's: see `streamOf`, and the dialer that asked for it.
      servername: "",
      checkServerIdentity: () => undefined,
    });
    socket.setNoDelay(true);
    const where = formatEndpoint("tls", target);
    let isConnected = false;
    socket.once("connect", () => (isConnected = true));
    socket.on("error", (error: Error) => {
      const reason = `No TLS connection with ${where} (${codeOf(error)}).`;
      outcome.failed(
        isConnected
          ? new TransportError("connectFailed", reason, { cause: error })
          : connectFailure(error, "tls", target),
      );
    });
    socket.on("close", () => outcome.failed(new TransportError("connectFailed", `${where} ended the TLS handshake.`)));
    socket.once("secureConnect", () => {
      const stream = this.streamOf(socket);
      if (stream !== undefined) outcome.connected(stream);
      else outcome.failed(new TransportError("connectFailed", `The certificate at ${where} is none of a node.`));
    });
    return () => socket.destroy();
  }

  /** The connection, if its other end has proven to be a node. Otherwise says why not, and ends it. */
  private streamOf(socket: TLSSocket): NodeStream | undefined {
    const proven = provenBy(socket);
    if (!("problem" in proven)) return new NodeStream(socket, proven);
    this.strangers.write("warn", "tls.refused", { remote: remoteOf(socket), reason: proven.problem });
    socket.on("error", () => undefined);
    socket.destroy();
    return undefined;
  }
}

function refusalOf(socket: TLSSocket): string | undefined {
  // Not an `Error`, whatever its type says, but a code, and null where there is none.
  const { authorizationError } = socket as { readonly authorizationError: unknown };
  return typeof authorizationError === "string" ? authorizationError : undefined;
}

function provenBy(socket: TLSSocket): ProvenIdentity | { readonly problem: string } {
  // The runtime has refused all of these before. This is where nothing depends on its defaults any more.
  if (!socket.authorized) return { problem: "its certificate was not accepted" };
  if (socket.getProtocol() !== "TLSv1.3") return { problem: "it does not speak TLS 1.3" };
  // A session that goes on skips the certificate, which may have expired, or lost its authority, by now.
  if (socket.isSessionReused()) return { problem: "it goes on with an earlier session" };
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? { problem: "it has no certificate" } : identityIn(certificate);
}
