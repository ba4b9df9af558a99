import { describe, expect, test } from "vitest";
import { Movement, type MoveOrder } from "../src/movement.ts";

const options = { seed: 5, nodes: 3, restMs: 1_000, orderTimeoutMs: 20_000 };

/** Runs a movement in which every move takes `moveMs`. */
function simulate(actors: number, durationMs: number, moveMs = 5, seed = options.seed): MoveOrder[] {
  const homes = Array.from({ length: actors }, (_, i) => i % options.nodes);
  const movement = new Movement({ ...options, seed }, homes, 0);
  const orders: MoveOrder[] = [];
  const open: { order: MoveOrder; endsAt: number }[] = [];
  for (let now = 0; now <= durationMs; now++) {
    while (open.length > 0 && open[0]!.endsAt <= now) {
      const { order } = open.shift()!;
      movement.seen(order.actor, order.to);
      movement.ended(order.actor, now);
    }
    for (const order of movement.due(now)) {
      expect(open.some((other) => other.order.actor === order.actor)).toBe(false);
      orders.push(order);
      open.push({ order, endsAt: now + moveMs });
    }
  }
  return orders;
}

describe("Movement", () => {
  test("every actor moves about every rest, half of the moves are joins, and none stays where it is", () => {
    const orders = simulate(20, 60_000);
    const joins = orders.filter((order) => order.kind === "join").length;
    expect(orders.length).toBeGreaterThan(20 * 50);
    expect(orders.length).toBeLessThan(20 * 70);
    expect(joins / orders.length).toBeGreaterThan(0.4);
    expect(joins / orders.length).toBeLessThan(0.6);
    for (const order of orders) expect(order.to).not.toBe(order.from);
    const targets = new Set(orders.filter((order) => order.from === 0).map((order) => order.to));
    expect(targets).toEqual(new Set([1, 2]));
  });

  test("the same seed gives every actor the same moves, another seed others", () => {
    const of = (orders: MoveOrder[], actor: number) => orders.filter((order) => order.actor === actor).slice(0, 20);
    expect(of(simulate(5, 30_000, 5), 3)).toEqual(of(simulate(5, 30_000, 40), 3));
    expect(of(simulate(5, 30_000, 5, 6), 3)).not.toEqual(of(simulate(5, 30_000), 3));
  });

  test("an actor under way gets no second order; one that never ends is given up and counted", () => {
    const movement = new Movement(options, [0], 0);
    expect(movement.due(1_000).length).toBe(1);
    expect(movement.underWay).toBe(1);
    expect(movement.due(20_999)).toEqual([]);
    expect(movement.givenUp).toBe(0);
    expect(movement.due(21_000)).toEqual([]);
    expect(movement.givenUp).toBe(1);
    expect(movement.due(23_000).length).toBe(1);
  });

  test("an end that nobody waits for changes nothing", () => {
    const movement = new Movement(options, [0], 0);
    movement.ended(0, 0);
    movement.ended(7, 0);
    movement.seen(7, 1);
    expect(movement.underWay).toBe(0);
    expect(movement.due(1_000).length).toBe(1);
  });
});
