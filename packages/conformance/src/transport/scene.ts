import type { LinkEvent, LocalIdentity, Log, PeerAddress, PeerIdentity, Transport } from "@rehome/core";
import type { TransportLimits } from "@rehome/transport";
import { ridFromText } from "@rehome/wire";
import type { Rid } from "@rehome/wire";
import { CuttingProxy } from "./proxy.ts";
import { RawPeer } from "./raw-peer.ts";

export interface TransportSettings {
  readonly limits: Partial<TransportLimits>;
  readonly log: Log;
}

/** Makes a transport that listens on a loopback address, at a port that the operating system chooses. */
export type MakeTransport = (settings: TransportSettings) => Transport;

export interface NodeSettings {
  readonly generation?: bigint;
  readonly meshName?: string;
  readonly limits?: Partial<TransportLimits>;
}

/** How long a test waits for what must come: far longer than it takes. */
const PATIENCE_MS = 15_000;

/** Waits until `condition` holds. Fails with `what` otherwise. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

export function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A transport with all that it has told. */
export class SceneNode {
  readonly rid: Rid;
  readonly identity: LocalIdentity;
  readonly transport: Transport;
  readonly events: LinkEvent[] = [];
  readonly records: (readonly Uint8Array[])[] = [];
  readonly errors: string[] = [];
  /** Kinds of events and `record`, in the order in which they came. */
  readonly story: string[] = [];
  endpoint = "";
  onRecord: (frames: readonly Uint8Array[], from: PeerIdentity) => void = () => {};
  onLink: (event: LinkEvent) => void = () => {};

  constructor(make: MakeTransport, name: string, settings: NodeSettings) {
    this.rid = ridFromText(name);
    this.identity = {
      meshName: settings.meshName ?? "conformance",
      nodeRid: this.rid,
      nodeGeneration: settings.generation ?? 1n,
      lease: { ownerId: `owner of ${name}`, ownerLeaseGeneration: 3n },
      applicationVersion: 1n,
      placementWeight: 50,
    };
    const log: Log = {
      write: (level, event, fields) => {
        if (level === "error") this.errors.push(`${event} ${String(fields["error"])}`);
      },
    };
    this.transport = make({ limits: settings.limits ?? {}, log });
  }

  get address(): PeerAddress {
    return { nodeRid: this.rid, nodeGeneration: this.identity.nodeGeneration, endpoint: this.endpoint };
  }

  async listen(): Promise<void> {
    const { endpoint } = await this.transport.listen(this.identity, {
      onRecord: (from, frames) => {
        this.records.push(frames);
        this.story.push("record");
        this.onRecord(frames, from);
      },
      onLink: (event) => {
        this.events.push(event);
        this.story.push(event.type);
        this.onLink(event);
      },
    });
    this.endpoint = endpoint;
  }

  ofType<T extends LinkEvent["type"]>(type: T): Extract<LinkEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<LinkEvent, { type: T }> => event.type === type);
  }

  sendText(to: { readonly rid: Rid }, text: string, traffic: "control" | "data" = "data"): string {
    return this.transport.send(to.rid, [new TextEncoder().encode(text)], traffic);
  }

  get texts(): string[] {
    return this.records.map(textOf);
  }
}

export function textOf(frames: readonly Uint8Array[]): string {
  return new TextDecoder().decode(frames[0]);
}

/** What one test has opened. Everything is closed when it ends. */
export class Scene {
  private readonly make: MakeTransport;
  private readonly nodes: SceneNode[] = [];
  private readonly others: { destroy(): void }[] = [];

  constructor(make: MakeTransport) {
    this.make = make;
  }

  async node(name: string, settings: NodeSettings = {}): Promise<SceneNode> {
    const node = new SceneNode(this.make, name, settings);
    this.nodes.push(node);
    await node.listen();
    return node;
  }

  /** Nodes `a` and `b` with a link that `a` has dialled. */
  async pair(limits: Partial<TransportLimits> = {}): Promise<[SceneNode, SceneNode]> {
    const a = await this.node("a", { limits });
    const b = await this.node("b", { limits });
    await this.link(a, b);
    return [a, b];
  }

  async link(from: SceneNode, to: SceneNode, address: PeerAddress = to.address): Promise<void> {
    from.transport.connect(address);
    await until("a link", () => isLinked(from, to) && isLinked(to, from));
  }

  /** A way to this node on which a test can do what networks do. */
  async proxy(target: SceneNode): Promise<CuttingProxy> {
    const proxy = await CuttingProxy.to(target.endpoint);
    this.others.push(proxy);
    return proxy;
  }

  /** A connection to this node that the test itself speaks on. */
  async raw(target: SceneNode): Promise<RawPeer> {
    const peer = await RawPeer.connect(target.endpoint);
    this.others.push(peer);
    return peer;
  }

  /** A connection that was admitted as a link. */
  async greet(target: SceneNode, rid: Rid): Promise<RawPeer> {
    const peer = await this.raw(target);
    peer.hello(target.identity, rid);
    await until("an answer to the hello", () => peer.units.length > 0);
    return peer;
  }

  async close(): Promise<void> {
    for (const other of this.others) other.destroy();
    await Promise.all(this.nodes.map((node) => node.transport.close()));
    const errors = this.nodes.flatMap((node) => node.errors);
    if (errors.length > 0) throw new Error(`Errors were logged: ${errors.join("; ")}`);
  }
}

export function isLinked(from: SceneNode, to: { readonly rid: Rid }): boolean {
  return from.transport.peer(to.rid) !== undefined;
}

/** Runs a test in a scene of its own. */
export function inScene(make: MakeTransport, test: (scene: Scene) => Promise<void>): () => Promise<void> {
  return async () => {
    const scene = new Scene(make);
    try {
      await test(scene);
    } finally {
      await scene.close();
    }
  };
}

export function sameFrames(left: readonly Uint8Array[] | undefined, right: readonly Uint8Array[]): boolean {
  return left?.length === right.length && left.every((frame, index) => Buffer.compare(frame, right[index]!) === 0);
}
