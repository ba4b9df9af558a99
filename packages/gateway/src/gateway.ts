import { Connection, type ConnectionHost } from "./connection.ts";
import { LATE, withDeadline } from "./deadline.ts";
import { Flusher } from "./flusher.ts";
import { Greeter } from "./greeter.ts";
import { openDoor, type Door } from "./listen.ts";
import { parseOptions, type GatewayConfig, type GatewayOptions, type Principal } from "./options.ts";
import { Registry } from "./registry.ts";
import type { SessionHost } from "./session.ts";
import { newCounters, type Counters, type GatewayStats } from "./stats.ts";

/** Connections are looked at so often within the shorter of the ping and the silence limit. */
const LOOKS_PER_LIMIT = 4;
/** Part of the time to close that clients get to leave by themselves. */
const LEAVE_PART = 0.7;

/** A running gateway. */
export interface Gateway {
  /** Where clients connect. Of a server of the application's that does not listen yet: its path only. */
  readonly url: string;
  stats(): GatewayStats;
  /**
   * Tells all clients that it is going away, lets them finish what is under way and leave, then ends their sessions.
   * Settles within `closeMs`, whatever the clients do, and leaves no socket and no timer behind. Never rejects.
   */
  close(): Promise<void>;
}

/** Starts a gateway for the clients of a node. Rejects with a GatewayError. */
export async function startGateway<P extends Principal = Principal>(options: GatewayOptions<P>): Promise<Gateway> {
  const host = new GatewayHost(parseOptions(options));
  await host.start();
  return host;
}

class GatewayHost implements Gateway, ConnectionHost, SessionHost {
  readonly config: GatewayConfig;
  readonly counters: Counters = newCounters();
  readonly flusher: Flusher;
  readonly #registry = new Registry();
  readonly #greeter: Greeter;
  readonly #connections = new Set<Connection>();
  /** Sessions that have ended and of which the node has not yet let go. */
  readonly #endings = new Set<Promise<void>>();
  #door: Door | undefined;
  #lookTimer: { cancel(): void } | undefined;
  #closing: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(config: GatewayConfig) {
    this.config = config;
    this.flusher = new Flusher(config.clock);
    this.#greeter = new Greeter(this, this.#registry);
  }

  async start(): Promise<void> {
    this.#door = await openDoor(this.config, {
      hasRoom: () => this.#connections.size < this.config.limits.maxConnections,
      onConnection: (socket, request) => {
        this.counters.connectionsAccepted++;
        this.#connections.add(new Connection(this, socket, request));
      },
      onRefused: () => this.counters.upgradesRefused++,
    });
    this.#look();
  }

  get url(): string {
    return this.#door?.url() ?? this.config.path;
  }

  stats(): GatewayStats {
    return {
      ...this.counters,
      cuts: { ...this.counters.cuts },
      connections: this.#connections.size,
      sessions: this.#registry.size,
      detachedSessions: this.#registry.detachedSize,
    };
  }

  isClosing(): boolean {
    return this.#closing !== undefined;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  // ------------------------------------------------------------------------------------- from connections, sessions

  onHello(connection: Connection, hello: Parameters<Greeter["greet"]>[1]): void {
    void this.#greeter.greet(connection, hello);
  }

  onClosed(connection: Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  onAttached: SessionHost["onAttached"] = (session) => this.#registry.markAttached(session);

  onDetached: SessionHost["onDetached"] = (session) => this.#registry.markDetached(session);

  onEnded: SessionHost["onEnded"] = (session, end, closed) => {
    this.#registry.remove(session);
    if (end === "graceExpired" || end === "evicted") this.counters.sessionsExpired++;
    this.#endings.add(closed);
    void closed.then(() => this.#endings.delete(closed));
  };

  // ---------------------------------------------------------------------------------------------------------- inside

  #look(): void {
    const { clock, deadlines } = this.config;
    const everyMs = Math.min(deadlines.pingMs, deadlines.silenceMs) / LOOKS_PER_LIMIT;
    const dueMs = clock.nowMs() + everyMs;
    this.#lookTimer = clock.after(everyMs, () => {
      const nowMs = clock.nowMs();
      for (const connection of [...this.#connections]) connection.tick(nowMs, Math.max(0, nowMs - dueMs));
      this.#look();
    });
  }

  async #close(): Promise<void> {
    // Everything below must already see that it is closing.
    await Promise.resolve();
    const { clock, deadlines } = this.config;
    const endMs = clock.nowMs() + deadlines.closeMs;
    this.#door?.shut();
    const leaveMs = deadlines.closeMs * LEAVE_PART;
    for (const connection of [...this.#connections]) connection.sayGoingAway(leaveMs, deadlines.goingAwaySpreadMs);
    for (const session of this.#registry.all()) if (!session.isAttached) session.end("goingAway");
    await this.#untilEmpty(leaveMs);
    for (const connection of [...this.#connections]) connection.cut("goingAway", "The gateway is closing.");
    await this.#untilEmpty((endMs - clock.nowMs()) / 2);
    for (const connection of [...this.#connections]) connection.terminate();
    await withDeadline(clock, Math.max(1, endMs - clock.nowMs()), () => Promise.all([...this.#endings]));
    this.#lookTimer?.cancel();
    this.flusher.close();
    await this.#door?.close();
  }

  /** Waits until no connection is left, at most so long. */
  async #untilEmpty(limitMs: number): Promise<void> {
    if (this.#connections.size === 0) return;
    const result = await withDeadline(this.config.clock, limitMs, () => {
      return new Promise<void>((resolve) => (this.#onEmpty = resolve));
    });
    if (result === LATE) this.config.log.write("debug", "gateway.close.waits", { connections: this.#connections.size });
    this.#onEmpty = undefined;
  }
}
