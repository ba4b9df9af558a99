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
 * The lines of `input`, in order; the last one counts even without a line end. Of a line of more than `maxBytes` nothing
 * is kept, and it is reported once it has ended.
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  const pending = new Pending();
  let tooLong = false;
  const keep = (piece: Uint8Array): void => {
    tooLong ||= pending.length + piece.length > maxBytes;
    if (tooLong) pending.drop();
    else pending.add(piece);
  };
  const ended = (): Line => {
    const line: Line = tooLong ? { tooLong } : { bytes: pending.take() };
    tooLong = false;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, end));
      yield ended();
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
  if (tooLong || pending.length > 0) yield ended();
}

/** The text of a line, or `undefined` if it is not UTF-8. A byte order mark is kept. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
