import {
  actorAuthorityKey,
  ridFromText,
  spotAuthorityKey,
  type FrozenRecord,
  type RelocationPrepare,
} from "@rehome/wire";
import { describe, expect, it } from "vitest";
import type { AuthorityRecord } from "../../src/ports/authority-store.ts";
import { maxPayloadBytes } from "../../src/target/checks.ts";
import { DEFAULT_TARGET_LIMITS } from "../../src/target/config.ts";
import type { RestoredFacts, RestoredMember, TargetInput } from "../../src/target/inputs.ts";
import {
  allChunks,
  coordinatorOf,
  cutoverReceived,
  Driver,
  expectNoEffect,
  headerOf,
  prepareOf,
  prepareReceived,
  relayReceived,
  self,
  sessionOf,
  source,
} from "./fixture.ts";
import { actor, answerOf, Harness, moveOf, other, restoredInputOf, typesOf } from "./harness.ts";

const spot = { spotId: "hall", objectGeneration: 3n };
const object = { kind: "userSpot", ...spot, authorityOwnerGeneration: 50n } as const;
const prepare = prepareOf({ object });
const key = spotAuthorityKey("hall");
const digest = new Uint8Array(32).fill(7);

function memberOf(index: number, sessions: readonly string[] = []): RestoredMember {
  return {
    actor: { actorId: `m${index}`, objectGeneration: BigInt(index) },
    stableType: "player",
    authorityOwnerGeneration: BigInt(10 * index),
    baseVersion: `v-m${index}`,
    sessions: sessions.map(sessionOf),
    previousPlace: spot,
  };
}
const members = [memberOf(1, ["one", "two"]), memberOf(2), memberOf(3, ["three"])];
const restored: RestoredFacts = { stableType: "hall", place: undefined, membershipDigest: digest, members };

function recordOf(own: string, change: Partial<AuthorityRecord>): AuthorityRecord {
  return {
    key: own,
    storeVersion: "v11",
    state: "active",
    kind: "actor",
    stableType: "player",
    objectGeneration: 3n,
    authorityOwnerGeneration: 51n,
    owner: self,
    place: spot,
    relocation: prepare.relocation,
    membershipDigest: digest,
    payload: new Uint8Array(),
    ...change,
  };
}
const movedSpot = recordOf(key, { kind: "userSpot", stableType: "hall", place: undefined });
const movedMembers = members.map(({ actor: { actorId, objectGeneration } }, index) =>
  recordOf(actorAuthorityKey(actorId), { objectGeneration, authorityOwnerGeneration: BigInt(100 + index) }),
);
const committed: TargetInput = {
  type: "CommitSettled",
  answer: { outcome: "committed", records: [movedSpot, ...movedMembers] },
};

const header = headerOf(prepare);
const cutover = (records: readonly Uint8Array[] = []): TargetInput => cutoverReceived(records, header);

/** A 31 for one member. */
function relayFor(actorId: string, objectGeneration: bigint, bytes = Uint8Array.of(1)): TargetInput {
  const base = relayReceived(bytes, header);
  const record = base.command.record;
  if (record.recordKind !== "actorSend") throw new Error("an actor's message");
  const target = { ...record.target, actor: { actorId, objectGeneration } };
  return { ...base, command: { ...base.command, record: { ...record, target } } };
}

function readyDriver(facts = restored): Driver {
  const driver = new Driver(prepareReceived(prepare));
  driver.take(...allChunks(prepare), { type: "Restored", restored: facts });
  return driver;
}
function committingDriver(facts = restored): Driver {
  const driver = readyDriver(facts);
  driver.take(cutover());
  return driver;
}

