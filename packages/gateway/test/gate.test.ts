import { createServer } from "node:http";
import { connect as connectTcp, createServer as createTcpServer, type AddressInfo } from "node:net";
import { systemClock } from "@rehome/system";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import {
  startGateway,
  type Authentication,
  type GatewayError,
  type Principal,
  type RequestInfo,
  type GatewayOptions,
} from "../src/index.ts";
import { Admission } from "../src/admission.ts";
import { FakeNode } from "./fake-node.ts";
import { atEnd, clientOf, gatewayOn, RawClient, sleep, until } from "./tools.ts";

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "nothing went wrong",
    (error: GatewayError) => error.code,
  );

test("authentication: the hook is given the request and the token, and its refusal is final", async () => {
  const seen: [RequestInfo, string][] = [];
  const gateway = await gatewayOn(new FakeNode(), {
    authenticate: (request, token) => {
      seen.push([request, token]);
      if (token === "good") return { accept: true, principal: { id: "ann" } };
      return { accept: false, reason: "expired" };
    },
  });
  const good = clientOf(`${gateway.url}?room=1`, { token: () => Promise.resolve("good") });
  await good.bind("Echo", "e");
  expect(seen[0]![1]).toBe("good");
  expect(seen[0]![0]).toMatchObject({ remoteAddress: "127.0.0.1", url: "/?room=1", origin: undefined });
  const bad = clientOf(gateway.url, { token: "bad" });
  await expect(bad.bind("Echo", "e")).rejects.toMatchObject({ code: "unauthenticated", message: "expired" });
  expect(bad.state).toBe("closed");
  const raw = await RawClient.greet(gateway.url, { token: "bad" });
  expect(raw.answer.refused).toEqual({
    failure: { code: "unauthenticated", message: "expired" },
    retryAfterMs: undefined,
  });
  expect(await raw.untilClosed()).toEqual({ code: 4401, reason: "expired" });
});

test("authentication: a hook that throws, rejects, hangs or answers nonsense lets nobody in", async () => {
  const hooks: [string, () => unknown][] = [
    ["unavailable", () => Promise.reject(new Error("database"))],
    ["unavailable", () => new Promise(() => undefined)],
    ["unauthenticated", () => undefined],
    ["unauthenticated", () => true],
    ["unauthenticated", () => ({ accept: "yes", principal: { id: "x" } })],
    ["unauthenticated", () => ({ accept: true })],
    [
      "unavailable",
      () => {
        throw new Error("database");
      },
    ],
  ];
  for (const [code, hook] of hooks) {
    const node = new FakeNode();
    const authenticate = hook as () => Authentication<Principal>;
    const gateway = await gatewayOn(node, { authenticate, deadlines: { authenticateMs: 30 } });
    const raw = await RawClient.greet(gateway.url);
    expect(raw.answer.refused?.failure.code).toBe(code);
    // What may work later is worth another try, at a time of its own.
    expect(raw.answer.refused?.retryAfterMs === undefined).toBe(code === "unauthenticated");
    await raw.untilClosed();
    expect(node.sessions).toEqual([]);
  }
});

test("authentication: a client that is gone before the answer leaves nothing behind, nor one that hurries", async () => {
  const node = new FakeNode();
  let answer: (verdict: Authentication<Principal>) => void = () => undefined;
  const gateway = await gatewayOn(node, { authenticate: () => new Promise((resolve) => (answer = resolve)) });
  const gone = new RawClient(gateway.url);
  await gone.open();
  gone.hello();
  await sleep(20);
  gone.socket.terminate();
  await until(() => gateway.stats().connections === 0);
  answer({ accept: true, principal: { id: "x" } });
  await sleep(10);
  expect(node.sessions).toEqual([]);
  const hasty = new RawClient(gateway.url);
  await hasty.open();
  hasty.hello();
  hasty.hello();
  expect(await hasty.untilClosed()).toMatchObject({ code: 4400 });
  answer({ accept: true, principal: { id: "x" } });
  await sleep(10);
  expect(node.sessions).toEqual([]);
});

