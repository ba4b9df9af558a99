import type { Transport } from "@rehome/core";
import { silentLog, systemClock, systemRandom } from "@rehome/system";
import { createTransport, TransportError } from "@rehome/transport";
import { parseSocketOptions, TlsAdapter } from "@rehome/transport/sockets";
import type { SocketTransportOptions } from "@rehome/transport/sockets";
import { BunAdapter } from "./adapter.ts";

export type BunTransportOptions = SocketTransportOptions;

/**
 * A transport between nodes over TCP or TLS, for Bun. Each node has one. It speaks to nodes on Node too: the bytes are the same.
 *
 * Throws `TransportError` `invalidOptions`, also on another runtime than Bun. Its `listen` rejects with `addressInUse`,
 * `addressUnavailable`, `addressForbidden`, `certificateUnusable`, `plaintextRefused` (see {@link BunTransportOptions.allowPlaintextOffLoopback}),
 * `alreadyListening` or `closed`. A `connect` that fails, for whichever reason, is a `ConnectFailed` event.
 */
export function createBunTransport(options: BunTransportOptions = {}): Transport {
  if (process.versions["bun"] === undefined)
    throw new TransportError("invalidOptions", "This is not Bun: use createNodeTransport of @rehome/transport-node.");
  const config = parseSocketOptions(options, { clock: systemClock, random: systemRandom, log: silentLog });
  const { clock, random, log, limits, sharedSecret, tls } = config;
  const adapter = tls === undefined ? new BunAdapter(config) : new TlsAdapter(config, tls);
  return createTransport(adapter, { clock, random, log, limits, sharedSecret });
}
