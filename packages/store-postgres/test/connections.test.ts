import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuthorityRecord, AuthorityStore, OwnerIdentity } from "@rehome/core";
import { CutProxy, textIn } from "@rehome/conformance/cut-proxy";
import { findService } from "@rehome/conformance/services";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import { applyValues } from "../src/bundle.ts";
import { prepareSession, StandbyError } from "../src/connections.ts";
import { namesIn } from "../src/schema.ts";
import { postgresStoreUnderTest, withClient } from "./support/store-under-test.ts";
import type { PostgresUnderTest } from "./support/store-under-test.ts";

const SECRET = "s3cr3t-w0rd";
const LEASE_MS = 60_000;
const CALL_DEADLINE_MS = 600;
/** Long enough for a call that does not wait, short against the time that the server waits for a lock. */
const LOCKED_MS = 200;
const DESCRIPTION = {
  endpoint: "e",
  state: "serving",
  applicationVersion: 1n,
  stableTypes: [],
  placementWeight: 1,
  capacity: 1,
} as const;
/** The statement that writes, by the name under which it is prepared. */
const WRITE = textIn("rehome_apply");
const NOTHING_WRITTEN = /Nothing was written\.$/;
const NOT_KNOWN = /Whether the write took effect is not known\.$/;

const service = await findService("postgres");

