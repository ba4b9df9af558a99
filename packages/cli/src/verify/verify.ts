/** `rehome verify`: the vectors against this implementation, or against any program that speaks the line protocol. */
import { runVectors, type Need, type VectorImplementation } from "@rehome/conformance/vectors";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { readVectors, shippedVectorPaths, type NamedVectors } from "./files.ts";
import { overLines, ownImplementation } from "./implementations.ts";
import { assertOrder } from "./order.ts";
import { Program } from "./program.ts";
import { fileLines, summaryLines, type FileReport } from "./report.ts";

/** Questions that a program is asked before its first answer is awaited: it works while we compare. */
const inFlight = 32;

export interface VerifyOptions {
  /** The shipped files if there are none. */
  readonly paths: readonly string[];
  /** A program to verify instead of this implementation. */
  readonly command: string | undefined;
  readonly deadlineMs: number;
  /** How many differing cases are shown, of each file. */
  readonly show: number;
  /** What the program's language cannot say. */
  readonly lacks: readonly Need[];
}

/** Verifies and reports. The result is the exit code: 1 on any difference. Throws {@link CliError} `bad-file`. */
export async function verify(options: VerifyOptions, io: Io): Promise<number> {
  const paths = options.paths.length > 0 ? options.paths : shippedVectorPaths();
  const files = paths.map(readVectors);
  const { command, deadlineMs } = options;
  if (command === undefined) return judge(await verifyFiles(files, ownImplementation(), options, io), io);
  return verifyProgram(new Program({ command, deadlineMs }), files, options, io);
}

async function verifyProgram(
  program: Program,
  files: readonly NamedVectors[],
  options: VerifyOptions,
  io: Io,
): Promise<number> {
  let unanswered = 0;
  const implementation = overLines(async (request) => {
    try {
      return await program.ask(request);
    } catch (error) {
      unanswered++;
      throw error;
    }
  });
  let reports: readonly FileReport[] = [];
  let failure: CliError | undefined;
  let remark: string | undefined;
  try {
    await assertOrder((request) => program.ask(request));
    reports = await verifyFiles(files, implementation, options, io, () => unanswered);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== "program-failed") throw error;
    failure = error;
  } finally {
    remark = await program.close();
  }
  const code = await judge(reports, io);
  failure ??= program.failure;
  if (failure !== undefined) await io.err(`rehome verify: ${failure.message}\n`);
  if (remark !== undefined) await io.err(`rehome verify: ${remark}\n`);
  return failure === undefined ? code : 1;
}

/** Runs file after file, until there is no one to ask any more. */
async function verifyFiles(
  files: readonly NamedVectors[],
  implementation: VectorImplementation,
  { show, lacks }: VerifyOptions,
  io: Io,
  unansweredUntilNow = (): number => 0,
): Promise<FileReport[]> {
  const reports: FileReport[] = [];
  for (const { name, file } of files) {
    const report = await runVectors(file, implementation, { inFlight, keep: show, lacks });
    const unanswered = unansweredUntilNow();
    // What could not be asked any more is no difference.
    const differences = report.differences.filter(({ thrown }) => !(thrown instanceof CliError));
    reports.push({ ...report, name, failed: report.failed - unanswered, unanswered, differences });
    for (const line of fileLines(reports.at(-1)!)) await io.out(`${line}\n`);
    if (unanswered > 0) break;
  }
  return reports;
}

async function judge(reports: readonly FileReport[], io: Io): Promise<number> {
  for (const line of summaryLines(reports)) await io.out(`${line}\n`);
  return reports.every(({ failed, unanswered }) => failed + unanswered === 0) ? 0 : 1;
}
