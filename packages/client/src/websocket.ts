/**
 * The part of the WebSocket interface of browsers that the client uses. Node 22 and newer, Bun and browsers have such a
 * class as a global; for Node 20 give the one of the package `ws`.
 */
export interface WebSocketLike {
  binaryType: string;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  send(data: Uint8Array): void;
  close(code?: number, reason?: string): void;
  /** Not in browsers: drops the connection at once. */
  terminate?(): void;
}

export type WebSocketConstructor = new (url: string) => WebSocketLike;

/** The global class, if this JavaScript has one. */
export function globalWebSocket(): WebSocketConstructor | undefined {
  return (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket;
}
