/** How much one move may hold at its source (`protocol.md` H1, I8). */
export interface HoldLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
}

/**
 * H1. At 20,000 messages a second, 1,024 records are 50 ms: ten times the pause that a move should have. 16 MiB is one
 * sixteenth of what all moves of a node may have in flight (T4).
 */
export const DEFAULT_HOLD_LIMITS: HoldLimits = Object.freeze({ maxRecords: 1_024, maxBytes: 16 * 1024 * 1024 });
