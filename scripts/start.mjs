// `npm start`: builds what changed and runs the arena in this process, so that signals and the exit code are the
// arena's own. Written for old versions of Node too: they must get as far as the line that says what to do.
import "./check-node.mjs";
import { spawn } from "child_process";
import { existsSync } from "fs";
import { dirname, join } from "path";
import { fileURLToPath, pathToFileURL } from "url";

/** A build that takes longer than this is announced; a cached one is not worth a line. */
const SILENT_MS = 700;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const turbo = join(root, "node_modules", "turbo", "bin", "turbo");
const arena = join(root, "apps", "arena", "dist", "main.js");
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

function refuse(line) {
  process.stderr.write(line + "\n");
  process.exit(1);
}

/** Calls back when everything is built. Says nothing unless it takes a while or fails. */
function build(done) {
  const announcing = setTimeout(() => process.stderr.write("Building ...\n"), SILENT_MS);
  const args = [turbo, "run", "build", "--filter=@rehome/arena", "--output-logs=errors-only"];
  const env = Object.assign({}, process.env, { TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" });
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }

  let stoppedBy;
  const handlers = Object.keys(EXIT_CODES).map((signal) => {
    const handler = () => {
      stoppedBy = signal;
      child.kill(signal);
    };
    process.on(signal, handler);
    return [signal, handler];
  });

  child.on("error", (error) => refuse("The build could not be started: " + error.message + "; run `npm ci` again"));
  child.on("close", (code) => {
    clearTimeout(announcing);
    for (const [signal, handler] of handlers) process.removeListener(signal, handler);
    if (stoppedBy !== undefined) process.exit(EXIT_CODES[stoppedBy]);
    if (code === 0) return done();
    process.stderr.write(output);
    refuse("The build failed; what is above says why");
  });
}

if (!existsSync(turbo)) refuse("The dependencies are not installed: run `npm ci` first");
build(() => import(pathToFileURL(arena).href));
