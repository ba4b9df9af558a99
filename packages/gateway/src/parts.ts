import type { Flusher } from "./flusher.ts";
import type { GatewayConfig } from "./options.ts";
import type { Counters } from "./stats.ts";

/** What every part of one gateway shares. */
export interface Parts {
  readonly config: GatewayConfig;
  readonly counters: Counters;
  readonly flusher: Flusher;
  /** Whether {@link Gateway.close} was called. */
  isClosing(): boolean;
}