describe("T8: a spot commits with all its members in one conditional write", () => {
  it("one participant for each, on its own base version and generations, members staying in the spot", () => {
    const driver = readyDriver();
    const [commit] = driver.take(cutover());
    expect(commit).toEqual({
      type: "CommitAuthority",
      request: {
        relocation: prepare.relocation,
        owner: self,
        participants: [
          {
            key,
            baseVersion: "v10",
            expectedObjectGeneration: 3n,
            expectedAuthorityOwnerGeneration: 50n,
            place: undefined,
            membershipDigest: digest,
          },
          ...members.map((member) => ({
            key: actorAuthorityKey(member.actor.actorId),
            baseVersion: member.baseVersion,
            expectedObjectGeneration: member.actor.objectGeneration,
            expectedAuthorityOwnerGeneration: member.authorityOwnerGeneration,
            place: spot,
            membershipDigest: digest,
          })),
        ],
      },
    });
  });

  it("T10: adopts all, opens, then tells each member's sessions its own generations, and the source once", () => {
    const effects = committingDriver().take(committed);
    expect(effects.map(({ type }) => type)).toEqual([
      "StopTimer",
      "Adopt",
      "OpenDispatch",
      "SendRoute",
      "SendRoute",
      "SendRoute",
      "SendJoined",
      "Settle",
    ]);
    expect(effects[1]).toEqual({ type: "Adopt", record: movedSpot, members: movedMembers });
    const routes = effects.flatMap((effect) => (effect.type === "SendRoute" ? [effect] : []));
    expect(
      routes.map(({ peer, command }) => [
        peer,
        command.actor,
        command.route.action === "commit" && [
          command.route.previousAuthorityOwnerGeneration,
          command.route.targetAuthorityOwnerGeneration,
        ],
      ]),
    ).toEqual([
      [ridFromText("gateway-one"), members[0]!.actor, [10n, 100n]],
      [ridFromText("gateway-two"), members[0]!.actor, [10n, 100n]],
      [ridFromText("gateway-three"), members[2]!.actor, [30n, 102n]],
    ]);
    expect(effects.find(({ type }) => type === "SendJoined")).toMatchObject({
      command: { actor: members[0]!.actor, previousSpot: spot, currentSpot: spot, authorityOwnerGeneration: 100n },
    });
  });

  it("a spot without members commits alone; there is nobody for a 37 to name", () => {
    const effects = committingDriver({ ...restored, members: [] }).take({
      type: "CommitSettled",
      answer: { outcome: "committed", records: [movedSpot] },
    });
    expect(effects.map(({ type }) => type)).toEqual(["StopTimer", "Adopt", "OpenDispatch", "Settle"]);
  });

  it("T9: after a lost answer the members' records are read, and nobody is told before", () => {
    const driver = committingDriver();
    driver.take(
      { type: "CommitSettled", answer: { outcome: "unknown", reason: "lost" } },
      { type: "TimerFired", timer: "retryStore" },
    );
    const read = driver.take({
      type: "AuthorityRead",
      answer: { outcome: "found", reading: { record: movedSpot, ownerLeaseLive: true } },
    });
    expect(read).toEqual([{ type: "ReadMembers", keys: movedMembers.map((record) => record.key) }]);
    expect(driver.types()).not.toContain("Adopt");
    const lost = { ...movedMembers[1]!, owner: source };
    const effects = driver.take({
      type: "MembersRead",
      answers: [movedMembers[0]!, lost, movedMembers[2]!].map((record) => ({
        outcome: "found",
        reading: { record, ownerLeaseLive: true },
      })),
    });
    expect(effects.find(({ type }) => type === "Adopt")).toMatchObject({ members: [movedMembers[0], movedMembers[2]] });
  });

  it("T6, T11: one stale member fails all", () => {
    const driver = committingDriver();
    const effects = driver.take({ type: "CommitSettled", answer: { outcome: "stale" } });
    expect(effects.map(({ type }) => type)).toEqual(["StopTimer", "DropCopy", "SendFailed", "Settle"]);
  });
});

