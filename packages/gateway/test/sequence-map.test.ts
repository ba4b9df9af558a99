import { expect, test } from "vitest";
import { SequenceMap } from "../src/sequence-map.ts";

test("the node's numbers are translated by the stretch that they are in", () => {
  const map = new SequenceMap();
  expect(map.toClient(1)).toBeUndefined();
  for (const [client, node] of [
    [1, 1],
    [2, 2],
    // The gateway refused the client's third message, and later two more.
    [4, 3],
    [5, 4],
    [8, 5],
  ] as const) {
    map.note(client, node);
  }
  expect([1, 2, 3, 4, 5, 6].map((node) => map.toClient(node))).toEqual([1, 2, 4, 5, 8, 9]);
});

test("it forgets the oldest of many stretches", () => {
  const map = new SequenceMap();
  for (let node = 1; node <= 300; node++) map.note(node * 2, node);
  expect(map.toClient(300)).toBe(600);
  expect(map.toClient(45)).toBe(90);
  expect(map.toClient(44)).toBeUndefined();
});
