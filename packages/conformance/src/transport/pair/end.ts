import { createHash } from "node:crypto";
import type { LinkEvent, LocalIdentity, Log, Transport } from "@rehome/core";
import type { TransportLimits } from "@rehome/transport";
import { ridFromText, ridToDisplay } from "@rehome/wire";
import { patternBytes } from "../bytes.ts";
import { SHORT_TEXT_BYTES } from "./protocol.ts";
import type { NodePlan, PeerCommand, PeerReport, ReportedEvent, TlsFiles } from "./protocol.ts";

/** Makes a transport on loopback. Every end of the suite is made this way, in whichever process it runs. */
export type MakeEnd = (settings: {
  readonly limits: Partial<TransportLimits>;
  readonly log: Log;
  readonly tls?: TlsFiles;
}) => Transport;

/** Carries out what a test says, on nodes of this process, and reports what they tell. */
export class TransportEnd {
  private readonly make: MakeEnd;
  private readonly report: (report: PeerReport) => void;
  private readonly nodes = new Map<string, EndNode>();

  constructor(make: MakeEnd, report: (report: PeerReport) => void) {
    this.make = make;
    this.report = report;
  }

  run(command: PeerCommand): void {
    if (command.do === "listen") {
      const tell = (report: Tell) => this.report({ node: command.node, ...report });
      const node = new EndNode(this.make, command.plan, tell);
      this.nodes.set(command.node, node);
      void node.listen();
    } else {
      this.nodes.get(command.node)!.run(command);
    }
  }
}

type Tell = PeerReport extends infer R ? (R extends PeerReport ? Omit<R, "node"> : never) : never;

class EndNode {
  private readonly plan: NodePlan;
  private readonly tell: (report: Tell) => void;
  private readonly transport: Transport;
  private echoEvery = 0;
  private received = 0;
  private onRecord: () => void = () => {};

  constructor(make: MakeEnd, plan: NodePlan, tell: (report: Tell) => void) {
    this.plan = plan;
    this.tell = tell;
    const log: Log = {
      write: (level, event, fields) => tell({ is: "log", level, event, fields: textOfFields(fields) }),
    };
    this.transport = make({ limits: plan.limits, log, ...(plan.tls && { tls: plan.tls }) });
  }

  async listen(): Promise<void> {
    const { plan } = this;
    const identity: LocalIdentity = {
      meshName: plan.meshName,
      nodeRid: ridFromText(plan.name),
      nodeGeneration: BigInt(plan.generation),
      lease: { ownerId: `owner of ${plan.name}`, ownerLeaseGeneration: 1n },
      applicationVersion: 1n,
      placementWeight: 50,
    };
    try {
      const { endpoint } = await this.transport.listen(identity, {
        onRecord: (peer, frames) => {
          this.received += 1;
          if (this.echoEvery > 0 && this.received % this.echoEvery === 0)
            this.transport.send(peer.nodeRid, frames, "data");
          this.tellOfRecord(frames);
          this.onRecord();
        },
        onLink: (event) => this.tell({ is: "event", event: reported(event) }),
      });
      this.tell({ is: "listening", endpoint });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.tell({ is: "refused", code: code ?? "none", message });
    }
  }

  run(command: Exclude<PeerCommand, { readonly do: "listen" }>): void {
    const { transport } = this;
    switch (command.do) {
      case "connect": {
        const { name, generation, endpoint } = command.to;
        return transport.connect({ nodeRid: ridFromText(name), nodeGeneration: BigInt(generation), endpoint });
      }
      case "forget":
        return transport.forget(ridFromText(command.to));
      case "send":
        return this.send(command);
      case "sendText": {
        const answer = transport.send(ridFromText(command.to), [new TextEncoder().encode(command.text)], "control");
        return this.tell({ is: "sent", answers: { [answer]: 1 } });
      }
      case "echo":
        this.echoEvery = command.every;
        return;
      case "ask":
        return void this.ask(command.to, command.rounds);
      case "close":
        return void transport.close().then(() => this.tell({ is: "closed" }));
    }
  }

  private send({ to, count, length, seed }: Extract<PeerCommand, { readonly do: "send" }>): void {
    const answers: Record<string, number> = {};
    for (let index = 0; index < count; index += 1) {
      const answer = this.transport.send(ridFromText(to), [patternBytes(length, seed + index)], "data");
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
    this.tell({ is: "sent", answers });
  }

  private async ask(to: string, rounds: number): Promise<void> {
    const rid = ridFromText(to);
    const startedAt = performance.now();
    for (let round = 0; round < rounds; round += 1) {
      const answered = new Promise<void>((resolve) => (this.onRecord = resolve));
      // In two writes, of which the second would wait for the first one's acknowledgement.
      this.transport.send(rid, [Uint8Array.of(1)], "data");
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      this.transport.send(rid, [Uint8Array.of(2)], "data");
      await answered;
    }
    this.tell({ is: "asked", tookMs: performance.now() - startedAt });
  }

  private tellOfRecord(frames: readonly Uint8Array[]): void {
    const bytes = frames.reduce((sum, frame) => sum + frame.length, 0);
    const text = bytes <= SHORT_TEXT_BYTES ? new TextDecoder().decode(frames[0]) : undefined;
    this.tell({ is: "record", bytes, digest: digestOf(frames), text });
  }
}

/** Of all bytes of a record, wherever its frames begin. */
export function digestOf(frames: readonly Uint8Array[]): string {
  const hash = createHash("sha1");
  for (const frame of frames) hash.update(frame);
  return hash.digest("hex");
}

function reported(event: LinkEvent): ReportedEvent {
  const peer = "peer" in event ? event.peer : undefined;
  return {
    type: event.type,
    peer: peer && ridToDisplay(peer.nodeRid),
    generation: peer && Number(peer.nodeGeneration),
    reason: "reason" in event ? event.reason : undefined,
    unacknowledged: "unacknowledged" in event ? event.unacknowledged.length : 0,
  };
}

function textOfFields(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(fields, (_name, value: unknown) => {
    if (typeof value === "bigint") return String(value);
    return value instanceof Error ? value.message : value;
  });
}