describe("T5, F2: relayed records of a spot's move", () => {
  it("count together, in one order, whichever member they are for", () => {
    const driver = readyDriver();
    const [one, two] = [Uint8Array.of(1), Uint8Array.of(2)];
    driver.take(relayFor("m2", 2n, one), relayFor("m1", 1n, two));
    driver.take(cutover([one, two]), committed);
    expect(driver.effects).toContainEqual({ type: "OpenDispatch", relayed: [one, two] });
    const swapped = readyDriver();
    swapped.take(relayFor("m2", 2n, one), relayFor("m1", 1n, two), cutover([two, one]));
    expect(swapped.state).toMatchObject({ type: "failed", failure: { code: "targetRefused" } });
  });

  it("I9: one for an actor that is no member, or was made anew, is refused, before the 34 and after it", () => {
    for (const driver of [readyDriver(), committingDriver()]) {
      expectNoEffect(driver, relayFor("m9", 1n), "target.refused", { field: "record.target.actor.actorId" });
      expectNoEffect(driver, relayFor("m2", 9n), "target.refused", { field: "record.target.actor.objectGeneration" });
      const { command, ...rest } = relayFor("m2", 2n) as Extract<TargetInput, { type: "RelayReceived" }>;
      const { source: from, operation, payload } = command.record as Extract<FrozenRecord, { recordKind: "actorSend" }>;
      const record: FrozenRecord = { recordKind: "nodeSend", source: from, operation, operationKind: "none", payload };
      expectNoEffect(driver, { ...rest, command: { ...command, record } }, "target.refused", {
        field: "record.recordKind",
      });
    }
    expect(committingDriver().take(relayFor("m2", 2n))).toMatchObject([{ type: "QueueForwarded" }]);
  });
});

describe("a payload that is not what its 40 named", () => {
  const lone = prepareOf({});
  const [only] = [
    {
      ...memberOf(1),
      actor: { actorId: "user:42", objectGeneration: 7n },
      authorityOwnerGeneration: 8n,
      baseVersion: "v10",
    },
  ];
  it.each<[string, RelocationPrepare, readonly RestoredMember[]]>([
    ["a member twice", prepare, [memberOf(1), memberOf(2), memberOf(1)]],
    ["a member that was in no spot", prepare, [memberOf(1), { ...memberOf(2), previousPlace: undefined }]],
    ["a member that was in another", prepare, [{ ...memberOf(1), previousPlace: { ...spot, spotId: "x" } }]],
    ["a member of an earlier spot", prepare, [{ ...memberOf(1), previousPlace: { ...spot, objectGeneration: 2n } }]],
    ["an actor's move with nobody", lone, []],
    ["an actor's move with two", lone, [only, memberOf(2)]],
    ["another actor", lone, [{ ...only, actor: { ...only.actor, actorId: "x" } }]],
    ["another object generation", lone, [{ ...only, actor: { ...only.actor, objectGeneration: 8n } }]],
    ["another authority generation", lone, [{ ...only, authorityOwnerGeneration: 9n }]],
    ["another base version", lone, [{ ...only, baseVersion: "v9" }]],
  ])("fails: %s", (_what, command, wrong) => {
    const driver = new Driver(prepareReceived(command));
    const effects = driver.take(...allChunks(command), { type: "Restored", restored: { ...restored, members: wrong } });
    expect(effects.map(({ type }) => type)).toEqual(["StopTimer", "DropCopy", "SendFailed", "Settle"]);
    expect(effects[2]).toMatchObject({ command: { failureCode: "payloadDecodeFailed" } });
  });

  it("T4: a spot's payload is bounded by what may be in flight, an actor's by its own limit", () => {
    expect(maxPayloadBytes("actor", DEFAULT_TARGET_LIMITS)).toBe(64 * 1024 * 1024);
    expect(maxPayloadBytes("userSpot", DEFAULT_TARGET_LIMITS)).toBe(256 * 1024 * 1024);
    expect(maxPayloadBytes("userSpot", { actorStateBytes: 10, payloadBytesInFlight: 5 })).toBe(10);
    const harness = new Harness({ actorStateBytes: 8, payloadBytesInFlight: 9 });
    expect(answerOf(harness.prepare(prepare))).toMatchObject({ command: { failureCode: "workerQueueFull" } });
    const roomy = new Harness({ actorStateBytes: 8, payloadBytesInFlight: 10 });
    roomy.prepare(prepare);
    expect(roomy.typeOf(prepare)).toBe("receiving");
  });
});

