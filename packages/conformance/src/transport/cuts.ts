import { describe, expect, it } from "vitest";
import { inScene, later, until } from "./scene.ts";
import type { CuttingProxy } from "./proxy.ts";
import type { MakeTransport, SceneNode } from "./scene.ts";

/** Past the handshake, which takes some 300 bytes each way, and into records, acknowledgements and probes. */
const OFFSETS = 500;
/** Records under way at once, each way. */
const UNDER_WAY = 12;
/**
 * Enough for all that is under way, which is sent again first, and for an answer to a probe behind it: without one in 15 s
 * the link is lost, whatever else arrives (L2).
 */
const LONG_LIFE = 5_000;
/** Four connections per offset: one cut there on each way, and two in between that live long. */
const CONNECTIONS = 4 * OFFSETS;
/** A test of thousands of connections takes its time, most of all where the runtimes of both ends share a core. */
const TIMEOUT_MS = 180_000;

export function cutTests(make: MakeTransport): void {
  describe("a connection that is cut at every byte offset, each way, under traffic", () => {
    it(
      "N1, T5: loses, doubles and reorders nothing",
      inScene(make, async (scene) => {
        const limits = { reconnectMinMs: 1, reconnectMaxMs: 2, ackDelayMs: 1 };
        const a = await scene.node("a", { limits });
        const b = await scene.node("b", { limits });
        const proxy = await scene.proxy(b);
        const cutAt = planEveryOffset(proxy);
        await scene.link(a, b, { ...b.address, endpoint: proxy.endpoint });
        const senders = [new Sender(a, b), new Sender(b, a)];
        while (proxy.connections < CONNECTIONS) {
          for (const sender of senders) sender.refill();
          await later(1);
          // What was lost never comes, so nothing would go on from here.
          if (a.ofType("LinkLost").length > 0) break;
        }
        proxy.plan = () => undefined;
        proxy.cut();
        await until("everything", () => senders.every((sender) => sender.hasArrived));
        for (const sender of senders) sender.check();
        expect(cutAt.size).toBe(2 * OFFSETS);
        expect(a.ofType("LinkResumed").length).toBeGreaterThan(OFFSETS);
      }),
      TIMEOUT_MS,
    );
  });
}

/** Returns what has been planned. Every other connection lives long enough for a probe and its answer (L2). */
function planEveryOffset(proxy: CuttingProxy): Set<string> {
  const planned = new Set<string>();
  proxy.plan = (connection) => {
    const way = connection % 4 < 2 ? "toTarget" : "toClient";
    const how = connection % 3 === 0 ? "reset" : "end";
    if (connection % 2 === 0) return { way, how, afterBytes: LONG_LIFE };
    const afterBytes = Math.floor(connection / 4);
    planned.add(`${way} ${afterBytes}`);
    return { way, how, afterBytes };
  };
  return planned;
}

/** Keeps some records under way from one node to the other: numbered, of many sizes, with characters of two bytes. */
class Sender {
  private readonly sent: string[] = [];
  private readonly from: SceneNode;
  private readonly to: SceneNode;

  constructor(from: SceneNode, to: SceneNode) {
    this.from = from;
    this.to = to;
  }

  refill(): void {
    while (this.sent.length < this.to.records.length + UNDER_WAY) {
      const number = this.sent.length;
      const text = `${number} ${"é".repeat(number % 200 === 199 ? 800 : (number * 7) % 50)}`;
      expect(this.from.sendText(this.to, text, number % 3 === 0 ? "control" : "data")).toBe("accepted");
      this.sent.push(text);
    }
  }

  get hasArrived(): boolean {
    return this.to.records.length >= this.sent.length;
  }

  check(): void {
    // Not the texts themselves: a difference would print megabytes.
    const wrong = this.to.texts.findIndex((text, index) => text !== this.sent[index]);
    expect([wrong, this.to.records.length]).toEqual([-1, this.sent.length]);
    expect([this.from.ofType("LinkUp").length, this.from.ofType("LinkLost").length]).toEqual([1, 0]);
  }
}
