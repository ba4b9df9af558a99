import { brokenStreamOrderInvariants } from "../../src/stream-order/invariants.ts";
import { DEFAULT_STREAM_LIMITS } from "../../src/stream-order/limits.ts";
import type { StreamLimits } from "../../src/stream-order/limits.ts";
import type { StreamAcceptance, StreamArrival, StreamSnapshot } from "../../src/stream-order/messages.ts";
import { StreamOrder, restoreStreamOrder } from "../../src/stream-order/order.ts";

export interface Sent {
  readonly stream: string;
  readonly sequence: bigint;
}

/** An actor's owner: the order, and the mailbox behind it. */
export class Receiver {
  readonly limits: StreamLimits;
  order: StreamOrder<Sent>;
  nowMs = 0;
  mailbox: Sent[] = [];
  readonly ran: Sent[] = [];

  constructor(limits: Partial<StreamLimits> = {}) {
    this.limits = { ...DEFAULT_STREAM_LIMITS, ...limits };
    this.order = new StreamOrder(this.limits);
  }

  accept(arrival: Omit<StreamArrival<Sent>, "resumes" | "bytes"> & { resumes?: boolean; bytes?: number }) {
    const acceptance = this.order.accept({ resumes: false, bytes: 10, ...arrival }, this.nowMs);
    if (acceptance.outcome === "run") this.mailbox.push(...acceptance.items);
    this.check();
    return acceptance;
  }

  /** One message; answers with its outcome, or why it was refused. */
  message(sequence: number, stream = "s", resumes = false, bytes = 10): string {
    const place = { stream, sequence: BigInt(sequence) };
    return word(this.accept({ ...place, resumes, bytes, content: { type: "message", item: place } }));
  }

  marker(sequence: number, stream = "s"): string {
    return word(this.accept({ stream, sequence: BigInt(sequence), content: { type: "marker" } }));
  }

  /** Runs what is in the mailbox, at most so much of it. */
  run(most = Number.POSITIVE_INFINITY): void {
    for (const item of this.mailbox.splice(0, most)) {
      this.ran.push(item);
      this.order.ran(item, this.nowMs);
    }
    this.check();
  }

  /** Time passes, and the timer with it. */
  pass(ms: number) {
    this.nowMs += ms;
    const expiry = this.order.expire(this.nowMs);
    this.mailbox.push(...expiry.items);
    this.check();
    return expiry;
  }

  /** The actor moves to another node, whose clock is another one. */
  move(toClockMs: number): StreamSnapshot<Sent> {
    const snapshot = this.order.capture(this.nowMs);
    this.nowMs = toClockMs;
    this.order = restoreStreamOrder(snapshot, this.mailbox, this.limits, this.nowMs);
    this.check();
    return snapshot;
  }

  /** Sequences of one stream that have run, in order. */
  log(stream = "s"): readonly number[] {
    return this.ran.filter((item) => item.stream === stream).map(({ sequence }) => Number(sequence));
  }

  check(): void {
    const broken = brokenStreamOrderInvariants(this.order.inspect());
    if (broken.length > 0) throw new Error(broken.join("\n"));
  }
}

export function word(acceptance: StreamAcceptance<Sent>): string {
  return acceptance.outcome === "refused" ? acceptance.reason : acceptance.outcome;
}
