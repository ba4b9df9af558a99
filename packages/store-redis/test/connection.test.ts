import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CutProxy } from "@rehome/conformance/cut-proxy";
import type { AuthorityStore, OwnerIdentity } from "@rehome/core";
import { actorAuthorityKey, ridFromText, spotAuthorityKey } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { backoff } from "../src/backoff.ts";
import { openRedisStore } from "../src/index.ts";
import { openStoreWith } from "../src/open.ts";
import { keysOf } from "../src/transactions.ts";
import { fakeServer, openingAnswers } from "./support/fake-server.ts";
import { newPrefix, redis, redisStoreUnderTest, removeStore, withClient } from "./support/store-under-test.ts";

const LEASE_MS = 60_000;
const DIGEST = new Uint8Array(32).fill(7);

async function run(store: AuthorityStore, name: string, durationMs = LEASE_MS): Promise<OwnerIdentity> {
  const request = { meshName: "m", nodeRid: ridFromText(name), ownerId: `owner of ${name}`, durationMs };
  const answer = await store.acquire(request);
  if (answer.outcome !== "acquired") throw new Error(`not acquired: ${answer.outcome}`);
  return answer.owner;
}

/** Every call of the port, on one object. Gives how each ended. */
async function everyCall(store: AuthorityStore, key: string, name: string): Promise<string[]> {
  const outcomes: string[] = [];
  const noted = async <A extends { outcome: string }>(call: Promise<A>): Promise<A> => {
    const answer = await call;
    outcomes.push(answer.outcome);
    return answer;
  };
  const [owner, other] = [await run(store, name), await run(store, `${name} 2`)];
  const about = { applicationVersion: 1n, stableTypes: ["t"], placementWeight: 1, capacity: 3 };
  await noted(store.describe({ owner, endpoint: "e", state: "serving", ...about }));
  await noted(store.describe({ owner: other, endpoint: "e", state: "serving", ...about }));
  const reserve = (reservationId: string) =>
    store.reserve({
      key,
      kind: "actor",
      stableType: "t",
      owner,
      reservationId,
      ttlMs: LEASE_MS,
      ifOwnerLeaseEnded: "refuse",
    });
  await noted(reserve("1"));
  await noted(store.abortCreate(key, "1"));
  await noted(reserve("2"));
  const created = await noted(store.commitCreate(key, "2", owner));
  if (created.outcome !== "committed") throw new Error(created.outcome);
  const { storeVersion, objectGeneration, authorityOwnerGeneration } = created.record;
  const payload = new Uint8Array([0, 255, 10]);
  const published = await noted(store.publish({ key, baseVersion: storeVersion, lease: owner, payload }));
  if (published.outcome !== "published") throw new Error(published.outcome);
  const fenced = await noted(store.fence(key, published.record.storeVersion, other));
  if (fenced.outcome !== "fenced") throw new Error(fenced.outcome);
  const participant = {
    key,
    baseVersion: fenced.record.storeVersion,
    expectedObjectGeneration: objectGeneration,
    expectedAuthorityOwnerGeneration: authorityOwnerGeneration,
    place: undefined,
    membershipDigest: DIGEST,
  };
  const relocation = { high: 1n, low: 2n };
  const moved = await noted(store.commit({ relocation, owner: other, participants: [participant] }));
  if (moved.outcome !== "committed") throw new Error(moved.outcome);
  await noted(store.read(key));
  await noted(store.scan(key, undefined, 10));
  await noted(store.nodes("m"));
  await noted(store.destroy(key, moved.records[0]!.storeVersion, other));
  await noted(store.renew(owner, LEASE_MS));
  await noted(store.release(owner));
  await noted(store.release(other));
  return outcomes;
}

/** Calls until one waits for a connection: the ones before it were sent on the one that breaks just then. */
async function waitingCall<A extends { outcome: string }>(call: () => Promise<A>): Promise<{ answer: Promise<A> }> {
  for (;;) {
    const answer = call();
    const waits = new Promise<"waits">((resolve) => setTimeout(() => resolve("waits"), 50));
    if ((await Promise.race([answer, waits])) === "waits") return { answer };
  }
}

const ALL_DONE = [
  ["described", "described", "reserved", "aborted", "reserved", "committed", "published", "fenced", "committed"],
  ["found", "page", "listed", "destroyed", "renewed", "released", "released"],
].flat();

