// Ends the process with one line when this Node is too old for what comes next. Written for old versions too: they must
// get as far as that line.

/** The packages' `engines` say the same. */
const LEAST_NODE = [20, 19];

const parts = process.versions.node.split(".").map(Number);
if (parts[0] < LEAST_NODE[0] || (parts[0] === LEAST_NODE[0] && parts[1] < LEAST_NODE[1])) {
  process.stderr.write(
    "Node " +
      LEAST_NODE.join(".") +
      " or newer is needed, this is " +
      process.versions.node +
      ": install a newer one\n",
  );
  process.exit(1);
}
