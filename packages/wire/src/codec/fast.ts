/**
 * The fast codec as a whole. It gives `undefined` for whatever it does not accept, and the plain codec then decides: so a
 * good record costs nothing for the errors that it might have had.
 */
import { messageReaders } from "../fast/generated/message-readers.ts";
import { writeMessage } from "../fast/generated/message-writers.ts";
import { moveReaders } from "../fast/generated/move-readers.ts";
import { writeMove } from "../fast/generated/move-writers.ts";
import { closeRecord, isLittleEndian, openFrame, openRecord, prefix, finish } from "../fast/input.ts";
import { abandon } from "../fast/output.ts";
import type { OperationOf } from "../plain/reader.ts";
import type { Command } from "../values/commands.ts";

const readers: ((() => Command) | undefined)[] = Array.from({ length: 256 }, () => undefined);
if (isLittleEndian) for (const [id, read] of [...messageReaders, ...moveReaders]) readers[id] = read;

export function fastDecodeRecord(frames: readonly Uint8Array[], operationOf?: OperationOf): Command | undefined {
  try {
    openRecord(frames, operationOf);
    return readers[prefix()]?.();
  } catch {
    return undefined;
  } finally {
    closeRecord();
  }
}

export function fastEncodeRecord(value: Command): Uint8Array[] | undefined {
  try {
    return writeMessage(value) ?? writeMove(value);
  } catch {
    abandon();
    return undefined;
  }
}

/** Decodes bytes that hold what `read` reads and nothing else. */
export function fastDecode<T>(bytes: Uint8Array, read: () => T): T | undefined {
  if (!isLittleEndian) return undefined;
  try {
    openFrame(bytes);
    const value = read();
    finish();
    return value;
  } catch {
    return undefined;
  } finally {
    closeRecord();
  }
}

export function fastEncode<T>(value: T, write: (value: T) => Uint8Array): Uint8Array | undefined {
  try {
    return write(value);
  } catch {
    abandon();
    return undefined;
  }
}
