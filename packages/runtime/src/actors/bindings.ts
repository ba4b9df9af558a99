import type { Rid, Session } from "@rehome/wire";

export type BindOutcome = "bound" | "repeated" | "stale";

/** The sessions bound to one actor, by owner node and session; the newest binding generation of each counts. */
export class Bindings {
  readonly #sessions = new Map<string, Session>();

  constructor(initial: Iterable<Session> = []) {
    for (const session of initial) this.#sessions.set(bindingKey(session.ownerNodeRid, session.sessionRid), session);
  }

  bind(session: Session): BindOutcome {
    const key = bindingKey(session.ownerNodeRid, session.sessionRid);
    const known = this.#sessions.get(key);
    if (known && known.ownerNodeGeneration === session.ownerNodeGeneration) {
      if (known.bindingGeneration === session.bindingGeneration) return "repeated";
      if (known.bindingGeneration > session.bindingGeneration) return "stale";
    }
    this.#sessions.set(key, session);
    return "bound";
  }

  /** True when exactly this binding, or an older one of the session, was there. */
  unbind(ownerNodeRid: Rid, sessionRid: Rid, retiredBindingGeneration: bigint): boolean {
    const key = bindingKey(ownerNodeRid, sessionRid);
    const known = this.#sessions.get(key);
    if (!known || known.bindingGeneration > retiredBindingGeneration) return false;
    return this.#sessions.delete(key);
  }

  find(ownerNodeRid: Rid, sessionRid: Rid): Session | undefined {
    return this.#sessions.get(bindingKey(ownerNodeRid, sessionRid));
  }

  /** Drops the sessions of which `isGone` says that their owner's run is no more; gives what was dropped. */
  dropGone(isGone: (session: Session) => boolean): Session[] {
    const gone = this.list().filter(isGone);
    for (const session of gone) this.#sessions.delete(bindingKey(session.ownerNodeRid, session.sessionRid));
    return gone;
  }

  list(): Session[] {
    return [...this.#sessions.values()];
  }
}

function bindingKey(ownerNodeRid: Rid, sessionRid: Rid): string {
  return `${ownerNodeRid.length}:${ownerNodeRid}${sessionRid}`;
}
