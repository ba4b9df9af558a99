import type { ClientSession } from "./session.ts";

/** All sessions of a gateway, by what their clients show to resume them. */
export class Registry {
  readonly #byToken = new Map<string, ClientSession>();
  /** Those without a connection, the longest so first. */
  readonly #detached = new Set<ClientSession>();

  get size(): number {
    return this.#byToken.size;
  }

  get detachedSize(): number {
    return this.#detached.size;
  }

  add(session: ClientSession): void {
    this.#byToken.set(keyOf(session.token), session);
  }

  find(token: Uint8Array): ClientSession | undefined {
    return this.#byToken.get(keyOf(token));
  }

  markDetached(session: ClientSession): void {
    this.#detached.add(session);
  }

  markAttached(session: ClientSession): void {
    this.#detached.delete(session);
  }

  remove(session: ClientSession): void {
    this.#byToken.delete(keyOf(session.token));
    this.#detached.delete(session);
  }

  oldestDetached(): ClientSession | undefined {
    return this.#detached.values().next().value;
  }

  all(): readonly ClientSession[] {
    return [...this.#byToken.values()];
  }
}

function keyOf(token: Uint8Array): string {
  return Buffer.from(token.buffer, token.byteOffset, token.byteLength).toString("latin1");
}
