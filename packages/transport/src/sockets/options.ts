import { isIP } from "node:net";
import type { Clock, Log, Random } from "@rehome/core";
import type { SharedSecretOptions } from "../authentication.ts";
import { TransportError } from "../errors.ts";
import { refuseUnknownKeys } from "../known-keys.ts";
import type { TransportLimits } from "../limits.ts";
import { isWildcard } from "./addresses.ts";
import type { TlsFiles } from "./credentials.ts";
import { hmacSha256 } from "./hmac.ts";

/** Three small files: often enough for people who wait for a new certificate to be used, and nothing to a machine. */
const DEFAULT_RELOAD_MS = 10_000;

/** Options of a transport over the machine's sockets, on whichever runtime. */
export interface SocketTransportOptions {
  /** Where to listen. Default `127.0.0.1`. */
  readonly host?: string;
  /** 0, the default, lets the operating system choose. */
  readonly port?: number;
  /** What other nodes are told to connect to, if that is not `host`. Needed when `host` is `0.0.0.0` or `::`. */
  readonly advertisedHost?: string;
  /**
   * Plain TCP proves nobody's identity and hides nothing, so it is refused to and from other machines. Set this to allow it
   * there nevertheless, on a network that only trusted programs can reach. Default false.
   */
  readonly allowPlaintextOffLoopback?: boolean;
  /**
   * Makes both ends of every link prove that they know a secret before anything else has an effect: the first of these is
   * proven, any of them is accepted, so that they can be changed one node after the other. At least 32 random bytes each.
   * It keeps strangers out and encrypts nothing, so off loopback plain TCP has to be allowed all the same.
   */
  readonly sharedSecrets?: readonly Uint8Array[];
  /**
   * TLS 1.3, with a certificate at both ends that names its node (`docs/transport.md` 8): nodes on other machines can be
   * reached, nobody listens in, and nobody can pass for another node. All nodes of a mesh use it, or none does.
   */
  readonly tls?: TlsFiles;
  /** Default `DEFAULT_LIMITS` of `@rehome/transport`. */
  readonly limits?: Partial<TransportLimits>;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
}

const KNOWN: Record<keyof SocketTransportOptions, true> = {
  host: true,
  port: true,
  advertisedHost: true,
  allowPlaintextOffLoopback: true,
  sharedSecrets: true,
  tls: true,
  limits: true,
  clock: true,
  random: true,
  log: true,
};
const KNOWN_TLS: Record<keyof TlsFiles, true> = { certFile: true, keyFile: true, caFile: true, reloadMs: true };

/** What stands in for the ports that the options leave out. */
export interface PortDefaults {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** The options with every default in place. */
export interface SocketTransportConfig extends PortDefaults {
  readonly host: string;
  readonly port: number;
  readonly advertisedHost: string | undefined;
  readonly allowPlaintextOffLoopback: boolean;
  readonly sharedSecret: SharedSecretOptions | undefined;
  readonly tls: Required<TlsFiles> | undefined;
  readonly limits: Partial<TransportLimits>;
}

/** Throws {@link TransportError} `invalidOptions`. */
export function parseSocketOptions(options: SocketTransportOptions, defaults: PortDefaults): SocketTransportConfig {
  refuseUnknownKeys("The transport", options, Object.keys(KNOWN));
  const { sharedSecrets, tls } = options;
  const config: SocketTransportConfig = Object.freeze({
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    advertisedHost: options.advertisedHost,
    allowPlaintextOffLoopback: options.allowPlaintextOffLoopback ?? false,
    sharedSecret: sharedSecrets === undefined ? undefined : { secrets: sharedSecrets, hmacSha256 },
    tls: tls === undefined ? undefined : Object.freeze({ reloadMs: DEFAULT_RELOAD_MS, ...tls }),
    limits: options.limits ?? {},
    clock: options.clock ?? defaults.clock,
    random: options.random ?? defaults.random,
    log: options.log ?? defaults.log,
  });
  if (!Number.isInteger(config.port) || config.port < 0 || config.port > 65_535)
    throw new TransportError("invalidOptions", `port must be a whole number from 0 to 65535, not ${config.port}.`);
  checkHost("host", config.host);
  if (config.tls !== undefined) checkTls(config.tls);
  if (config.advertisedHost !== undefined) checkHost("advertisedHost", config.advertisedHost);
  if (isWildcard(config.host) && config.advertisedHost === undefined)
    throw new TransportError(
      "invalidOptions",
      `A node that listens on ${config.host} needs advertisedHost: an address where other nodes can reach it.`,
    );
  return config;
}

function checkTls(tls: Required<TlsFiles>): void {
  refuseUnknownKeys("tls", tls, Object.keys(KNOWN_TLS));
  for (const name of ["certFile", "keyFile", "caFile"] as const)
    if (typeof tls[name] !== "string" || tls[name] === "")
      throw new TransportError("invalidOptions", `tls.${name} must be the path of a PEM file.`);
  if (!(tls.reloadMs > 0 && Number.isFinite(tls.reloadMs)))
    throw new TransportError("invalidOptions", `tls.reloadMs must be a positive number, not ${tls.reloadMs}.`);
}

function checkHost(name: string, host: string): void {
  if (isIP(host) === 0 && !/^[^\s:/[\]]{1,253}$/.test(host))
    throw new TransportError("invalidOptions", `${name} must be a host name or an IP address, not "${host}".`);
}
