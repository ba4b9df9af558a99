/** Listeners by event. A listener that throws does not keep the others from being called: its error is reported. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(detail: never) => void>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Returns the function that takes the listener off again. */
  on<E extends keyof Events>(event: E, listener: (detail: Events[E]) => void): () => void {
    let set = this.#listeners.get(event);
    if (set === undefined) this.#listeners.set(event, (set = new Set()));
    // A wrapper of its own, so that adding a function twice and taking it off once leaves one.
    const entry = (detail: Events[E]): void => listener(detail);
    set.add(entry);
    return () => set.delete(entry);
  }

  /** False when nobody listens. */
  emit<E extends keyof Events>(event: E, detail: Events[E]): boolean {
    const set = this.#listeners.get(event);
    if (set === undefined || set.size === 0) return false;
    for (const listener of [...set]) {
      try {
        (listener as (detail: Events[E]) => void)(detail);
      } catch (error) {
        this.#onError(error);
      }
    }
    return true;
  }

  clear(): void {
    this.#listeners.clear();
  }
}
