import { decodeRecord, WireError, type Command, type WireErrorCode } from "../../src/index.ts";
import type { Sample } from "./samples.ts";

export function decodeSample(sample: Pick<Sample, "frames" | "operation">): Command {
  return decodeRecord(sample.frames, { operationOf: () => sample.operation });
}

/** The typed error that `run` throws. Anything else fails the test. */
export function refusal(run: () => unknown): WireError {
  try {
    run();
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

export function refusalCode(run: () => unknown): WireErrorCode {
  return refusal(run).code;
}
