import { errorText } from "./error-text.ts";
import type { NodeConfig } from "./config.ts";

/** User code threw, or gave what cannot be used: said where that code runs, whatever others are told. */
export function reportCallback(config: NodeConfig, actorId: string, callback: string, error: unknown): void {
  config.log.write("warn", "callback.failed", { actorId, callback, error: errorText(error) });
  config.observe({ type: "CallbackFailed", actorId, callback, error });
}
