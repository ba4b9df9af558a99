import { describe, expect, it } from "vitest";
import { seeded } from "./support/fake-network.ts";
import { textOf, World } from "./support/nodes.ts";
import type { TestNode } from "./support/nodes.ts";

/** What one node saw of its links to another one: for each link, what it sent, what came, and what its loss listed. */
class Account {
  readonly links: { sent: string[]; received: string[]; unknown: string[] | undefined }[] = [];

  up(): void {
    expect(this.links.length === 0 || this.links.at(-1)!.unknown !== undefined).toBe(true);
    this.links.push({ sent: [], received: [], unknown: undefined });
  }

  get current(): Account["links"][number] | undefined {
    const last = this.links.at(-1);
    return last?.unknown === undefined ? last : undefined;
  }
}

class Observed {
  readonly node: TestNode;
  readonly accounts = new Map<string, Account>();

  constructor(node: TestNode, others: readonly TestNode[]) {
    this.node = node;
    for (const other of others) this.accounts.set(other.rid, new Account());
    node.onLink = (event) => {
      if (event.type === "LinkUp") this.accounts.get(event.peer.nodeRid)!.up();
      if (event.type === "LinkLost")
        this.accounts.get(event.peer.nodeRid)!.current!.unknown = event.unacknowledged.map(textOf);
    };
    node.onRecord = (frames, from) => this.accounts.get(from.nodeRid)!.current!.received.push(textOf(frames));
  }

  send(to: Observed, text: string): void {
    const account = this.accounts.get(to.node.rid)!;
    // A link that is up but not announced yet may be sent on already; this account begins with the announcement.
    if (account.current === undefined) return;
    if (this.node.send(to.node, text) === "accepted") account.current.sent.push(text);
  }
}

describe("N1, N2: whatever happens to connections", () => {
  it("every record arrives once and in order on one link, or is listed when that link is lost", async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = seeded(seed * 7_919);
      const world = new World({
        seed,
        readSize: (n) => 1 + Math.floor(random() * Math.min(n, 200)),
        writeTakes: (n) => Math.floor(random() * (n + 1)),
        capacity: 500,
      });
      const nodes = [await world.node("a"), await world.node("b"), await world.node("c")];
      const observed = nodes.map((node) => new Observed(node, nodes));
      for (const from of nodes) for (const to of nodes) if (from !== to) from.transport.connect(to.address);
      let sent = 0;
      for (let turn = 0; turn < 150; turn += 1) {
        for (let steps = random() * 40; steps > 0; steps -= 1) world.network.step();
        const from = observed[Math.floor(random() * 3)]!;
        const to = observed[Math.floor(random() * 3)]!;
        if (from !== to) from.send(to, `${(sent += 1)}`);
        const streams = world.network.streams.filter((stream) => !stream.isClosed);
        if (random() < 0.04 && streams.length > 0) {
          const stream = streams[Math.floor(random() * streams.length)]!;
          stream.reset("cut");
          // The other end learns of it only later.
          if (random() < 0.5) stream.other.reset("cut");
        }
        if (random() < 0.1) world.clock.advance(random() * 100, () => world.network.step());
      }
      world.advance(40_000);
      check(seed, observed);
      // One connection between each two of them, and nothing beside.
      expect([seed, world.openStreams]).toEqual([seed, 6]);
    }
  });
});

function check(seed: number, observed: readonly Observed[]): void {
  for (const from of observed) {
    for (const to of observed) {
      if (from === to) continue;
      const there = from.accounts.get(to.node.rid)!;
      const back = to.accounts.get(from.node.rid)!;
      expect([seed, there.current !== undefined, back.current !== undefined]).toEqual([seed, true, true]);
      const arrived = back.links.flatMap(({ received }) => received);
      const numbers = arrived.map(Number);
      expect(numbers.every((number, index) => index === 0 || number > numbers[index - 1]!)).toBe(true);
      const got = new Set(arrived);
      for (const link of there.links) {
        const unknown = new Set(link.unknown ?? []);
        // What is unknown is the end of what was sent, in order.
        expect(link.unknown ?? []).toEqual(link.sent.slice(link.sent.length - unknown.size));
        for (const text of link.sent)
          expect([seed, text, got.has(text) || unknown.has(text)]).toEqual([seed, text, true]);
      }
      expect(new Set(there.current!.sent)).toEqual(new Set(back.current!.received));
    }
  }
}
