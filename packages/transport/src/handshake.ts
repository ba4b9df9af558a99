import type { Clock, TimerHandle } from "@rehome/core";
import { decodeRecord, WireError } from "@rehome/wire";
import type { Admit, Hello, Reject } from "@rehome/wire";
import { NONCE_BYTES, PROOF_BYTES } from "./authentication.ts";
import type { Connection, ConnectionOwner } from "./connection.ts";
import { ProtocolViolation } from "./errors.ts";
import type { TransportLimits } from "./limits.ts";
import { decodeOpenBody } from "./open-unit.ts";
import type { OpenBody } from "./open-unit.ts";
import { copyBytes } from "./record-pool.ts";
import { FIRST_SKIPPABLE_KIND, unitKind } from "./units.ts";
import type { UnitBody } from "./units.ts";

export type HandshakeRecord = Hello | Admit | Reject;

export interface HandshakeHost {
  readonly clock: Clock;
  readonly limits: TransportLimits;
  /**
   * The peer's one `open` unit. It owns its bytes. The host finishes the handshake before it returns, expects something
   * else, or throws {@link ProtocolViolation}; once it is finished, what follows on the connection belongs to whoever adopted it.
   */
  onOpen(handshake: Handshake, record: HandshakeRecord, open: OpenBody): void;
  /** A `challenge` or `proof` that {@link Handshake.expect} has allowed. It owns its bytes. Throws likewise. */
  onAuthentication(handshake: Handshake, kind: number, bytes: Uint8Array): void;
  /** Once, and only if the host did not finish the handshake. What becomes of the connection is the host's business. */
  onFailed(handshake: Handshake, failure: HandshakeFailure): void;
}

/**
 * `closed`: the connection ended. `timeout`: its deadline passed. `violation`: bytes that mean nothing here.
 * `unknownVersion`, `invalidRecord`: a peer that follows the rules can be told why it is refused.
 */
export interface HandshakeFailure {
  readonly kind: "closed" | "timeout" | "violation" | "unknownVersion" | "invalidRecord";
  readonly detail: string;
}

/**
 * A connection until it is admitted: takes exactly one `open` unit, and what its host expects beside it, of bounded size and
 * all within one deadline.
 */
export class Handshake implements ConnectionOwner {
  connection!: Connection;
  private readonly host: HandshakeHost;
  private readonly timer: TimerHandle;
  private over = false;
  private expected: readonly number[] = [unitKind.open];

  constructor(host: HandshakeHost) {
    this.host = host;
    this.timer = host.clock.after(host.limits.handshakeTimeoutMs, () =>
      this.fail({ kind: "timeout", detail: "no handshake within its deadline" }),
    );
  }

  /** Ends the handshake without a word to its host. What becomes of the connection is the caller's business. */
  finish(): void {
    this.over = true;
    this.timer.cancel();
  }

  /** From now on units of these kinds have their place, and no others. */
  expect(...kinds: readonly number[]): void {
    this.expected = kinds;
  }

  limitOf(kind: number): number {
    if (this.over) return -1;
    if (kind >= FIRST_SKIPPABLE_KIND) return this.host.limits.maxHandshakeBytes;
    if (!this.expected.includes(kind)) return -1;
    return kind === unitKind.open ? this.host.limits.maxHandshakeBytes : Math.max(NONCE_BYTES, PROOF_BYTES);
  }

  onUnit(kind: number, body: UnitBody): void {
    if (kind !== unitKind.open) {
      const bytes = copyBytes(body.bytes, body.start, body.end);
      if (bytes.length !== (kind === unitKind.challenge ? NONCE_BYTES : PROOF_BYTES))
        throw new ProtocolViolation("a challenge or proof of the wrong length");
      return this.host.onAuthentication(this, kind, bytes);
    }
    const open = decodeOpenBody(body, this.host.limits.maxFramesPerRecord);
    const record = decodeHandshakeRecord(open);
    if (record instanceof WireError) {
      const kind = record.code === "unsupported-major" ? "unknownVersion" : "invalidRecord";
      this.fail({ kind, detail: record.message });
    } else {
      this.host.onOpen(this, record, open);
    }
  }

  onUnknownVersion(version: number): void {
    this.fail({ kind: "unknownVersion", detail: `transport version ${version}` });
  }

  beforeFlush(): void {
    // A handshake adds nothing at the last moment.
  }

  onClosed(reason: string): void {
    this.fail({ kind: "closed", detail: reason });
  }

  onViolation(reason: string): void {
    this.fail({ kind: "violation", detail: reason });
  }

  private fail(failure: HandshakeFailure): void {
    if (this.over) return;
    this.finish();
    this.host.onFailed(this, failure);
  }
}

function decodeHandshakeRecord(open: OpenBody): HandshakeRecord | WireError {
  let record;
  try {
    record = decodeRecord(open.frames);
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  if (record.command !== "hello" && record.command !== "admit" && record.command !== "reject")
    throw new ProtocolViolation(`${record.command} in a handshake`);
  return record;
}
