import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Clock, TimerHandle } from "@rehome/core";
import type { TransportLimits } from "../limits.ts";
import type { LogThrottle } from "../log-throttle.ts";

interface Pending {
  readonly socket: Socket;
  readonly timer: TimerHandle;
}

/**
 * Accepted connections whose TLS handshake is not over: a bounded number, each with a deadline. They are told apart by the
 * other end's address, since a runtime may show another object before the handshake than after it.
 */
export class TlsHandshakes {
  private readonly clock: Clock;
  private readonly limits: TransportLimits;
  private readonly strangers: LogThrottle;
  /** Oldest first. */
  private readonly pending = new Map<string, Pending>();
  /** A socket that is gone does not tell any more where it came from. */
  private readonly remotes = new WeakMap<Socket, string>();

  constructor(clock: Clock, limits: TransportLimits, strangers: LogThrottle) {
    this.clock = clock;
    this.limits = limits;
    this.strangers = strangers;
  }

  begin(socket: Socket): void {
    socket.on("error", () => undefined);
    // Gone before anybody looked.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    const remote = remoteOf(socket);
    this.remotes.set(socket, remote);
    this.over(socket);
    // A node begins at once, so the oldest is the least likely to be one.
    if (this.pending.size >= this.limits.maxPendingHandshakes)
      for (const oldest of [...this.pending.keys()].slice(0, 1)) this.drop(oldest, "tooManyPending");
    const timer = this.clock.after(this.limits.handshakeTimeoutMs, () => this.drop(remote, "timeout"));
    const pending: Pending = { socket, timer };
    this.pending.set(remote, pending);
    socket.once("close", () => {
      timer.cancel();
      if (this.pending.get(remote) === pending) this.pending.delete(remote);
    });
  }

  /** The handshake of the connection from this address has come to an end. */
  over(socket: Socket): void {
    const remote = remoteOf(socket);
    this.pending.get(remote)?.timer.cancel();
    this.pending.delete(remote);
  }

  /** Where a connection has come from whose handshake failed, and which may be gone by now. */
  remoteOf(socket: TLSSocket): string {
    // Node has no public way from there to the socket that was accepted. Without this one, the log would say "unknown".
    const { _parent: accepted } = socket as { readonly _parent?: Socket | null };
    return (accepted && this.remotes.get(accepted)) ?? remoteOf(socket);
  }

  dropAll(): void {
    for (const { socket, timer } of this.pending.values()) {
      timer.cancel();
      socket.destroy();
    }
    this.pending.clear();
  }

  private drop(remote: string, cause: string): void {
    const found = this.pending.get(remote);
    if (found === undefined) return;
    found.timer.cancel();
    this.pending.delete(remote);
    this.strangers.write("warn", "tls.refused", { remote, reason: cause });
    found.socket.destroy();
  }
}

export function remoteOf(socket: Socket): string {
  return `${socket.remoteAddress ?? "unknown"}:${socket.remotePort ?? 0}`;
}
