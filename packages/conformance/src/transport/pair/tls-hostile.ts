import { connect } from "node:net";
import type { Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { ridFromText } from "@rehome/wire";
import { expect, it } from "vitest";
import { portOf } from "../proxy.ts";
import { helloBytes } from "../raw-peer.ts";
import { later, until } from "../scene.ts";
import { clientHello } from "./tls.ts";
import { inPair } from "./scene.ts";
import type { Pairing, PairNode, PairScene } from "./scene.ts";

const STORM = 80;
const B = { meshName: "conformance", nodeRid: ridFromText("b"), nodeGeneration: 1n } as const;

/** What strangers can do to a port with TLS before they have shown a certificate. */
export function pairTlsHostileTests(pairing: Pairing): void {
  it(
    "a flood of TLS handshakes holds only so many, and nodes still get in",
    inPair(pairing, async (scene) => {
      const { a, b } = await scene.pair({ limits: { maxPendingHandshakes: 8 } });
      const hello = await clientHello();
      const flood: Stranger[] = [];
      for (let index = 0; index < 100; index += 1) {
        const stranger = await Stranger.connect(scene, b);
        flood.push(stranger);
        if (index % 2 === 0) stranger.socket.write(hello);
      }
      await until("the rest dropped", () => flood.filter((stranger) => !stranger.isClosed).length <= 8);
      const late = await scene.near("late");
      late.run({ do: "connect", to: b.address });
      await until("a link", () => late.story.length === 1);
      await until("a reason", () => b.logged.includes("tooManyPending"));
      await stillThere(a, b);
    }),
  );

  it(
    "a slow TLS handshake ends at the deadline",
    inPair(pairing, async (scene) => {
      const { a, b } = await scene.pair({ limits: { handshakeTimeoutMs: 200 } });
      const silent = await Stranger.connect(scene, b);
      const slow = await Stranger.connect(scene, b);
      for (const byte of await clientHello()) {
        if (slow.isClosed) break;
        slow.socket.write(Uint8Array.of(byte));
        await later(5);
      }
      await until("both ends", () => silent.isClosed && slow.isClosed);
      await until("a reason", () => b.logged.includes("timeout"));
      await stillThere(a, b);
    }),
  );

  it(
    "resets in the middle of a TLS handshake crash nothing",
    inPair(pairing, async (scene) => {
      const { a, b, proxy } = await scene.pair({ limits: { reconnectMinMs: 1, reconnectMaxMs: 4 } });
      const hello = await clientHello();
      for (let count = 0; count < STORM; count += 1) {
        const stranger = await Stranger.connect(scene, b);
        stranger.socket.write(hello.subarray(0, count % 4 === 3 ? hello.length : (count * 13) % hello.length));
        if (count % 3 === 0) await later(1);
        if (count % 2 === 0) stranger.socket.resetAndDestroy();
        else stranger.socket.destroy();
        // Cuts a handshake of a node too: the server's part of one is some 1,500 bytes.
        proxy.plan = () => ({ way: "toClient", how: "reset", afterBytes: count * 20 });
        if (count % 4 === 0) proxy.cut();
      }
      proxy.plan = () => undefined;
      await stillThere(a, b);
    }),
  );

  it(
    "plain bytes to a port with TLS cost their own connection",
    inPair(pairing, async (scene) => {
      const { a, b } = await scene.pair();
      for (const bytes of [
        helloBytes(B, ridFromText("c")),
        Buffer.from("GET / HTTP/1.1\r\n\r\n"),
        Buffer.alloc(70_000, 0x16),
        Buffer.concat([(await clientHello()).subarray(0, 50), Buffer.alloc(50_000, 7)]),
      ]) {
        const stranger = await Stranger.connect(scene, b);
        stranger.socket.write(bytes);
        await until("its end", () => stranger.isClosed);
      }
      await until("a reason", () => b.logged.includes("tls.refused"));
      await stillThere(a, b);
    }),
  );
}

/** TLS to a port without. */
export function pairTlsToPlainTests(pairing: Pairing): void {
  it(
    "TLS to a port without it costs its own connection",
    inPair(pairing, async (scene) => {
      const { a, b } = await scene.pair();
      for (let count = 0; count < 5; count += 1) {
        const stranger = tlsConnect({ host: "127.0.0.1", port: portOf(b.endpoint), rejectUnauthorized: false });
        const ended = new Promise((resolve) => stranger.on("error", () => undefined).on("close", resolve));
        await ended;
      }
      a.run({ do: "connect", to: { ...b.address, name: "c", endpoint: b.endpoint.replace("tcp:", "tls:") } });
      await until("a failure", () => a.ofType("ConnectFailed").length > 0);
      expect(a.ofType("ConnectFailed")[0]?.reason).toContain("invalidEndpoint");
      await stillThere(a, b);
    }),
  );
}

/** A plain connection that nothing sensible is said on. */
class Stranger {
  readonly socket: Socket;
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("error", () => undefined).on("close", () => (this.isClosed = true));
    socket.resume();
  }

  static async connect(scene: PairScene, target: PairNode): Promise<Stranger> {
    const socket = connect({ host: "127.0.0.1", port: portOf(target.endpoint), noDelay: true });
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return scene.own(new Stranger(socket));
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** The good link has lived through everything. */
async function stillThere(a: PairNode, b: PairNode): Promise<void> {
  a.sendText(b, "still there?");
  await until("a record", () => b.texts.includes("still there?"));
  expect(a.story.filter((type) => type !== "LinkResumed")).toEqual(["LinkUp"]);
}
