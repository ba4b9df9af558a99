import { randomBytes } from "node:crypto";
import type { Random } from "@rehome/core";
import { RedisStoreError } from "./errors.ts";
import { waitingClock } from "./waiting-clock.ts";
import type { WaitingClock } from "./waiting-clock.ts";

export interface RedisStoreOptions {
  /**
   * `redis://[[user]:password@]host[:port][/database]`, or `rediss://` for TLS. Of a cluster, a node that holds the slot of the
   * prefix.
   */
  readonly url: string;
  /**
   * Names the store within the server: 1 to 200 printable ASCII characters, none of them a brace. Every node of a mesh gives
   * the same one. Default `rehome`.
   */
  readonly prefix?: string;
  /** By when a call has settled, waiting for a connection included. Default 2000. */
  readonly callDeadlineMs?: number;
  /** How long one attempt to connect may take. Default 2000. */
  readonly connectTimeoutMs?: number;
  /** How long opening goes on trying. Default 10,000. */
  readonly openDeadlineMs?: number;
  /**
   * For deadlines and pauses only: leases end by the server's clock. Default: the machine's, with timers that keep the process
   * alive while somebody waits for an answer.
   */
  readonly clock?: WaitingClock;
  /** For the pauses between attempts and the names of runs. Default: the operating system's. */
  readonly random?: Random;
}

export type RedisStoreConfig = Readonly<Required<RedisStoreOptions>>;

/** Half the store resolution of a move (5 s), so that an `unknown` leaves time to read again. */
const DEFAULT_CALL_DEADLINE_MS = 2000;
const DEFAULT_CONNECT_TIMEOUT_MS = 2000;
const DEFAULT_OPEN_DEADLINE_MS = 10_000;
/** Timers take no longer delays. */
const LONGEST_DEADLINE_MS = 2 ** 31 - 1;
/** Redis counts its databases in 32 bits. */
const HIGHEST_DATABASE = 2 ** 31 - 1;
/** Printable ASCII without braces, which would make the hash tag another one. */
const PREFIX = /^[\x20-\x7a\x7c\x7e]{1,200}$/;

/**
 * Says without asking a server whether `openRedisStore` would take these, for who wants to know before anything starts. Throws
 * {@link RedisStoreError} `invalidOption`.
 */
export function checkRedisStoreOptions(options: RedisStoreOptions): void {
  parseOptions(options);
}

export function parseOptions(options: RedisStoreOptions): RedisStoreConfig {
  const { url, prefix = "rehome" } = options;
  const { callDeadlineMs = DEFAULT_CALL_DEADLINE_MS, connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS } = options;
  const { openDeadlineMs = DEFAULT_OPEN_DEADLINE_MS, clock = waitingClock } = options;
  const { random = { bytes: (count) => new Uint8Array(randomBytes(count)) } } = options;
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["redis:", "rediss:"].includes(parsed.protocol) || parsed.hostname === "") {
    throw invalidOption("url must be redis://host:port, or rediss://host:port for TLS");
  }
  if (!/^(?:\/\d*)?$/.test(parsed.pathname) || Number(parsed.pathname.slice(1)) > HIGHEST_DATABASE) {
    throw invalidOption("url must end in the number of a database, as in redis://host:port/0, or in none");
  }
  if (![parsed.username, parsed.password].every(isDecodable)) {
    throw invalidOption("url must have special characters of user and password as %XX, a percent sign as %25");
  }
  if (typeof prefix !== "string" || !PREFIX.test(prefix)) {
    throw invalidOption("prefix is 1 to 200 printable ASCII characters without braces");
  }
  for (const [name, value] of Object.entries({ callDeadlineMs, connectTimeoutMs, openDeadlineMs })) {
    if (!Number.isFinite(value) || value <= 0 || value > LONGEST_DEADLINE_MS) {
      throw invalidOption(`${name} is a number of milliseconds above 0, at most ${LONGEST_DEADLINE_MS}`);
    }
  }
  return Object.freeze({ url, prefix, callDeadlineMs, connectTimeoutMs, openDeadlineMs, clock, random });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function invalidOption(sentence: string): RedisStoreError {
  return new RedisStoreError("invalidOption", `The options of the Redis store are wrong: ${sentence}.`);
}
