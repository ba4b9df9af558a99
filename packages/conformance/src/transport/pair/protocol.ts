/**
 * The line protocol between a test and the process that one end of a link runs in. A line to it is a JSON array of
 * commands that are carried out in one tick; a line from it is a JSON array of reports.
 */
import type { TransportLimits } from "@rehome/transport";

/** Where a node's certificate is, for transports that use TLS. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  readonly reloadMs: number;
}

/** What a node under test is started with. */
export interface NodePlan {
  readonly name: string;
  readonly generation: number;
  readonly meshName: string;
  readonly limits: Partial<TransportLimits>;
  readonly tls: TlsFiles | undefined;
}

/** `to` and `name` are the texts of rids; bytes travel as the seed and the length of a pattern. */
export type PeerCommand =
  | { readonly do: "listen"; readonly node: string; readonly plan: NodePlan }
  | { readonly do: "connect"; readonly node: string; readonly to: NodeName }
  | { readonly do: "forget"; readonly node: string; readonly to: string }
  /** Sends `count` records of one frame each, or fewer if they are refused. Answered by `sent`. */
  | {
      readonly do: "send";
      readonly node: string;
      readonly to: string;
      readonly count: number;
      readonly length: number;
      readonly seed: number;
    }
  | { readonly do: "sendText"; readonly node: string; readonly to: string; readonly text: string }
  /** From now on every record is sent back, or every second one. */
  | { readonly do: "echo"; readonly node: string; readonly every: number }
  /** Asks in two records, with a tick between them, and waits for one; so often. Answered by `asked`. */
  | { readonly do: "ask"; readonly node: string; readonly to: string; readonly rounds: number }
  | { readonly do: "close"; readonly node: string };

/** Whom to reach, and where. */
export interface NodeName {
  readonly name: string;
  readonly generation: number;
  readonly endpoint: string;
}

export type PeerReport = { readonly node: string } & (
  | { readonly is: "listening"; readonly endpoint: string }
  | { readonly is: "refused"; readonly code: string; readonly message: string }
  | { readonly is: "event"; readonly event: ReportedEvent }
  /** `digest` is of all frames; `text` is there if the record is short. */
  | { readonly is: "record"; readonly bytes: number; readonly digest: string; readonly text: string | undefined }
  | { readonly is: "log"; readonly level: string; readonly event: string; readonly fields: string }
  | { readonly is: "sent"; readonly answers: Readonly<Record<string, number>> }
  | { readonly is: "asked"; readonly tookMs: number }
  | { readonly is: "closed" }
);

export interface ReportedEvent {
  readonly type: string;
  /** The text of the peer's rid. */
  readonly peer: string | undefined;
  readonly generation: number | undefined;
  /** Why a link was lost or an attempt failed. */
  readonly reason: string | undefined;
  readonly unacknowledged: number;
}

/** Numbers of each kind in a range, `sent` and `received` alike. */
export const SHORT_TEXT_BYTES = 200;
