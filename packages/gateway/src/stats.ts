import type { CloseReason } from "@rehome/client/protocol";

/** What a gateway counts from its start. */
export interface Counters {
  connectionsAccepted: number;
  /** Before the WebSocket was there: wrong path, origin, too many. */
  upgradesRefused: number;
  hellosRefused: number;
  sessionsOpened: number;
  sessionsResumed: number;
  /** Ended because no connection came back in time, or to make room. */
  sessionsExpired: number;
  framesIn: number;
  framesOut: number;
  packetsIn: number;
  packetsOut: number;
  bytesIn: number;
  bytesOut: number;
  /** Pushes for bindings that are over. */
  pushesDropped: number;
  /** Connections that the gateway ended, by reason. */
  readonly cuts: Partial<Record<CloseReason, number>>;
}

/** {@link Counters} and what there is now. */
export interface GatewayStats extends Readonly<Counters> {
  readonly connections: number;
  readonly sessions: number;
  /** Sessions that wait for their client to come back. */
  readonly detachedSessions: number;
}

export function newCounters(): Counters {
  return {
    connectionsAccepted: 0,
    upgradesRefused: 0,
    hellosRefused: 0,
    sessionsOpened: 0,
    sessionsResumed: 0,
    sessionsExpired: 0,
    framesIn: 0,
    framesOut: 0,
    packetsIn: 0,
    packetsOut: 0,
    bytesIn: 0,
    bytesOut: 0,
    pushesDropped: 0,
    cuts: {},
  };
}
