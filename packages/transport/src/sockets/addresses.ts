import { lookup } from "node:dns";
import { BlockList, isIP, isIPv6 } from "node:net";
import { TransportError } from "../errors.ts";

/** What an endpoint begins with: `tcp://` for plain connections, `tls://` for those that prove both ends. */
export type Scheme = "tcp" | "tls";

const ENDPOINT = /^(tcp|tls):\/\/(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
loopback.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

export function formatEndpoint(scheme: Scheme, { host, port }: HostAndPort): string {
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Throws {@link TransportError} `invalidEndpoint`, for an endpoint of the other scheme too. */
export function parseEndpoint(scheme: Scheme, endpoint: string): HostAndPort {
  const match = ENDPOINT.exec(endpoint);
  const host = match?.[2] ?? match?.[3];
  const port = Number(match?.[4]);
  if (host === undefined || !(port >= 1 && port <= 65_535))
    throw new TransportError("invalidEndpoint", `"${endpoint}" is no endpoint of the form ${scheme}://host:port.`);
  if (match?.[1] !== scheme)
    throw new TransportError(
      "invalidEndpoint",
      `"${endpoint}" is no ${scheme}:// endpoint: all nodes of a mesh use TLS, or none does.`,
    );
  return { host, port };
}

/** An address that stands for all of a machine's. */
export function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || (isIPv6(host) && /^[0:]+$/.test(host));
}

export function isLoopback(address: string): boolean {
  return loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/**
 * The address behind a host name, if connections may go there. Calls `done` later, never at once.
 * Codes: `addressUnavailable`, `plaintextRefused`.
 */
export function resolveAddress(
  host: string,
  allowOffLoopback: boolean,
  done: (result: string | TransportError) => void,
): void {
  const judge = (address: string): string | TransportError =>
    allowOffLoopback || isLoopback(address) ? address : plaintextRefused(host, address);
  if (isIP(host) !== 0) {
    setImmediate(() => done(judge(host)));
    return;
  }
  lookup(host, (error, address) => {
    if (error === null) done(judge(address));
    else done(new TransportError("addressUnavailable", `The host name "${host}" is unknown here.`, { cause: error }));
  });
}

function plaintextRefused(host: string, address: string): TransportError {
  const where = host === address ? host : `${host} (${address})`;
  return new TransportError(
    "plaintextRefused",
    `${where} is not on this machine, and plain TCP protects nothing on the way. Use TLS or a loopback address, ` +
      "or set allowPlaintextOffLoopback on a network that only trusted programs can reach.",
  );
}
