// What runs in the page: the built packages, nothing of Node.
import { answerRequest } from "@rehome/conformance/codec-line";
import {
  loadVectorFile,
  runVectors,
  wireImplementation,
  type VectorImplementation,
  type VectorReport,
} from "@rehome/conformance/vectors";

/** What the test calls from outside. */
export interface Page {
  verify(text: string): Promise<VectorReport>;
  answer(request: unknown): unknown;
}

const lines = ["encode", "decode", "identityKey", "authorityKey", "parseAuthorityKey", "crc32c", "durable"] as const;
const overLines = Object.fromEntries(
  lines.map((op) => [op, (request: unknown) => Promise.resolve(answerRequest(request))]),
) as unknown as VectorImplementation;

const page: Page = {
  verify: (text) => runVectors(loadVectorFile(text), { ...wireImplementation, ...overLines }, { keep: 5 }),
  answer: answerRequest,
};
Object.assign(globalThis, { page });
