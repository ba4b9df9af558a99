import { TransportError } from "./errors.ts";
import { refuseUnknownKeys } from "./known-keys.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every bound of a transport. Sizes are in bytes, times in milliseconds. */
export interface TransportLimits {
  /** The most that one record's frames may hold together. The smaller one of both ends' limits counts on a link. */
  readonly maxRecordBytes: number;
  readonly maxFramesPerRecord: number;
  /** The most that a connection may send before it is admitted. */
  readonly maxHandshakeBytes: number;
  /** Accepted connections that are not admitted yet. One more drops the oldest of them. */
  readonly maxPendingHandshakes: number;
  readonly maxLinks: number;
  /** Records queued on a link and not acknowledged yet: past this, `send` answers `backedUp`. */
  readonly queueMarkBytes: number;
  /** Past this, data is refused. */
  readonly maxDataBytes: number;
  /** Room for control on top of `maxDataBytes`. A link whose control finds no room is lost (`protocol.md` N2). */
  readonly controlReserveBytes: number;
  /** Received records are acknowledged at the latest when this many bytes … */
  readonly ackAfterBytes: number;
  /** … or this many records have come, … */
  readonly ackAfterRecords: number;
  /** … or this time has passed; and with whatever is sent earlier. */
  readonly ackDelayMs: number;
  /** From a dial's start to the connection. */
  readonly connectTimeoutMs: number;
  /** From the connection to the end of the handshake. */
  readonly handshakeTimeoutMs: number;
  readonly livenessProbeMs: number;
  readonly livenessTimeoutMs: number;
  readonly reconnectMinMs: number;
  readonly reconnectMaxMs: number;
  /** A link that lived this long was a good one: the next dial starts again from `reconnectMinMs`. */
  readonly stableLinkMs: number;
  /** What `close` may take. */
  readonly closeTimeoutMs: number;
  /** How long a connection that is over may still take to send its last bytes. */
  readonly lingerMs: number;
}

export const DEFAULT_LIMITS: TransportLimits = Object.freeze({
  // State travels in 256 KiB chunks; this leaves room for the largest message, and a link never waits long behind one record.
  maxRecordBytes: 2 * MIB,
  // No command has more than three (`wire.md` 1).
  maxFramesPerRecord: 8,
  // A hello with every text at its longest is under 8 KiB.
  maxHandshakeBytes: 16 * KIB,
  // With the deadline below: a mesh of this size can come up at once, and a flood holds 64 × 16 KiB.
  maxPendingHandshakes: 64,
  maxLinks: 1_024,
  // Several chunks under way keep a fast link busy, and a sender that heeds it adds at most milliseconds of queue.
  queueMarkBytes: MIB,
  // All that a move's ingress hold may gather (`protocol.md` H1).
  maxDataBytes: 16 * MIB,
  controlReserveBytes: 16 * MIB,
  // One socket read on either runtime.
  ackAfterBytes: 64 * KIB,
  ackAfterRecords: 128,
  // Long enough to travel with an answer, short against every deadline.
  ackDelayMs: 20,
  connectTimeoutMs: 5_000,
  handshakeTimeoutMs: 5_000,
  // `protocol.md` L2.
  livenessProbeMs: 5_000,
  livenessTimeoutMs: 15_000,
  // A restart on the same machine takes tens of milliseconds; a peer that stays away is asked every few seconds.
  reconnectMinMs: 50,
  reconnectMaxMs: 5_000,
  stableLinkMs: 10_000,
  closeTimeoutMs: 2_000,
  lingerMs: 1_000,
});

/**
 * Fills in the defaults.
 *
 * Throws {@link TransportError} `invalidOptions` for a limit that does not exist, is not a positive number, or that
 * another one makes senseless.
 */
export function resolveLimits(given: Partial<TransportLimits> = {}): TransportLimits {
  refuseUnknownKeys("limits", given, Object.keys(DEFAULT_LIMITS));
  const limits: TransportLimits = Object.freeze({ ...DEFAULT_LIMITS, ...given });
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (typeof value !== "number" || !Number.isFinite(value) || value <= 0)
      throw invalid(`${name} must be a positive number, not ${String(value)}`);
  }
  if (limits.maxDataBytes < limits.maxRecordBytes)
    throw invalid("maxDataBytes must be at least maxRecordBytes, or the largest record can never be sent");
  if (limits.maxRecordBytes > MAX_RECORD_BYTES) throw invalid(`maxRecordBytes may be at most ${MAX_RECORD_BYTES}`);
  if (limits.livenessTimeoutMs <= limits.livenessProbeMs)
    throw invalid(
      "livenessTimeoutMs must be longer than livenessProbeMs, or every link is lost before its first answer",
    );
  if (limits.reconnectMaxMs < limits.reconnectMinMs) throw invalid("reconnectMaxMs must be at least reconnectMinMs");
  return limits;
}

/** Lengths are u32 on the wire; this leaves room for what goes around a record. */
const MAX_RECORD_BYTES = 1024 * MIB;

function invalid(what: string): TransportError {
  return new TransportError("invalidOptions", `Transport limits: ${what}.`);
}
