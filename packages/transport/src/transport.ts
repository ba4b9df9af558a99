import type {
  Clock,
  LocalIdentity,
  Log,
  PeerAddress,
  PeerIdentity,
  Random,
  SendResult,
  TrafficClass,
  Transport,
  TransportHandler,
} from "@rehome/core";
import type { Rid } from "@rehome/wire";
import { Authentication } from "./authentication.ts";
import type { SharedSecretOptions } from "./authentication.ts";
import type { StreamAdapter, StreamListener } from "./byte-stream.ts";
import { TransportError } from "./errors.ts";
import { refuseUnknownKeys } from "./known-keys.ts";
import { resolveLimits } from "./limits.ts";
import type { TransportLimits } from "./limits.ts";
import { Mesh } from "./mesh.ts";

export interface TransportOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly limits?: Partial<TransportLimits>;
  /** Both ends of every link prove that they know a shared secret. It is for people without certificates. */
  readonly sharedSecret?: SharedSecretOptions | undefined;
}

const KNOWN: Record<keyof TransportOptions, true> = {
  clock: true,
  random: true,
  log: true,
  limits: true,
  sharedSecret: true,
};

type Phase =
  | { readonly at: "new" }
  | { readonly at: "starting"; readonly settled: Promise<void> }
  | { readonly at: "running"; readonly mesh: Mesh; readonly listener: StreamListener }
  | { readonly at: "closed"; readonly done: Promise<void> };

/**
 * A transport over whatever sockets the adapter offers (`protocol.md` N1–N3, L2; bytes in `docs/transport.md`).
 *
 * Throws {@link TransportError} `invalidOptions`. `listen` rejects with `alreadyListening`, `closed`, and what the adapter
 * rejects with; `connect` throws `notListening` or `closed`.
 */
export function createTransport(adapter: StreamAdapter, options: TransportOptions): Transport {
  return new StreamTransport(adapter, options);
}

class StreamTransport implements Transport {
  private readonly adapter: StreamAdapter;
  private readonly options: TransportOptions;
  private readonly limits: TransportLimits;
  private readonly authentication: Authentication | undefined;
  private phase: Phase = { at: "new" };

  constructor(adapter: StreamAdapter, options: TransportOptions) {
    refuseUnknownKeys("createTransport", options, Object.keys(KNOWN));
    this.adapter = adapter;
    this.options = options;
    this.limits = resolveLimits(options.limits);
    this.authentication = options.sharedSecret === undefined ? undefined : new Authentication(options.sharedSecret);
  }

  async listen(identity: LocalIdentity, handler: TransportHandler): Promise<{ readonly endpoint: string }> {
    if (this.phase.at === "closed") throw closed();
    if (this.phase.at !== "new")
      throw new TransportError("alreadyListening", "This transport listens already: one transport is one node.");
    const starting = this.start(identity, handler);
    this.phase = { at: "starting", settled: starting.then(nothing, nothing) };
    return { endpoint: await starting };
  }

  connect(address: PeerAddress): void {
    if (this.phase.at === "closed") throw closed();
    if (this.phase.at !== "running")
      throw new TransportError("notListening", "Call listen before connect: a link needs this node's own identity.");
    this.phase.mesh.connect(address);
  }

  forget(nodeRid: Rid): void {
    if (this.phase.at === "running") this.phase.mesh.forget(nodeRid);
  }

  send(nodeRid: Rid, frames: readonly Uint8Array[], traffic: TrafficClass): SendResult {
    return this.phase.at === "running" ? this.phase.mesh.send(nodeRid, frames, traffic) : "noLink";
  }

  peer(nodeRid: Rid): PeerIdentity | undefined {
    return this.phase.at === "running" ? this.phase.mesh.peer(nodeRid) : undefined;
  }

  close(): Promise<void> {
    const { phase } = this;
    if (phase.at === "closed") return phase.done;
    const done =
      phase.at === "running"
        ? Promise.all([phase.listener.close(), phase.mesh.close()]).then(nothing)
        : phase.at === "starting"
          ? phase.settled
          : Promise.resolve();
    this.phase = { at: "closed", done };
    return done;
  }

  private async start(identity: LocalIdentity, handler: TransportHandler): Promise<string> {
    const { adapter, limits, authentication } = this;
    let listener: StreamListener;
    try {
      listener = await adapter.listen((stream) => {
        if (this.phase.at === "running") this.phase.mesh.accept(stream);
        else stream.destroy();
      }, identity);
    } catch (error) {
      // The caller may try again, for example once the port is free.
      if (this.phase.at === "starting") this.phase = { at: "new" };
      throw error;
    }
    if (this.phase.at === "closed") {
      await listener.close();
      throw closed();
    }
    const { clock, random, log } = this.options;
    const { endpoint } = listener;
    const mesh = new Mesh({ adapter, limits, authentication, clock, random, log, identity, handler, endpoint });
    this.phase = { at: "running", mesh, listener };
    return endpoint;
  }
}

function nothing(): void {
  // For promises whose value nobody needs.
}

function closed(): TransportError {
  return new TransportError("closed", "This transport is closed: create another one.");
}
