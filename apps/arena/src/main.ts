/** The oldest Node that everything here runs on; the packages' `engines` say the same. */
const LEAST_NODE = [20, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1])) {
  process.stderr.write(
    `Node ${LEAST_NODE.join(".")} or newer is needed, this is ${process.versions.node}: install a newer one\n`,
  );
  process.exit(1);
}
// Only now: an older Node could not even read it.
const { runCli } = await import("./cli.ts");
process.exit(await runCli(process.argv.slice(2)));
