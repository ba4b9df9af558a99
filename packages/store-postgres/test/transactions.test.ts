import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import { authorityStoreOver, MAX_OPTIMISTIC_TRIES } from "@rehome/core";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import type { Connections, Statement, StatementOutcome } from "../src/connections.ts";
import { parseOptions } from "../src/options.ts";
import { namesIn } from "../src/schema.ts";
import { PostgresTransactions } from "../src/transactions.ts";

const LEASE = { ownerId: "o", ownerLeaseGeneration: 5n };
const HEAD = {
  head: {
    nowMs: 1000,
    leases: [
      {
        owner_id: "o",
        owner_lease_generation: "5",
        owner_mesh_name: "m",
        owner_node_rid: "6e",
        owner_node_generation: "1",
        revision: "1",
        renewed_at_ms: 900,
        ends_at_ms: 2000,
        owned: "0",
        endpoint: null,
        reservations: "0",
        node_generation: "1",
      },
    ],
    nodes: null,
  },
};
const SEEN: StatementOutcome<unknown> = { kind: "done", rows: [HEAD] };
const APPLIED: StatementOutcome<unknown> = { kind: "done", rows: [{ applied: true }] };
const CONFLICT: StatementOutcome<unknown> = { kind: "done", rows: [{ applied: false }] };

/** A server that gives these answers to writes, the last one for ever. */
function storeOver(writes: readonly StatementOutcome<unknown>[]) {
  const sent: string[] = [];
  const connections = {
    run(statement: Statement) {
      sent.push(statement.name);
      if (statement.name !== "rehome_apply") return Promise.resolve(SEEN);
      const number = sent.filter((name) => name === "rehome_apply").length;
      return Promise.resolve(writes[Math.min(number, writes.length) - 1]!);
    },
  };
  const config = parseOptions({ url: "postgres://127.0.0.1/db" });
  const transactions = new PostgresTransactions(config, connections as unknown as Connections, namesIn("s"));
  return { store: authorityStoreOver(transactions), sent };
}

function rolledBack(code: string, severity = "ERROR"): StatementOutcome<unknown> {
  const error = new DatabaseError("as it was made to", 0, "error");
  return { kind: "rolledBack", error: Object.assign(error, { code, severity }) };
}

describe("a call whose write did not take effect", () => {
  it.each([
    ["the guards did not hold", CONFLICT],
    ["serialization failure", rolledBack("40001")],
    ["deadlock", rolledBack("40P01")],
  ])("because of others (%s) is decided anew over what is there now", async (_, outcome) => {
    const { store, sent } = storeOver([outcome, outcome, APPLIED]);
    expect(await store.renew(LEASE, 500)).toEqual({ outcome: "renewed", durationMs: 500 });
    expect(sent).toEqual(Array.from({ length: 3 }, () => ["rehome_rows", "rehome_apply"]).flat());
  });

  it("because of others again and again ends, and says that nothing was written", async () => {
    const { store, sent } = storeOver([CONFLICT]);
    const answer = await store.renew(LEASE, 500);
    expect(answer).toEqual({ outcome: "unknown", reason: expect.stringMatching(/Nothing was written\.$/) as string });
    expect(sent.filter((name) => name === "rehome_apply")).toHaveLength(MAX_OPTIMISTIC_TRIES);
  });

  it.each([
    ["no room on the disk", rolledBack("53100"), /Nothing was written\.$/],
    ["no time", rolledBack("57014"), /Nothing was written\.$/],
    ["no connection", { kind: "notSent", reason: "None." }, /^None\. Nothing was written\.$/],
    ["no answer", { kind: "lost", reason: "Gone." }, /^Gone\. Whether the write took effect is not known\.$/],
  ] as const)("for any other reason (%s) is unknown, and is not sent again", async (_, outcome, reason) => {
    const { store, sent } = storeOver([outcome]);
    const answer = await store.renew(LEASE, 500);
    expect(answer).toEqual({ outcome: "unknown", reason: expect.stringMatching(reason) as string });
    expect(sent).toEqual(["rehome_rows", "rehome_apply"]);
  });

  it("looks like wrong arguments to nobody: those throw before anything is sent", () => {
    const { store, sent } = storeOver([APPLIED]);
    expect(() => store.read("")).toThrow(/a key is/);
    expect(() => store.acquire({ meshName: "m", nodeRid: ridFromText("n"), ownerId: "\0", durationMs: 1 })).toThrow(
      /ownerId/,
    );
    expect(() => store.scan(actorAuthorityKey("a"), undefined, 0)).toThrow(/limit/);
    expect(sent).toEqual([]);
  });
});
