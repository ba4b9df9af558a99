import { crc32c } from "@rehome/wire";
import { hexFromBytes } from "@rehome/wire";
import { CliError } from "../errors.ts";

/** Enough for a program that answers from several threads to betray itself. */
const questions = 16;

/**
 * Asks several things at once that have different answers. Answers carry nothing that ties them to their questions, so
 * that a program which mixes them up would otherwise seem to be wrong about everything. Throws {@link CliError}
 * `program-failed`.
 */
export async function assertOrder(ask: (request: object) => Promise<object>): Promise<void> {
  const probes = Array.from({ length: questions }, (_, index) => Uint8Array.of(index));
  const right = probes.map((probe) => crc32c(probe));
  const answers = await Promise.all(probes.map((probe) => ask({ op: "crc32c", hex: [hexFromBytes(probe)] })));
  for (const [index, answer] of answers.entries()) {
    const given = (answer as { readonly crc32c?: unknown }).crc32c;
    const other = right.findIndex((checksum) => checksum === given);
    if (other < 0 || other === index) continue;
    throw new CliError(
      "program-failed",
      `the program answers out of order: to question ${index} of ${questions} it gave the answer to question ${other}`,
    );
  }
}
