// npm run fuzz -- --count 1000000 --seed 7: exit code 0 if nothing was found. Needs the packages built.
import { parseArgs } from "node:util";
import { fuzz } from "./run.ts";
import { readSeeds } from "./seeds.ts";

const usage = "Usage: fuzz [--count N] [--seed S] [--vectors FOLDER]";
const defaultCount = 1_000_000;
const maxSeed = 0xffff_ffff;

function numberOf(text: string | undefined, otherwise: number, most: number): number {
  if (text === undefined) return otherwise;
  const number = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

const { values } = parseArgs({
  options: { count: { type: "string" }, seed: { type: "string" }, vectors: { type: "string" } },
});
const count = numberOf(values.count, defaultCount, 1e9);
// Another seed each time finds more; it is printed, and with it a run can be repeated.
const seed = numberOf(values.seed, Date.now() % maxSeed, maxSeed);
const folder = new URL(`file://${values.vectors ?? `${process.cwd()}/../../test-vectors`}/`);

const collect = (globalThis as { gc?: () => void; Bun?: { gc(force: boolean): void } }).gc;
const bun = (globalThis as { Bun?: { gc(force: boolean): void } }).Bun;

/** After a garbage collection, where the runtime lets us ask for one. */
function bytesInUse(): number {
  collect?.();
  bun?.gc(true);
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const began = performance.now();
const report = fuzz({ count, seed, seeds: readSeeds(folder), nowMs: () => performance.now(), bytesInUse });
const seconds = ((performance.now() - began) / 1000).toFixed(1);

const verdicts = [...report.verdicts].sort(([, left], [, right]) => right - left);
console.log(`${count} mutated records from seed ${seed} in ${seconds} s`);
for (const [verdict, cases] of verdicts) console.log(`  ${verdict.padEnd(20)} ${cases}`);
console.log(
  `  ${report.usualNanosecondsPerByte.toFixed(1)} ns a byte, ${(report.growthBytes / 1024).toFixed(0)} KiB more in use`,
);
for (const finding of report.findings) console.error(`found: ${finding}`);
console.log(report.findings.length === 0 ? "nothing found" : `${report.findings.length} findings`);
process.exitCode = report.findings.length === 0 ? 0 : 1;