test("authorizeBind decides about each bind; when it fails, so does the bind", async () => {
  const node = new FakeNode();
  const asked: string[] = [];
  const gateway = await gatewayOn(node, {
    authenticate: (_request, token) => ({ accept: true, principal: { id: token } }),
    authorizeBind: (principal, type, id) => {
      asked.push(`${principal.id} ${type} ${id}`);
      if (id === "throws") throw new Error("database");
      if (id === "rejects") return Promise.reject(new Error("database"));
      if (id === "hangs") return new Promise(() => undefined);
      if (id === "nonsense") return "yes" as unknown as boolean;
      return Promise.resolve(id === principal.id);
    },
    deadlines: { authorizeMs: 30 },
  });
  const client = clientOf(gateway.url, { token: "ann" });
  expect((await client.bind("Player", "ann")).bound).toBe(true);
  for (const [id, code] of [
    ["bob", "forbidden"],
    ["nonsense", "forbidden"],
    ["throws", "unavailable"],
    ["rejects", "unavailable"],
    ["hangs", "unavailable"],
  ] as const) {
    await expect(client.bind("Player", id)).rejects.toMatchObject({ code });
    expect(node.actors.has(id)).toBe(false);
  }
  expect(asked[0]).toBe("ann Player ann");
});

test("origins: none by default, those on the list, and requests without one unless they are required", async () => {
  const attempts = async (
    allowedOrigins: string[] | undefined,
    requireOrigin: boolean,
    origins: (string | undefined)[],
  ) => {
    const options = { ...(allowedOrigins && { allowedOrigins }), requireOrigin };
    const gateway = await gatewayOn(new FakeNode(), options);
    const results: (string | undefined)[] = [];
    for (const origin of origins) {
      const client = new RawClient(gateway.url, origin === undefined ? {} : { origin });
      await client.open();
      results.push(client.failed);
    }
    return results.map((failed) => (failed === undefined ? "in" : failed));
  };
  const no = "Unexpected server response: 403";
  expect(await attempts(undefined, false, ["https://a.example", "null", undefined])).toEqual([no, no, "in"]);
  expect(
    await attempts(["https://A.example:443", "http://b.example:8080"], false, [
      "https://a.example",
      "http://a.example",
      "https://a.example.evil",
      "http://b.example",
      "http://b.example:8080",
      "not an origin",
    ]),
  ).toEqual(["in", no, no, no, "in", no]);
  expect(await attempts(["*"], true, ["https://anything", undefined])).toEqual(["in", no]);
});

test("paths and plain HTTP get an answer", async () => {
  const gateway = await gatewayOn(new FakeNode(), { path: "/play" });
  expect(gateway.url.endsWith("/play")).toBe(true);
  const wrong = new RawClient(gateway.url.replace("/play", "/other"));
  await wrong.open();
  expect(wrong.failed).toBe("Unexpected server response: 404");
  expect((await fetch(gateway.url.replace("ws:", "http:"))).status).toBe(426);
  await clientOf(gateway.url).bind("Echo", "e");
});

test("HTTP that makes no sense is answered or cut, and costs nobody else anything", async () => {
  const gateway = await gatewayOn(new FakeNode());
  const binding = await clientOf(gateway.url).bind("Echo", "e");
  const { hostname, port } = new URL(gateway.url);
  const upgrade = "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
  const key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
  for (const [request, status] of [
    [`GET // HTTP/1.1\r\n${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`, 404],
    [`GET http://[/ HTTP/1.1\r\n${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`, 404],
    [`GET / HTTP/1.1\r\n${upgrade}${key}Sec-WebSocket-Version: 99\r\n\r\n`, 400],
    [`GET / HTTP/1.1\r\n${upgrade}Sec-WebSocket-Version: 13\r\n\r\n`, 400],
    [`GET / HTTP/1.1\r\n${upgrade}${key}Origin: http://[\r\nSec-WebSocket-Version: 13\r\n\r\n`, 403],
    ["\0\0\0\0\r\n\r\n", 400],
  ] as const) {
    const socket = connectTcp(Number(port), hostname);
    atEnd(() => socket.destroy());
    let heard = "";
    socket.on("data", (data) => (heard += data.toString("latin1")));
    socket.on("error", () => undefined);
    socket.write(request, "latin1");
    await until(() => heard.includes("\r\n\r\n"));
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  }
  expect(await binding.request("n", 1)).toBe(1);
});

