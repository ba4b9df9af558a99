import type { TransportLimits } from "@rehome/transport";
import { CuttingProxy, portOf } from "../proxy.ts";
import { RawPeer } from "../raw-peer.ts";
import { until } from "../scene.ts";
import { identityUri } from "@rehome/transport/sockets";
import { ridFromText } from "@rehome/wire";
import { CertificateFolder, TestAuthority } from "./certificates.ts";
import type { PairEnd, RunningEnd } from "./ends.ts";
import type { NodeName, NodePlan, PeerCommand, PeerReport, ReportedEvent, TlsFiles } from "./protocol.ts";

type Report<Is extends PeerReport["is"]> = Extract<PeerReport, { readonly is: Is }>;

export interface PairNodeSettings {
  readonly generation?: number;
  readonly meshName?: string;
  readonly limits?: Partial<TransportLimits>;
  /** In place of those that a secure pairing makes for a node of this name. */
  readonly tls?: TlsFiles;
}

/** A node of one of the ends, as far as it has told. */
export class PairNode {
  readonly id: string;
  readonly plan: NodePlan;
  readonly reports: PeerReport[] = [];
  private readonly end: RunningEnd;

  constructor(end: RunningEnd, id: string, plan: NodePlan) {
    this.end = end;
    this.id = id;
    this.plan = plan;
  }

  get endpoint(): string {
    return this.all("listening")[0]!.endpoint;
  }

  get address(): NodeName {
    return { name: this.plan.name, generation: this.plan.generation, endpoint: this.endpoint };
  }

  get events(): ReportedEvent[] {
    return this.all("event").map(({ event }) => event);
  }

  get records(): Report<"record">[] {
    return this.all("record");
  }

  get texts(): (string | undefined)[] {
    return this.records.map(({ text }) => text);
  }

  /** All that was logged, as one text. */
  get logged(): string {
    return this.all("log")
      .map(({ level, event, fields }) => `${level} ${event} ${fields}`)
      .join("\n");
  }

  all<Is extends PeerReport["is"]>(is: Is): Report<Is>[] {
    return this.reports.filter((report): report is Report<Is> => report.is === is);
  }

  ofType(type: string): ReportedEvent[] {
    return this.events.filter((event) => event.type === type);
  }

  /** Links that came up, went on or were lost, in order. */
  get story(): string[] {
    return this.events.map(({ type }) => type).filter((type) => type !== "LinkDrained" && type !== "ConnectFailed");
  }

  /** Several commands in one tick. */
  run(...commands: (PeerCommand extends infer C ? (C extends PeerCommand ? Omit<C, "node"> : never) : never)[]): void {
    this.end.run(commands.map((command) => ({ ...command, node: this.id })));
  }

  sendText(to: PairNode, text: string): void {
    this.run({ do: "sendText", to: to.plan.name, text });
  }

  async close(): Promise<void> {
    this.run({ do: "close" });
    await until("the end of a node", () => this.all("closed").length > 0);
  }
}

/** What all tests of a pairing share: both ends, and the nodes in them. */
export class Pairing {
  readonly dialer: PairEnd;
  readonly acceptor: PairEnd;
  readonly isSecure: boolean;
  readonly folder = new CertificateFolder();
  authority!: TestAuthority;
  private readonly running = new Map<PairEnd, RunningEnd>();
  private readonly nodes = new Map<string, PairNode>();

  constructor(dialer: PairEnd, acceptor: PairEnd, isSecure: boolean) {
    this.dialer = dialer;
    this.acceptor = acceptor;
    this.isSecure = isSecure;
  }

  async start(): Promise<void> {
    this.authority = await TestAuthority.make("the authority of a test");
    for (const end of new Set([this.dialer, this.acceptor]))
      this.running.set(end, await end.start((report) => void this.nodes.get(report.node)?.reports.push(report)));
  }

  async stop(): Promise<void> {
    this.folder.remove();
    for (const end of this.running.values()) await end.stop();
  }

  /** Files with a certificate that is right for a node of this name. */
  async filesOf(name: string, meshName = "conformance"): Promise<TlsFiles> {
    const uri = identityUri({ meshName, nodeRid: ridFromText(name) });
    return this.folder.write(await this.authority.leaf({ uris: [uri] }), this.authority.pem);
  }

  add(end: PairEnd, plan: NodePlan): PairNode {
    const node = new PairNode(this.running.get(end)!, `${this.nodes.size}`, plan);
    this.nodes.set(node.id, node);
    node.run({ do: "listen", plan });
    return node;
  }
}

/** What one test has opened. */
export class PairScene {
  private readonly pairing: Pairing;
  private readonly nodes: PairNode[] = [];
  private readonly others: { destroy(): void }[] = [];

  constructor(pairing: Pairing) {
    this.pairing = pairing;
  }

  /** A node in the end that dials in this pairing. */
  near(name: string, settings: PairNodeSettings = {}): Promise<PairNode> {
    return this.node(this.pairing.dialer, name, settings);
  }

  /** A node in the end that is dialled. */
  far(name: string, settings: PairNodeSettings = {}): Promise<PairNode> {
    return this.node(this.pairing.acceptor, name, settings);
  }

  async pair(settings: PairNodeSettings = {}): Promise<{ a: PairNode; b: PairNode; proxy: CuttingProxy }> {
    const a = await this.near("a", settings);
    const b = await this.far("b", settings);
    const proxy = await this.proxy(b);
    a.run({ do: "connect", to: throughProxy(b, proxy) });
    await until("a link", () => a.story.length === 1 && b.story.length === 1);
    return { a, b, proxy };
  }

  async proxy(target: PairNode): Promise<CuttingProxy> {
    const proxy = await CuttingProxy.to(target.endpoint);
    this.others.push(proxy);
    return proxy;
  }

  /** A plain connection that the test itself speaks on. */
  async raw(target: PairNode): Promise<RawPeer> {
    return this.own(await RawPeer.connect(target.endpoint));
  }

  /** Ends with the test. */
  own<T extends { destroy(): void }>(other: T): T {
    this.others.push(other);
    return other;
  }

  async close(): Promise<void> {
    for (const other of this.others) other.destroy();
    await Promise.all(this.nodes.map((node) => node.close()));
    const errors = this.nodes.flatMap((node) => node.all("log").filter(({ level }) => level === "error"));
    if (errors.length > 0) throw new Error(`Errors were logged: ${JSON.stringify(errors)}`);
  }

  private async node(end: PairEnd, name: string, settings: PairNodeSettings): Promise<PairNode> {
    const { generation = 1, meshName = "conformance", limits = {} } = settings;
    const tls = settings.tls ?? (this.pairing.isSecure ? await this.pairing.filesOf(name, meshName) : undefined);
    const node = this.pairing.add(end, { name, generation, meshName, limits, tls });
    await until("a node", () => node.all("listening").length + node.all("refused").length > 0);
    if (node.all("refused").length === 0) this.nodes.push(node);
    return node;
  }
}

/** A node's address with the proxy's port. */
export function throughProxy(target: PairNode, proxy: CuttingProxy): NodeName {
  const { address } = target;
  return { ...address, endpoint: address.endpoint.replace(/\d+$/, `${portOf(proxy.endpoint)}`) };
}

/** Runs a test with nodes of its own. */
export function inPair(pairing: Pairing, test: (scene: PairScene) => Promise<void>): () => Promise<void> {
  return async () => {
    const scene = new PairScene(pairing);
    try {
      await test(scene);
    } finally {
      await scene.close();
    }
  };
}
