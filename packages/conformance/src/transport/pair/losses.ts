import { expect, it } from "vitest";
import { ridFromText } from "@rehome/wire";
import { helloBytes } from "../raw-peer.ts";
import { later, until } from "../scene.ts";
import { inPair } from "./scene.ts";
import type { Pairing, PairNode, PairScene } from "./scene.ts";

/** Short enough for a test, and still a probe every so often before a link is lost. */
const QUICK_LIVENESS = { livenessProbeMs: 100, livenessTimeoutMs: 400, reconnectMinMs: 10, reconnectMaxMs: 40 };
const QUICK_RECONNECT = { reconnectMinMs: 1, reconnectMaxMs: 4, ackDelayMs: 1 };
const CUTS = 80;
const STORM = 60;

export function pairLossTests(pairing: Pairing): void {
  silenceTests(pairing);
  cutTests(pairing);
  identityTests(pairing);
  // What follows speaks the bytes by itself, without TLS.
  if (!pairing.isSecure) strangerTests(pairing);
}

function silenceTests(pairing: Pairing): void {
  it("T2, L2: a silent network is noticed in time, what was sent is listed, and the next link is not hurt", async () => {
    // Idle, with a record under way, after three bytes of a header. Most of it is waiting.
    await Promise.all([undefined, 0, 3].map((bytes) => inPair(pairing, (scene) => fallSilent(scene, bytes))()));
  });
}

/** The network swallows everything, once `bytes` of a record have gone through if there is one. */
async function fallSilent(scene: PairScene, bytes: number | undefined): Promise<void> {
  const { a, b, proxy } = await scene.pair({ limits: QUICK_LIVENESS });
  // Let what the handshake owes go first, so that the next bytes are a record's.
  await later(30);
  if (bytes === undefined || bytes === 0) proxy.swallow();
  else proxy.swallowAfterBytes = bytes;
  if (bytes !== undefined) a.sendText(b, "into the void");
  const silentAt = performance.now();
  await until("both losses", () => a.story.includes("LinkLost") && b.story.includes("LinkLost"));
  // The budget, and far more than that for a busy machine.
  expect(performance.now() - silentAt).toBeLessThan(4_000);
  expect(a.ofType("LinkLost").map(({ unacknowledged }) => unacknowledged)).toEqual([bytes === undefined ? 0 : 1]);
  proxy.heal();
  await until("the next link", () => a.story.at(-1) === "LinkUp" && b.story.at(-1) === "LinkUp");
  const stories = [a.story.length, b.story.length];
  await later(500);
  a.sendText(b, "heard again");
  await until("a record", () => b.records.length > 0);
  expect(b.texts).toEqual(["heard again"]);
  expect([a.story.length, b.story.length]).toEqual(stories);
}

function cutTests(pairing: Pairing): void {
  it(
    "N1: a link goes on over the next connection, wherever the last one was cut",
    inPair(pairing, async (scene) => {
      const { a, b, proxy } = await scene.pair({ limits: QUICK_RECONNECT });
      let cut = 0;
      // Every other one lives long enough for progress.
      proxy.plan = (connection) =>
        connection % 2 === 0 || (cut += 1) > CUTS
          ? undefined
          : {
              way: connection % 4 === 1 ? "toTarget" : "toClient",
              how: connection % 3 === 0 ? "reset" : "end",
              afterBytes: cut * 11,
            };
      const texts: string[] = [];
      while (cut < CUTS) {
        const text = `${texts.length} ${"é".repeat(texts.length % 40)}`;
        texts.push(text);
        a.sendText(b, text);
        b.sendText(a, text);
        if (texts.length % 2 === 0) proxy.cut();
        await later(1);
      }
      for (const node of [a, b]) await until("everything", () => node.records.length >= texts.length);
      for (const node of [a, b]) expect(node.texts).toEqual(texts);
      for (const node of [a, b]) expect(node.story.filter((type) => type !== "LinkResumed")).toEqual(["LinkUp"]);
    }),
  );
}

function strangerTests(pairing: Pairing): void {
  it(
    "resets at any moment crash nothing, on either side",
    inPair(pairing, async (scene) => {
      const { a, b, proxy } = await scene.pair({ limits: QUICK_RECONNECT });
      const identity = { meshName: "conformance", nodeRid: ridFromText("b"), nodeGeneration: 1n } as const;
      for (let count = 0; count < STORM; count += 1) {
        await storm(scene, b, helloBytes(identity, ridFromText("storm"), count + 1), count);
        if (count % 5 === 0) proxy.cut();
      }
      a.sendText(b, "still there?");
      await until("an answer", () => b.texts.includes("still there?"));
      expect(a.story.filter((type) => type !== "LinkResumed")).toEqual(["LinkUp"]);
    }),
  );

  it(
    "a peer that ends its half is closed, after everything that it had sent",
    inPair(pairing, async (scene) => {
      const b = await scene.far("b");
      const identity = { meshName: "conformance", nodeRid: ridFromText("b"), nodeGeneration: 1n } as const;
      const peer = await scene.raw(b);
      peer.hello(identity, ridFromText("half"));
      peer.record(1, new TextEncoder().encode("the last"));
      peer.socket.end();
      await until("its end", () => peer.isClosed);
      await until("the record", () => b.records.length === 1);
      expect(b.texts).toEqual(["the last"]);
    }),
  );
}

function identityTests(pairing: Pairing): void {
  it(
    "two nodes that dial each other at once end with one link, and a newer run replaces an older one",
    inPair(pairing, async (scene) => {
      const a = await scene.near("a");
      const b = await scene.far("b");
      a.run({ do: "connect", to: b.address });
      b.run({ do: "connect", to: a.address });
      await until("a link", () => a.story.length > 0 && b.story.length > 0);
      a.sendText(b, "there");
      b.sendText(a, "back");
      await until("both records", () => a.records.length === 1 && b.records.length === 1);
      await later(100);
      expect([a.story, b.story]).toEqual([["LinkUp"], ["LinkUp"]]);
      const young = await scene.near("a", { generation: 2 });
      young.run({ do: "connect", to: b.address });
      await until("the change", () => b.story.length === 3);
      expect(b.ofType("LinkLost")[0]?.reason).toBe("replacedByNewerGeneration");
    }),
  );

  it(
    "close frees the port",
    inPair(pairing, async (scene) => {
      const { a, b } = await scene.pair();
      await Promise.all([a.close(), b.close()]);
      await expect(scene.raw(b)).rejects.toMatchObject({ code: "ECONNREFUSED" });
      await expect(scene.raw(a)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    }),
  );
}

/** A stranger that goes in the middle of something. */
async function storm(scene: PairScene, target: PairNode, hello: Uint8Array, count: number): Promise<void> {
  const stranger = await scene.raw(target);
  if (count % 3 === 0) stranger.socket.write(hello.subarray(0, (count * 7) % hello.length));
  if (count % 3 === 1) stranger.socket.write(hello);
  if (count % 4 === 0) await later(1);
  if (count % 2 === 0) stranger.socket.resetAndDestroy();
  else stranger.socket.destroy();
}
