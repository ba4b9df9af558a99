import type { Connection } from "./connection.ts";
import { replyCode, RedisStoreError, textOf } from "./errors.ts";

/** Of the keys and rows as this version writes them. */
const FORMAT = 1;
/** The first with scripts that can say that they do not write, and that check the server's state before they start. */
const OLDEST_MAJOR_VERSION = 7;

/* What Redis has no code of its own for. */
/** The number is too high, too long, or not 0 in a cluster. */
const NO_DATABASE = /DB index|SELECT is not allowed/;
/** A password for a server whose default user has none. */
const NO_PASSWORD = /\bAUTH\b/;

const KEY_TYPES: Readonly<Record<string, string>> = {
  rows: "hash",
  active: "zset",
  reservations: "zset",
  leases: "zset",
};

/**
 * Whether this server can keep the store under these keys, whose names end in those of {@link KEY_TYPES}; throws
 * {@link RedisStoreError} if not. At each connection: after a failover it is another server.
 */
export async function checkServer(connection: Connection, keys: readonly string[]): Promise<void> {
  const rowsKey = keys.find((key) => key.endsWith(":rows"))!;
  try {
    const [info, ...types] = await Promise.all([
      connection.send(["INFO"]),
      ...keys.map((key) => connection.send(["TYPE", key])),
    ]);
    checkInfo(String(info));
    keys.forEach((key, index) => checkType(key, String(types[index])));
    await connection.send(["HSETNX", rowsKey, "format", String(FORMAT)]);
    checkFormat(String(await connection.send(["HGET", rowsKey, "format"])));
  } catch (error) {
    throw error instanceof RedisStoreError ? error : storeErrorFrom(error);
  }
}

function checkInfo(info: string): void {
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, "m").exec(info)?.[1]?.trim() ?? "";
  const version = field("redis_version");
  if (!(Number.parseInt(version, 10) >= OLDEST_MAJOR_VERSION)) {
    throw unsuitable(`is version ${version || "unknown"}: take ${OLDEST_MAJOR_VERSION}.0 or newer`);
  }
  if (field("role") === "slave") throw unsuitable("is a replica: give the address of its primary");
  const policy = field("maxmemory_policy");
  if (policy.startsWith("allkeys")) {
    throw unsuitable(`evicts data when its memory is full: set maxmemory-policy to noeviction instead of ${policy}`);
  }
}

function checkType(key: string, type: string): void {
  const expected = KEY_TYPES[key.slice(key.lastIndexOf(":") + 1)];
  if (type !== "none" && type !== expected) {
    throw new RedisStoreError(
      "foreignData",
      `The key ${key} of the Redis server is a ${type} of something else: take another prefix.`,
    );
  }
}

function checkFormat(format: string): void {
  if (format === String(FORMAT)) return;
  throw new RedisStoreError(
    "newerFormat",
    `The data are in format ${format}, this package knows ${FORMAT}: use the version of @rehome/store-redis that wrote them.`,
  );
}

function unsuitable(sentence: string): RedisStoreError {
  return new RedisStoreError("unsuitableServer", `The Redis server ${sentence}.`);
}

/** What went wrong while connecting or checking, as this package's error. */
export function storeErrorFrom(error: unknown): RedisStoreError {
  if (error instanceof RedisStoreError) return error;
  const code = replyCode(error);
  if (code === "ERR" && NO_DATABASE.test(textOf(error))) {
    const advice = "give the number of one that it has in the URL, or none";
    const message = `The Redis server has no such database (${textOf(error)}): ${advice}.`;
    return new RedisStoreError("invalidOption", message, { cause: error });
  }
  if (
    ["NOAUTH", "WRONGPASS", "NOPERM", "DENIED"].includes(code) ||
    (code === "ERR" && NO_PASSWORD.test(textOf(error)))
  ) {
    const advice = "check user, password and rights";
    return new RedisStoreError("notAuthorized", `The Redis server refuses (${textOf(error)}): ${advice}.`, {
      cause: error,
    });
  }
  const advice = "check the URL, the network and the server";
  return new RedisStoreError("unreachable", `The Redis server cannot be used (${textOf(error)}): ${advice}.`, {
    cause: error,
  });
}
