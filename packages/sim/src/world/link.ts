import type { TrafficClass } from "@rehome/core";
import { commandIds, type CommandName } from "@rehome/wire";
import type { Station } from "./station.ts";

export interface SentRecord {
  readonly frames: readonly Uint8Array[];
  readonly traffic: TrafficClass;
  isDelivered: boolean;
}

/** Control records of moves whose repetition must change nothing (I9, M8). */
const REPEATABLE: readonly CommandName[] = [
  "relocationPrepare",
  "relocationReady",
  "relocationCutover",
  "relocationFailed",
  "sessionRelocationSeal",
  "sessionRelocationSealed",
  "sessionRelocationRoute",
  "actorJoined",
  "replyRelay",
  "replyRelayAck",
];
const repeatableIds = new Set<number>(REPEATABLE.map((name) => commandIds[name]));
const COMMAND_AT = 3;

const namesById = new Map(Object.entries(commandIds).map(([name, id]) => [id as number, name]));

export function commandName(frames: readonly Uint8Array[]): string {
  return namesById.get(frames[0]?.[COMMAND_AT] ?? 0) ?? "an unknown command";
}

/** One end of a link: what its node has sent on it and does not know to have arrived. */
export class End {
  readonly station: Station;
  peer!: End;
  /** Its process knows of it. */
  up = false;
  /** Nothing arrives at it or leaves it any more. */
  lost = false;
  /** Its process has been told so. */
  gone = false;
  readonly unacknowledged: SentRecord[] = [];
  dataInFlight = 0;
  /** When the last record on its way arrives: no other may be earlier. */
  arrivesMs = 0;
  /** Sent and not arrived, in order. */
  readonly inTransit: SentRecord[] = [];
  /** How many of them have come as far as a partition. */
  stalled = 0;
  /** Its link has no connection at the moment. */
  isInterrupted = false;
  isBackedUp = false;
  ackScheduled = false;

  constructor(station: Station) {
    this.station = station;
  }

  dropDelivered(): void {
    const { unacknowledged } = this;
    let count = 0;
    while (unacknowledged[count]?.isDelivered === true) {
      if (unacknowledged[count]!.traffic === "data") this.dataInFlight -= 1;
      count += 1;
    }
    unacknowledged.splice(0, count);
  }

  static isRepeatable(frames: readonly Uint8Array[]): boolean {
    return repeatableIds.has(frames[0]?.[COMMAND_AT] ?? 0);
  }
}
