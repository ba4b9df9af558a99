import type { ClientClock } from "./clock.ts";
import { decodeGatewayPacket } from "./protocol/codec.ts";
import type { GatewayPacket } from "./protocol/frames.ts";
import type { WebSocketConstructor } from "./websocket.ts";

/** The close that follows an error comes with it, or after one more answer from the other end. */
const CLOSE_AFTER_ERROR_MS = 1_000;

/** How a connection ended. */
export interface LinkEnd {
  /** The close code, 1006 when there was none. */
  readonly code: number;
  readonly reason: string;
  /** What was read made no sense: the other end is not a gateway of this protocol. */
  readonly malformed: boolean;
}

export interface LinkHandler {
  onOpen(): void;
  onPacket(packet: GatewayPacket, bytes: number): void;
  /** Comes once, and nothing after it; not after {@link Link.close}. */
  onEnd(end: LinkEnd): void;
}

/** One WebSocket connection: packets in and out, nothing else. */
export interface Link {
  send(packet: Uint8Array): void;
  /** Ends it politely. The handler hears nothing more, whatever the socket still says. */
  close(code: number, reason: string): void;
  /** Ends it without waiting for the other end, where the WebSocket can do that: for a peer that does not answer. */
  abort(): void;
}

interface MessageLike {
  readonly data: unknown;
}
interface CloseLike {
  readonly code?: number;
  readonly reason?: string;
}
interface ErrorLike {
  readonly message?: string;
}

/** Throws what the WebSocket constructor throws. */
export function openLink(
  WebSocketClass: WebSocketConstructor,
  url: string,
  handler: LinkHandler,
  clock: ClientClock,
): Link {
  const socket = new WebSocketClass(url);
  let opened = false;
  let over = false;
  let lastError = "";
  let closeTimer: { cancel(): void } | undefined;

  const finish = (): void => {
    over = true;
    closeTimer?.cancel();
  };
  const end = (what: LinkEnd): void => {
    if (over) return;
    finish();
    handler.onEnd(what);
  };
  const closeSocket = (code: number, reason: string): void => {
    try {
      socket.close(code, reason);
    } catch {
      // Some implementations throw when the connection was never up: there is nothing to close then.
    }
  };

  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    if (over) return;
    opened = true;
    handler.onOpen();
  };
  socket.onmessage = (event: MessageLike) => {
    if (over) return;
    let packet: GatewayPacket;
    const bytes = bytesOf(event.data);
    try {
      if (bytes === undefined) throw new TypeError("not a binary message");
      packet = decodeGatewayPacket(bytes);
    } catch (error) {
      end({ code: 1002, reason: String(error), malformed: true });
      closeSocket(4400, "not a packet of client.proto");
      return;
    }
    handler.onPacket(packet, bytes.length);
  };
  const endWithError = (): void => {
    end({ code: 1006, reason: lastError, malformed: false });
    closeSocket(1000, "");
  };
  // Closing a socket that never opened may give a further error.
  socket.onerror = (event: ErrorLike) => {
    if (over) return;
    lastError = event.message ?? "";
    // Not every implementation goes on with a close: Node 22's does not when nobody listens at the address. Once open,
    // the close is worth a wait, for its code says whether there is something to resume.
    if (!opened) endWithError();
    else closeTimer ??= clock.after(CLOSE_AFTER_ERROR_MS, endWithError);
  };
  socket.onclose = (event: CloseLike) => {
    end({ code: event.code ?? 1006, reason: event.reason || lastError, malformed: false });
  };

  return {
    send(packet) {
      // After the socket has closed itself and before it says so, what is sent is lost: a resume sends it again.
      try {
        if (!over) socket.send(packet);
      } catch (error) {
        lastError = String(error);
      }
    },
    close(code, reason) {
      finish();
      closeSocket(code, reason);
    },
    abort() {
      finish();
      if (socket.terminate === undefined) closeSocket(1000, "");
      else socket.terminate();
    },
  };
}

function bytesOf(data: unknown): Uint8Array | undefined {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return data instanceof Uint8Array ? data : undefined;
}
