import { Readable } from "node:stream";
import type { Io } from "../../src/index.ts";
import { runCli } from "../../src/index.ts";

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command with this input, in pieces of the given size. */
export async function run(args: readonly string[], input: string | Uint8Array = "", pieceBytes = 1 << 16) {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  const { io, written } = memoryIo(piecesOf(bytes, pieceBytes));
  const code = await runCli(args, io);
  return { code, ...written() } satisfies Outcome;
}

/** Reads from `input`, and keeps what is written. */
export function memoryIo(input: AsyncIterable<Uint8Array>): {
  readonly io: Io;
  readonly written: () => { readonly out: string; readonly err: string };
} {
  let [out, err] = ["", ""];
  const io: Io = {
    input,
    inputIsTerminal: false,
    out: (text) => Promise.resolve(void (out += text)),
    err: (text) => Promise.resolve(void (err += text)),
  };
  return { io, written: () => ({ out, err }) };
}

export function piecesOf(bytes: Uint8Array, pieceBytes: number): AsyncIterable<Uint8Array> {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    })(),
  ) as AsyncIterable<Uint8Array>;
}
