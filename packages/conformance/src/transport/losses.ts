import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { RECORD, recordBytes } from "./raw-peer.ts";
import { inScene, isLinked, later, patternBytes, textOf, until } from "./scene.ts";
import type { MakeTransport, SceneNode } from "./scene.ts";

/** Short enough for a test, and still a probe every so often before a link is lost. */
const QUICK_LIVENESS = { livenessProbeMs: 100, livenessTimeoutMs: 400 };
const CUTS = 60;

export function lossTests(make: MakeTransport): void {
  describe("lost links", () => {
    cutTests(make);
    halfOpenTests(make);
    livenessTests(make);
  });
}

function cutTests(make: MakeTransport): void {
  it(
    "N2: a cut is one LinkLost at each end, and every record has arrived or is listed, in order",
    inScene(make, async (scene) => {
      const limits = { reconnectMinMs: 1, reconnectMaxMs: 4 };
      const a = await scene.node("a", { limits });
      const b = await scene.node("b", { limits });
      const proxy = await scene.proxy(b);
      const sent: string[][] = [];
      a.onLink = (event) => {
        if (event.type === "LinkUp") sent.push([]);
      };
      a.transport.connect({ ...b.address, endpoint: proxy.endpoint });
      let number = 0;
      for (let cut = 0; cut < CUTS; cut += 1) {
        // Somewhere in the handshake, in a header, in a record.
        proxy.cutAfterBytes = cut < 10 ? cut * 40 : 600 + cut * 37;
        if (cut % 2 === 0) proxy.cut();
        for (let turn = 0; turn < 10; turn += 1) {
          if (isLinked(a, b) && sent.length > 0) {
            const text = `${(number += 1)} ${"x".repeat(number % 90)}`;
            if (a.sendText(b, text) !== "noLink") sent.at(-1)!.push(text);
          }
          await later(1);
        }
      }
      proxy.cutAfterBytes = Number.POSITIVE_INFINITY;
      await until("the last link", () => isLinked(a, b));
      a.sendText(b, "the end");
      await until("the end", () => b.texts.at(-1) === "the end");
      checkAccounts(a, b, sent);
    }),
  );

  it(
    "N2: a record that the peer has not acknowledged is listed, and one that it has is not",
    inScene(make, async (scene) => {
      const a = await scene.node("a");
      const peer = await scene.greet(a, ridFromText("peer"));
      for (const text of ["1", "2", "3", "4"]) a.sendText(peer, text);
      await until("all four", () => peer.bodies(RECORD).length === 4);
      peer.acknowledge(2);
      await later(30);
      peer.socket.resetAndDestroy();
      await until("the loss", () => a.ofType("LinkLost").length === 1);
      const lost = a.ofType("LinkLost")[0]!;
      expect(lost.reason).toBe("connectionClosed");
      expect(lost.unacknowledged.map(textOf)).toEqual(["3", "4"]);
    }),
  );

  it(
    "a record that was cut off in its middle is never delivered",
    inScene(make, async (scene) => {
      const a = await scene.node("a");
      const peer = await scene.greet(a, ridFromText("peer"));
      peer.record(1, patternBytes(100, 1));
      await until("the first", () => a.records.length === 1);
      const bytes = recordBytes(2, patternBytes(100_000, 2));
      peer.socket.write(bytes.subarray(0, bytes.length - 1));
      await later(20);
      peer.socket.end();
      await until("the loss", () => a.ofType("LinkLost").length === 1);
      expect(a.records.length).toBe(1);
    }),
  );
}

function halfOpenTests(make: MakeTransport): void {
  it(
    "a peer that ends its half and reads nothing any more is lost at once, whatever waits for it",
    inScene(make, async (scene) => {
      const a = await scene.node("a");
      const peer = await scene.greet(a, ridFromText("half"));
      peer.socket.pause();
      for (let count = 0; count < 8; count += 1) a.transport.send(peer.rid, [new Uint8Array(1024 * 1024)], "data");
      await later(20);
      peer.socket.end();
      await until("the loss", () => a.ofType("LinkLost").length === 1);
      expect(a.ofType("LinkLost")[0]?.reason).toBe("connectionClosed");
      expect(a.ofType("LinkLost")[0]?.unacknowledged.length).toBe(8);
    }),
  );
}