describe.skipIf(redis === undefined)("the keys of a store", () => {
  it("D7: whatever an object is called, all keys are the same four, in one slot, and no script builds another", async () => {
    const prefix = newPrefix();
    const keys = keysOf(prefix);
    expect(keys.every((key) => key.startsWith(`{${prefix}}:`))).toBe(true);
    const readme = readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");
    const commands = /^ACL SETUSER rehome on >password ~\{game\}:\* (.*)$/m.exec(readme)![1]!.split(" ");
    const user = `rehome-test-${process.pid}`;
    // As the README says, but for exactly these keys: Redis refuses a script that touches any other.
    const rights = ["on", ">secret", "resetkeys", ...keys.map((key) => `~${key}`), ...commands, "+select"];
    await withClient((client) => client.sendCommand(["ACL", "SETUSER", user, ...rights]));
    try {
      const url = new URL(redis!.url);
      [url.username, url.password] = [user, "secret"];
      const store = await openRedisStore({ url: url.href, prefix });
      const ids = ["a", "a{b}c", "{}", "}{", "x{y}{z}", "i".repeat(255), "🎲", "\"'", "line\nfeed", "%|:;"];
      for (const [index, id] of ids.entries()) {
        expect(await everyCall(store, actorAuthorityKey(id), `node ${index}`)).toEqual(ALL_DONE);
        expect(await everyCall(store, spotAuthorityKey(id), `other ${index}`)).toEqual(ALL_DONE);
      }
      await store.close();
      const found = await withClient((client) => client.keys(`*${prefix}*`));
      expect(keys).toEqual(expect.arrayContaining(found));
    } finally {
      await withClient((client) => client.sendCommand(["ACL", "DELUSER", user]));
      await removeStore(prefix);
    }
  });

  it("what has ended leaves nothing behind but its generations", async () => {
    const underTest = await redisStoreUnderTest();
    try {
      await everyCall(underTest.store, actorAuthorityKey("a"), "n");
      const [rows, ...sets] = keysOf(underTest.prefix) as [string, ...string[]];
      const left = await withClient((client) => client.hKeys(rows));
      expect(left.map((field) => field.slice(0, 2)).sort()).toEqual(["fo", "la", "n:", "n:", "o:"]);
      expect(await withClient((client) => client.exists(sets))).toBe(0);
    } finally {
      await underTest.close();
    }
  });
});

describe.skipIf(redis === undefined)("a connection", () => {
  it("goes on when the server has forgotten its scripts", async () => {
    const underTest = await redisStoreUnderTest();
    try {
      for (const name of ["a", "b"]) {
        await withClient((client) => client.scriptFlush());
        expect(await everyCall(underTest.store, actorAuthorityKey(name), name)).toEqual(ALL_DONE);
      }
    } finally {
      await underTest.close();
    }
  });

  it("a call that waits for it is done when it comes within the deadline, and settles at once on close", async () => {
    const prefix = newPrefix();
    const proxy = await CutProxy.to(redis!.url);
    try {
      const store = await openRedisStore({ url: proxy.through(redis!.url), prefix, callDeadlineMs: 20_000 });
      await proxy.down();
      const waiting = await waitingCall(() => store.read(actorAuthorityKey("a")));
      await proxy.up();
      expect(await waiting.answer).toEqual({ outcome: "absent" });
      await proxy.down();
      const never = await waitingCall(() => store.read(actorAuthorityKey("a")));
      await store.close();
      expect(await never.answer).toEqual({ outcome: "unknown", reason: "The store is closed. Nothing was written." });
    } finally {
      await proxy.close();
      await removeStore(prefix);
    }
  });

  it("L1: a write that comes late to the server is refused if the lease under it has ended meanwhile", async () => {
    const prefix = newPrefix();
    let aheadUs = 0;
    const store = await openStoreWith({ url: redis!.url, prefix }, () => aheadUs);
    const late = await openStoreWith({ url: redis!.url, prefix }, () => (aheadUs += 600_000));
    try {
      const owner = await run(store, "n", 1000);
      const request = { key: actorAuthorityKey("a"), kind: "actor", stableType: "t", owner, ttlMs: LEASE_MS } as const;
      // It reads 0.6 s later, when the lease lasts, and writes 0.6 s after that.
      const answer = await late.reserve({ ...request, reservationId: "r", ifOwnerLeaseEnded: "refuse" });
      expect(answer).toEqual({ outcome: "staleLease" });
      expect(await store.read(request.key)).toEqual({ outcome: "absent" });
    } finally {
      await store.close();
      await late.close();
      await removeStore(prefix);
    }
  });
});

