import { createMemoryStore, type Transport } from "@rehome/core";
import { defineActor, startNode } from "@rehome/runtime";
import { systemClock } from "@rehome/system";
import { expect, test } from "vitest";
import { startGateway } from "../src/index.ts";
import { atEnd, clientOf, until } from "./tools.ts";

/** A node that is alone needs no links. */
const noLinks: Transport = {
  listen: () => Promise.resolve({ endpoint: "tcp://127.0.0.1:1" }),
  connect: () => undefined,
  forget: () => undefined,
  send: () => "noLink",
  peer: () => undefined,
  close: () => Promise.resolve(),
};

const Counter = defineActor<{ count: number }>({
  type: "Counter",
  create: () => ({ count: 0 }),
  on: {
    add: (ctx, by: number) => {
      ctx.state.count += by;
      ctx.push("count", ctx.state.count);
      return ctx.state.count;
    },
    fail: () => {
      throw new Error("secret");
    },
  },
  capture: (state) => state,
  restore: (state: { count: number }) => state,
});

test("the runtime behind the gateway: an actor that counts, and what can go wrong with it", async () => {
  const store = createMemoryStore({ clock: systemClock });
  const node = await startNode({ meshName: "m", name: "n", transport: noLinks, store, actors: [Counter] });
  atEnd(() => node.close());
  const gateway = await startGateway({ node });
  atEnd(() => gateway.close());
  const client = clientOf(gateway.url);
  const counter = await client.bind("Counter", "c");
  expect(counter.created).toBe(true);
  const pushed: unknown[] = [];
  counter.onPush((name, value) => pushed.push([name, value]));
  for (let n = 0; n < 100; n++) counter.send("add", 1);
  expect(await counter.request("add", 5)).toBe(105);
  await until(() => pushed.length === 101);
  expect(pushed.at(-1)).toEqual(["count", 105]);
  await expect(counter.request("nothing")).rejects.toMatchObject({ code: "handlerNotFound" });
  await expect(counter.request("fail")).rejects.toMatchObject({
    code: "handlerFailed",
    message: "The actor's handler failed.",
  });
  await expect(client.bind("Nothing", "x")).rejects.toMatchObject({ code: "typeUnknown" });
  const refused: unknown[] = [];
  client.on("sendRefused", ({ sequence, error }) => refused.push([sequence, error.code]));
  const unknown = counter.send("nothing");
  await until(() => refused.length === 1);
  expect(refused).toEqual([[unknown, "handlerNotFound"]]);
  await counter.unbind();
  expect(await (await client.bind("Counter", "c")).request("add", 1)).toBe(106);
});
