import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CutProxy } from "@rehome/conformance/cut-proxy";
import { findService } from "@rehome/conformance/services";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import { openPostgresStore, PostgresStoreError } from "../src/index.ts";
import type { PostgresStoreErrorCode, PostgresStoreOptions } from "../src/index.ts";
import { parseOptions } from "../src/options.ts";
import { migrate } from "../src/migrate.ts";
import { namesIn, schemaSteps } from "../src/schema.ts";
import { dropSchema, newSchema, withClient } from "./support/store-under-test.ts";

const SECRET = "s3cr3t-w0rd";
const KEY = actorAuthorityKey("a");

const service = await findService("postgres");

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** The attempt must fail with this code and one sentence that says what to do, and tells no password. */
async function expectRefusal(attempt: Promise<unknown>, code: PostgresStoreErrorCode): Promise<PostgresStoreError> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PostgresStoreError);
  expect(error).toMatchObject({ code, name: "PostgresStoreError" });
  const { message, cause, stack } = error as PostgresStoreError;
  expect(message).toMatch(/^[^\n]+[:;,] [^\n]+\.$/);
  const told = [message, String(cause), stack, (cause as Error | undefined)?.stack, JSON.stringify(cause)].join("\n");
  expect(told).not.toContain(SECRET);
  return error as PostgresStoreError;
}

describe("options that are none", () => {
  const url = `postgres://user:${SECRET}@127.0.0.1:1/db`;
  it.each<[string, Partial<PostgresStoreOptions>]>([
    ["no URL", { url: "" }],
    ["another server's URL", { url: `redis://user:${SECRET}@127.0.0.1` }],
    ["a URL that cannot be read", { url: `postgres://user:${SECRET}@host:notaport/db` }],
    ["a file that is not there", { url: `${url}?sslrootcert=/nowhere/${"x".repeat(20)}` }],
    ["TLS asked for twice", { url: `${url}?sslmode=require`, tls: true }],
    ["a schema of PostgreSQL's own", { schema: "pg_rehome" }],
    ["a schema that needs quotes", { schema: 'a"; DROP SCHEMA public' }],
    ["a schema whose name would be cut", { schema: "x".repeat(64) }],
    ["no connections", { maxConnections: 0 }],
    ["half a connection", { maxConnections: 1.5 }],
    ["no deadline", { callDeadlineMs: Number.NaN }],
    ["a deadline that no timer takes", { openDeadlineMs: 2 ** 40 }],
  ])("%s", async (_, options) => {
    await expectRefusal(openPostgresStore({ url, ...options }), "invalidOption");
  });
});

describe("TLS that the URL asks for", () => {
  const connectionOf = (query: string): string | undefined =>
    parseOptions({ url: `postgres://u:%20p@127.0.0.1:1/db?${query}` }).connection.connectionString;

  it.each(["prefer", "require", "verify-ca"])("sslmode=%s is checked in full, and the driver need not warn", (mode) => {
    const warning = vi.spyOn(process, "emitWarning");
    cleanups.push(() => Promise.resolve(warning.mockRestore()));
    const url = connectionOf(`application_name=x&sslmode=${mode}&keepalives=1`);
    expect(url).toBe("postgres://u:%20p@127.0.0.1:1/db?application_name=x&sslmode=verify-full&keepalives=1");
    expect(warning).not.toHaveBeenCalled();
  });

  it.each(["sslmode=disable", "sslmode=no-verify", "sslmode=verify-full", "uselibpqcompat=true&sslmode=require"])(
    "%s stays",
    (query) => expect(connectionOf(query)).toMatch(new RegExp(`\\?${query}$`)),
  );
});

