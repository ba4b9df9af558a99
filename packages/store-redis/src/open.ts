import { authorityStoreOver } from "@rehome/core";
import type { AuthorityStore } from "@rehome/core";
import { RedisStoreError } from "./errors.ts";
import { Link } from "./link.ts";
import { parseOptions } from "./options.ts";
import type { RedisStoreOptions } from "./options.ts";
import { keysOf, RedisTransactions } from "./transactions.ts";
import type { AheadUs } from "./transactions.ts";

/**
 * Opens the authority store in a Redis server, which nodes on any number of machines share; to be closed with `close`.
 *
 * Rejects with {@link RedisStoreError}; afterwards nothing that the server or the network does makes a call reject: its answer
 * is `unknown`, and its `reason` says so where it is certain that nothing was written. A lost connection comes back by itself.
 */
export function openRedisStore(options: RedisStoreOptions): Promise<AuthorityStore> {
  return openStoreWith(options, () => 0);
}

/** The same for tests, which move the server's clock forward. */
export async function openStoreWith(options: RedisStoreOptions, aheadUs: AheadUs): Promise<AuthorityStore> {
  const config = parseOptions(options);
  const deadlineMs = config.clock.nowMs() + config.openDeadlineMs;
  const link = new Link(config, keysOf(config.prefix));
  await link.connect();
  // Only a server that does not answer may be there in a moment: it starts, or it changes places.
  if (link.obstacle === undefined || link.obstacle.code === "unreachable") await link.connected(deadlineMs);
  if (link.connection === undefined) {
    link.close();
    throw link.obstacle ?? new RedisStoreError("unreachable", "The Redis server closed the connection: check its log.");
  }
  return authorityStoreOver(new RedisTransactions(config, link, aheadUs));
}
