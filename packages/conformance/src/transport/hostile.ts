import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { helloBytes, recordBytes } from "./raw-peer.ts";
import type { RawPeer } from "./raw-peer.ts";
import { patternBytes } from "./bytes.ts";
import { inScene, later, until } from "./scene.ts";
import type { MakeTransport, Scene, SceneNode } from "./scene.ts";

const PREFACE = Uint8Array.of(0x52, 0x48, 0x4c, 0x01);
const STORM = 150;

export function hostileTests(make: MakeTransport): void {
  describe("strangers and bad peers", () => {
    strangerTests(make);
    peerTests(make);
  });
}

function strangerTests(make: MakeTransport): void {
  it(
    "garbage costs its own connection, at once and with hardly an answer",
    inScene(make, async (scene) => {
      const { a, check } = await withGoodPair(scene);
      for (const bytes of [
        new TextEncoder().encode("GET / HTTP/1.1\r\nhost: x\r\n\r\n"),
        Uint8Array.of(0x16, 0x03, 0x01, 0x02, 0x00),
        new Uint8Array(100_000),
        patternBytes(5_000, 3),
        Buffer.concat([PREFACE, patternBytes(5_000, 4)]),
        Buffer.concat([PREFACE, Uint8Array.of(1, 0xff, 0xff, 0xff, 0xff)]),
        Buffer.concat([PREFACE, recordBytes(1, Uint8Array.of(1))]),
      ]) {
        const stranger = await scene.raw(a);
        stranger.socket.write(bytes);
        await until("its end", () => stranger.isClosed);
        expect(stranger.receivedBytes).toBeLessThan(100);
      }
      await check();
    }),
  );

  it(
    "who says nothing, or too slowly, hears nothing and is dropped at the deadline",
    inScene(make, async (scene) => {
      const { a, check } = await withGoodPair(scene, { handshakeTimeoutMs: 200 });
      const silent = await scene.raw(a);
      const slow = await scene.raw(a);
      for (const byte of helloBytes(a.identity, ridFromText("slow"))) {
        if (slow.isClosed) break;
        slow.socket.write(Uint8Array.of(byte));
        await later(5);
      }
      await until("both ends", () => silent.isClosed && slow.isClosed);
      expect([silent.receivedBytes, slow.receivedBytes]).toEqual([0, 0]);
      await check();
    }),
  );

  it(
    "a flood of connections holds only so many, and nodes still get in",
    inScene(make, async (scene) => {
      const { a, check } = await withGoodPair(scene, { maxPendingHandshakes: 8 });
      const flood: RawPeer[] = [];
      for (let count = 0; count < 100; count += 1) flood.push(await scene.raw(a));
      await until("the rest dropped", () => flood.filter((stranger) => !stranger.isClosed).length <= 8);
      const late = await scene.node("late");
      await scene.link(late, a);
      await check();
    }),
  );

  it(
    "resets at any moment crash nothing",
    inScene(make, async (scene) => {
      const { a, check } = await withGoodPair(scene);
      const hello = helloBytes(a.identity, ridFromText("storm"));
      for (let count = 0; count < STORM; count += 1) {
        const stranger = await scene.raw(a);
        const greeting = helloBytes(a.identity, ridFromText("storm"), count + 1);
        if (count % 3 === 0) stranger.socket.write(greeting.subarray(0, (count * 7) % hello.length));
        if (count % 3 === 1)
          stranger.socket.write(Buffer.concat([greeting, recordBytes(1, patternBytes(50_000, count))]));
        if (count % 4 === 0) await later(1);
        if (count % 2 === 0) stranger.socket.resetAndDestroy();
        else stranger.socket.destroy();
      }
      await check();
    }),
  );

  it(
    "a listener that resets every connection is a failed attempt, again and again",
    inScene(make, async (scene) => {
      const { a, good, check } = await withGoodPair(scene, { reconnectMinMs: 1, reconnectMaxMs: 3 });
      const elsewhere = await scene.node("elsewhere");
      const proxy = await scene.proxy(elsewhere);
      proxy.cutAfterBytes = 0;
      a.transport.connect({ ...elsewhere.address, endpoint: proxy.endpoint });
      await until("many failures", () => a.ofType("ConnectFailed").length > 20);
      expect(elsewhere.ofType("LinkUp").length).toBe(0);
      expect(good.story.includes("LinkLost")).toBe(false);
      proxy.cutAfterBytes = Number.POSITIVE_INFINITY;
      await until("a link at last", () => a.transport.peer(elsewhere.rid) !== undefined);
      await check();
    }),
  );
}

function peerTests(make: MakeTransport): void {
  it(
    "a peer that breaks the rules loses its link, and its record is not delivered",
    inScene(make, async (scene) => {
      const { a, check } = await withGoodPair(scene);
      const breaches: ((peer: RawPeer) => void)[] = [
        (peer) => peer.record(2, Uint8Array.of(1)),
        (peer) => peer.acknowledge(1),
        (peer) => peer.end(5),
        (peer) => peer.socket.write(Uint8Array.of(2, 0x7f, 0xff, 0xff, 0xff)),
        (peer) => peer.socket.write(Uint8Array.of(77, 0, 0, 0, 0)),
        (peer) => peer.socket.write(helloBytes(a.identity, ridFromText("again"))),
        (peer) => peer.about({ command: "reject", reason: "resourceLimit" }),
      ];
      for (const [index, breach] of breaches.entries()) {
        const losses = a.ofType("LinkLost").length;
        const peer = await scene.greet(a, ridFromText(`bad ${index}`));
        breach(peer);
        await until("its end", () => peer.isClosed && a.ofType("LinkLost").length === losses + 1);
        expect([index, a.ofType("LinkLost").at(-1)?.reason]).toEqual([index, "protocolViolation"]);
      }
      expect(a.records.length).toBe(0);
      await check();
    }),
  );

  it(
    "a hello that was overtaken by the link of a later one is refused, and the link stays",
    inScene(make, async (scene) => {
      const { a, check } = await withGoodPair(scene);
      const first = await scene.greet(a, ridFromText("twice"));
      const second = await scene.raw(a);
      second.hello(a.identity, ridFromText("twice"), 1);
      await until("the refusal", () => second.isClosed);
      expect(second.commands).toEqual([{ command: "reject", reason: "duplicateConnection" }]);
      expect(first.isClosed).toBe(false);
      await check();
    }),
  );
}

interface GoodPair {
  readonly a: SceneNode;
  readonly good: SceneNode;
  /** Fails unless the good link has lived through everything. */
  readonly check: () => Promise<void>;
}

async function withGoodPair(scene: Scene, limits = {}): Promise<GoodPair> {
  const a = await scene.node("a", { limits });
  const good = await scene.node("good");
  await scene.link(good, a);
  const check = async () => {
    a.sendText(good, "still there?");
    await until("the good peer's record", () => good.texts.at(-1) === "still there?");
    expect(good.story.filter((entry) => entry !== "record")).toEqual(["LinkUp"]);
  };
  return { a, good, check };
}