describe("a server that is not there", () => {
  it("is tried again until the deadline, then refused", async () => {
    let attempts = 0;
    const server = await listen((socket) => {
      attempts += 1;
      socket.destroy();
    });
    const url = `postgres://user:${SECRET}@127.0.0.1:${server.port}/db`;
    await expectRefusal(openPostgresStore({ url, openDeadlineMs: 900 }), "unreachable");
    expect(attempts).toBeGreaterThan(1);
  });

  it("is refused when it takes connections and says nothing", async () => {
    const server = await listen(() => undefined);
    const url = `postgres://user:${SECRET}@127.0.0.1:${server.port}/db`;
    await expectRefusal(openPostgresStore({ url, openDeadlineMs: 300 }), "unreachable");
  });

  it("is refused when it is no PostgreSQL", async () => {
    const server = await listen((socket) => void socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const url = `postgres://user:${SECRET}@127.0.0.1:${server.port}/db`;
    await expectRefusal(openPostgresStore({ url, openDeadlineMs: 300 }), "unreachable");
  });
});

describe("TLS", () => {
  it("is begun as the options say, and no password goes out before", async () => {
    const received: Buffer[] = [];
    const server = await listen((socket) => {
      socket.on("data", (bytes: Buffer) => {
        received.push(bytes);
        if (received.length === 1) socket.write("S");
        else socket.destroy();
      });
    });
    const url = `postgres://user:${SECRET}@127.0.0.1:${server.port}/db`;
    const tls = { servername: "db.example", rejectUnauthorized: false };
    await expectRefusal(openPostgresStore({ url, tls, openDeadlineMs: 300 }), "unreachable");
    expect(received[0]!.toString("hex")).toBe("0000000804d2162f");
    // A handshake record with the name of the server in it.
    expect(received[1]![0]).toBe(0x16);
    expect(received[1]!.toString("latin1")).toContain("db.example");
    expect(Buffer.concat(received).toString("latin1")).not.toContain(SECRET);
  });
});

describe.skipIf(service === undefined)("a server that is there", () => {
  const { url } = service ?? { url: "" };

  async function open(options: Partial<PostgresStoreOptions> = {}) {
    const schema = options.schema ?? ownSchema();
    const store = await openPostgresStore({ url, maxConnections: 2, ...options, schema });
    cleanups.push(() => store.close());
    return store;
  }

  function ownSchema(): string {
    const schema = newSchema();
    cleanups.push(() => dropSchema(url, schema));
    return schema;
  }

  it("is found when it comes later than its nodes", async () => {
    const proxy = await CutProxy.to(url);
    cleanups.push(() => proxy.close());
    await proxy.down();
    const opening = open({ url: proxy.through(url) });
    setTimeout(() => void proxy.up(), 300);
    expect(await (await opening).read(KEY)).toEqual({ outcome: "absent" });
  });

  it("without the database", async () => {
    const other = new URL(url);
    other.pathname = "/there_is_no_such_database";
    await expectRefusal(open({ url: other.href }), "databaseMissing");
  });

  it("that does not know the user", async () => {
    const other = new URL(url);
    other.username = "there_is_no_such_user";
    other.password = SECRET;
    await expectRefusal(open({ url: other.href }), "accessDenied");
  });

  it("that would have to speak TLS and cannot", async () => {
    const hasTls = await withClient(url, async (client) => (await client.query("SHOW ssl")).rows[0] as { ssl: string });
    if (hasTls.ssl === "on") return;
    await expectRefusal(open({ tls: { rejectUnauthorized: false }, openDeadlineMs: 300 }), "unreachable");
  });

  it("with another program's schema, which is left as it was", async () => {
    const schema = ownSchema();
    const { schema: quoted } = namesIn(schema);
    for (const table of ["object", "migration"]) {
      await withClient(url, (client) =>
        client.query(`DROP SCHEMA IF EXISTS ${quoted} CASCADE; CREATE SCHEMA ${quoted};
          CREATE TABLE ${quoted}.${table} (version integer); INSERT INTO ${quoted}.${table} VALUES (1)`),
      );
      await expectRefusal(open({ schema }), "foreignSchema");
      expect(await tablesOf(schema)).toEqual([table]);
    }
  });

  it("with the schema of a newer package, which is left as it was", async () => {
    const schema = ownSchema();
    await open({ schema });
    const before = await tablesOf(schema);
    const newer = schemaSteps(namesIn(schema)).length + 1;
    await withClient(url, (client) =>
      client.query(`INSERT INTO ${namesIn(schema).migration} (version) VALUES (${newer})`),
    );
    await expectRefusal(open({ schema }), "newerSchema");
    expect(await tablesOf(schema)).toEqual(before);
  });

  it("whose sessions cannot write, with a schema and without one", async () => {
    const schema = ownSchema();
    const readOnly = new URL(url);
    readOnly.searchParams.set("options", "-c default_transaction_read_only=on");
    await expectRefusal(open({ schema, url: readOnly.href }), "readOnly");
    await open({ schema });
    await expectRefusal(open({ schema, url: readOnly.href }), "readOnly");
  });

  it("with a schema that is there and empty: it becomes the store, though its user may not make schemas", async () => {
    const schema = ownSchema();
    const role = `rehome_test_${randomBytes(6).toString("hex")}`;
    await withClient(url, (client) =>
      client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${SECRET}'; CREATE SCHEMA ${namesIn(schema).schema}`),
    );
    cleanups.push(() => withClient(url, (client) => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)));
    const asRole = new URL(url);
    asRole.username = role;
    asRole.password = SECRET;
    await expectRefusal(open({ schema, url: asRole.href }), "accessDenied");
    await withClient(url, (client) => client.query(`GRANT ALL ON SCHEMA ${namesIn(schema).schema} TO ${role}`));
    const store = await open({ schema, url: asRole.href });
    expect(await store.read(KEY)).toEqual({ outcome: "absent" });
    await withClient(url, (client) => client.query(`REVOKE ALL ON ALL TABLES IN SCHEMA "${schema}" FROM ${role}`));
    const { reason } = (await store.read(KEY)) as { reason: string };
    expect(reason).toMatch(/permission denied.*Nothing was written\.$/);
    expect(reason).not.toContain(SECRET);
  });

  it("with a database that is not UTF-8", async () => {
    const other = await ownDatabase("ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'");
    await expectRefusal(open({ url: other }), "wrongEncoding");
  });

  it("keeps the order of keys by their bytes, whatever the database's own order is", async () => {
    if ((await serverVersion()) < 150_000) return; // a database with an order of its own needs a locale of the system there
    const other = await ownDatabase("ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' LC_COLLATE 'C' LC_CTYPE 'C'");
    const store = await open({ url: other });
    const run = { meshName: "m", nodeRid: ridFromText("n"), ownerId: "o", durationMs: 60_000 };
    const acquired = await store.acquire(run);
    if (acquired.outcome !== "acquired") throw new Error(acquired.outcome);
    const keys = ["a", "B", "_", "c", "A", "b"].map(actorAuthorityKey);
    for (const key of keys) {
      const reservation = { reservationId: "r", ttlMs: 60_000, ifOwnerLeaseEnded: "refuse" } as const;
      await store.reserve({ key, kind: "actor", stableType: "t", owner: acquired.owner, ...reservation });
      expect(await store.commitCreate(key, "r", acquired.owner)).toMatchObject({ outcome: "committed" });
    }
    const page = await store.scan("zla1:a:1:", undefined, 10);
    expect(page).toMatchObject({ records: [...keys].sort().map((key) => ({ key })) });
    await store.close();
  });

  it("writes what it is told, however the server's defaults are set", async () => {
    const other = new URL(url);
    const settings = ["default_transaction_isolation=serializable", "bytea_output=escape", "extra_float_digits=-5"];
    const more = ["synchronous_commit=off", "enable_indexscan=off", "search_path=pg_temp", "client_encoding=LATIN1"];
    other.searchParams.set("options", [...settings, ...more].map((setting) => `-c ${setting}`).join(" "));
    const store = await open({ url: other.href });
    const ownerId = "é🎲";
    const acquired = await store.acquire({ meshName: "m", nodeRid: ridFromText("n"), ownerId, durationMs: 60_000 });
    expect(acquired).toMatchObject({ outcome: "acquired", owner: { ownerId } });
    if (acquired.outcome !== "acquired") return;
    for (let turn = 0; turn < 20; turn++) {
      expect(await store.renew(acquired.owner, 60_000)).toEqual({ outcome: "renewed", durationMs: 60_000 });
    }
  });

  describe("a schema that many clients make at once", () => {
    it("is made once, by one of eight, and each of them can use it", async () => {
      for (let round = 0; round < 3; round++) {
        const schema = ownSchema();
        const stores = await Promise.all(Array.from({ length: 8 }, () => open({ schema, maxConnections: 1 })));
        const answers = await Promise.all(
          stores.map((store, index) =>
            store.acquire({
              meshName: "m",
              nodeRid: ridFromText("n"),
              ownerId: `o${index}`,
              durationMs: 60_000,
            }),
          ),
        );
        const generations = answers.map((answer) => (answer.outcome === "acquired" ? answer.owner.nodeGeneration : 0n));
        expect([...generations].sort()).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]);
        const { rows } = await withClient(url, (client) =>
          client.query(`SELECT version FROM ${namesIn(schema).migration} ORDER BY version`),
        );
        expect(rows).toEqual(schemaSteps(namesIn(schema)).map((_, index) => ({ version: index + 1 })));
      }
    });

    it("is made by the next one when the first was cut off in the middle", async () => {
      const proxy = await CutProxy.to(url);
      cleanups.push(() => proxy.close());
      const schema = ownSchema();
      const names = namesIn(schema);
      for (const at of ["before", "after"] as const) {
        for (const text of ["CREATE SCHEMA", "CREATE FUNCTION", "INSERT INTO " + names.migration, "COMMIT"]) {
          const needle = Buffer.from(text);
          const cut = proxy.arm({ at, request: (bytes) => Buffer.from(bytes).includes(needle) });
          const store = await open({ schema, url: proxy.through(url) });
          expect(cut.fired).toBe(true);
          expect(await store.read(KEY)).toEqual({ outcome: "absent" });
          await store.close();
          await dropSchema(url, schema);
        }
      }
    });

    it("is waited for no longer than the deadline", async () => {
      const schema = ownSchema();
      await withClient(url, async (client) => {
        await client.query("BEGIN");
        await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [0x5265686f, schema]);
        await expectRefusal(open({ schema, openDeadlineMs: 600 }), "busy");
        await client.query("ROLLBACK");
      });
      await open({ schema });
    });
  });

  async function serverVersion(): Promise<number> {
    const sql = "SELECT current_setting('server_version_num')::integer AS version";
    const { rows } = await withClient(url, (client) => client.query<{ version: number }>(sql));
    return rows[0]!.version;
  }

  async function tablesOf(schema: string): Promise<unknown[]> {
    const sql = "SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY tablename";
    const { rows } = await withClient(url, (client) => client.query<{ tablename: string }>(sql, [schema]));
    return rows.map((row) => row.tablename);
  }

  async function ownDatabase(properties: string): Promise<string> {
    const name = `rehome_test_${randomBytes(6).toString("hex")}`;
    await withClient(url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ${properties}`));
    cleanups.push(() => withClient(url, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)));
    const other = new URL(url);
    other.pathname = `/${name}`;
    return other.href;
  }
});

describe("a server that is too old", () => {
  it("is refused before anything is made", async () => {
    const asked: string[] = [];
    const client = {
      query: (sql: string) => {
        asked.push(sql);
        return Promise.resolve({ rows: [{ version: 130_014, encoding: "UTF8" }] });
      },
    };
    const target = { names: namesIn("s"), schema: "s", where: "here" };
    await expectRefusal(migrate(client as never, target), "unsupportedServer");
    expect(asked).toHaveLength(1);
  });
});

/** A server of some kind that is gone after the test. */
async function listen(onConnection: (socket: Socket) => void): Promise<{ readonly port: number }> {
  const server = createServer();
  const sockets: Socket[] = [];
  server.on("connection", (socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
  });
  server.on("connection", onConnection);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port };
}
