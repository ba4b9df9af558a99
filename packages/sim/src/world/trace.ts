import { hashText } from "../random.ts";

/** Events that a violation is printed with. */
const KEPT = 4_000;

interface Line {
  readonly atMs: number;
  readonly who: string;
  readonly what: string;
}

/** What happened, in order: the last events in words, and a hash over all of them that says whether two runs were the same. */
export class Trace {
  readonly #time: { readonly nowMs: number };
  readonly #lines: Line[] = [];
  readonly #sink: ((line: string) => void) | undefined;
  #count = 0;
  #hash = 0x811c9dc5;

  /** `sink` gets every line at once. */
  constructor(time: { readonly nowMs: number }, sink?: (line: string) => void) {
    this.#time = time;
    this.#sink = sink;
  }

  note(who: string, what: string): void {
    const atMs = this.#time.nowMs;
    this.#hash = hashText(what, hashText(who, Math.imul(this.#hash ^ Math.round(atMs * 1_000), 0x01000193)));
    const line = { atMs, who, what };
    this.#lines[this.#count++ % KEPT] = line;
    this.#sink?.(textOf(line));
  }

  /** More about what was just noted, for who reads along: not part of the hash, and made only if there is a sink. */
  explain(what: () => string): void {
    this.#sink?.(`${" ".repeat(20)}${what()}`);
  }

  get hash(): string {
    return this.#hash.toString(16).padStart(8, "0");
  }

  /** The last events, oldest first; with `about`, only those that name one of these words. */
  last(count: number, about: readonly string[] = []): string[] {
    const first = Math.max(0, this.#count - KEPT);
    const lines: string[] = [];
    for (let at = this.#count - 1; at >= first && lines.length < count; at--) {
      const text = textOf(this.#lines[at % KEPT]!);
      if (about.length === 0 || about.some((word) => text.includes(word))) lines.push(text);
    }
    return lines.reverse();
  }
}

function textOf({ atMs, who, what }: Line): string {
  return `${atMs.toFixed(3).padStart(10)} ${who.padEnd(8)} ${what}`;
}
