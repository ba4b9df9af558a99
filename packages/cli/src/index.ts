export { runCli } from "./cli.ts";
export { CliError, type CliErrorCode } from "./errors.ts";
export { standardIo, type Io } from "./io.ts";