describe.skipIf(service === undefined)("connections to PostgreSQL", () => {
  let underTest: PostgresUnderTest;
  let proxy: CutProxy;
  let lease: OwnerIdentity;
  let record: AuthorityRecord;

  beforeEach(async () => {
    underTest = await postgresStoreUnderTest(service!.url);
    proxy = await CutProxy.to(service!.url);
    const request = { meshName: "mesh", nodeRid: ridFromText("n"), ownerId: "owner", durationMs: LEASE_MS };
    const acquired = await underTest.store.acquire(request);
    if (acquired.outcome !== "acquired") throw new Error(acquired.outcome);
    lease = acquired.owner;
    const reservation = { reservationId: "r", ttlMs: LEASE_MS, ifOwnerLeaseEnded: "refuse" } as const;
    const key = actorAuthorityKey("a");
    await underTest.store.reserve({ key, kind: "actor", stableType: "t", owner: lease, ...reservation });
    const created = await underTest.store.commitCreate(key, "r", lease);
    if (created.outcome !== "committed") throw new Error(created.outcome);
    record = created.record;
  });

  afterEach(async () => {
    await proxy.close();
    await underTest.close();
  });

  /** A client through the proxy that has one connection, on which everything is prepared already. */
  async function warmClient(maxConnections = 1, callDeadlineMs = CALL_DEADLINE_MS): Promise<AuthorityStore> {
    const url = new URL(proxy.through(service!.url));
    url.password = SECRET;
    const store = await underTest.open({ url: url.href, maxConnections, callDeadlineMs });
    await publish(store);
    return store;
  }

  /** Publishes on what is there now. */
  async function publish(store: AuthorityStore, payload = new Uint8Array([1])) {
    const before = await underTest.store.read(record.key);
    if (before.outcome !== "found") throw new Error(before.outcome);
    record = before.reading.record;
    return store.publish({ key: record.key, baseVersion: record.storeVersion, lease, payload });
  }

  async function versionNow(): Promise<bigint> {
    const answer = await underTest.store.read(record.key);
    if (answer.outcome !== "found") throw new Error(answer.outcome);
    return BigInt(answer.reading.record.storeVersion);
  }

  describe("D6: a connection that is cut around the statement that writes and commits", () => {
    it.each([
      ["before it arrives", "before", 0n],
      ["after it took effect", "after", 1n],
    ] as const)("%s: unknown, sent once, told by a read on another connection", async (_, at, rise) => {
      const store = await warmClient();
      const [before, connectionsBefore] = [await versionNow(), proxy.connections];
      let sent = 0;
      const counting = proxy.arm({
        at: "before",
        request: (bytes) => {
          sent = Math.max(sent, Buffer.from(bytes).toString("latin1").split("rehome_apply").length - 1);
          return false;
        },
      });
      const cut = proxy.arm({ at, request: WRITE });
      const answer = await publish(store);
      expect(cut.fired).toBe(true);
      expect(answer).toEqual({ outcome: "unknown", reason: expect.stringMatching(NOT_KNOWN) as string });
      expect(JSON.stringify(answer)).not.toContain(SECRET);
      const seen = await store.read(record.key);
      expect(seen).toMatchObject({ outcome: "found", reading: { record: { storeVersion: String(before + rise) } } });
      expect(proxy.connections).toBe(connectionsBefore + 1);
      expect(sent).toBe(1);
      counting.disarm();
    });

    it("before the rows are read: unknown, and nothing was written", async () => {
      const store = await warmClient();
      // What the client has seen is not there any more.
      await publish(underTest.store);
      const before = await versionNow();
      proxy.arm({ at: "before", request: textIn("rehome_object_under") });
      const answer = await publish(store);
      expect(answer).toEqual({ outcome: "unknown", reason: expect.stringMatching(NOTHING_WRITTEN) as string });
      expect(await versionNow()).toBe(before);
    });

    it("a write on what the client has seen is one round trip, on what others wrote it is two", async () => {
      const store = await warmClient();
      const tripsOf = async (writer: AuthorityStore) => {
        const before = proxy.roundTrips;
        expect(await publish(writer)).toMatchObject({ outcome: "published" });
        return proxy.roundTrips - before;
      };
      expect(await tripsOf(store)).toBe(1);
      await publish(underTest.store);
      expect(await tripsOf(store)).toBe(2);
      expect(await tripsOf(store)).toBe(1);
    });

    it("that stays silent: unknown at the deadline, and that connection never serves another call", async () => {
      const store = await warmClient();
      const before = proxy.connections;
      proxy.arm({ at: "swallowAnswer", request: WRITE });
      expect(await publish(store)).toMatchObject({ reason: expect.stringMatching(NOT_KNOWN) as string });
      expect(await publish(store)).toMatchObject({ outcome: "published" });
      expect(proxy.connections).toBe(before + 1);
    });

    it("a client that stops between reading and writing keeps nobody waiting, and comes too late", async () => {
      const store = await warmClient();
      const cut = proxy.arm({ at: "swallow", request: WRITE });
      const stopped = publish(store, new Uint8Array([2]));
      while (!cut.fired) await new Promise((resolve) => setTimeout(resolve, 1));
      expect(await publish(underTest.store, new Uint8Array([3]))).toMatchObject({ outcome: "published" });
      expect(await underTest.store.renew(lease, LEASE_MS)).toMatchObject({ outcome: "renewed" });
      expect(await stopped).toMatchObject({ outcome: "unknown" });
      expect(await underTest.store.read(record.key)).toMatchObject({
        reading: { record: { payload: new Uint8Array([3]) } },
      });
    });
  });

  describe("a server that", () => {
    it("keeps a row locked: the server gives up before the client does, and says that nothing was written", async () => {
      const store = await warmClient();
      const before = proxy.connections;
      const names = namesIn(underTest.schema);
      await withClient(service!.url, async (holder) => {
        await holder.query("BEGIN");
        await holder.query(`SELECT FROM ${names.object} FOR UPDATE`);
        const answer = await publish(store);
        expect(answer).toEqual({ outcome: "unknown", reason: expect.stringMatching(NOTHING_WRITTEN) as string });
        expect(await store.read(record.key)).toMatchObject({ outcome: "found" });
        await holder.query("ROLLBACK");
      });
      expect(await publish(store)).toMatchObject({ outcome: "published" });
      expect(proxy.connections).toBe(before);
    });

    it("ends a session: one that is idle goes unnoticed, one that works makes the call unknown", async () => {
      const store = await warmClient();
      const terminate = (where: string) =>
        withClient(service!.url, async (client) => {
          const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = 'rehome' AND query LIKE '%' || $1 || '%' AND ${where}`;
          while ((await client.query(sql, [underTest.schema])).rowCount === 0) {
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        });
      await terminate("state = 'idle'");
      while ((await store.read(record.key)).outcome === "unknown");
      const names = namesIn(underTest.schema);
      await withClient(service!.url, async (holder) => {
        await holder.query("BEGIN");
        await holder.query(`SELECT FROM ${names.object} FOR UPDATE`);
        const working = publish(store);
        await terminate("wait_event_type = 'Lock'");
        expect(await working).toEqual({ outcome: "unknown", reason: expect.stringMatching(NOT_KNOWN) as string });
        await holder.query("ROLLBACK");
      });
      expect(await publish(store)).toMatchObject({ outcome: "published" });
    });

    it("takes no writes: nothing was written, and the next call looks for the one that does", async () => {
      const role = `rehome_test_${randomBytes(6).toString("hex")}`;
      const { schema } = namesIn(underTest.schema);
      const ask = (sql: string) => withClient(service!.url, (client) => client.query(sql));
      await ask(`CREATE ROLE ${role} LOGIN PASSWORD '${SECRET}'; GRANT ALL ON SCHEMA ${schema} TO ${role};
        GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
      const url = new URL(proxy.through(service!.url));
      [url.username, url.password] = [role, SECRET];
      const store = await underTest.open({ url: url.href, maxConnections: 1 });
      // The sessions of calls come after that of opening.
      await ask(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
      const before = proxy.connections;
      for (let call = 1; call <= 2; call++) {
        const answer = await publish(store);
        expect(answer).toEqual({ outcome: "unknown", reason: expect.stringMatching(NOTHING_WRITTEN) as string });
        expect(proxy.connections).toBe(before + call);
      }
      await store.close();
      await ask(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    });

    it("is a standby: its sessions are not used", async () => {
      const client = { query: () => Promise.resolve({ rows: [{ is_standby: true }] }) };
      await expect(prepareSession(client as never, CALL_DEADLINE_MS)).rejects.toBeInstanceOf(StandbyError);
    });
  });

  describe("many calls at once", () => {
    it("share the connections that there are, and all are answered", async () => {
      const before = proxy.connections;
      const store = await warmClient(3, 15_000);
      const answers = await Promise.all(Array.from({ length: 300 }, () => store.read(record.key)));
      expect(new Set(answers.map((answer) => answer.outcome))).toEqual(new Set(["found"]));
      // One more was used to open it.
      expect(proxy.connections - before).toBeLessThanOrEqual(3 + 1);
    });

    it("wait in a queue no longer than their deadline, and no more than there is room for", async () => {
      const store = await warmClient(2);
      proxy.swallow();
      const calls = Array.from({ length: 10_003 }, () => store.read(record.key));
      const reasons = calls.map(async (call) => {
        const answer = await call;
        return answer.outcome === "unknown" ? answer.reason : answer.outcome;
      });
      expect(await reasons.at(-1)).toContain("More than 10000");
      for (const reason of await Promise.all(reasons)) expect(reason).toMatch(NOTHING_WRITTEN);
      proxy.heal();
      while ((await store.read(record.key)).outcome === "unknown");
    });

    it("that wait when the store is closed are not sent, and those that were sent end", async () => {
      const store = await warmClient();
      const before = await versionNow();
      const base = { key: record.key, lease, baseVersion: String(before) };
      const calls = [1, 2, 3].map((byte) => store.publish({ ...base, payload: new Uint8Array([byte]) }));
      await store.close();
      const [, ...waited] = await Promise.all(calls);
      for (const answer of waited) expect(answer).toMatchObject({ reason: expect.stringMatching(/closed/) as string });
      expect((await versionNow()) - before).toBeLessThanOrEqual(1n);
    });
  });

  describe("the locks of a lease", () => {
    /** Runs `during` while another transaction holds what a write under this lease holds until it is committed. */
    async function whileSeen(during: () => Promise<void>): Promise<void> {
      await withClient(service!.url, async (holder) => {
        await holder.query("BEGIN");
        await holder.query(`SELECT FROM ${namesIn(underTest.schema).lease} FOR KEY SHARE`);
        await during();
        await holder.query("COMMIT");
      });
    }

    it("let other writes under it pass, and what changes the number of its objects", () =>
      whileSeen(async () => {
        expect(await publish(underTest.store)).toMatchObject({ outcome: "published" });
        const { storeVersion: baseVersion, key } = record;
        const current = String(BigInt(baseVersion) + 1n);
        expect(await underTest.store.destroy(key, current, lease)).toEqual({ outcome: "destroyed" });
      }));

    it.each([
      ["renewed", () => underTest.store.renew(lease, LEASE_MS)],
      ["released", () => underTest.store.release(lease)],
      ["described", () => underTest.store.describe({ owner: lease, ...DESCRIPTION })],
    ] as const)("let it not be %s before those are through", async (outcome, change) => {
      let waiting: Promise<{ readonly outcome: string }> | undefined;
      await whileSeen(async () => {
        waiting = change();
        const pause = new Promise((resolve) => setTimeout(resolve, LOCKED_MS, "nothing yet"));
        expect(await Promise.race([waiting, pause])).toBe("nothing yet");
      });
      expect(await waiting).toMatchObject({ outcome });
    });
  });

  describe("L1: a lease that is renewed just before its end, while that is not committed yet", () => {
    it.each([
      ["read", "COMMIT", (store: AuthorityStore) => store.read(record.key), { reading: { ownerLeaseLive: true } }],
      ["read", "ROLLBACK", (store: AuthorityStore) => store.read(record.key), { reading: { ownerLeaseLive: false } }],
      ["publish", "COMMIT", (store: AuthorityStore) => publish(store), { outcome: "published" }],
      ["publish", "ROLLBACK", (store: AuthorityStore) => publish(store), { outcome: "staleLease" }],
    ] as const)("%s does not call it ended before it knows (%s)", async (_, end, call, expected) => {
      const { lease: table } = namesIn(underTest.schema);
      await publish(underTest.store);
      await withClient(service!.url, async (renewal) => {
        await renewal.query("BEGIN");
        await renewal.query(`SELECT FROM ${table} FOR UPDATE`);
        await renewal.query(`UPDATE ${table} SET ends_at_ms = ends_at_ms + ${2 * LEASE_MS}, revision = revision + 1`);
        await underTest.advance(LEASE_MS + 1);
        const answer = call(underTest.store);
        const pause = new Promise((resolve) => setTimeout(resolve, LOCKED_MS, "nothing yet"));
        expect(await Promise.race([answer, pause])).toBe("nothing yet");
        await renewal.query(end);
        expect(await answer).toMatchObject(expected);
      });
    });
  });

  describe("the function that writes", () => {
    it("refuses what comes too late by the server's clock, and what comes from a time that has not been yet", async () => {
      const names = namesIn(underTest.schema);
      const version = await versionNow();
      const nowMs = await withClient(service!.url, async (client) => {
        const { rows } = await client.query<{ now: number }>(`SELECT ${names.clockMs}() AS now`);
        return rows[0]!.now;
      });
      const apply = (fromMs: number, untilMs: number) =>
        withClient(service!.url, async (client) => {
          const guards = { objects: [{ key: record.key, version }], leases: [], nodes: [], loads: [] };
          const writes = { objects: [], leases: [], owned: [], nodes: [], removeLeasesEndedAtMs: undefined };
          const last = { lastLeaseGeneration: undefined };
          const bundle = { guards: { fromMs, untilMs, ...guards, ...last }, writes: { ...writes, ...last } };
          const sql = `SELECT ${names.apply}($1, $2, $3) AS applied`;
          const { rows } = await client.query<{ applied: boolean }>(sql, [...applyValues(bundle)]);
          return rows[0]!.applied;
        });
      expect(await apply(nowMs, nowMs + LEASE_MS)).toBe(true);
      expect(await apply(nowMs - 1000, nowMs)).toBe(false);
      expect(await apply(nowMs + LEASE_MS, nowMs + 2 * LEASE_MS)).toBe(false);
    });
  });
});
