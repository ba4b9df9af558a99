import { expect, test } from "vitest";
import type { Client, ClientError } from "@rehome/client";
import { FakeNode } from "./fake-node.ts";
import { clientOf, gatewayOn, Proxy, RawClient, sleep, until } from "./tools.ts";

/** The same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

interface Account {
  readonly resumes: boolean[];
  readonly lost: string[];
  readonly refused: number[];
}

function accountOf(client: Client): Account {
  const account: Account = { resumes: [], lost: [], refused: [] };
  client.on("resumed", ({ resumed }) => account.resumes.push(resumed));
  client.on("bindingLost", ({ error }) => account.lost.push(error.code));
  client.on("sendRefused", ({ sequence }) => account.refused.push(sequence));
  return account;
}

/** Traffic in all directions while connections are cut; everything must arrive once and in order. */
async function survives(proxy: Proxy & { readonly url: string }, node: FakeNode, messages: number): Promise<Account> {
  const client = clientOf(proxy.url, { reconnect: { baseMs: 1, capMs: 10 } });
  const account = accountOf(client);
  const binding = await client.bind("Echo", "e");
  const pushed: unknown[] = [];
  binding.onPush((_name, value) => pushed.push(value));
  const answers: Promise<unknown>[] = [];
  for (let n = 1; n <= messages; n++) {
    if (n % 3 === 0) answers.push(binding.request("n", n, { timeoutMs: 60_000 }));
    else binding.send("n", n);
    node.push("e", "n", n);
    if (n % 4 === 0) await sleep(1);
  }
  expect(await Promise.all(answers)).toEqual(numbers(messages).filter((n) => n % 3 === 0));
  await until(() => pushed.length >= messages && node.actor("e").received.length >= messages);
  await sleep(20);
  expect(pushed).toEqual(numbers(messages));
  expect(node.actor("e").received.map(({ value }) => value)).toEqual(numbers(messages));
  await client.close();
  return account;
}

test("N1, I5: a connection cut hundreds of times, at any byte, loses, doubles and reorders nothing", async () => {
  let cuts = 0;
  for (const seed of [1, 2, 3]) {
    const node = new FakeNode();
    const gateway = await gatewayOn(node);
    const proxy = await Proxy.to(gateway.url);
    const random = seeded(seed);
    let left = 2_000;
    proxy.cutAfter = (bytes) => {
      left -= bytes;
      if (left > 0) return undefined;
      const passes = bytes + left;
      left = Math.floor(random() * 4_000);
      return Math.max(0, passes);
    };
    const account = await survives(proxy, node, 3_000);
    cuts += proxy.cuts;
    expect(account).toEqual({ resumes: account.resumes.map(() => true), lost: [], refused: [] });
    expect(account.resumes.length).toBeGreaterThan(20);
  }
  expect(cuts).toBeGreaterThan(200);
}, 60_000);

test("N1: cut after each single piece of data in turn, from the handshake to the last acknowledgement", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node);
  const proxy = await Proxy.to(gateway.url);
  for (let cutAt = 1; cutAt <= 40; cutAt++) {
    let pieces = 0;
    // Before this piece, after it, and in its middle.
    const part = cutAt % 3;
    proxy.cutAfter = (bytes) => (++pieces === cutAt ? Math.floor((bytes * part) / 2) : undefined);
    node.actors.clear();
    const client = clientOf(proxy.url);
    const account = accountOf(client);
    const binding = await client.bind("Echo", "e");
    const pushed: unknown[] = [];
    binding.onPush((_name, value) => pushed.push(value));
    for (let n = 1; n <= 12; n++) {
      node.push("e", "n", n);
      binding.send("n", n);
      if (n % 4 === 0) expect(await binding.request("n", -n)).toBe(-n);
    }
    await until(() => pushed.length >= 12);
    expect(pushed).toEqual(numbers(12));
    const sent = node.actor("e").received.filter(({ kind }) => kind === "send");
    expect(sent.map(({ value }) => value)).toEqual(numbers(12));
    expect(node.actor("e").received.length).toBe(15);
    expect(account.lost).toEqual([]);
    await client.close();
  }
}, 60_000);