describe.skipIf(redis === undefined)("many calls at once", () => {
  it("D8: a node's capacity holds for what many clients create on it at once", async () => {
    const underTest = await redisStoreUnderTest();
    try {
      const stores = [underTest.store, await underTest.another(), await underTest.another()];
      const owner = await run(underTest.store, "n");
      const about = { applicationVersion: 1n, stableTypes: ["t"], placementWeight: 1, capacity: 3 };
      await underTest.store.describe({ owner, endpoint: "e", state: "serving", ...about });
      const create = async (store: AuthorityStore, id: string) => {
        const request = {
          key: actorAuthorityKey(id),
          kind: "actor",
          stableType: "t",
          owner,
          reservationId: id,
        } as const;
        return store.reserve({ ...request, ttlMs: LEASE_MS, ifOwnerLeaseEnded: "refuse" });
      };
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => create(stores[index % 3]!, `${index}`)),
      );
      const outcomes = answers.map((answer) => answer.outcome);
      expect(outcomes.filter((outcome) => outcome === "reserved")).toHaveLength(3);
      expect(outcomes.filter((outcome) => outcome === "capacityExceeded")).toHaveLength(27);
    } finally {
      await underTest.close();
    }
  });
});

describe("what a server may say instead of an answer", () => {
  it.each<[string, string, RegExp, "stays" | "anew"]>([
    ["it is a replica now", "-READONLY You can't write against a read only replica.\r\n", /READONLY/, "anew"],
    ["the slot is elsewhere", "-MOVED 1 127.0.0.1:2\r\n", /MOVED/, "anew"],
    ["it loads its data", "-LOADING Redis is loading the dataset in memory\r\n", /LOADING/, "stays"],
    ["its memory is full", "-OOM command not allowed\r\n", /OOM/, "stays"],
    ["its disk is full", "-MISCONF Redis is configured to save RDB snapshots\r\n", /MISCONF/, "stays"],
    ["a number", ":7\r\n", /cannot be read/, "stays"],
    ["nothing", "$-1\r\n", /cannot be read/, "stays"],
    ["too little", "*2\r\n:0\r\n$1\r\n1\r\n", /cannot be read/, "stays"],
    ["rows that are none", "*6\r\n:0\r\n$1\r\n1\r\n$1\r\n1\r\n$1\r\nx\r\n$-1\r\n$-1\r\n", /cannot be read/, "stays"],
    ["no protocol", "what?\r\n", /failed/, "anew"],
  ])("%s: the call is unknown, and nothing was written", async (_, reply, reason, connection) => {
    const answers = openingAnswers();
    const server = await fakeServer((command) => (command[0] === "EVALSHA" ? reply : answers(command)));
    try {
      const store = await openRedisStore({ url: server.url, callDeadlineMs: 500 });
      const answer = await store.read(actorAuthorityKey("a"));
      expect(answer).toEqual({ outcome: "unknown", reason: expect.stringMatching(reason) as string });
      expect(answer).toMatchObject({ reason: expect.stringMatching(/ Nothing was written\.$/) as string });
      await store.read(actorAuthorityKey("a"));
      expect(server.connections > 1).toBe(connection === "anew");
      await store.close();
    } finally {
      await server.close();
    }
  });
});

describe("pauses between attempts to connect", () => {
  it.each([
    [0, [10, 20, 40, 80, 160, 320, 640, 1000, 1000]],
    [255, [5.02, 10.04, 20.08, 40.16, 80.31, 160.63, 321.25, 501.95, 501.95]],
  ])("double up to a second and are shortened by up to half (random byte %i)", (byte, expected) => {
    const pause = backoff({ bytes: (count) => new Uint8Array(count).fill(byte) });
    const pauses = expected.map(() => pause.nextMs());
    for (const [index, ms] of pauses.entries()) expect(ms).toBeCloseTo(expected[index]!, 1);
    pause.reset();
    expect(pause.nextMs()).toBeCloseTo(expected[0]!, 1);
  });
});
