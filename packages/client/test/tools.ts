import { connect, type Client, type ClientClock, type ConnectOptions } from "../src/index.ts";
import {
  decodeClientPacket,
  encodeGatewayFrame,
  encodeGatewayPacket,
  type ClientFrame,
  type ClientPacket,
  type GatewayFrame,
  type GatewayPacket,
  type Outgoing,
  type SessionLimits,
} from "../src/protocol.ts";
import type { WebSocketLike } from "../src/websocket.ts";

/** Time that passes only when it is told to. */
export class VirtualClock implements ClientClock {
  #nowMs = 0;
  readonly #timers = new Set<{ readonly dueMs: number; readonly fn: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, fn: () => void): { cancel(): void } {
    const timer = { dueMs: this.#nowMs + delayMs, fn };
    this.#timers.add(timer);
    return { cancel: () => this.#timers.delete(timer) };
  }

  get running(): number {
    return this.#timers.size;
  }

  /** Lets so much time pass, with everything that is due on the way. */
  async pass(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      await settle();
      const next = [...this.#timers].sort((a, b) => a.dueMs - b.dueMs)[0];
      if (next === undefined || next.dueMs > endMs) break;
      this.#nowMs = next.dueMs;
      this.#timers.delete(next);
      next.fn();
    }
    this.#nowMs = endMs;
    await settle();
  }
}

/** Lets everything run that does not wait for time. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
}

export const limits: SessionLimits = {
  maxMessageBytes: 10_000,
  windowFrames: 100,
  framesPerSecond: 1_000,
  burstFrames: 100,
  resumeGraceMs: 30_000,
  silenceLimitMs: 25_000,
  maxBindings: 10,
  maxOutstandingRequests: 10,
  maxRequestTimeoutMs: 60_000,
};

/** The gateway's end of a WebSocket of which the test is in command. */
export class FakeSocket implements WebSocketLike {
  binaryType = "";
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  readonly url: string;
  readonly packets: ClientPacket[] = [];
  closed: { readonly code: number | undefined } | undefined;
  #nextFrame = 1;

  constructor(url: string) {
    this.url = url;
  }

  send(data: Uint8Array): void {
    if (this.closed === undefined) this.packets.push(decodeClientPacket(data));
  }

  close(code?: number): void {
    this.closed ??= { code };
  }

  get frames(): ClientFrame[] {
    return this.packets.flatMap(({ frames }) => frames);
  }

  open(): void {
    this.onopen?.({} as never);
  }

  /** The gateway says this. */
  say(packet: Outgoing<GatewayPacket>): void {
    this.sayBytes(encodeGatewayPacket(packet));
  }

  sayBytes(bytes: Uint8Array): void {
    this.onmessage?.({ data: new Uint8Array(bytes).buffer } as never);
  }

  /** The gateway says these, with the next numbers. */
  sayFrames(acknowledged: number, ...frames: GatewayFrame[]): void {
    const first = this.#nextFrame;
    this.#nextFrame += frames.length;
    this.say({ first, acknowledged, frames: frames.map(encodeGatewayFrame) });
  }

  /** Numbers go on from here, after a resume. */
  continueFrom(next: number): void {
    this.#nextFrame = next;
  }

  welcome(options: { resumed?: boolean; acknowledged?: number; limits?: Partial<SessionLimits> } = {}): void {
    const { resumed = false, acknowledged = 0 } = options;
    const session = new Uint8Array([1, 2, 3]);
    this.say({
      acknowledged,
      welcome: { protocolVersion: 1, session, resumed, limits: { ...limits, ...options.limits } },
    });
  }

  /** An error, with no close after it. */
  fail(message: string): void {
    this.onerror?.({ message } as never);
  }

  /** The connection ends. */
  drop(code = 1006, reason = ""): void {
    this.closed ??= { code };
    this.onclose?.({ code, reason } as never);
  }
}

export interface Stage {
  readonly client: Client;
  readonly clock: VirtualClock;
  /** Every socket that the client has made, oldest first. */
  readonly sockets: FakeSocket[];
  /** The newest of them. */
  readonly socket: FakeSocket;
}

/** A client whose sockets and time the test commands. */
export function stage(options: Partial<ConnectOptions> = {}): Stage {
  const clock = new VirtualClock();
  const sockets: FakeSocket[] = [];
  class Socket extends FakeSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
    }
  }
  const client = connect({ url: "ws://one", webSocket: Socket, clock, random: () => 0.5, ...options });
  return {
    client,
    clock,
    sockets,
    get socket() {
      return sockets.at(-1)!;
    },
  };
}

/** The same, connected. */
export async function connectedStage(options: Partial<ConnectOptions> = {}): Promise<Stage> {
  const made = stage(options);
  await settle();
  made.socket.open();
  made.socket.welcome();
  await settle();
  return made;
}
