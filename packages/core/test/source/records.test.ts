import type { ActorJoined, SessionRelocationSealed } from "@rehome/wire";
import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import type { SourceInput } from "../../src/source/inputs.ts";
import {
  abortRequested,
  afterCutOver,
  beforeCutOver,
  captured,
  capturingRun,
  committed,
  cutOverRun,
  ended,
  failed,
  found,
  gateway,
  joined,
  linkLost,
  one,
  only,
  read,
  ready,
  sealed,
  sealingRun,
  sealRefused,
  target,
  Run,
  transferringRun,
  two,
  turnsStopped,
} from "./fixtures.ts";

type RecordInput = Extract<SourceInput, { readonly command: unknown }>;

/** Every way in which a record can differ from the right one in one field, with the field's name. */
function* wrongs(value: object, path: readonly string[] = []): Generator<readonly [string, object]> {
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const name = [...path, key].join(".");
    if (typeof inner === "bigint") yield [name, { ...value, [key]: inner + 1n }];
    else if (typeof inner === "string" && key !== "command") yield [name, { ...value, [key]: wrongText(key, inner) }];
    else if (typeof inner === "object" && inner !== null) {
      for (const [field, changed] of wrongs(inner, [...path, key])) yield [field, { ...value, [key]: changed }];
    }
  }
}

function wrongText(key: string, text: string): string {
  if (key === "senderRole") return "source";
  return key === "kind" ? "userSpot" : `${text}x`;
}

/** Fields that carry no fence: they may say anything. */
const FREE = new Set(["failureCode", "currentSpot.spotId", "currentSpot.objectGeneration", "authorityOwnerGeneration"]);
/** A session owner names its own run in its 53 (S4). */
const FREE_IN_SEAL_REFUSAL = new Set(["target.nodeGeneration", "target.ownerId", "target.ownerLeaseGeneration"]);

interface Case {
  readonly run: () => Run;
  readonly input: RecordInput;
  readonly free?: ReadonlySet<string>;
}

const CASES: Readonly<Record<string, Case>> = {
  "43": { run: () => sealingRun(), input: sealed(one) },
  "53 of a session owner": { run: () => sealingRun(), input: sealRefused(one), free: FREE_IN_SEAL_REFUSAL },
  "30": { run: () => transferringRun(), input: ready },
  "53 before the 34": { run: () => transferringRun(), input: failed },
  "53 after the 34": { run: () => cutOverRun(), input: failed },
  "37": { run: () => cutOverRun(), input: joined },
};

function expectRefused(run: Run, input: SourceInput, field?: string): void {
  const before = run.state;
  run.give(input);
  expect(run.state).toBe(before);
  expect(run.effects).toEqual([
    {
      type: "Report",
      event: "source.record.refused",
      fields: expect.objectContaining(field === undefined ? {} : { field }) as unknown,
    },
  ]);
}

describe("M9, I9: a record that is not this move's or not from its rightful sender changes nothing and is reported", () => {
  for (const [name, { run, input, free }] of Object.entries(CASES)) {
    it(`${name}: the right one is acted on`, () => {
      const before = run();
      const { state } = before;
      expect(before.give(input).state).not.toBe(state);
    });

    it(`${name}: from another peer`, () => expectRefused(run(), { ...input, peer: ridFromText("mallory") }));

    for (const [field, command] of wrongs(input.command)) {
      if (FREE.has(field) || free?.has(field)) continue;
      it(`${name}: another ${field}`, () => expectRefused(run(), { ...input, command } as RecordInput));
    }
  }

  it("37: an authority generation that is not newer", () => {
    const command: ActorJoined = { ...joined.command, authorityOwnerGeneration: 10n };
    expectRefused(cutOverRun(), { ...joined, command }, "authorityOwnerGeneration");
  });

  it("names the field that is off", () => {
    const stale = { ...ready.command, coordinator: { ...ready.command.coordinator, leaseGeneration: 19n } };
    expectRefused(transferringRun(), { ...ready, command: stale }, "coordinator.leaseGeneration");
    const other: SessionRelocationSealed = { ...sealed(one).command, relocation: { high: 1n, low: 1n } };
    expectRefused(sealingRun(), { ...sealed(one), command: other }, "relocation");
  });

  it("a session owner with nothing left to answer cannot refuse", () => {
    expectRefused(sealingRun().give(sealed(one)), sealRefused(one), "peer");
  });

  it("a target that is no session owner cannot refuse a seal", () => {
    expectRefused(sealingRun(), { ...sealRefused(one), peer: target }, "peer");
  });
});

describe("M9: records that are too early", () => {
  const early: readonly (readonly [RecordInput, readonly string[]])[] = [
    [sealed(one), ["checking", "stopping", "readingBase", "pausingBase"]],
    [sealRefused(one), ["checking", "stopping", "readingBase", "pausingBase", "capturing", "transferring"]],
    [ready, ["checking", "stopping", "readingBase", "pausingBase", "sealing", "capturing"]],
    [failed, ["checking", "stopping", "readingBase", "pausingBase", "sealing", "capturing"]],
    [joined, Object.keys(beforeCutOver)],
  ];
  for (const [input, states] of early) {
    for (const state of states) {
      it(`${input.type} in ${state}`, () => expectRefused(beforeCutOver[state]!(), input, "state"));
    }
  }
});

describe("M8: repeats and latecomers", () => {
  const flow: readonly SourceInput[] = [
    { type: "CheckPassed" },
    turnsStopped([one, two]),
    read(found()),
    sealed(one),
    sealed(two),
    captured,
    ready,
    joined,
    read(committed),
  ];

  it("every record and fact two and three times gives the same effects as once", () => {
    const once = new Run().give(...flow);
    for (const times of [2, 3]) {
      const often = new Run();
      for (const input of flow) for (let n = 0; n < times; n++) often.give(input);
      expect(often.state).toEqual(once.state);
      expect(often.all.filter(({ type }) => type !== "Report")).toEqual(once.all);
    }
  });

  it("a right record that comes again later in the move is not even reported", () => {
    for (const run of [capturingRun(), transferringRun(), cutOverRun()]) {
      expect(run.give(sealed(one), sealed(two)).effects).toEqual([]);
    }
    for (const [name, make] of Object.entries(afterCutOver)) {
      expect([name, make().give(ready).effects]).toEqual([name, []]);
    }
  });

  it("O10: after the end nothing happens, whatever comes; records are reported", () => {
    const facts: readonly SourceInput[] = [
      ...flow,
      failed,
      sealRefused(one),
      abortRequested,
      linkLost(gateway),
      { type: "TimerFired", timer: "deadline" },
      { type: "TimerFired", timer: "retryRead" },
      { type: "FenceSettled", answer: { outcome: "stale" } },
      { type: "CheckFailed", failure: { code: "targetRefused", message: "late" } },
      { type: "CaptureFailed", failure: { code: "captureFailed", message: "late" } },
      { type: "SessionOwnerGone", ownerNodeRid: gateway },
    ];
    for (const make of Object.values(ended)) {
      for (const input of facts) {
        const run = make();
        const { state } = run;
        run.give(input);
        expect(run.state).toBe(state);
        expect(run.effects).toMatchObject("command" in input ? [{ type: "Report", event: "source.record.late" }] : []);
      }
    }
    const aborted = ended["aborted"]!();
    expect(aborted.give(linkLost(target)).effects).toEqual([]);
    expect(only(aborted.all, "Settle")).toHaveLength(1);
  });
});