function livenessTests(make: MakeTransport): void {
  it(
    "L2: an idle link lives, a silent one is lost, and its late end does not hurt the next one",
    inScene(make, async (scene) => {
      const limits = { ...QUICK_LIVENESS, reconnectMinMs: 10 };
      const a = await scene.node("a", { limits });
      const b = await scene.node("b", { limits });
      const proxy = await scene.proxy(b);
      await scene.link(a, b, { ...b.address, endpoint: proxy.endpoint });
      await later(1_000);
      expect([a.story, b.story]).toEqual([["LinkUp"], ["LinkUp"]]);
      proxy.swallow();
      a.sendText(b, "into the void");
      await until("the loss", () => a.ofType("LinkLost").length === 1);
      expect(a.ofType("LinkLost")[0]?.reason).toBe("livenessTimeout");
      expect(a.ofType("LinkLost")[0]?.unacknowledged.map(textOf)).toEqual(["into the void"]);
      proxy.heal();
      await until("the next link", () => isLinked(a, b) && isLinked(b, a));
      const before = a.story.length;
      await later(500);
      expect(a.story.length).toBe(before);
      a.sendText(b, "heard again");
      await until("a record", () => b.texts.includes("heard again"));
      expect(b.texts).toEqual(["heard again"]);
    }),
  );

  it(
    "L2: traffic is no answer: a peer that talks and does not answer is lost",
    inScene(make, async (scene) => {
      const a = await scene.node("a", { limits: QUICK_LIVENESS });
      const peer = await scene.greet(a, ridFromText("talker"));
      for (let number = 1; a.ofType("LinkLost").length === 0 && number < 1_000; number += 1) {
        peer.record(number, Uint8Array.of(1));
        peer.about({ command: "livenessAck", probeId: BigInt(number) });
        await later(10);
      }
      expect(a.ofType("LinkLost")[0]?.reason).toBe("livenessTimeout");
      expect(a.records.length).toBeGreaterThan(5);
    }),
  );

  it(
    "L2: a peer that answers and says nothing else is not lost",
    inScene(make, async (scene) => {
      const a = await scene.node("a", { limits: QUICK_LIVENESS });
      const peer = await scene.greet(a, ridFromText("listener"));
      const answered = new Set<bigint>();
      for (let turn = 0; turn < 100; turn += 1) {
        for (const command of peer.commands) {
          if (command.command !== "livenessProbe" || answered.has(command.probeId)) continue;
          answered.add(command.probeId);
          peer.about({ command: "livenessAck", probeId: command.probeId });
        }
        await later(10);
      }
      expect(a.story).toEqual(["LinkUp"]);
      expect(answered.size).toBeGreaterThan(3);
      peer.about({ command: "livenessProbe", probeId: 4711n });
      await until("an answer", () => peer.commands.some((c) => c.command === "livenessAck" && c.probeId === 4711n));
    }),
  );
}

/** `sent` holds the texts that went into each of the links, in order. */
function checkAccounts(a: SceneNode, b: SceneNode, sent: readonly string[][]): void {
  const losses = a.ofType("LinkLost");
  const arrived = b.texts.slice(0, -1);
  expect(new Set(arrived).size).toBe(arrived.length);
  const numbers = arrived.map((text) => Number.parseInt(text, 10));
  expect(numbers.every((number, index) => index === 0 || number > numbers[index - 1]!)).toBe(true);
  const got = new Set(arrived);
  for (const [index, texts] of sent.entries()) {
    const unknown = losses[index]?.unacknowledged.map(textOf).filter((text) => text !== "the end") ?? [];
    expect(unknown).toEqual(texts.slice(texts.length - unknown.length));
    const missing = texts.filter((text) => !got.has(text) && !unknown.includes(text));
    expect([index, missing]).toEqual([index, []]);
  }
  for (const node of [a, b]) {
    const links = node.story.filter((entry) => entry === "LinkUp" || entry === "LinkLost");
    expect(links.every((entry, index) => entry === (index % 2 === 0 ? "LinkUp" : "LinkLost"))).toBe(true);
  }
}
