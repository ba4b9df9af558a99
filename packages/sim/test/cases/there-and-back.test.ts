import { decodeRecord } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { ACTOR, Book, called, diary } from "./book.ts";
import { clientSender, nodeSender, read, type Sender } from "./senders.ts";
import { numbers, Stage, type Seat } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const MOVES = 1_000;
/** Ten seconds of work, which a busy machine may take much longer for. */
const TIMEOUT_MS = 120_000;
/** F2: the most hops that a message may take. */
const MOST_HOPS = 8;

describe("M5: there and back", () => {
  it(
    "M5: 1,000 times A→B→A as fast as it goes, with traffic from everywhere: nothing lost, twice, out of order, on a past copy or in a circle",
    async () => {
      stage = await Stage.open({ watch: false });
      const actors = (process: Seat["process"]) => [diary(stage.book, process)];
      const a = await stage.add("a", actors);
      await stage.settle(a.node.getOrCreate(ACTOR, "t"));
      const quiet = { placementWeight: 0 };
      const b = await stage.add("b", actors, quiet);
      const c = await stage.add("c", actors);
      await stage.settle(c.node.getOrCreate(ACTOR, "friend"));
      const g = await stage.add("g", () => [], quiet);
      const senders: Sender[] = [nodeSender(stage, a, "t"), nodeSender(stage, b, "t"), nodeSender(stage, c, "t")];
      for (const name of ["client"]) senders.push(await clientSender(stage, g, "t", name));
      let told = 0;
      const fromFriend = (): void => c.node.send(ACTOR, "friend", called("tell", "c", ++told), { to: "t" });

      let hops = 0;
      stage.taps.push(({ command, frames }) => {
        if (command !== "relocationData") return;
        const record = decodeRecord([...frames]);
        if (record.command !== "relocationData") return;
        const made = record.record.metadata?.find(([key]) => key === "~h")?.[1];
        hops = Math.max(hops, Number(made ?? 0));
      });
      let isOn = true;
      const traffic = (round: number): void => {
        if (!isOn) return;
        const sender = senders[round % (senders.length + 1)];
        if (!sender) fromFriend();
        else if (round % 7 === 0) sender.ask();
        else sender.send();
        stage.time.after(2.3, () => traffic(round + 1));
      };
      traffic(0);
      let owner = a;
      for (let move = 0; move < MOVES; move++) {
        const to = owner === a ? b : a;
        expect(await stage.settle(owner.node.relocate("t", { to: to.name }))).toMatchObject({ outcome: "committed" });
        owner = to;
      }
      isOn = false;
      await stage.pass(100);
      for (const sender of senders) {
        expect(sender.refused()).toEqual([]);
        expect(stage.book.numbers("t", sender.name)).toEqual(numbers(sender.sent));
        expect(new Set([...sender.answers.values()].map(({ outcome }) => outcome))).toEqual(new Set(["answered"]));
      }
      expect(told).toBeGreaterThan(100);
      expect(stage.book.numbers("t", "friend")).toEqual(numbers(told));
      expect(stage.eventsOf("SendRefused")).toEqual([]);
      expect(await read(stage, c, "t")).toEqual(Book.stateAfter(stage.book.of("t")));
      expect([...stage.book.faults, ...stage.broken]).toEqual([]);
      expect(hops).toBeGreaterThan(0);
      expect(hops).toBeLessThanOrEqual(MOST_HOPS);
      // I8: what the past left behind is gone once nobody follows any more.
      await stage.pass(2_500);
      for (const { node } of [a, b, c, g]) {
        expect(node.counts()).toMatchObject({
          follows: 0,
          followingMessages: 0,
          heldMessages: 0,
          openRequests: 0,
          seals: 0,
        });
      }
    },
    TIMEOUT_MS,
  );
});
