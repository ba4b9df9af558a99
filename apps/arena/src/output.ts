/** Erases the line that the cursor is in. */
const CLEAR_LINE = "\r\u001b[2K";
const DEFAULT_COLUMNS = 80;

/** Where the arena writes: progress, lines for people, and the one object for programs. */
export class Output {
  readonly #people: NodeJS.WriteStream;
  #progressShown = false;

  /** @param json everything for people goes to stderr, so that stdout holds the object and nothing else */
  constructor(json: boolean) {
    this.#people = json ? process.stderr : process.stdout;
    // Whoever read this may be gone; the run goes on to its end and leaves nothing behind.
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  }

  /** A line that stays. */
  line(text: string): void {
    this.#clear();
    this.#people.write(`${text}\n`);
  }

  /** What went wrong. */
  error(text: string): void {
    this.#clear();
    process.stderr.write(`${text}\n`);
  }

  /** A line that the next one replaces, where the terminal can do that. */
  progress(text: string): void {
    if (!this.#people.isTTY) {
      this.#people.write(`${text}\n`);
      return;
    }
    // A line that wraps could not be erased.
    const columns = this.#people.columns || DEFAULT_COLUMNS;
    this.#people.write(`${CLEAR_LINE}${text.slice(0, columns - 1)}`);
    this.#progressShown = true;
  }

  json(value: unknown): void {
    this.#clear();
    process.stdout.write(`${JSON.stringify(value)}\n`);
  }

  #clear(): void {
    if (this.#progressShown) this.#people.write(CLEAR_LINE);
    this.#progressShown = false;
  }
}
