import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { FakeNode, valueOf } from "./fake-node.ts";
import { atEnd, clientOf, gatewayOn, Proxy, until } from "./tools.ts";

const bun = join(dirname(createRequire(import.meta.url).resolve("bun/package.json")), "bin/bun.exe");

/** Runs `bun-peer.ts`; gives the lines that it says. */
function peer(...args: string[]): string[] {
  const script = fileURLToPath(new URL("bun-peer.ts", import.meta.url));
  const child = spawn(bun, ["--conditions=rehome-source", script, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  atEnd(() => child.kill());
  const lines: string[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    lines.push(...parts);
  });
  return lines;
}

test("N1: a client on Bun, with Bun's WebSocket, over connections that are cut", async () => {
  const node = new FakeNode();
  node.onSend = (id, message) => {
    node.push(id, "echo", valueOf(message));
    return undefined;
  };
  const gateway = await gatewayOn(node);
  const proxy = await Proxy.to(gateway.url);
  let left = 3_000;
  proxy.cutAfter = (bytes) => {
    left -= bytes;
    if (left > 0) return undefined;
    const passes = Math.max(0, bytes + left);
    left = 3_000;
    return passes;
  };
  const lines = peer("client", proxy.url);
  await until(() => lines.includes("closed"), 15_000);
  const resumes = lines.filter((line) => line === "resumed true").length;
  expect(resumes).toBeGreaterThan(5);
  expect(lines).toEqual([...Array.from({ length: resumes }, () => "resumed true"), "pushed 500", "closed"]);
  const sent = node.actor("e").received.filter(({ kind }) => kind === "send");
  expect(sent.map(({ value }) => value)).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
});

test("a gateway on Bun, with a client from here", async () => {
  const lines = peer("gateway");
  await until(() => lines.length > 0, 15_000);
  const binding = await clientOf(lines[0]!).bind("Echo", "e");
  const pushed: unknown[] = [];
  binding.onPush((_name, value) => pushed.push(value));
  for (let n = 1; n <= 500; n++) binding.send("n", n);
  expect(await binding.request("echo", "done")).toBe("done");
  await until(() => pushed.length === 500);
  expect(pushed).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
});
