import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CoreError, type CoreErrorCode } from "../../src/errors.ts";
import { IngressHold } from "../../src/ingress-hold/hold.ts";
import { DEFAULT_HOLD_LIMITS } from "../../src/ingress-hold/limits.ts";
import { releaseEach } from "../../src/ingress-hold/release.ts";

const OP = "1:2";

function expectCode(code: CoreErrorCode, act: () => unknown): void {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(CoreError);
    expect((error as CoreError).code).toBe(code);
    return;
  }
  expect.fail(`nothing was thrown, but ${code} was due`);
}

function holdOf(...records: string[]): IngressHold<string> {
  const hold = new IngressHold<string>(OP, "full");
  for (const record of records) hold.offer(record, 1);
  return hold;
}

describe("H1: bounded, and nobody waits", () => {
  it("holds 1,024 records and 16 MiB by default", () => {
    expect(DEFAULT_HOLD_LIMITS).toEqual({ maxRecords: 1_024, maxBytes: 16 * 1024 * 1024 });
    const byCount = new IngressHold<number>(OP, "full");
    for (let index = 0; index < 1_024; index++) expect(byCount.offer(index, 1)).toBe("held");
    expect(byCount.offer(1_024, 0)).toBe("overflow");
    const byBytes = new IngressHold<number>(OP, "full");
    expect(byBytes.offer(1, 16 * 1024 * 1024)).toBe("held");
    expect(byBytes.offer(2, 1)).toBe("overflow");
    expect(byBytes.offer(3, 0)).toBe("held");
  });

  it("M3: never holds more than the limit, and memory is back afterwards", () => {
    const hold = new IngressHold<number>(OP, "full", { maxRecords: 1_000, maxBytes: 1024 * 1024 });
    const answers = Array.from({ length: 5_000 }, (_, index) => hold.offer(index, 1_024));
    expect(answers.filter((answer) => answer === "held")).toHaveLength(1_000);
    expect(hold.size).toBe(1_000);
    expect(hold.bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(hold.giveBack(OP)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
    expect([hold.size, hold.bytes]).toEqual([0, 0]);
  });

  it("what was sent to the target counts until the store has spoken", () => {
    const hold = new IngressHold<string>(OP, "full", { maxRecords: 1, maxBytes: 10 });
    hold.offer("a", 1);
    hold.snapshot(OP);
    expect(hold.offer("b", 1)).toBe("overflow");
  });
});

describe("H2: the operation that opened a hold is the one that promotes or ends it", () => {
  it("a provisional hold becomes full by its own operation", () => {
    const hold = new IngressHold<string>(OP, "provisional");
    hold.offer("a", 1);
    hold.promote(OP);
    expect(hold.mode).toBe("full");
    expect(hold.snapshot(OP)).toEqual(["a"]);
  });

  it("another operation's promote or release is an error and changes nothing", () => {
    const hold = new IngressHold<string>(OP, "provisional");
    hold.offer("a", 1);
    for (const act of [
      () => hold.promote("x"),
      () => hold.snapshot("x"),
      () => hold.giveBack("x"),
      () => hold.release("x", "delivered"),
    ]) {
      expectCode("holdNotOwned", act);
    }
    expect([hold.mode, hold.size, hold.operationId]).toEqual(["provisional", 1, OP]);
    expect(hold.giveBack(OP)).toEqual(["a"]);
  });

  it("nothing is relayed from a provisional hold", () => {
    expectCode("assertionFailed", () => new IngressHold<string>(OP, "provisional").snapshot(OP));
  });

  it("an ended hold holds nothing and says so", () => {
    for (const end of [
      (hold: IngressHold<string>) => hold.giveBack(OP),
      (hold: IngressHold<string>) => hold.release(OP, "nothing"),
    ]) {
      const hold = holdOf("a");
      end(hold);
      expectCode("holdEnded", () => hold.offer("b", 1));
      expectCode("holdEnded", () => hold.giveBack(OP));
      expectCode("holdEnded", () => hold.promote(OP));
    }
  });
});

describe("H3: a snapshot is what was queued when it was taken", () => {
  it("later arrivals are not in it, and come in arrival order after it", () => {
    const hold = holdOf("a", "b");
    const snapshot = hold.snapshot(OP);
    hold.offer("c", 1);
    hold.offer("d", 1);
    expect(snapshot).toEqual(["a", "b"]);
    expect(hold.snapshot(OP)).toEqual(["c", "d"]);
    expect(hold.snapshot(OP)).toEqual([]);
  });
});

describe("H4: given back", () => {
  it("all records return in arrival order, those that were relayed included", () => {
    const hold = holdOf("a", "b");
    hold.snapshot(OP);
    hold.offer("c", 1);
    expect(hold.giveBack(OP)).toEqual(["a", "b", "c"]);
  });
});

describe("F2, I2, I3: released to a new owner", () => {
  const relayed = () => {
    const hold = holdOf("a", "b");
    hold.snapshot(OP);
    hold.offer("c", 1);
    return hold;
  };

  it("delivered: only what was held after the 34 is forwarded", () => {
    expect(relayed().release(OP, "delivered")).toEqual({ forward: ["c"], unknown: [] });
  });

  it("unknown: what was relayed is reported, not sent a second time", () => {
    expect(relayed().release(OP, "unknown")).toEqual({ forward: ["c"], unknown: ["a", "b"] });
  });

  it("nothing: all of it is forwarded, or refused where nobody owns the unit any more (H5)", () => {
    expect(holdOf("a", "b").release(OP, "nothing")).toEqual({ forward: ["a", "b"], unknown: [] });
    expectCode("assertionFailed", () => relayed().release(OP, "nothing"));
  });

  it("what was queued before the hold was handed over with the payload, and shares the fate of what was relayed", () => {
    expect(relayed().release(OP, "delivered", ["q"])).toEqual({ forward: ["c"], unknown: [] });
    expect(relayed().release(OP, "unknown", ["q"])).toEqual({ forward: ["c"], unknown: ["q", "a", "b"] });
    expect(holdOf("a").release(OP, "nothing", ["q"])).toEqual({ forward: ["q", "a"], unknown: [] });
  });
});

describe("H6: one bad record never blocks the rest", () => {
  it("reports every failure after all had their turn", () => {
    const seen: number[] = [];
    const failures = releaseEach([1, 2, 3, 4], (record) => {
      seen.push(record);
      if (record % 2 === 1) throw new Error(`no ${record}`);
    });
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(failures.map(({ record, error }) => [record, (error as Error).message])).toEqual([
      [1, "no 1"],
      [3, "no 3"],
    ]);
  });
});

it("I2, I4: whatever is offered and however it ends, every held record comes out once, in order", () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant("offer" as const), bytes: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.constant({ type: "snapshot" as const }) },
  );
  fc.assert(
    fc.property(fc.array(step), fc.constantFrom("back", "delivered", "unknown"), (steps, end) => {
      const hold = new IngressHold<number>(OP, "full", { maxRecords: 8, maxBytes: 12 });
      const held: number[] = [];
      const snapshots: number[] = [];
      steps.forEach((what, index) => {
        if (what.type === "snapshot") snapshots.push(...hold.snapshot(OP));
        else if (hold.offer(index, what.bytes) === "held") held.push(index);
        expect(hold.size).toBeLessThanOrEqual(8);
        expect(hold.bytes).toBeLessThanOrEqual(12);
      });
      expect(snapshots).toEqual(held.slice(0, snapshots.length));
      if (end === "back") {
        expect(hold.giveBack(OP)).toEqual(held);
      } else {
        const { forward, unknown } = hold.release(OP, end);
        expect(forward).toEqual(held.slice(snapshots.length));
        expect(unknown).toEqual(end === "unknown" ? snapshots : []);
      }
    }),
  );
});
