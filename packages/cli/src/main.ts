import { runCli } from "./cli.ts";
import { standardIo } from "./io.ts";

// Not `process.exit`: it would cut off what is still on its way out.
process.exitCode = await runCli(process.argv.slice(2), standardIo());