describe("T3: one attempt per object, members included", () => {
  const spotMove = moveOf(1, { object });
  const facts: TargetInput = { type: "Restored", restored };
  const openSpot = (harness: Harness, command = spotMove): void => {
    harness.prepare(command, command.sourceNodeRid === other.nodeRid ? other : source);
    harness.step(command, ...allChunks(command));
  };

  it("a spot and an actor of the same id are two", () => {
    const harness = new Harness();
    harness.prepare(moveOf(1, { object: { ...object, spotId: "same" } }));
    harness.prepare(moveOf(2, { object: actor("same") }));
    expect(harness.registry.openCount).toBe(2);
  });

  it("O2: a member's own move from the same run was given up when its spot began to move", () => {
    const harness = new Harness();
    const own = moveOf(2, { object: actor("m2", 2n, 20n) });
    harness.prepare(own);
    openSpot(harness);
    const work = harness.step(spotMove, facts);
    expect(harness.typeOf(own)).toBe("failed");
    expect(harness.typeOf(spotMove)).toBe("ready");
    expect(typesOf(work)).toEqual(["StopTimer", "DropCopy", "SendFailed", "Settle", "OpenTemporaryQueue", "SendReady"]);
  });

  it("a member that a newer attempt claims makes the spot's fail, and its claims go with it", () => {
    const harness = new Harness();
    harness.prepare(moveOf(2, { object: actor("m2", 2n, 99n) }));
    openSpot(harness);
    expect(answerOf(harness.step(spotMove, facts))).toMatchObject({ command: { failureCode: "actorLocationStale" } });
    expect(harness.typeOf(spotMove)).toBe("failed");
    expect(harness.registry.isClaimed(actorAuthorityKey("m1"))).toBe(false);
    expect(harness.registry.isClaimed(key)).toBe(false);
  });

  it("T6: a member's attempt whose commit is out stays; the spot's fails", () => {
    const harness = new Harness();
    const own = moveOf(2, { object: actor("m2", 2n, 20n) });
    harness.prepare(own);
    harness.commit(own);
    openSpot(harness);
    expect(answerOf(harness.step(spotMove, facts))).toMatchObject({ command: { failureCode: "requestRejected" } });
    expect(harness.typeOf(own)).toBe("committing");
  });

  it("a second 40 for a member of an open attempt is weighed like one for its unit", () => {
    const harness = new Harness();
    openSpot(harness);
    harness.step(spotMove, facts);
    const older = moveOf(3, { object: actor("m1", 1n, 9n), from: other, coordinator: coordinatorOf(other) });
    expect(answerOf(harness.prepare(older, other))).toMatchObject({ command: { failureCode: "actorLocationStale" } });
    const newer = moveOf(4, { object: actor("m1", 1n, 11n), from: other, coordinator: coordinatorOf(other) });
    harness.prepare(newer, other);
    expect(harness.typeOf(spotMove)).toBe("failed");
    expect(harness.typeOf(newer)).toBe("receiving");
  });

  it("I8: claims go with their attempt, and with a 40 that finds no room", () => {
    const harness = new Harness({ inboundMoves: 1 });
    openSpot(harness);
    harness.prepare(moveOf(2, { object: actor("x") }));
    expect(harness.registry.isClaimed(actorAuthorityKey("x"))).toBe(false);
    harness.step(spotMove, facts, { type: "AbortRequested", failure: { code: "aborted", message: "" } });
    for (const id of ["m1", "m2", "m3"]) expect(harness.registry.isClaimed(actorAuthorityKey(id))).toBe(false);
  });
});

