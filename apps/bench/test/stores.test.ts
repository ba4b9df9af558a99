import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { createMemoryStore } from "@rehome/core";
import { describe, expect, it } from "vitest";
import { openContender } from "../src/stores/contenders.ts";
import { twoOwners, Wanderer } from "../src/stores/moves.ts";
import { reachable, timeLimitMs } from "../src/stores/stores-bench.ts";

const id = "player:1";

describe("what the stores' bench measures", () => {
  it("is moves that happen, back and forth", async () => {
    const store = createMemoryStore({ clock: { nowMs: () => 0 } });
    const owners = await twoOwners(store);
    const wanderer = await Wanderer.create(store, owners, { id, stateBytes: 3 });
    for (const generation of [2n, 3n, 4n]) {
      const times = await wanderer.move(store);
      expect(times.move).toBeGreaterThanOrEqual(times.read + times.commit);
      const { records } = (await store.scan("", undefined, 10)) as never as { records: Record<string, unknown>[] };
      expect(records[0]).toMatchObject({
        authorityOwnerGeneration: generation,
        owner: owners[Number(generation + 1n) % 2],
        payload: new Uint8Array(3),
      });
    }
  });

  it("is nothing when the store does not do it", async () => {
    const store = createMemoryStore({ clock: { nowMs: () => 0 } });
    const wanderer = await Wanderer.create(store, await twoOwners(store), { id, stateBytes: 0 });
    store.commit = () => Promise.resolve({ outcome: "stale" });
    await expect(wanderer.move(store)).rejects.toThrow(/stale/);
  });

  it("sets them beside writes on the exact version", async () => {
    const contender = await openContender("sqlite", "");
    await contender.addRow("r");
    expect(await contender.writeRow("r", 1, "x")).toBe(true);
    expect(await contender.writeRow("r", 1, "x")).toBe(false);
    expect(await contender.writeRow("r", 2, "x")).toBe(true);
    await contender.close();
  });
});

/** `FATAL` with the code of a wrong password, as PostgreSQL's protocol frames it. */
function refusal(): Buffer {
  const fields = Buffer.from("SFATAL\0VFATAL\0C28P01\0Mno such user\0\0");
  const head = Buffer.alloc(5, "E");
  head.writeUInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}

describe("the stores that are measured", () => {
  it("are those that can be: a server that refuses is named and left out", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      // The question of the probe is eight bytes long, and a greeting is longer.
      socket.on("data", (bytes) => (bytes.length === 8 ? socket.write("N") : socket.end(refusal())));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const printed: string[] = [];
    const environment = { REHOME_POSTGRES_URL: `postgres://u:s3cret@127.0.0.1:${port}/nope` };
    const found = await reachable(["sqlite", "postgres"], (text) => printed.push(text), environment);
    server.close();
    expect(found).toEqual([{ kind: "sqlite", url: "" }]);
    expect(printed).toEqual([expect.stringMatching(/^postgres is left out\. .*no such user.*check the user/)]);
    expect(printed.join("")).not.toMatch(/s3cret|\n {4}at /);
  });

  it("have whole milliseconds, however the time is shared", () => {
    expect(timeLimitMs(1 / 3)).toBe(60_334);
    expect(timeLimitMs(2)).toBe(62_000);
  });
});
