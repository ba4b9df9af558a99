import type { Clock, PeerIdentity, Random } from "@rehome/core";
import { decodeRecord, encodeRecord, WireError } from "@rehome/wire";
import type { Command } from "@rehome/wire";
import { ProtocolViolation } from "./errors.ts";
import type { TransportLimits } from "./limits.ts";
import { Liveness } from "./liveness.ts";
import type { Outbox } from "./outbox.ts";
import { encodeFramesUnit, readFrames, unitKind } from "./units.ts";
import type { UnitBody } from "./units.ts";

/** A peer asks every few seconds: one that has this many questions unanswered does not read what it asked for. */
const MAX_UNSENT_ANSWERS = 8;

export interface PulseOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: TransportLimits;
  readonly peer: PeerIdentity;
  /** Where units of the connection of now go; what is appended is to be sent at once. */
  outbox(): Outbox;
  /** Once. */
  onDead(): void;
}

/** What the ends of a link say about their connection: probes and answers (`protocol.md` L2), and news of themselves. */
export class Pulse {
  private readonly options: PulseOptions;
  private readonly liveness: Liveness;
  private answered = false;
  /** Where in the outgoing bytes the newest answer to a probe ends. */
  private answersEnd = 0;
  private unsentAnswers = 0;

  constructor(options: PulseOptions) {
    const { clock, random, limits } = options;
    this.options = options;
    this.liveness = new Liveness({
      clock,
      random,
      probeMs: limits.livenessProbeMs,
      timeoutMs: limits.livenessTimeoutMs,
      onProbe: (probeId) => this.say({ command: "livenessProbe", probeId }),
      onDead: () => options.onDead(),
    });
  }

  /** Whether the peer has answered on the connection of now: bytes travel on it in both directions. */
  get hasAnswered(): boolean {
    return this.answered;
  }

  /** There is nobody to ask until {@link resumed}. The time goes on. */
  interrupted(): void {
    this.liveness.holdProbes();
  }

  /** There is a new connection: asks at once, because the peer may have been silent for long. */
  resumed(): void {
    this.answered = false;
    this.answersEnd = 0;
    this.unsentAnswers = 0;
    this.liveness.probeNow();
  }

  stop(): void {
    this.liveness.stop();
  }

  /** The body of a `connection` unit. Throws {@link ProtocolViolation}. */
  onUnit(body: UnitBody): void {
    const { limits, peer } = this.options;
    const command = decodeOrRefuse(readFrames(body.bytes, body.start, body.end, limits.maxFramesPerRecord));
    switch (command.command) {
      case "livenessProbe":
        return this.answerProbe(command.probeId);
      case "livenessAck":
        if (this.liveness.answer(command.probeId)) this.answered = true;
        return;
      case "update":
        // Nothing that this end keeps of a peer can change during a run: only that the update is the peer's own counts.
        if (command.admission.nodeRid !== peer.nodeRid || command.admission.lifecycleGeneration !== peer.nodeGeneration)
          throw new ProtocolViolation("an update about somebody else");
        return;
      default:
        throw new ProtocolViolation(`${command.command} outside the numbered records`);
    }
  }

  private answerProbe(probeId: bigint): void {
    if (this.options.outbox().writtenBytes >= this.answersEnd) this.unsentAnswers = 0;
    this.unsentAnswers += 1;
    if (this.unsentAnswers > MAX_UNSENT_ANSWERS) throw new ProtocolViolation("probes without reading the answers");
    this.say({ command: "livenessAck", probeId });
    this.answersEnd = this.options.outbox().appendedBytes;
  }

  private say(command: Command): void {
    this.options.outbox().appendUnit(encodeFramesUnit(unitKind.connection, encodeRecord(command)));
  }
}

function decodeOrRefuse(frames: readonly Uint8Array[]): Command {
  try {
    return decodeRecord(frames);
  } catch (error) {
    if (error instanceof WireError) throw new ProtocolViolation(error.message);
    throw error;
  }
}
