// `npm run bench -- …`: builds what changed, without a word unless that fails, and runs the bench in this process.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const bench = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(bench));
const turbo = join(root, "node_modules", "turbo", "bin", "turbo");
const build = spawnSync(
  process.execPath,
  [turbo, "run", "build", "--filter=@rehome/bench", "--output-logs=errors-only"],
  {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
  },
);
if (build.status === 0) {
  await import("./dist/main.js");
} else {
  process.stderr.write(
    `${build.stdout ?? ""}${build.stderr ?? ""}\nThe build failed; are the dependencies installed?\n`,
  );
  process.exitCode = 1;
}
