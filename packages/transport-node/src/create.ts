import type { Transport } from "@rehome/core";
import { createTransport } from "@rehome/transport";
import { NodeAdapter } from "./adapter.ts";
import { parseOptions } from "./options.ts";
import type { NodeTransportOptions } from "./options.ts";

/**
 * A transport between nodes over TCP, for Node. Each node has one.
 *
 * Throws `TransportError` `invalidOptions`. Its `listen` rejects with `addressInUse`, `addressUnavailable`,
 * `addressForbidden`, `plaintextRefused` (see {@link NodeTransportOptions.allowPlaintextOffLoopback}), `alreadyListening` or
 * `closed`. A `connect` that fails, for whichever reason, is a `ConnectFailed` event.
 */
export function createNodeTransport(options: NodeTransportOptions = {}): Transport {
  const config = parseOptions(options);
  const { clock, random, log, limits } = config;
  return createTransport(new NodeAdapter(config), { clock, random, log, limits });
}
