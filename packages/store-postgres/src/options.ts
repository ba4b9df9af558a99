import { systemRandom } from "@rehome/system";
import type { Clock, Random } from "@rehome/core";
import type { ConnectionOptions } from "node:tls";
import { Client } from "pg";
import type { ClientConfig } from "pg";
import { PostgresStoreError } from "./errors.ts";
import { waitingClock } from "./waiting-clock.ts";

export interface PostgresStoreOptions {
  /**
   * `postgres://user:password@host:port/database`. What it leaves out comes from the usual variables (`PGHOST`,
   * `PGPASSWORD`, …).
   */
  readonly url: string;
  /** The database's schema that holds the store, made if it is not there. Default `rehome`. */
  readonly schema?: string;
  /**
   * TLS towards the server, as `tls.connect` takes it; `true` for its defaults. Leave `sslmode` out of the URL then. In the URL
   * `sslmode=require`, and its like, checks the server's certificate and name as `verify-full` does.
   */
  readonly tls?: boolean | ConnectionOptions;
  /** The most connections that this store holds at once. Default 8. */
  readonly maxConnections?: number;
  /** How long a call may take, waiting for a connection included, before it answers `unknown`. Default 2000. */
  readonly callDeadlineMs?: number;
  /** How long opening tries to reach the server and to prepare the schema before it fails. Default 10,000. */
  readonly openDeadlineMs?: number;
  /** For deadlines and pauses of this process only: leases end by the server's clock. Default: the system's. */
  readonly clock?: Pick<Clock, "nowMs" | "after">;
  /** For the pauses between attempts only. Default: the operating system's. */
  readonly random?: Random;
}

export interface PostgresStoreConfig {
  readonly connection: Readonly<ClientConfig>;
  /** Server, port and database, for people. */
  readonly where: string;
  readonly schema: string;
  readonly maxConnections: number;
  readonly callDeadlineMs: number;
  readonly openDeadlineMs: number;
  readonly clock: Pick<Clock, "nowMs" | "after">;
  readonly random: Random;
}

const DEFAULT_SCHEMA = "rehome";
/** A server of two cores does no more with more, and 100 connections, its default, are enough for a dozen nodes. */
const DEFAULT_MAX_CONNECTIONS = 8;
/** More than any server can serve. */
const MOST_CONNECTIONS = 1000;
/** Half the store resolution of a move (5 s), so that an `unknown` leaves time to read again. */
const DEFAULT_CALL_DEADLINE_MS = 2000;
/** Longer than a server takes to start. */
const DEFAULT_OPEN_DEADLINE_MS = 10_000;
/** Timers take no longer delays. */
const LONGEST_DEADLINE_MS = 2 ** 31 - 1;
/** PostgreSQL cuts longer names (`NAMEDATALEN`), and two that are cut may be the same; `pg_` is its own. */
const SCHEMA = /^(?!pg_)[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/**
 * Says without asking a server whether `openPostgresStore` would take these, for who wants to know before anything starts.
 * Throws {@link PostgresStoreError} `invalidOption`.
 */
export function checkPostgresStoreOptions(options: PostgresStoreOptions): void {
  parseOptions(options);
}

/** Throws {@link PostgresStoreError} `invalidOption`. */
export function parseOptions(options: PostgresStoreOptions): PostgresStoreConfig {
  const { schema = DEFAULT_SCHEMA, maxConnections = DEFAULT_MAX_CONNECTIONS } = options;
  const { callDeadlineMs = DEFAULT_CALL_DEADLINE_MS, openDeadlineMs = DEFAULT_OPEN_DEADLINE_MS } = options;
  if (typeof schema !== "string" || !SCHEMA.test(schema)) {
    throw invalidOption("schema is 1 to 63 letters, digits and _, does not begin with a digit nor with pg_");
  }
  if (!Number.isSafeInteger(maxConnections) || maxConnections < 1 || maxConnections > MOST_CONNECTIONS) {
    throw invalidOption(`maxConnections is an integer from 1 to ${MOST_CONNECTIONS}`);
  }
  for (const [name, value] of Object.entries({ callDeadlineMs, openDeadlineMs })) {
    if (!Number.isFinite(value) || value < 1 || value > LONGEST_DEADLINE_MS) {
      throw invalidOption(`${name} is a number of milliseconds from 1 to ${LONGEST_DEADLINE_MS}`);
    }
  }
  return Object.freeze({
    ...connectionOf(options),
    schema,
    maxConnections,
    callDeadlineMs,
    openDeadlineMs,
    clock: options.clock ?? waitingClock,
    random: options.random ?? systemRandom,
  });
}

/** What is in the URL is the driver's business; here it is only looked at, and never quoted: it may hold a password. */
function connectionOf(options: PostgresStoreOptions): Pick<PostgresStoreConfig, "connection" | "where"> {
  const { url, tls } = options;
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["postgres:", "postgresql:"].includes(parsed.protocol)) {
    throw invalidOption("url is postgres://user:password@host:port/database, with special characters as %XX");
  }
  if (tls !== undefined && ["ssl", "sslmode", "sslrootcert"].some((name) => parsed.searchParams.has(name))) {
    throw invalidOption("TLS is asked for in the URL or with tls, not both");
  }
  const connection: ClientConfig = {
    connectionString: withVerifiedTls(url, parsed.searchParams),
    application_name: "rehome",
    keepAlive: true,
    ...(tls === undefined ? {} : { ssl: tls }),
  };
  return { connection, where: whereOf(connection) };
}

/**
 * `prefer`, `require` and `verify-ca` mean `verify-full` to this driver, but with a warning on standard error, and a later one
 * will check less. So it is told what is meant; who wants less says `no-verify` or `uselibpqcompat`.
 */
function withVerifiedTls(url: string, parameters: URLSearchParams): string {
  if (parameters.get("uselibpqcompat") === "true") return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/g, "$1verify-full");
}

function whereOf(connection: ClientConfig): string {
  try {
    const { host, port, database } = new Client(connection);
    return `${host}:${port}/${database}`;
  } catch (cause) {
    throw invalidOption("the driver cannot read the url or the files that it names", cause);
  }
}

function invalidOption(sentence: string, cause?: unknown): PostgresStoreError {
  const options = cause === undefined ? undefined : { cause };
  return new PostgresStoreError(
    "invalidOption",
    `The options of the PostgreSQL store are wrong: ${sentence}.`,
    options,
  );
}