test("N1: a silent death is noticed by both ends, and the session goes on", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { deadlines: { pingMs: 40, silenceMs: 150 } });
  const proxy = await Proxy.to(gateway.url);
  const client = clientOf(proxy.url, { connectTimeoutMs: 100 });
  const account = accountOf(client);
  const binding = await client.bind("Echo", "e");
  proxy.swallow = true;
  binding.send("n", 1);
  const answer = binding.request("n", 2);
  await until(() => client.state === "reconnecting");
  await until(() => gateway.stats().detachedSessions === 1);
  expect(gateway.stats().cuts.silent).toBe(1);
  proxy.swallow = false;
  expect(await answer).toBe(2);
  expect(node.actor("e").received.map(({ value }) => value)).toEqual([1, 2]);
  expect(account).toEqual({ resumes: [true], lost: [], refused: [] });
});

test("N1: a client that comes back before its old connection is known to be dead takes over", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node);
  const old = await RawClient.greet(gateway.url);
  const session = old.answer.welcome!.session;
  old.say(1, { kind: "bind", binding: 1, actorType: "Echo", actorId: "e" });
  await until(() => old.frames.length === 1);
  const fresh = await RawClient.greet(gateway.url, { resume: { session, received: 0 } });
  expect(fresh.answer.welcome).toMatchObject({ resumed: true });
  expect(fresh.answer.acknowledged).toBe(1);
  expect(await old.untilClosed()).toMatchObject({ code: 4409 });
  // What it had not acknowledged is sent again; what it sends again is dropped.
  await until(() => fresh.frames.length === 1);
  const bind = { kind: "bind", binding: 1, actorType: "Echo", actorId: "e" } as const;
  const send = (value: number) =>
    ({
      kind: "send",
      binding: 1,
      sequence: value,
      payload: { packetName: "n", contentType: "application/json", data: new TextEncoder().encode(String(value)) },
    }) as const;
  fresh.say(1, bind, send(1));
  fresh.say(2, send(1), send(2));
  await until(() => node.actor("e").received.length === 2);
  expect(node.actor("e").received.map(({ value }) => value)).toEqual([1, 2]);
  expect(gateway.stats()).toMatchObject({ sessions: 1, connections: 1, sessionsOpened: 1, sessionsResumed: 1 });
});

test("I2: after the grace period everything is accounted for, and the bindings are made again", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { deadlines: { resumeGraceMs: 60 } });
  const proxy = await Proxy.to(gateway.url);
  const client = clientOf(proxy.url, { connectTimeoutMs: 100 });
  const account = accountOf(client);
  const refusedAs: string[] = [];
  client.on("sendRefused", ({ error }) => refusedAs.push(error.code));
  const rebound: string[] = [];
  client.on("rebound", ({ binding }) => rebound.push(binding.actorId));
  const binding = await client.bind("Echo", "e");
  let reboundHere = 0;
  binding.onRebound(() => reboundHere++);
  const confirmed = binding.send("n", "confirmed");
  await binding.request("n", "answered");
  await sleep(60);
  // These two reach a socket, and nobody knows how far they got.
  proxy.swallow = true;
  const unknown = binding.send("n", "unknown");
  const unknownRequest = binding.request("n", "unknown").catch((error: ClientError) => error.code);
  await sleep(20);
  proxy.cut();
  await until(() => client.state === "reconnecting");
  // These never leave the client.
  const unsent = binding.send("n", "unsent");
  const unsentRequest = binding.request("n", "unsent").catch((error: ClientError) => error.code);
  await until(() => gateway.stats().sessionsExpired === 1);
  expect(node.sessions[0]!.closed).toBe(true);
  await until(() => account.lost.length > 0);
  // And this one is for the next session.
  const next = binding.send("n", "next");
  proxy.swallow = false;
  await until(() => rebound.length === 1);
  expect(await unknownRequest).toBe("outcomeUnknown");
  expect(await unsentRequest).toBe("notConnected");
  expect(account).toMatchObject({ resumes: [false], lost: ["outcomeUnknown"], refused: [unknown, unsent] });
  expect(refusedAs).toEqual(["outcomeUnknown", "notConnected"]);
  expect([confirmed, next]).toEqual([1, 7]);
  expect(reboundHere).toBe(1);
  await until(() => node.actor("e").received.length === 3);
  expect(node.actor("e").received.map(({ value }) => value)).toEqual(["confirmed", "answered", "next"]);
  expect(await binding.request("n", "again")).toBe("again");
});

