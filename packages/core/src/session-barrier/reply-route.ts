import type { Session } from "@rehome/wire";

/** The run of a node that holds, or held, the session that a request came from. */
export type SessionOwner = Pick<Session, "ownerNodeRid" | "ownerNodeGeneration">;

/** What an actor's node knows of the way back to a client that made a request. */
export interface ReplyKnowledge {
  /** The session is held by this very node. */
  readonly isLocal: boolean;
  /** Who held it when the request was accepted. */
  readonly atAcceptance: SessionOwner | undefined;
  /** Who holds the binding now. */
  readonly current: SessionOwner | undefined;
  /** Who was known last before the actor was destroyed. */
  readonly lastOfDestroyed: SessionOwner | undefined;
}

export type ReplyWay =
  | { readonly type: "local" }
  | { readonly type: "node"; readonly owner: SessionOwner }
  /** There is no way: report the failure, do not swallow it. */
  | { readonly type: "none" };

/** `protocol.md` S18: the way of an actor's response or error to a client's request. */
export function replyWay({ isLocal, atAcceptance, current, lastOfDestroyed }: ReplyKnowledge): ReplyWay {
  if (isLocal) return { type: "local" };
  const owner = atAcceptance ?? current ?? lastOfDestroyed;
  return owner === undefined ? { type: "none" } : { type: "node", owner };
}
