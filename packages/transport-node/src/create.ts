import type { Transport } from "@rehome/core";
import { silentLog, systemClock, systemRandom } from "@rehome/system";
import { createTransport } from "@rehome/transport";
import { parseSocketOptions, TlsAdapter } from "@rehome/transport/sockets";
import type { SocketTransportOptions } from "@rehome/transport/sockets";
import { NodeAdapter } from "./adapter.ts";

export type NodeTransportOptions = SocketTransportOptions;

/**
 * A transport between nodes over TCP or TLS, for Node. Each node has one.
 *
 * Throws `TransportError` `invalidOptions`. Its `listen` rejects with `addressInUse`, `addressUnavailable`,
 * `addressForbidden`, `certificateUnusable`, `plaintextRefused` (see {@link NodeTransportOptions.allowPlaintextOffLoopback}), `alreadyListening` or
 * `closed`. A `connect` that fails, for whichever reason, is a `ConnectFailed` event.
 */
export function createNodeTransport(options: NodeTransportOptions = {}): Transport {
  const config = parseSocketOptions(options, { clock: systemClock, random: systemRandom, log: silentLog });
  const { clock, random, log, limits, sharedSecret, tls } = config;
  const adapter = tls === undefined ? new NodeAdapter(config) : new TlsAdapter(config, tls);
  return createTransport(adapter, { clock, random, log, limits, sharedSecret });
}