describe("H7: a spot that leaves takes nobody in any more", () => {
  const joining = moveOf(1);
  const facts = (): TargetInput => {
    const input = restoredInputOf(joining);
    if (input.type !== "Restored") throw new Error("facts");
    return { ...input, restored: { ...input.restored, place: spot } };
  };
  const arriving = (): Harness => {
    const harness = new Harness();
    harness.prepare(joining);
    harness.step(joining, ...allChunks(joining));
    return harness;
  };

  it("an actor whose payload names it is sent back, to look it up again", () => {
    const harness = arriving();
    harness.registry.closeSpot("hall");
    expect(answerOf(harness.step(joining, facts()))).toMatchObject({ command: { failureCode: "spotMoving" } });
    expect(harness.typeOf(joining)).toBe("failed");
  });

  it("one that was ready before is what the spot waits for, whatever comes of it", () => {
    const harness = arriving();
    expect(harness.registry.towards("hall")).toEqual([]);
    harness.step(joining, facts());
    harness.registry.closeSpot("hall");
    expect(harness.registry.towards("hall")).toEqual([joining.relocation]);
    expect(harness.registry.towards("other")).toEqual([]);
    harness.step(joining, cutoverReceived([], headerOf(joining)));
    expect(harness.registry.towards("hall")).toEqual([joining.relocation]);
    harness.step(joining, { type: "CommitSettled", answer: { outcome: "stale" } });
    expect(harness.registry.towards("hall")).toEqual([]);
  });

  it("one that stayed after all takes in again", () => {
    const harness = arriving();
    harness.registry.closeSpot("hall");
    harness.registry.reopenSpot("hall");
    harness.step(joining, facts());
    expect(harness.typeOf(joining)).toBe("ready");
  });
});

describe("F2, O5: whose business a 31 is", () => {
  const harness = new Harness();
  const open = moveOf(1, { object });
  const adopted = moveOf(2);
  const failed = moveOf(3);
  for (const command of [open, adopted, failed]) harness.prepare(command);
  harness.commit(adopted);
  const { object: moved } = adopted;
  if (moved.kind !== "actor") throw new Error("an actor");
  harness.step(adopted, {
    type: "CommitSettled",
    answer: {
      outcome: "committed",
      records: [
        recordOf(actorAuthorityKey(moved.actorId), {
          objectGeneration: 7n,
          relocation: adopted.relocation,
          stableType: "player",
        }),
      ],
    },
  });
  harness.step(failed, { type: "AbortRequested", failure: { code: "aborted", message: "" } });
  const of = (command: RelocationPrepare) => relayReceived(Uint8Array.of(1), headerOf(command)).command;
  const ask = (command: RelocationPrepare, peer = source.nodeRid, isKnown = false) =>
    harness.registry.relayOf(peer, of(command), isKnown);

  it("an open attempt's, whoever else is known here", () => {
    expect(harness.typeOf(adopted)).toBe("adopted");
    expect([ask(open), ask(open, source.nodeRid, true)]).toEqual(["attempt", "attempt"]);
  });
  it("a forwarded message once it has adopted, from the coordinator only", () => {
    expect([ask(adopted), ask(adopted, other.nodeRid)]).toEqual(["forwarded", "notSender"]);
  });
  it("nobody's once it has failed", () => {
    expect(ask(failed, source.nodeRid, true)).toBe("attempt");
  });
  it("of a relocation that was never heard of: forwarded if the actor is known here", () => {
    const unheard = moveOf(9);
    expect([ask(unheard), ask(unheard, source.nodeRid, true), ask(unheard, other.nodeRid, true)]).toEqual([
      "attempt",
      "forwarded",
      "notSender",
    ]);
  });
});
