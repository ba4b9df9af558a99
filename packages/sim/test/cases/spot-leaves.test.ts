import { defineActor, defineSpot, type ActorType } from "@rehome/runtime";
import { spotAuthorityKey } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { ACTOR } from "./book.ts";
import { Stage, type Seat } from "./stage.ts";

const RESTORE_MS = 60;

let stage: Stage;
afterEach(() => stage.close());

describe("H7: an actor that arrives for a spot", () => {
  it("H7: does not come to be in it when it has left during the restore, and joins it where it is", async () => {
    stage = await Stage.open();
    const answers: string[] = [];
    const actors = (process: Seat["process"]): ActorType[] => [
      defineActor<object>({
        type: ACTOR,
        create: () => ({}),
        on: { go: (ctx) => ctx.join("hall") },
        capture: (state) => state,
        restore: (state: object) => new Promise((resolve) => process.clock.after(RESTORE_MS, () => resolve(state))),
        onJoin: (ctx, { outcome }) => answers.push(`${outcome} at ${process.name}, in ${ctx.spotId}`),
      }),
    ];
    const hall = defineSpot<object>({
      type: "hall",
      create: () => ({}),
      capture: (state) => state,
      restore: (state: object) => state,
    });
    const a = await stage.add("a", actors);
    await stage.settle(a.node.getOrCreate(ACTOR, "t"));
    const rest = { placementWeight: 0, spots: [hall] };
    const b = await stage.add("b", actors, rest);
    await stage.add("c", actors, rest);
    await stage.settle(b.node.createSpot("hall", "hall"));
    let arrives = false;
    stage.taps.push(({ command, at }) => void (arrives ||= command === "relocationState" && at === b));
    a.node.send(ACTOR, "t", "go", {});
    await stage.until(() => arrives);
    await stage.settle(b.node.relocateSpot("hall", { to: "c" }));
    expect(stage.store.tables.object(spotAuthorityKey("hall"))?.owner.nodeRid).toBe("c");
    expect(answers).toEqual([]);
    await stage.until(() => answers.length > 0);
    expect(answers).toEqual(["accepted at c, in hall"]);
    expect(stage.ownerInStore("t")).toBe("c");
    expect(stage.broken).toEqual([]);
  });
});