test("without `rebind` a lost session ends its bindings", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { deadlines: { resumeGraceMs: 20 } });
  const proxy = await Proxy.to(gateway.url);
  const client = clientOf(proxy.url, { rebind: false, connectTimeoutMs: 100 });
  const lost: unknown[] = [];
  client.on("bindingLost", ({ error, rebinding }) => lost.push([error.code, rebinding]));
  const binding = await client.bind("Echo", "e");
  proxy.swallow = true;
  proxy.cut();
  await until(() => lost.length === 1);
  expect(lost).toEqual([["outcomeUnknown", false]]);
  expect(() => binding.send("n", 1)).toThrow(expect.objectContaining({ code: "actorSessionNotBound" }));
  proxy.swallow = false;
  expect((await client.bind("Echo", "e")).bound).toBe(true);
});

test("a gateway that is started anew does not know the session: the client is told", async () => {
  const node = new FakeNode();
  const first = await gatewayOn(node);
  const proxy = await Proxy.to(first.url);
  const client = clientOf(proxy.url, { connectTimeoutMs: 200 });
  const account = accountOf(client);
  const binding = await client.bind("Echo", "e");
  const port = Number(new URL(first.url).port);
  proxy.swallow = true;
  proxy.cut();
  await first.close();
  await gatewayOn(node, { port });
  proxy.swallow = false;
  await until(() => binding.bound && account.resumes.length > 0);
  expect(account).toEqual({ resumes: [false], lost: ["outcomeUnknown"], refused: [] });
  expect(await binding.request("n", 1)).toBe(1);
});

test("a session is resumed only by whoever it belongs to, and only from where it can be", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, {
    authenticate: (_request, token) => ({ accept: true, principal: { id: token } }),
  });
  const ann = await RawClient.greet(gateway.url, { token: "ann" });
  const session = ann.answer.welcome!.session;
  const bob = await RawClient.greet(gateway.url, { token: "bob", resume: { session, received: 0 } });
  expect(bob.answer.welcome).toMatchObject({ resumed: false });
  expect(ann.closed).toBeUndefined();
  const nobody = await RawClient.greet(gateway.url, {
    token: "ann",
    resume: { session: new Uint8Array(32), received: 0 },
  });
  expect(nobody.answer.welcome).toMatchObject({ resumed: false });
  const liar = await RawClient.greet(gateway.url, { token: "ann", resume: { session, received: 17 } });
  expect(await liar.untilClosed()).toMatchObject({ code: 4400 });
});

test("an idle client lives on pings that it cannot see, as in a browser", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { deadlines: { pingMs: 60, silenceMs: 600 } });
  const client = clientOf(gateway.url);
  const account = accountOf(client);
  await client.bind("Echo", "e");
  await sleep(1_200);
  expect(client.state).toBe("connected");
  expect(account.resumes).toEqual([]);
  expect(gateway.stats().cuts).toEqual({});
  const packets = gateway.stats().packetsOut;
  await sleep(300);
  // Idle is idle: pings and nothing else.
  expect(gateway.stats().packetsOut - packets).toBeLessThan(15);
});

test("R4: what is acknowledged is not kept", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node);
  const client = clientOf(gateway.url);
  const binding = await client.bind("Echo", "e");
  for (let n = 0; n < 300; n++) binding.send("n", n);
  for (let n = 0; n < 300; n++) node.push("e", "n", n);
  expect(client.buffered.messages).toBe(300);
  await until(() => client.buffered.messages === 0);
  expect(client.buffered.bytes).toBe(0);
});
