import { expect, it } from "vitest";
import { patternBytes } from "../bytes.ts";
import { later, until } from "../scene.ts";
import { digestOf } from "./end.ts";
import { inPair, throughProxy } from "./scene.ts";
import type { Pairing, PairNode } from "./scene.ts";

const MIB = 1024 * 1024;
/** For 32 MiB through a proxy, two runtimes and, in some pairings, TLS on one busy core. */
const LARGE = { maxRecordBytes: 32 * MIB, maxDataBytes: 64 * MIB, closeTimeoutMs: 15_000 };

export function pairRecordTests(pairing: Pairing): void {
  it.each(["client", "target"] as const)(
    "T1: 2,000 records and one of 32 MiB in one tick, from the %s to a peer that reads late, then close: byte for byte, then the end",
    (side) =>
      inPair(pairing, async (scene) => {
        const { a, b, proxy } = await scene.pair({ limits: LARGE });
        const [from, to] = side === "client" ? [a, b] : [b, a];
        proxy.pause(side);
        from.run(
          { do: "send", to: to.plan.name, count: 2_000, length: 1024, seed: 0 },
          { do: "send", to: to.plan.name, count: 1, length: 32 * MIB, seed: 1 },
          { do: "close" },
        );
        await until("the records are queued", () => from.all("sent").length === 2);
        await later(50);
        proxy.resume();
        await until("the end", () => to.story.includes("LinkLost") && from.all("closed").length === 1);
        const small = Array.from({ length: 2_000 }, (_, index) => patternBytes(1024, index));
        expectRecords(to, [...small, patternBytes(32 * MIB, 1)]);
        expect(from.ofType("LinkLost").map(({ reason, unacknowledged }) => [reason, unacknowledged])).toEqual([
          ["closedLocally", 0],
        ]);
      })(),
  );

  it(
    "N1: arrive whole, in order and once, both ways at once, in all sizes",
    inPair(pairing, async (scene) => {
      const { a, b } = await scene.pair({ limits: LARGE });
      const sizes = [0, 1, 3, 200, 1_000, 65_535, 65_536, 70_000, 300_000];
      for (const [from, to] of [
        [a, "b"],
        [b, "a"],
      ] as const)
        from.run(...sizes.map((length, seed) => ({ do: "send", to, count: 20, length, seed }) as const));
      const expected = sizes.flatMap((length, seed) =>
        Array.from({ length: 20 }, (_, index) => patternBytes(length, seed + index)),
      );
      for (const node of [a, b]) await until("all records", () => node.records.length >= expected.length);
      for (const node of [a, b]) expectRecords(node, expected);
    }),
  );

  it(
    "T5: arrive whole when every byte comes by itself, within lengths and within characters",
    inPair(pairing, async (scene) => {
      const a = await scene.near("a");
      const b = await scene.far("b");
      const proxy = await scene.proxy(b);
      proxy.drips = true;
      a.run({ do: "connect", to: throughProxy(b, proxy) });
      await until("a link", () => a.story.length === 1 && b.story.length === 1);
      const texts = ["é 漢字 🙂 ~", "🙂".repeat(20), "", "ß"];
      for (const text of texts) a.sendText(b, text);
      await until("all records", () => b.records.length === texts.length);
      expect(b.texts).toEqual(texts);
    }),
  );

  it(
    "T6: small ones do not wait for a timer of the network, and those of one tick do not go out one by one",
    inPair(pairing, async (scene) => {
      const { a, b, proxy } = await scene.pair();
      b.run({ do: "echo", every: 2 });
      const rounds = 50;
      a.run({ do: "ask", to: "b", rounds });
      await until("the answers", () => a.all("asked").length === 1);
      // With a 40 ms stall each it takes two seconds; without, a fraction of one.
      expect(a.all("asked")[0]!.tookMs).toBeLessThan(rounds * 25);
      const before = proxy.reads;
      a.run({ do: "send", to: "b", count: 1_000, length: 100, seed: 0 });
      await until("all records", () => b.records.length === 2 * rounds + 1_000);
      expect(proxy.reads - before).toBeLessThan(200);
    }),
  );

  it(
    "N3: data is refused before the queue passes its limit, and what was taken arrives",
    inPair(pairing, async (scene) => {
      const limits = { queueMarkBytes: 256 * 1024, maxDataBytes: 4 * MIB };
      const { a, b, proxy } = await scene.pair({ limits });
      proxy.pause();
      a.run({ do: "send", to: "b", count: 300, length: 16 * 1024, seed: 0 });
      await until("the answers", () => a.all("sent").length === 1);
      const { accepted = 0, backedUp = 0, refused = 0 } = a.all("sent")[0]!.answers;
      expect([accepted > 0, backedUp > 0, refused > 0]).toEqual([true, true, true]);
      proxy.resume();
      await until("room", () => a.ofType("LinkDrained").length === 1);
      const expected = Array.from({ length: accepted + backedUp }, (_, index) => patternBytes(16 * 1024, index));
      await until("all records", () => b.records.length >= expected.length);
      expectRecords(b, expected);
    }),
  );
}

function expectRecords(node: PairNode, expected: readonly Uint8Array[]): void {
  const wrong = expected.findIndex((bytes, index) => node.records[index]?.digest !== digestOf([bytes]));
  expect([wrong, node.records.length]).toEqual([-1, expected.length]);
}
