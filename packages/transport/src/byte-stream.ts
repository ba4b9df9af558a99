import type { LocalIdentity } from "@rehome/core";
import type { Rid } from "@rehome/wire";
import type { TransportError } from "./errors.ts";

/** What a connection proves of the node at its other end, before that node has said a word. */
export interface ProvenIdentity {
  readonly meshName: string;
  readonly nodeRid: Rid;
}

/**
 * One connection's bytes, over whatever socket an adapter has. The shared part never sees a socket.
 *
 * - Nothing MUST be delivered to the handler before `start`, and nothing during a call of any method here: a handler is
 *   called from the event loop only.
 * - `onClose` MUST come exactly once after `start`, whoever ended the connection and however, and MUST be the last call.
 * - An error of the socket at any moment MUST end in `onClose`, never in a throw.
 */
export interface ByteStream {
  /** The other end, for logs. */
  readonly remote: string;
  /** `undefined` where connections prove nobody. What the other end says of itself is held against it. */
  readonly proven: ProvenIdentity | undefined;
  /** Starts reading. Called once. */
  start(handler: StreamHandler): void;
  /**
   * Takes as many of the leading bytes as the socket has room for and returns how many (0 … all). What was taken is sent in
   * order; the caller does not change those bytes while they are held. After a short count, `onDrain` MUST come when there is room.
   */
  write(bytes: Uint8Array): number;
  /** How many of the last bytes that were taken the stream may still read. The others may be changed again. */
  readonly heldBytes: number;
  /** Sends what was taken, then the end of the stream. Bytes go on arriving until the peer ends too. */
  close(): void;
  /** Drops the connection and what was not sent yet. */
  destroy(): void;
}

export interface StreamHandler {
  /** The bytes are the handler's from now on: the stream does not use that memory again. */
  onData(bytes: Uint8Array): void;
  /** There may be room again. May come unasked too. */
  onDrain(): void;
  onClose(reason: string): void;
}

export interface StreamListener {
  /** Where others can connect, for example `tcp://127.0.0.1:7801`. */
  readonly endpoint: string;
  /** Stops accepting. Connections that were accepted are not touched. Settles when the port is free again. */
  close(): Promise<void>;
}

export interface ConnectHandler {
  onConnected(stream: ByteStream): void;
  onFailed(error: TransportError): void;
}

export interface PendingConnect {
  /** Gives up. Neither method of the handler is called afterwards. Does nothing once one of them was. */
  cancel(): void;
}

/** What a runtime offers: sockets to listen on and to connect with, and a way to wait for the end of the tick. */
export interface StreamAdapter {
  /**
   * What the adapter's connections prove about both ends, as it stands in the handshake's `securityIdentity`: both must
   * say the same. `plain` says that nothing is proven.
   */
  readonly securityIdentity: string;
  /**
   * Rejects with a {@link TransportError} that says what to do. `accept` takes ownership of the stream. `identity` is this
   * node's: an adapter that proves it to others refuses to begin with proofs that are not its own.
   */
  listen(accept: (stream: ByteStream) => void, identity: LocalIdentity): Promise<StreamListener>;
  /** Never throws and never calls the handler before it returns. It has no deadline of its own: the caller cancels. */
  connect(endpoint: string, handler: ConnectHandler): PendingConnect;
  /**
   * Runs `fn` soon, once the events that are ready now have been handled, so that everything they cause is written at
   * once. MUST NOT run it before it returns.
   */
  defer(fn: () => void): void;
}
