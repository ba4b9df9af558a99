/** Pushes kept for a binding without a handler: enough for what comes while an application sets itself up. */
const MAX_KEPT_PUSHES = 1_024;
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

interface KeptPush {
  readonly name: string;
  readonly value: unknown;
  readonly bytes: number;
}

export type PushHandler = (name: string, value: unknown) => void;

/** Hands pushes to handlers in order, and keeps those that come before there is one. */
export class PushQueue {
  readonly #onDropped: (count: number) => void;
  readonly #onError: (error: unknown) => void;
  readonly #handlers = new Set<{ readonly fn: PushHandler }>();
  #kept: KeptPush[] = [];
  #keptBytes = 0;
  #draining = false;

  constructor(onDropped: (count: number) => void, onError: (error: unknown) => void) {
    this.#onDropped = onDropped;
    this.#onError = onError;
  }

  /** What was kept reaches the first handler soon after, not within this call. Returns what takes it off again. */
  add(fn: PushHandler): () => void {
    const entry = { fn };
    this.#handlers.add(entry);
    if (this.#kept.length > 0 && !this.#draining) {
      this.#draining = true;
      void Promise.resolve().then(() => this.#drain());
    }
    return () => this.#handlers.delete(entry);
  }

  deliver(name: string, value: unknown, bytes: number): void {
    if (this.#handlers.size > 0 && this.#kept.length === 0) {
      this.#call(name, value);
      return;
    }
    this.#kept.push({ name, value, bytes });
    this.#keptBytes += bytes;
    let dropped = 0;
    while (this.#kept.length - dropped > MAX_KEPT_PUSHES || this.#keptBytes > MAX_KEPT_BYTES) {
      this.#keptBytes -= this.#kept[dropped++]!.bytes;
    }
    if (dropped > 0) {
      this.#kept.splice(0, dropped);
      this.#onDropped(dropped);
    }
  }

  #drain(): void {
    // A handler may take itself off, or cause further pushes: those queue behind.
    while (this.#handlers.size > 0 && this.#kept.length > 0) {
      const { name, value, bytes } = this.#kept.shift()!;
      this.#keptBytes -= bytes;
      this.#call(name, value);
    }
    this.#draining = false;
  }

  #call(name: string, value: unknown): void {
    for (const { fn } of [...this.#handlers]) {
      try {
        fn(name, value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
