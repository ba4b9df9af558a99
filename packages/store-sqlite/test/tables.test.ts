import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AuthorityRow } from "@rehome/core";
import { ridFromText } from "@rehome/wire";
import { openSqliteStore } from "../src/index.ts";
import { SqliteTables } from "../src/tables.ts";
import { temporaryDirectory, withDatabase } from "./support/store-under-test.ts";

const OWNER = {
  ownerId: "o",
  ownerLeaseGeneration: 1n,
  meshName: "mesh",
  nodeRid: ridFromText("n"),
  nodeGeneration: 1n,
};

function rowOf(key: string, payloadBytes: number): AuthorityRow {
  return {
    key,
    version: 1n,
    state: "active",
    kind: "actor",
    stableType: "t",
    objectGeneration: 1n,
    authorityOwnerGeneration: 1n,
    highestObjectGeneration: 1n,
    highestAuthorityOwnerGeneration: 1n,
    owner: OWNER,
    place: undefined,
    relocation: undefined,
    membershipDigest: new Uint8Array(0),
    payload: new Uint8Array(payloadBytes),
    createdBy: "r",
    reservation: undefined,
  };
}

async function withTables(use: (tables: SqliteTables) => void): Promise<void> {
  const directory = temporaryDirectory();
  const path = join(directory.path, "store.db");
  await (await openSqliteStore({ path })).close();
  await withDatabase(path, (database) => use(new SqliteTables(database)));
  directory.remove();
}

describe("a page of rows", () => {
  it("I8: ends at its payload bytes, but never without a row", () =>
    withTables((tables) => {
      for (const [key, payloadBytes] of [
        ["a", 20],
        ["b", 5],
        ["c", 5],
        ["d", 0],
      ] as const) {
        tables.putObject(rowOf(key, payloadBytes), undefined);
      }
      const page = (after: string | undefined) => {
        const { rows, more } = tables.activeObjects("", after, { rows: 10, payloadBytes: 10 });
        return { keys: rows.map((row) => row.key).join(""), more };
      };
      expect(page(undefined)).toEqual({ keys: "a", more: true });
      expect(page("a")).toEqual({ keys: "bcd", more: false });
      expect(page("b")).toEqual({ keys: "cd", more: false });
      expect(page("d")).toEqual({ keys: "", more: false });
    }));
});

describe("a payload", () => {
  it("is written when it changes and removed when it is empty", () =>
    withTables((tables) => {
      tables.putObject(rowOf("a", 3), undefined);
      const three = tables.object("a")!;
      tables.putObject({ ...three, version: 2n }, three);
      expect(tables.object("a")).toEqual({ ...three, version: 2n });
      const kept = tables.object("a")!;
      tables.putObject({ ...kept, payload: new Uint8Array(0) }, kept);
      expect(tables.object("a")!.payload).toHaveLength(0);
    }));
});

describe("leases", () => {
  it("that have ended are forgotten at the next acquire, so that they do not pile up", () =>
    withTables((tables) => {
      const lease = { owner: OWNER, renewedAtMs: 1, endsAtMs: 10, owned: 0, descriptor: undefined };
      tables.putLease(lease);
      tables.removeEndedLeases(9.5);
      expect(tables.lease("o")).toEqual(lease);
      tables.removeEndedLeases(10);
      expect(tables.lease("o")).toBe(undefined);
    }));
});
