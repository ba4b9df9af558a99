import { authorityStoreOver } from "@rehome/core";
import type { AuthorityStore } from "@rehome/core";
import { Connections, prepareSession, SocketClient, StandbyError } from "./connections.ts";
import { isPassing, PostgresStoreError, storeErrorFrom } from "./errors.ts";
import { migrate } from "./migrate.ts";
import { parseOptions } from "./options.ts";
import type { PostgresStoreConfig, PostgresStoreOptions } from "./options.ts";
import { namesIn } from "./schema.ts";
import { PostgresTransactions } from "./transactions.ts";

/** How long opening waits, at most, before it tries again to reach a server that is not there yet. */
const LONGEST_PAUSE_MS = 400;

/**
 * Opens the authority store in one schema of a PostgreSQL database, which any number of processes may share; makes the
 * schema, or brings it up to date, if need be. Each call has a pool of connections of its own, to be closed with `close`.
 *
 * Rejects with {@link PostgresStoreError}; afterwards nothing that the server or the network does makes a call reject: its
 * answer is `unknown`, and its `reason` says so where it is certain that nothing was written.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<AuthorityStore> {
  const config = parseOptions(options);
  const names = namesIn(config.schema);
  await prepare(config);
  return authorityStoreOver(new PostgresTransactions(config, new Connections(config), names));
}

/** A server may start later than the nodes that use it: who finds none tries again until the deadline. */
async function prepare(config: PostgresStoreConfig): Promise<void> {
  const { clock, openDeadlineMs } = config;
  const deadlineMs = clock.nowMs() + openDeadlineMs;
  for (;;) {
    try {
      return await prepareOnce(config, deadlineMs - clock.nowMs());
    } catch (error) {
      if (error instanceof StandbyError) {
        throw new PostgresStoreError("readOnly", `The server of ${config.where} cannot be written: ${error.message}.`);
      }
      const mayPass = !(error instanceof PostgresStoreError) && isPassing(error);
      if (!mayPass || clock.nowMs() + LONGEST_PAUSE_MS >= deadlineMs) throw storeErrorFrom(error, config.where);
    }
    // Nodes that were started together must not knock together.
    const pauseMs = LONGEST_PAUSE_MS * (1 - config.random.bytes(1)[0]! / 512);
    await new Promise<void>((resolve) => clock.after(pauseMs, resolve));
  }
}

async function prepareOnce(config: PostgresStoreConfig, remainingMs: number): Promise<void> {
  const client = new SocketClient(config.connection);
  // One timer for all of it, the farewell included.
  const timer = config.clock.after(remainingMs, () => client.socket.destroy());
  try {
    await client.connect();
    await prepareSession(client, remainingMs);
    await migrate(client, { names: namesIn(config.schema), schema: config.schema, where: config.where });
    await client.end();
  } finally {
    timer.cancel();
    client.socket.destroy();
  }
}
