import { answerRequest } from "@rehome/conformance/codec-line";
import { wireImplementation, type VectorImplementation, type VectorRequest } from "@rehome/conformance/vectors";

/** What the vectors can ask over the line protocol. */
const lines = [
  "encode",
  "decode",
  "identityKey",
  "authorityKey",
  "parseAuthorityKey",
  "crc32c",
  "durable",
  "scenario",
] as const;

/** An implementation behind the line protocol. */
export function overLines(ask: (request: VectorRequest) => Promise<object>): VectorImplementation {
  // Whether an answer is what it should be is for the vectors to say.
  return Object.fromEntries(lines.map((op) => [op, ask])) as unknown as VectorImplementation;
}

/** This project's: what `rehome codec` answers, and beyond it what the line protocol has no question for. */
export function ownImplementation(): VectorImplementation {
  return { ...wireImplementation, ...overLines((request) => Promise.resolve(answerRequest(request))) };
}
