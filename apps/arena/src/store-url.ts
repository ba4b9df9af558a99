import type { NodeOptions } from "@rehome/runtime";
import { checkPostgresStoreOptions, openPostgresStore, PostgresStoreError } from "@rehome/store-postgres";
import { checkRedisStoreOptions, openRedisStore, RedisStoreError } from "@rehome/store-redis";
import { openSqliteStore, SqliteStoreError } from "@rehome/store-sqlite";

type Store = NodeOptions["store"];

/** What `--store` names, taken apart. */
export type StoreAddress =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "redis"; readonly url: string; readonly prefix: string | undefined }
  | { readonly kind: "postgres"; readonly url: string; readonly schema: string | undefined };

export const STORE_FORMS =
  "sqlite:PATH, redis://HOST:PORT[/DATABASE][?prefix=NAME] or postgres://USER@HOST:PORT/DATABASE[?schema=NAME]";

/** Nothing if it is none of {@link STORE_FORMS}. */
export function parseStoreUrl(text: string): StoreAddress | undefined {
  if (text.startsWith("sqlite:")) {
    const path = text.slice("sqlite:".length);
    return path === "" || path.startsWith("//") ? undefined : { kind: "sqlite", path };
  }
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const take = (name: string): string | undefined => {
    const value = url.searchParams.get(name) ?? undefined;
    url.searchParams.delete(name);
    return value;
  };
  switch (url.protocol) {
    case "redis:":
    case "rediss:": {
      const prefix = take("prefix");
      const isSound = url.hostname !== "" && /^(?:\/\d*)?$/.test(url.pathname) && url.search === "";
      return isSound && isDecodable(url) ? { kind: "redis", url: url.href, prefix } : undefined;
    }
    case "postgres:":
    case "postgresql:": {
      const schema = take("schema");
      // The driver takes the directory of a socket as a parameter.
      const hasHost = url.hostname !== "" || Boolean(url.searchParams.get("host"));
      return hasHost && isDecodable(url) ? { kind: "postgres", url: url.href, schema } : undefined;
    }
    default:
      return undefined;
  }
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username);
    decodeURIComponent(password);
    return true;
  } catch {
    return false;
  }
}

/** The same for people to see. */
export function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.password === "") return text;
  url.password = "***";
  return url.href;
}

/** What is wrong with it, for people, as far as can be told before anything starts; `undefined` if nothing is. */
export function storeUrlFault(text: string): string | undefined {
  const address = parseStoreUrl(text);
  if (address === undefined) return `--store takes ${STORE_FORMS}, not "${withoutPassword(text)}"`;
  try {
    if (address.kind === "redis") checkRedisStoreOptions(redisOptions(address));
    if (address.kind === "postgres") checkPostgresStoreOptions(postgresOptions(address));
    return undefined;
  } catch (error) {
    if (!isStoreError(error)) throw error;
    return `--store "${withoutPassword(text)}": ${error.message.replace(/\.$/, "")}`;
  }
}

function redisOptions({ url, prefix }: Extract<StoreAddress, { kind: "redis" }>) {
  return prefix === undefined ? { url } : { url, prefix };
}

function postgresOptions({ url, schema }: Extract<StoreAddress, { kind: "postgres" }>) {
  return schema === undefined ? { url } : { url, schema };
}

/** Opens a store that `parseStoreUrl` takes; makes it if need be. Rejects with one of {@link isStoreError}. */
export async function openStore(text: string): Promise<Store> {
  const address = parseStoreUrl(text);
  if (address === undefined) throw new TypeError(`a store is ${STORE_FORMS}, not ${withoutPassword(text)}`);
  switch (address.kind) {
    case "sqlite":
      return openSqliteStore({ path: address.path });
    case "redis":
      return openRedisStore(redisOptions(address));
    case "postgres":
      return openPostgresStore(postgresOptions(address));
  }
}

/** The store says what to do in its message. */
export function isStoreError(error: unknown): error is Error {
  return error instanceof SqliteStoreError || error instanceof RedisStoreError || error instanceof PostgresStoreError;
}
