import type { Rule } from "../check/violation.ts";

type Listener = (rule: Rule, text: string) => void;

let listener: Listener | undefined;

/** Hears what the machines' own invariants say while a run is on. Gives how to stop listening. */
export function watching(listen: Listener): () => void {
  listener = listen;
  return () => {
    listener = undefined;
  };
}

/** A machine of `core` broke one of its own invariants. */
export function broken(text: string): void {
  listener?.("core", text);
}
