import type { Node, Payload, RuntimeError, Session, SessionHandler } from "@rehome/runtime";

/** All that a gateway needs of a node: it opens one session per client. Any node of the runtime fits. */
export type SessionNode = Pick<Node, "openSession">;

export type { Payload, RuntimeError, Session, SessionHandler };
