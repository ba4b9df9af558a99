import type { RelocationPrepare } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import type { OwnerIdentity } from "../../src/ports/authority-store.ts";
import { coordinatorOf, failedReceived, headerOf, source } from "./fixture.ts";
import { Harness, actor, answerOf, moveOf, other, typesOf } from "./harness.ts";

describe("one attempt per actor", () => {
  const first = moveOf(1, { object: actor("a") });

  function second(object: RelocationPrepare["object"], from: OwnerIdentity = other): RelocationPrepare {
    return moveOf(2, { object, from });
  }

  for (const [name, object] of [
    ["a newer authority generation", actor("a", 7n, 9n)],
    ["a newer object generation", actor("a", 8n, 1n)],
  ] as const) {
    it(`${name} supersedes an attempt that has not begun to commit`, () => {
      const harness = new Harness();
      harness.prepare(first);
      const work = harness.prepare(second(object), other);
      expect(harness.typeOf(first)).toBe("failed");
      expect(harness.typeOf(second(object))).toBe("receiving");
      expect(typesOf(work)).toEqual(["StopTimer", "DropCopy", "SendFailed", "Settle", "StartTimer"]);
      expect(work.map(({ relocation }) => relocation.low)).toEqual([1n, 2n]);
      expect(answerOf(work)).toMatchObject({
        peer: source.nodeRid,
        command: { relocation: first.relocation, failureCode: "actorLocationStale" },
      });
    });
  }

  for (const [name, object] of [
    ["an older authority generation", actor("a", 7n, 7n)],
    ["an older object generation", actor("a", 6n, 99n)],
  ] as const) {
    it(`${name} is declined as stale`, () => {
      const harness = new Harness();
      harness.prepare(first);
      expect(answerOf(harness.prepare(second(object), other))).toMatchObject({
        peer: other.nodeRid,
        command: { failureCode: "actorLocationStale" },
      });
      expect(harness.typeOf(first)).toBe("receiving");
    });
  }

  it("O2: the same run of the same source has given its earlier move up", () => {
    const harness = new Harness();
    harness.prepare(first);
    const again = moveOf(2, { object: actor("a"), coordinator: coordinatorOf(source, "v99") });
    harness.prepare(again);
    expect(harness.typeOf(first)).toBe("failed");
    expect(harness.typeOf(again)).toBe("receiving");
  });

  it("two sources under one authority generation: the first stays, the store would decide", () => {
    const harness = new Harness();
    harness.prepare(first);
    expect(answerOf(harness.prepare(second(actor("a")), other))).toMatchObject({
      command: { failureCode: "requestRejected" },
    });
    expect(harness.typeOf(first)).toBe("receiving");
  });

  it("T6: an attempt whose commit is out stays, whoever comes", () => {
    const harness = new Harness();
    harness.prepare(first);
    harness.commit(first);
    expect(harness.typeOf(first)).toBe("committing");
    for (const [low, command] of [
      [2, second(actor("a", 8n, 99n))],
      [3, moveOf(3, { object: actor("a") })],
    ] as const) {
      const from = low === 2 ? other : source;
      expect(answerOf(harness.prepare(command, from))).toMatchObject({ command: { failureCode: "requestRejected" } });
      expect(harness.typeOf(first)).toBe("committing");
    }
  });

  it("an actor may come again when its attempt has ended, and other actors do not matter", () => {
    const harness = new Harness();
    harness.prepare(first);
    harness.prepare(moveOf(5));
    harness.step(first, failedReceived(headerOf(first)));
    harness.prepare(second(actor("a", 7n, 1n)), other);
    expect(harness.typeOf(second(actor("a")))).toBe("receiving");
    expect(harness.typeOf(moveOf(5))).toBe("receiving");
  });

  it("a superseded attempt makes room for its successor", () => {
    const harness = new Harness({ inboundMoves: 1 });
    harness.prepare(first);
    harness.prepare(second(actor("a", 7n, 9n)), other);
    expect(harness.typeOf(second(actor("a")))).toBe("receiving");
  });
});
