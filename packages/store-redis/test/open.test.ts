import { actorAuthorityKey } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { openRedisStore, RedisStoreError } from "../src/index.ts";
import type { RedisStoreErrorCode, RedisStoreOptions } from "../src/index.ts";
import { keysOf } from "../src/transactions.ts";
import { bulk, fakeServer, GOOD_INFO, openingAnswers } from "./support/fake-server.ts";
import { newPrefix, redis, removeStore, withClient } from "./support/store-under-test.ts";

const URL_OF_NOBODY = "redis://127.0.0.1:1";

async function openingError(options: RedisStoreOptions): Promise<RedisStoreError> {
  const error: unknown = await openRedisStore({ openDeadlineMs: 300, ...options }).then(
    async (store) => {
      await store.close();
      return undefined;
    },
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RedisStoreError);
  return error as RedisStoreError;
}

describe("options", () => {
  it.each<[string, object, RegExp]>([
    ["no URL", { url: undefined }, /url must be/],
    ["no URL of Redis", { url: "http://127.0.0.1" }, /url must be/],
    ["a host and no scheme", { url: "127.0.0.1:6379" }, /url must be/],
    ["a database that is no number", { url: "redis://h:6379/abc" }, /number of a database/],
    ["a database that no server can have", { url: "redis://h:6379/2147483648" }, /number of a database/],
    ["a user that cannot be decoded", { url: "redis://a%zz@h:6379" }, /%XX/],
    ["a password that cannot be decoded", { url: "redis://:%E0%A4@h:6379" }, /%25/],
    ["no prefix", { prefix: "" }, /prefix is/],
    ["a prefix with braces, which would be another hash tag", { prefix: "a{b}" }, /without braces/],
    ["a prefix that is too long", { prefix: "p".repeat(201) }, /1 to 200/],
    ["a prefix that is not ASCII", { prefix: "é" }, /ASCII/],
    ["no deadline", { callDeadlineMs: 0 }, /callDeadlineMs/],
    ["an endless timeout", { connectTimeoutMs: Number.POSITIVE_INFINITY }, /connectTimeoutMs/],
    ["a deadline of calls that no timer takes", { callDeadlineMs: 2 ** 31 }, /callDeadlineMs.*at most 2147483647/],
    ["a deadline of opening that no timer takes", { openDeadlineMs: 2 ** 31 }, /openDeadlineMs.*at most 2147483647/],
    ["a timeout that no timer takes", { connectTimeoutMs: 2 ** 31 }, /connectTimeoutMs.*at most 2147483647/],
    ["a deadline that is no number", { openDeadlineMs: "1" }, /openDeadlineMs/],
  ])("refuses %s with a sentence that says what to do", async (_, wrong, sentence) => {
    const error = await openingError({ url: URL_OF_NOBODY, ...wrong });
    expect(error).toMatchObject({ code: "invalidOption", message: expect.stringMatching(sentence) as string });
  });
});

