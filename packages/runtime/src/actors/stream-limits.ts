import { DEFAULT_STREAM_LIMITS, type StreamLimits } from "@rehome/core";
import type { Host } from "../host.ts";

/** N4: a message can be on its way through former owners for as long as those follow. */
export function streamLimits(host: Host): StreamLimits {
  return { ...DEFAULT_STREAM_LIMITS, followMs: host.config.deadlines.followMs };
}
