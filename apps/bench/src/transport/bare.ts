/** The least that echoes records: a length of four bytes in front of each, cut out of what is read, on either side. */
import { dial, listen, type BareSocket } from "./sockets.ts";
import type { EchoClient } from "./echo-client.ts";

const HEADER_BYTES = 4;
const SLAB_BYTES = 64 * 1024;

/** Cuts whole records, header included, out of reads. */
class Cutter {
  #rest: Uint8Array = new Uint8Array(0);

  cut(bytes: Uint8Array, take: (bytes: Uint8Array, at: number, end: number) => void): void {
    let source = bytes;
    if (this.#rest.length > 0) {
      source = new Uint8Array(this.#rest.length + bytes.length);
      source.set(this.#rest);
      source.set(bytes, this.#rest.length);
    }
    let at = 0;
    while (source.length - at >= HEADER_BYTES) {
      const length = (source[at]! << 24) | (source[at + 1]! << 16) | (source[at + 2]! << 8) | source[at + 3]!;
      const end = at + HEADER_BYTES + length;
      if (end > source.length) break;
      take(source, at, end);
      at = end;
    }
    this.#rest = source.slice(at);
  }
}

/** Records for one socket: each written at once, or gathered until {@link flush}. */
class Output {
  readonly #socket: BareSocket;
  readonly #batched: boolean;
  #slab = new Uint8Array(SLAB_BYTES);
  #from = 0;
  #filled = 0;

  constructor(socket: BareSocket, batched: boolean) {
    this.#socket = socket;
    this.#batched = batched;
  }

  add(bytes: Uint8Array, at: number, end: number): void {
    if (this.#filled + end - at > this.#slab.length) {
      this.flush();
      if (this.#filled > 0) this.#slab = new Uint8Array(SLAB_BYTES);
      this.#from = this.#filled = 0;
    }
    // Both copy: what is read is gone when the read is over, and what a caller gives is the caller's.
    this.#slab.set(bytes.subarray(at, end), this.#filled);
    this.#filled += end - at;
    if (!this.#batched) this.flush();
  }

  flush(): void {
    if (this.#filled === this.#from) return;
    // Memory that is new costs more than what is written into it.
    if (this.#socket.write(this.#slab.subarray(this.#from, this.#filled))) this.#filled = 0;
    this.#from = this.#filled;
  }
}

/** Resolves with the port. */
export function serveBare(batched: boolean): Promise<number> {
  return listen((socket) => {
    const cutter = new Cutter();
    const output = new Output(socket, batched);
    return (read) => {
      cutter.cut(read, (bytes, at, end) => output.add(bytes, at, end));
      output.flush();
    };
  });
}

export async function dialBare(port: number, recordBytes: number, batched: boolean): Promise<EchoClient> {
  const record = new Uint8Array(HEADER_BYTES + recordBytes).fill(7);
  new DataView(record.buffer).setUint32(0, recordBytes);
  let output!: Output;
  let onRead = (): void => undefined;
  let onRecord: (bytes: number) => void = () => undefined;
  await dial(port, (socket) => {
    const cutter = new Cutter();
    output = new Output(socket, batched);
    return (read) => {
      cutter.cut(read, (_bytes, at, end) => onRecord(end - at - HEADER_BYTES));
      onRead();
    };
  });
  return {
    send: () => output.add(record, 0, record.length),
    flush: () => output.flush(),
    listen: (record, read) => {
      onRecord = record;
      onRead = read;
    },
  };
}
