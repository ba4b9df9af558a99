import type { Writable } from "node:stream";
import { CliError } from "./errors.ts";

/** What a command reads from and writes to. */
export interface Io {
  readonly input: AsyncIterable<Uint8Array>;
  /** Whether a person would have to type the input. */
  readonly inputIsTerminal: boolean;
  /** Writes, and waits while the reader is slower. Throws {@link CliError} `output-closed`. */
  readonly out: (text: string) => Promise<void>;
  /** As `out`, but for what is not part of the output; never throws. */
  readonly err: (text: string) => Promise<void>;
}

/** This process's standard streams. */
export function standardIo(): Io {
  const out = writerOf(process.stdout);
  const err = writerOf(process.stderr);
  return {
    input: process.stdin,
    inputIsTerminal: process.stdin.isTTY,
    out,
    err: async (text) => {
      try {
        await err(text);
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
      }
    },
  };
}

function writerOf(stream: Writable): (text: string) => Promise<void> {
  let failure: CliError | undefined;
  let wake: (() => void) | undefined;
  const settle = (): void => {
    wake?.();
    wake = undefined;
  };
  stream.on("drain", settle);
  stream.on("error", (cause: Error) => {
    failure = new CliError("output-closed", `the output cannot be written: ${cause.message}`, { cause });
    settle();
  });
  return async (text) => {
    if (failure === undefined && !stream.write(text)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (failure !== undefined) throw failure;
  };
}
