import type { LinkEvent, LocalIdentity, PeerAddress, PeerIdentity, Transport } from "@rehome/core";
import { ridFromText } from "@rehome/wire";
import type { Rid } from "@rehome/wire";
import type { SharedSecretOptions } from "../../src/authentication.ts";
import type { TransportLimits } from "../../src/limits.ts";
import { createTransport } from "../../src/transport.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakeNetwork, RawPeer, seeded } from "./fake-network.ts";
import type { NetworkOptions } from "./fake-network.ts";

export interface NodeSettings {
  readonly generation?: bigint;
  readonly meshName?: string;
  readonly endpoint?: string;
  readonly limits?: Partial<TransportLimits>;
  readonly sharedSecret?: SharedSecretOptions;
}

/** One node of a {@link World}, with everything that its transport has told it. */
export class TestNode {
  readonly name: string;
  readonly rid: Rid;
  readonly generation: bigint;
  readonly endpoint: string;
  readonly transport: Transport;
  readonly identity: LocalIdentity;
  readonly events: LinkEvent[] = [];
  readonly records: { from: PeerIdentity; frames: readonly Uint8Array[] }[] = [];
  /** Events and records in the order in which they came. */
  readonly story: string[] = [];
  readonly logged: { level: string; event: string; fields: Readonly<Record<string, unknown>> }[] = [];
  onRecord: (frames: readonly Uint8Array[], from: PeerIdentity) => void = () => {};
  onLink: (event: LinkEvent) => void = () => {};

  constructor(world: World, name: string, settings: NodeSettings) {
    // Nodes must not draw the same bytes: what they draw names links.
    const seed = seeded(
      [...name].reduce((sum, char) => sum * 31 + char.charCodeAt(0), Number(settings.generation ?? 1n)),
    );
    this.name = name;
    this.rid = ridFromText(name);
    this.generation = settings.generation ?? 1n;
    this.endpoint = settings.endpoint ?? `fake://${name}`;
    this.identity = {
      meshName: settings.meshName ?? "mesh",
      nodeRid: this.rid,
      nodeGeneration: this.generation,
      lease: { ownerId: `owner-of-${name}`, ownerLeaseGeneration: 7n },
      applicationVersion: 1n,
      placementWeight: 50,
    };
    this.transport = createTransport(world.network.adapter(this.endpoint), {
      clock: world.clock,
      random: { bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(seed() * 256)) },
      log: { write: (level, event, fields) => void this.logged.push({ level, event, fields }) },
      ...(settings.limits && { limits: settings.limits }),
      ...(settings.sharedSecret && { sharedSecret: settings.sharedSecret }),
    });
  }

  get address(): PeerAddress {
    return { nodeRid: this.rid, nodeGeneration: this.generation, endpoint: this.endpoint };
  }

  async listen(): Promise<void> {
    await this.transport.listen(this.identity, {
      onRecord: (from, frames) => {
        this.records.push({ from, frames });
        this.story.push("record");
        this.onRecord(frames, from);
      },
      onLink: (event) => {
        this.events.push(event);
        this.story.push(event.type);
        this.onLink(event);
      },
    });
  }

  send(to: TestNode, text: string, traffic: "control" | "data" = "data"): string {
    return this.transport.send(to.rid, [new TextEncoder().encode(text)], traffic);
  }

  /** The first frames of all records, as text. */
  get texts(): string[] {
    return this.records.map(({ frames }) => textOf(frames));
  }

  ofType<T extends LinkEvent["type"]>(type: T): Extract<LinkEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<LinkEvent, { type: T }> => event.type === type);
  }
}

export function textOf(frames: readonly Uint8Array[]): string {
  return new TextDecoder().decode(frames[0]);
}

/** Nodes, a network and a clock that stand still until told otherwise. */
export class World {
  readonly clock = new FakeClock();
  readonly network: FakeNetwork;

  constructor(options: NetworkOptions = {}) {
    this.network = new FakeNetwork(options);
  }

  async node(name: string, settings: NodeSettings = {}): Promise<TestNode> {
    const node = new TestNode(this, name, settings);
    await node.listen();
    return node;
  }

  /** Two nodes with a link between them that `first` has dialled. */
  async pair(limits: Partial<TransportLimits> = {}): Promise<[TestNode, TestNode]> {
    const first = await this.node("a", { limits });
    const second = await this.node("b", { limits });
    first.transport.connect(second.address);
    this.run();
    return [first, second];
  }

  raw(node: TestNode): RawPeer {
    return this.network.raw(node.endpoint);
  }

  run(): void {
    this.network.run();
  }

  advance(ms: number): void {
    this.clock.advance(ms, () => this.network.run());
  }

  /** Breaks every connection that is open now. */
  cutAll(): void {
    for (const stream of this.network.streams) stream.reset("cut");
    this.run();
  }

  /** From now on nothing arrives anywhere on the connections that are open now. */
  freezeAll(): void {
    for (const stream of this.network.streams) stream.frozen = true;
  }

  get openStreams(): number {
    return this.network.streams.filter((stream) => !stream.isClosed).length;
  }
}
