import type { BenchOptions } from "./options.ts";

/** A subcommand. */
export interface Bench {
  /** One line for the usage. */
  readonly about: string;
  /**
   * Measures, and prints tables as it goes. What it returns is printed as JSON when that is asked for. Rejects with
   * `WrongOption` or `ContenderFailure`.
   */
  run(options: BenchOptions, print: (text: string) => void): Promise<object>;
}
