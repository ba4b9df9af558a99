import type { ActorAccount, ClientAccount } from "./account/accounts.ts";
import type { Sabotage } from "./sabotage.ts";

/** What the main process tells the processes that it has started. */
export type ToChild =
  /** To the gateway's process, first of all: make the store, or say why not. Answer: `storeOpen`. */
  | { readonly type: "openStore"; readonly url: string }
  /** To a node and to the gateway's process. Answer: `ready`. */
  | {
      readonly type: "startNode";
      readonly meshName: string;
      readonly storeUrl: string;
      readonly seed: number;
      readonly stateBytes: number;
      /** The spot that this node makes; the gateway's node makes none. */
      readonly spotId: string | undefined;
      /** Set for the gateway's process. */
      readonly gatewayPort: number | undefined;
    }
  /** To the clients' process: connect and bind. Answer: `ready`. */
  | { readonly type: "startClients"; readonly plan: ClientsPlan }
  /** To the clients' process: send. */
  | { readonly type: "go" }
  /** To the clients' process: stop sending and wait for what is under way. Answer: `clientAccounts`. */
  | { readonly type: "rest"; readonly withinMs: number }
  /** To the clients' process: hand in the accounts at once. Answer: `clientAccounts`. */
  | { readonly type: "report" }
  /** To a node: which actors do you own? Answer: `owned`. */
  | { readonly type: "listActors" }
  /** To the node that owns the actor. Answer: `orderEnded`. */
  | { readonly type: "relocate"; readonly actorId: string; readonly to: string }
  /** To the gateway's process: tell the actor to join. Answer: `orderEnded` from wherever the actor learns the result. */
  | { readonly type: "join"; readonly actorId: string; readonly spotId: string }
  /** To a node: ask these actors for their accounts. Answer: `actorAccounts`. */
  | { readonly type: "collect"; readonly actorIds: readonly string[]; readonly withinMs: number }
  /** Close everything and exit. */
  | { readonly type: "stop" };

export interface ClientsPlan {
  readonly url: string;
  readonly seed: number;
  readonly rate: number;
  readonly sabotage: Sabotage | undefined;
  readonly clients: readonly { readonly client: string; readonly actorId: string }[];
}

/** What the processes tell the main process. */
export type FromChild =
  | { readonly type: "storeOpen" }
  /** `url` is where the gateway listens. */
  | { readonly type: "ready"; readonly url: string | undefined }
  /** The process cannot do what it is for, and exits. One line that says what to do. */
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "owned"; readonly actorIds: readonly string[] }
  | { readonly type: "moves"; readonly events: readonly MoveEvent[] }
  | { readonly type: "orderEnded"; readonly actorId: string; readonly trouble: string | undefined }
  | { readonly type: "nodeStats"; readonly run: number }
  | { readonly type: "clientStats"; readonly stats: ClientStats }
  | { readonly type: "clientAccounts"; readonly accounts: readonly ClientAccount[] }
  | { readonly type: "actorAccounts"; readonly accounts: readonly ActorAccount[] };

export interface ClientStats {
  readonly sent: number;
  readonly disconnects: number;
  /** Faults that the clients can see by themselves. */
  readonly anomalies: number;
}

export type MoveEvent =
  | { readonly type: "paused"; readonly relocation: string; readonly atMs: number }
  | { readonly type: "opened"; readonly relocation: string; readonly atMs: number; readonly actorId: string }
  | { readonly type: "committed"; readonly steps: Readonly<Record<string, number>> }
  | { readonly type: "undone"; readonly relocation: string; readonly reason: string };

export type FromChildOf<T extends FromChild["type"]> = Extract<FromChild, { readonly type: T }>;
