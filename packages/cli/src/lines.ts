/** Lines out of a stream of bytes, with a limit on what one may cost. */

/** A line without its end, or that one was there and too long to keep. */
export type Line = { readonly bytes: Uint8Array } | { readonly tooLong: true };

const newline = 0x0a;
const firstBytes = 64 * 1024;

/** Bytes of a line that has not ended yet. It grows by doubling, so that a line of many tiny pieces costs no more. */
class Pending {
  #bytes = new Uint8Array(firstBytes);
  length = 0;

  add(piece: Uint8Array): void {
    const needed = this.length + piece.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.length));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.length);
    this.length = needed;
  }

  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.length);
    this.drop();
    return taken;
  }

  drop(): void {
    this.length = 0;
    if (this.#bytes.length > firstBytes) this.#bytes = new Uint8Array(firstBytes);
  }
}

/**
 * The lines of `input`, in order; the last one counts even without a line end. A line of more than `maxBytes` is reported
 * as soon as it is that long, and what comes of it until its end is dropped.
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  const pending = new Pending();
  let isDropping = false;
  for await (const chunk of input) {
    let from = 0;
    while (from < chunk.length) {
      const at = chunk.indexOf(newline, from);
      const end = at < 0 ? chunk.length : at;
      if (!isDropping && pending.length + end - from > maxBytes) {
        isDropping = true;
        pending.drop();
        yield { tooLong: true };
      }
      if (!isDropping) pending.add(chunk.subarray(from, end));
      if (at >= 0) {
        if (!isDropping) yield { bytes: pending.take() };
        isDropping = false;
      }
      from = end + 1;
    }
  }
  if (pending.length > 0) yield { bytes: pending.take() };
}

/** The text of a line, or `undefined` if it is not UTF-8. A byte order mark is kept. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