test("another HTTP server can carry the gateway, and outlives it", async () => {
  const server = createServer((_request, response) => response.end("page"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => server.close());
  const { port } = server.address() as AddressInfo;
  const gateway = await startGateway({ node: new FakeNode(), server, path: "/ws" });
  expect(gateway.url).toBe(`ws://127.0.0.1:${port}/ws`);
  const client = clientOf(gateway.url);
  await client.bind("Echo", "e");
  await client.close();
  await gateway.close();
  expect(server.listenerCount("upgrade")).toBe(0);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("page");
});

test("a used port, a foreign address and wrong options say what to do", async () => {
  const other = createTcpServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  atEnd(() => other.close());
  const { port } = other.address() as AddressInfo;
  const used = startGateway({ node: new FakeNode(), port });
  await expect(used).rejects.toThrow(`127.0.0.1:${port} is in use: stop what uses it, or choose another \`port\`.`);
  expect(await codeOf(used)).toBe("portInUse");
  expect(await codeOf(startGateway({ node: new FakeNode(), host: "203.0.113.1" }))).toBe("addressUnavailable");
  for (const options of [
    { limits: { maxBindings: 0 } },
    { deadlines: { pingMs: 10, silenceMs: 10 } },
    { path: "play" },
    { limits: { sendBufferBytes: NaN } },
    { limits: { sendBufferBytes: "1" } },
    { limits: { sendBuffer: 1 } },
    { deadlines: { hello: 1 } },
    { node: undefined },
    { node: {} },
    { authenticate: "token" },
    { authorizeBind: true },
    { allowedOrigins: "https://example.com" },
    { log: {} },
    { clock: {} },
    { random: {} },
  ]) {
    const given = { node: new FakeNode(), ...options } as GatewayOptions;
    expect(await codeOf(startGateway(given)), JSON.stringify(options)).toBe("invalidOption");
  }
});

test("maxConnections and maxSessions hold; whoever has been away longest goes first", async () => {
  const gateway = await gatewayOn(new FakeNode(), { limits: { maxConnections: 2, maxSessions: 2 } });
  const first = await RawClient.greet(gateway.url);
  const second = await RawClient.greet(gateway.url);
  const third = new RawClient(gateway.url);
  await third.open();
  expect(third.failed).toBe("Unexpected server response: 503");
  for (const [at, client] of [first, second].entries()) {
    client.socket.terminate();
    await until(() => gateway.stats().detachedSessions === at + 1);
  }
  const fourth = await RawClient.greet(gateway.url);
  expect(fourth.answer.welcome).toMatchObject({ resumed: false });
  const resume = { session: second.answer.welcome!.session, received: 0 };
  const back = await RawClient.greet(gateway.url, { resume });
  expect(back.answer.welcome).toMatchObject({ resumed: true });
  expect(gateway.stats()).toMatchObject({ sessions: 2, sessionsExpired: 1 });
});

test("another protocol version is refused, and told which one is spoken", async () => {
  const gateway = await gatewayOn(new FakeNode());
  const client = await RawClient.greet(gateway.url, { protocolVersion: 2 });
  expect(client.answer.refused).toMatchObject({ failure: { code: "unsupportedVersion" }, retryAfterMs: undefined });
  expect(await client.untilClosed()).toMatchObject({ code: 4426 });
});

test("R2: the refused are told times one after the other, at the rate that is let in", () => {
  const admission = new Admission(500, 0);
  const waits: number[] = [];
  let admitted = 0;
  for (let n = 0; n < 5_000; n++) {
    const waitMs = admission.ask(0);
    if (waitMs === 0) admitted++;
    else waits.push(waitMs);
  }
  expect(admitted).toBe(50);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(Math.max(...waits)).toBe(9_900);
  // Who comes at its time is let in.
  const late = waits.map((atMs) => admission.ask(atMs)).filter((waitMs) => waitMs > 0);
  expect(late).toEqual([]);
});

test("R2: in a storm of virtual clients all are in within the window and ten seconds", () => {
  const admission = new Admission(500, 0);
  let seed = 1;
  const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const windowMs = 500;
  const tries = Array.from({ length: 5_000 }, () => random() * windowMs).sort((a, b) => a - b);
  const perSecond = new Map<number, number>();
  let lastMs = 0;
  for (let nowMs = tries.shift(); nowMs !== undefined; nowMs = tries.shift()) {
    const waitMs = admission.ask(nowMs);
    if (waitMs === 0) {
      lastMs = nowMs;
      perSecond.set(Math.floor(nowMs / 1_000), (perSecond.get(Math.floor(nowMs / 1_000)) ?? 0) + 1);
    } else {
      // A network between: nobody is there to the millisecond.
      const againMs = nowMs + waitMs + random() * 20;
      tries.splice(tries.findIndex((atMs) => atMs > againMs) >>> 0, 0, againMs);
    }
  }
  expect(lastMs).toBeLessThan(windowMs + 10_500);
  for (const [, count] of perSecond) expect(count).toBeLessThanOrEqual(550);
});

test("R2: clients obey: none comes again before the time it was told", async () => {
  const gateway = await gatewayOn(new FakeNode(), { limits: { hellosPerSecond: 20 } });
  let refused = 0;
  const clients = Array.from({ length: 25 }, () => {
    let notBeforeMs = 0;
    const begun = new Map<number, number>();
    const clock = {
      ...systemClock,
      after(delayMs: number, fn: () => void) {
        begun.set(delayMs, systemClock.nowMs());
        return systemClock.after(delayMs, fn);
      },
    };
    class Watched extends WebSocket {
      constructor(url: string) {
        super(url);
        if (systemClock.nowMs() < notBeforeMs) tooEarly++;
      }
    }
    const client = clientOf(gateway.url, { webSocket: Watched, clock });
    client.on("state", ({ error, retryInMs }) => {
      if (error?.code !== "overloaded") return;
      refused++;
      notBeforeMs = begun.get(retryInMs!)! + retryInMs!;
    });
    return client;
  });
  let tooEarly = 0;
  await Promise.all(clients.map((client, at) => client.bind("Echo", `e${at}`)));
  expect(tooEarly).toBe(0);
  expect(refused).toBeGreaterThan(10);
  expect(gateway.stats().hellosRefused).toBe(refused);
});

test("R2: a session that its client may not resume yet is kept until it may", async () => {
  const node = new FakeNode();
  const gateway = await gatewayOn(node, { limits: { hellosPerSecond: 1 }, deadlines: { resumeGraceMs: 500 } });
  const client = await RawClient.greet(gateway.url);
  const resume = { session: client.answer.welcome!.session, received: 0 };
  client.socket.terminate();
  await until(() => gateway.stats().detachedSessions === 1);
  const refused = await RawClient.greet(gateway.url, { resume });
  const { retryAfterMs } = refused.answer.refused!;
  expect(retryAfterMs).toBeGreaterThan(500);
  await sleep(retryAfterMs! + 20);
  const back = await RawClient.greet(gateway.url, { resume });
  expect(back.answer.welcome).toMatchObject({ resumed: true });
});
