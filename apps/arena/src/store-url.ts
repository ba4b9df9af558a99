import type { NodeOptions } from "@rehome/runtime";
import { openPostgresStore, PostgresStoreError } from "@rehome/store-postgres";
import { openRedisStore, RedisStoreError } from "@rehome/store-redis";
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

/** Opens a store that `parseStoreUrl` takes; makes it if need be. Rejects with one of {@link isStoreError}. */
export async function openStore(text: string): Promise<Store> {
  const address = parseStoreUrl(text);
  if (address === undefined) throw new TypeError(`a store is ${STORE_FORMS}, not ${withoutPassword(text)}`);
  switch (address.kind) {
    case "sqlite":
      return openSqliteStore({ path: address.path });
    case "redis": {
      const { url, prefix } = address;
      return openRedisStore(prefix === undefined ? { url } : { url, prefix });
    }
    case "postgres": {
      const { url, schema } = address;
      return openPostgresStore(schema === undefined ? { url } : { url, schema });
    }
  }
}

/** The store says what to do in its message. */
export function isStoreError(error: unknown): error is Error {
  return error instanceof SqliteStoreError || error instanceof RedisStoreError || error instanceof PostgresStoreError;
}
