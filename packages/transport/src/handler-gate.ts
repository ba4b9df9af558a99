import type { LinkEvent, Log, PeerIdentity, TransportHandler } from "@rehome/core";

export interface HandlerGateOptions {
  readonly handler: TransportHandler;
  readonly log: Log;
  defer(fn: () => void): void;
}

/**
 * The one way to the handler. Events wait for the end of the tick, so that no call of the transport calls its handler back;
 * a record comes at once, after every event that happened before it. One call never interrupts another.
 */
export class HandlerGate {
  private readonly options: HandlerGateOptions;
  private events: LinkEvent[] = [];
  private drainIsDue = false;
  private busy = false;

  constructor(options: HandlerGateOptions) {
    this.options = options;
  }

  emit(event: LinkEvent): void {
    this.events.push(event);
    if (this.drainIsDue) return;
    this.drainIsDue = true;
    this.options.defer(() => this.drain());
  }

  /** False if the handler failed, which it must not. */
  record(peer: PeerIdentity, frames: readonly Uint8Array[]): boolean {
    if (this.events.length > 0) this.drain();
    this.busy = true;
    try {
      this.options.handler.onRecord(peer, frames);
      return true;
    } catch (error) {
      this.report("onRecord", error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Delivers the events that wait. */
  drain(): void {
    this.drainIsDue = false;
    if (this.busy) return;
    this.busy = true;
    // An event's handler may cause the next event.
    for (let event = this.events.shift(); event !== undefined; event = this.events.shift()) {
      try {
        this.options.handler.onLink(event);
      } catch (error) {
        this.report("onLink", error);
      }
    }
    this.busy = false;
  }

  private report(method: string, error: unknown): void {
    this.options.log.write("error", "handler.threw", { method, error: String(error) });
  }
}