describe("a server that the store cannot be opened in", () => {
  it("is tried until the deadline has passed if nothing answers there", async () => {
    const error = await openingError({ url: URL_OF_NOBODY });
    expect(error).toMatchObject({ code: "unreachable", message: expect.stringMatching(/check the URL/) as string });
    expect(error.cause).toBeInstanceOf(Error);
  });

  it.each<[string, Readonly<Record<string, string>>, RedisStoreErrorCode, RegExp]>([
    ["wants a password", { INFO: "-NOAUTH Authentication required.\r\n" }, "notAuthorized", /password/],
    ["does not let this user", { INFO: "-NOPERM no permissions\r\n" }, "notAuthorized", /rights/],
    ["is too old", { INFO: bulk("redis_version:6.2.14\r\nrole:master\r\n") }, "unsuitableServer", /6\.2\.14.*7\.0/],
    ["says no version", { INFO: bulk("nothing") }, "unsuitableServer", /version unknown/],
    ["is a replica", { INFO: bulk(GOOD_INFO.replace("master", "slave")) }, "unsuitableServer", /replica/],
    [
      "evicts data",
      { INFO: bulk(GOOD_INFO.replace("noeviction", "allkeys-lru")) },
      "unsuitableServer",
      /set maxmemory-policy to noeviction instead of allkeys-lru/,
    ],
    ["has something else there", { TYPE: "+string\r\n" }, "foreignData", /another prefix/],
    ["has data of a newer format", { HGET: bulk("2") }, "newerFormat", /format 2/],
    ["is no Redis", { INFO: "HTTP/1.1 400 Bad Request\r\n\r\n" }, "unreachable", /cannot be used/],
  ])("is refused if it %s, at once where waiting does not help", async (_, answers, code, sentence) => {
    const server = await fakeServer(openingAnswers(answers));
    try {
      const error = await openingError({ url: server.url });
      expect(error).toMatchObject({ code, message: expect.stringMatching(sentence) as string });
      if (code !== "unreachable") expect(server.connections).toBe(1);
    } finally {
      await server.close();
    }
  });

  it.each<[string, string, Readonly<Record<string, string>>, RedisStoreErrorCode, RegExp]>([
    [
      "wants no password and is given one",
      "redis://:pw@",
      { AUTH: "-ERR AUTH <password> called without any password configured for the default user.\r\n" },
      "notAuthorized",
      /check user, password/,
    ],
    [
      "has no such database",
      "redis://",
      { SELECT: "-ERR DB index is out of range\r\n" },
      "invalidOption",
      /number of one/,
    ],
    [
      "is of a cluster",
      "redis://",
      { SELECT: "-ERR SELECT is not allowed in cluster mode\r\n" },
      "invalidOption",
      /or none/,
    ],
  ])("is refused at once if it %s", async (_, beginning, answers, code, sentence) => {
    const server = await fakeServer(openingAnswers({ AUTH: "+OK\r\n", SELECT: "+OK\r\n", ...answers }));
    try {
      const error = await openingError({ url: `${server.url.replace("redis://", beginning)}/7` });
      expect(error).toMatchObject({ code, message: expect.stringMatching(sentence) as string });
      expect(server.connections).toBe(1);
    } finally {
      await server.close();
    }
  });

  it("is left for a new connection if it says nothing", async () => {
    let asked = 0;
    const answers = openingAnswers();
    const server = await fakeServer((command) =>
      command[0] === "INFO" && (asked += 1) === 1 ? undefined : answers(command),
    );
    try {
      await (await openRedisStore({ url: server.url, connectTimeoutMs: 500 })).close();
      expect(server.connections).toBeGreaterThan(1);
    } finally {
      await server.close();
    }
  });

  it("is waited for while it starts", async () => {
    let asked = 0;
    const answers = openingAnswers();
    const server = await fakeServer((command) =>
      command[0] === "INFO" && (asked += 1) < 3 ? "-LOADING Redis is loading\r\n" : answers(command),
    );
    try {
      await (await openRedisStore({ url: server.url })).close();
      expect(asked).toBe(3);
    } finally {
      await server.close();
    }
  });
});

describe.skipIf(redis === undefined)("a Redis with other data", () => {
  it.each<[string, (rows: string, active: string) => readonly string[], RedisStoreErrorCode]>([
    ["keys of another kind", (_, active) => ["SET", active, "x"], "foreignData"],
    ["a store of a newer format", (rows) => ["HSET", rows, "format", "2"], "newerFormat"],
  ])("refuses %s and leaves them as they are", async (_, command, code) => {
    const prefix = newPrefix();
    const [rows, active] = keysOf(prefix) as [string, string];
    await withClient((client) => client.sendCommand([...command(rows, active)]));
    try {
      expect(await openingError({ url: redis!.url, prefix })).toMatchObject({ code });
      const left = await withClient((client) => client.exists([...keysOf(prefix)]));
      expect(left).toBe(1);
    } finally {
      await removeStore(prefix);
    }
  });

  it("many open a new store at once", async () => {
    const prefix = newPrefix();
    const stores = await Promise.all(Array.from({ length: 10 }, () => openRedisStore({ url: redis!.url, prefix })));
    for (const store of stores) expect(await store.read(actorAuthorityKey("a"))).toEqual({ outcome: "absent" });
    await Promise.all(stores.map((store) => store.close()));
    await removeStore(prefix);
  });
});
