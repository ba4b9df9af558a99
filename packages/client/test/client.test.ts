import { expect, test } from "vitest";
import { connect, type ClientError, type ClientEvents } from "../src/index.ts";
import { systemClock } from "../src/clock.ts";
import { FakeSocket, connectedStage, settle, stage, VirtualClock, type Stage } from "./tools.ts";

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "nothing went wrong",
    (error: ClientError) => error.code,
  );

/** No name of a message, no type or id of an actor. */
const notText = ["", "a\0", "x".repeat(256), "ü".repeat(128), "\ud800", "a\udc00b", "\udc00\ud800"];

const json = (value: unknown) => ({
  packetName: "p",
  contentType: "application/json",
  data: new TextEncoder().encode(JSON.stringify(value)),
});

/** A client that is bound to "a". */
async function bound(options: Parameters<typeof connectedStage>[0] = {}) {
  const made = await connectedStage(options);
  const bind = made.client.bind("Actor", "a");
  await settle();
  made.socket.sayFrames(1, { kind: "bound", binding: 1, created: true });
  return Object.assign(made, { binding: await bind });
}

function eventsOf({ client }: Stage): string[] {
  const seen: string[] = [];
  const note = <E extends keyof ClientEvents>(event: E, text: (detail: ClientEvents[E]) => string): void => {
    client.on(event, (detail) => seen.push(text(detail)));
  };
  note("state", ({ state, error, retryInMs }) =>
    [state, error?.code, retryInMs].filter((x) => x !== undefined).join(" "),
  );
  note("resumed", ({ resumed }) => `resumed ${resumed}`);
  note("bindingLost", ({ binding, error, rebinding }) => `lost ${binding.actorId} ${error.code} ${rebinding}`);
  note("rebound", ({ binding }) => `rebound ${binding.actorId}`);
  note("sendRefused", ({ sequence, error }) => `refused ${sequence} ${error.code}`);
  note("pushDropped", ({ count }) => `dropped ${count}`);
  note("goingAway", () => "goingAway");
  return seen;
}

test("waits before connecting again grow, with full jitter, up to the cap, and shrink once a connection works", async () => {
  let fraction = 0.999;
  const made = stage({ random: () => fraction, reconnect: { baseMs: 100, capMs: 1_000 } });
  const seen = eventsOf(made);
  const waits: string[] = [];
  for (let n = 0; n < 6; n++) {
    await settle();
    made.socket.drop();
    waits.push(seen.at(-1)!);
    await made.clock.pass(1_000);
  }
  expect(waits.map((text) => Math.round(Number(text.split(" ")[2])))).toEqual([100, 200, 400, 799, 999, 999]);
  fraction = 0;
  made.socket.drop();
  expect(seen.at(-1)).toBe("connecting connectFailed 0");
  fraction = 0.999;
  await made.clock.pass(0);
  made.socket.open();
  made.socket.welcome();
  made.socket.drop();
  // A welcome alone proves nothing: a gateway that fails over each client would be hammered.
  expect(Math.round(Number(seen.at(-1)!.split(" ")[2]))).toBe(999);
  await made.clock.pass(1_000);
  made.socket.open();
  made.socket.welcome({ resumed: true });
  made.socket.say({ ping: 1 });
  made.socket.drop();
  expect(Math.round(Number(seen.at(-1)!.split(" ")[2]))).toBe(100);
});

test("with several gateways, one that cannot be reached is left after two tries", async () => {
  const made = stage({ url: ["ws://one", "ws://two"], reconnect: { baseMs: 10, capMs: 10 } });
  for (let n = 0; n < 5; n++) {
    await settle();
    made.socket.drop();
    await made.clock.pass(10);
  }
  expect(made.sockets.map(({ url }) => url)).toEqual([
    "ws://one",
    "ws://one",
    "ws://two",
    "ws://two",
    "ws://one",
    "ws://one",
  ]);
});

test("R2: a refusal's time is kept to the millisecond, and a final refusal ends the client", async () => {
  const made = stage();
  const seen = eventsOf(made);
  const bind = codeOf(made.client.bind("Actor", "a"));
  await settle();
  made.socket.open();
  made.socket.say({ refused: { failure: { code: "overloaded", message: "later" }, retryAfterMs: 1_234 } });
  await made.clock.pass(1_233);
  expect(made.sockets.length).toBe(1);
  await made.clock.pass(1);
  expect(made.sockets.length).toBe(2);
  made.socket.open();
  made.socket.say({ refused: { failure: { code: "unauthenticated", message: "no" }, retryAfterMs: undefined } });
  expect(seen).toEqual(["connecting overloaded 1234", "closed unauthenticated"]);
  expect(await bind).toBe("unauthenticated");
  expect(await codeOf(made.client.bind("Actor", "b"))).toBe("closed");
  expect(made.clock.running).toBe(0);
});

test("the hello carries the token of the moment, and what there is to resume", async () => {
  let count = 0;
  const made = stage({ token: () => Promise.resolve(`token ${++count}`) });
  await settle();
  made.socket.open();
  expect(made.socket.packets[0]!.hello).toEqual({ protocolVersion: 1, token: "token 1", resume: undefined });
  made.socket.welcome();
  made.socket.sayFrames(0, { kind: "unbound", binding: 99 }, { kind: "unbound", binding: 99 });
  made.socket.drop();
  await made.clock.pass(1_000);
  made.socket.open();
  const resume = { session: new Uint8Array([1, 2, 3]), received: 2 };
  expect(made.socket.packets[0]!.hello).toEqual({ protocolVersion: 1, token: "token 2", resume });
});

test("a token function that fails or hangs is a failed try", async () => {
  const tokens = [() => Promise.reject(new Error("offline")), () => new Promise<string>(() => undefined), () => "good"];
  const made = stage({ token: () => tokens.shift()!(), reconnect: { baseMs: 100 }, connectTimeoutMs: 1_000 });
  const seen = eventsOf(made);
  await settle();
  expect(seen).toEqual(["connecting connectFailed 50"]);
  await made.clock.pass(50 + 1_000);
  expect(seen.length).toBe(2);
  await made.clock.pass(200);
  expect(made.sockets.length).toBe(1);
});

test("a token that comes after its try was given up opens nothing", async () => {
  let late: (token: string) => void = () => undefined;
  let asked = 0;
  const token = () => (++asked === 1 ? new Promise<string>((resolve) => (late = resolve)) : "good");
  const made = stage({ token, connectTimeoutMs: 1_000 });
  await made.clock.pass(1_000 + 250);
  expect(made.sockets.length).toBe(1);
  late("late");
  await settle();
  expect(made.sockets.length).toBe(1);
});

test("N5: names that begin with ~ do not leave the client", async () => {
  const made = await bound();
  const before = made.socket.packets.length;
  for (const name of ["~gone", ...notText]) {
    expect(() => made.binding.send(name)).toThrow(expect.objectContaining({ code: "invalidArgument" }));
  }
  expect(await codeOf(made.binding.request("~gone"))).toBe("invalidArgument");
  await settle();
  expect(made.socket.packets.length).toBe(before);
});

test("what is no name is refused at once, before anything of it is sent", async () => {
  const made = await bound();
  const before = made.socket.packets.length;
  for (const name of notText) {
    expect(await codeOf(made.client.bind("Actor", name))).toBe("invalidArgument");
    expect(await codeOf(made.client.bind(name, "b"))).toBe("invalidArgument");
    expect(await codeOf(made.binding.request(name))).toBe("invalidArgument");
  }
  await settle();
  expect(made.socket.packets.length).toBe(before);
  made.binding.send("💡".repeat(63), "\ud800");
  await settle();
  expect(made.socket.frames.length).toBe(2);
});

test("a content type that is no text does not leave the client", async () => {
  let contentType = "";
  const codec = { encode: () => ({ contentType, data: new Uint8Array(0) }), decode: () => undefined };
  const made = await bound({ codec });
  for (contentType of notText) {
    expect(() => made.binding.send("n")).toThrow(expect.objectContaining({ code: "invalidArgument" }));
  }
});

test("a WebSocket that only errors ends the try at once, and the connection once", async () => {
  const made = stage({ reconnect: { baseMs: 100 } });
  const seen = eventsOf(made);
  await settle();
  made.socket.fail("nobody listens");
  expect(seen).toEqual(["connecting connectFailed 50"]);
  expect(made.socket.closed).toBeDefined();
  made.socket.fail("closed before it was open");
  made.socket.drop();
  expect(seen.length).toBe(1);
  await made.clock.pass(50);
  expect(made.sockets.length).toBe(2);
  made.socket.open();
  made.socket.welcome();
  made.socket.fail("reset");
  made.socket.fail("reset again");
  await made.clock.pass(999);
  expect(seen.slice(1)).toEqual(["connected"]);
  await made.clock.pass(1);
  expect(seen.slice(2)).toEqual(["reconnecting connectFailed 100"]);
  await made.client.close();
  expect(made.clock.running).toBe(0);
});

test("the close after an error says whether there is something to resume", async () => {
  const made = await connectedStage();
  made.socket.fail("too large");
  made.socket.drop(1009);
  await made.clock.pass(10_000);
  made.socket.open();
  expect(made.sockets.length).toBe(2);
  expect(made.socket.packets[0]!.hello!.resume).toBeUndefined();
});

test("N1: after a resume exactly what is not acknowledged is sent again, in order, and repeats are not handed on", async () => {
  const made = await bound();
  const seen = eventsOf(made);
  const pushes: unknown[] = [];
  made.binding.onPush((_name, value) => pushes.push(value));
  for (let n = 1; n <= 4; n++) made.binding.send("n", n);
  await settle();
  made.socket.sayFrames(3, { kind: "push", binding: 1, payload: json("one") });
  made.socket.drop();
  made.binding.send("n", 5);
  await made.clock.pass(1_000);
  made.socket.open();
  expect(made.socket.packets[0]!.hello!.resume!.received).toBe(2);
  made.socket.welcome({ resumed: true, acknowledged: 4 });
  await settle();
  expect(made.socket.frames.map((frame) => frame.kind === "send" && frame.sequence)).toEqual([4, 5]);
  expect(made.socket.packets[1]!.first).toBe(5);
  made.socket.continueFrom(2);
  made.socket.sayFrames(
    4,
    { kind: "push", binding: 1, payload: json("one") },
    { kind: "push", binding: 1, payload: json("two") },
  );
  expect(pushes).toEqual(["one", "two"]);
  expect(seen).toEqual(["reconnecting connectFailed 250", "connected", "resumed true"]);
  made.socket.sayFrames(6);
});

test("nothing of an older connection is heard after a newer one has begun", async () => {
  const made = await bound();
  const old = made.socket;
  const pushes: unknown[] = [];
  made.binding.onPush((_name, value) => pushes.push(value));
  await made.clock.pass(25_000 + 50);
  await made.clock.pass(250);
  expect(made.sockets.length).toBe(2);
  old.sayFrames(1, { kind: "push", binding: 1, payload: json("late") });
  old.drop();
  made.socket.open();
  made.socket.welcome({ resumed: true, acknowledged: 1 });
  expect(pushes).toEqual([]);
  expect(made.client.state).toBe("connected");
});

test("L2: a gateway that is not heard for the silence limit is given up; pings are heard, and answered at once", async () => {
  const made = await bound();
  for (let n = 1; n <= 5; n++) {
    await made.clock.pass(20_000);
    made.socket.say({ ping: n });
  }
  expect(made.socket.packets.map(({ pong }) => pong).filter((pong) => pong !== undefined)).toEqual([1, 2, 3, 4, 5]);
  await made.clock.pass(25_000 + 49);
  expect(made.client.state).toBe("connected");
  await made.clock.pass(1);
  expect(made.client.state).toBe("reconnecting");
});

test("L2: a process that stood still first reads what came meanwhile", async () => {
  const made = await bound();
  await made.clock.pass(25_000);
  made.socket.say({ ping: 1 });
  await made.clock.pass(24_000);
  expect(made.client.state).toBe("connected");
});

test("I2: the session is given up when its grace is over, before any gateway says so", async () => {
  const made = await bound({ reconnect: { baseMs: 1_000_000, capMs: 1_000_000 } });
  const seen = eventsOf(made);
  made.binding.send("n", 1);
  await settle();
  const open = codeOf(made.binding.request("n", 2, { timeoutMs: 100_000 }));
  made.socket.drop();
  await made.clock.pass(29_999);
  expect(seen.length).toBe(1);
  await made.clock.pass(1);
  expect(seen.slice(1)).toEqual(["refused 1 outcomeUnknown", "lost a outcomeUnknown true"]);
  // The request was made in the same tick as the cut: it never left.
  expect(await open).toBe("notConnected");
});

test("I2: failing tries to connect do not lengthen the grace", async () => {
  const made = await bound({ reconnect: { baseMs: 1_000, capMs: 1_000 } });
  const seen = eventsOf(made);
  made.socket.drop();
  for (let n = 0; n < 59; n++) {
    await made.clock.pass(500);
    made.socket.drop();
  }
  expect(seen.filter((text) => text.startsWith("lost"))).toEqual([]);
  await made.clock.pass(500);
  expect(seen.filter((text) => text.startsWith("lost"))).toEqual(["lost a outcomeUnknown true"]);
  await made.client.close();
  expect(made.clock.running).toBe(0);
});

test("a request that was given up while it waited for a session is not sent in it", async () => {
  const made = await bound({ reconnect: { baseMs: 2, capMs: 2 } });
  made.socket.drop(4400);
  const short = codeOf(made.binding.request("short", 1, { timeoutMs: 100 }));
  const long = made.binding.request("long", 1, { timeoutMs: 60_000 });
  await made.clock.pass(200);
  made.socket.open();
  made.socket.welcome();
  await settle();
  made.socket.sayFrames(1, { kind: "bound", binding: 1, created: false });
  await settle();
  expect(await short).toBe("timedOut");
  const requests = made.socket.frames.filter((frame) => frame.kind === "request");
  expect(requests).toMatchObject([{ sequence: 2, payload: { packetName: "long" }, timeoutMs: 59_800 }]);
  made.socket.sayFrames(2, { kind: "reply", binding: 1, sequence: 2, result: { ok: true, payload: json("done") } });
  expect(await long).toBe("done");
});

test("a rebind that fails for now is tried again, one that fails for good ends the binding", async () => {
  const made = await bound({ reconnect: { baseMs: 2, capMs: 2 } });
  const seen = eventsOf(made);
  const fail = (code: string, binding: number) =>
    made.socket.sayFrames(1, { kind: "bindFailed", binding, failure: { code, message: "" } });
  made.socket.drop();
  await made.clock.pass(1);
  made.socket.open();
  made.socket.welcome();
  await settle();
  made.binding.send("n", "held");
  fail("busy", 1);
  await made.clock.pass(125);
  expect(made.socket.frames.map(({ kind }) => kind)).toEqual(["bind", "bind"]);
  fail("storeUnavailable", 2);
  await made.clock.pass(250);
  expect(made.socket.frames.length).toBe(3);
  fail("forbidden", 3);
  expect(seen).toEqual([
    "reconnecting connectFailed 1",
    "lost a outcomeUnknown true",
    "connected",
    "resumed false",
    "refused 1 notConnected",
    "lost a forbidden false",
  ]);
});

test("what the gateway must not do ends the connection and the session, and nothing throws", async () => {
  const misdeeds: ((socket: FakeSocket) => void)[] = [
    (socket) => socket.sayBytes(new Uint8Array([255, 255, 255])),
    (socket) => socket.onmessage?.({ data: "text" } as never),
    (socket) => socket.say({ first: 9, frames: [new Uint8Array([0x1a, 2, 8, 1])] }),
    (socket) => socket.say({ acknowledged: 77 }),
    (socket) => socket.welcome(),
  ];
  for (const act of misdeeds) {
    const made = await bound();
    const seen = eventsOf(made);
    act(made.socket);
    expect(seen).toEqual(["lost a outcomeUnknown true", expect.stringMatching(/^reconnecting protocolError/)]);
    expect(made.socket.closed).toBeDefined();
  }
  // Instead of a welcome.
  for (const act of [
    (socket: FakeSocket) => socket.say({ ping: 1 }),
    (socket: FakeSocket) => socket.welcome({ resumed: true }),
  ]) {
    const made = stage();
    const seen = eventsOf(made);
    await settle();
    made.socket.open();
    act(made.socket);
    expect(seen).toEqual([expect.stringMatching(/^connecting protocolError/)]);
  }
});

test("close codes: who was cut for what it did waits longer; whose session was taken over stays away", async () => {
  const slow = await bound();
  const seen = eventsOf(slow);
  slow.socket.drop(4430, "too slow");
  expect(seen).toEqual(["lost a outcomeUnknown true", "reconnecting connectFailed 4000"]);
  const replaced = await bound();
  const told = eventsOf(replaced);
  replaced.socket.drop(4409, "replaced");
  expect(told).toEqual(["lost a sessionReplaced false", "closed sessionReplaced"]);
  expect(replaced.clock.running).toBe(0);
});

test("limits: no more frames under way than the window, no more per second than the rate", async () => {
  const made = await connectedStage();
  made.socket.drop();
  await made.clock.pass(1_000);
  made.socket.open();
  made.socket.welcome({ limits: { windowFrames: 5, burstFrames: 8, framesPerSecond: 100 } });
  const bind = made.client.bind("Actor", "a");
  await settle();
  made.socket.sayFrames(1, { kind: "bound", binding: 1, created: true });
  const binding = await bind;
  for (let n = 0; n < 20; n++) binding.send("n", n);
  await settle();
  expect(made.socket.frames.length).toBe(1 + 5);
  made.socket.sayFrames(6);
  await settle();
  // The burst of 8 is used up.
  expect(made.socket.frames.length).toBe(8);
  await made.clock.pass(30);
  expect(made.socket.frames.length).toBe(11);
});

test("acknowledgements ride with frames, else follow soon, and at once when much has come", async () => {
  const made = await bound();
  const { socket } = made;
  const before = socket.packets.length;
  socket.sayFrames(1, { kind: "push", binding: 1, payload: json(1) });
  await settle();
  expect(socket.packets.length).toBe(before);
  await made.clock.pass(25);
  expect(socket.packets.at(-1)).toMatchObject({ acknowledged: 2, frames: [] });
  for (let n = 0; n < 70; n++) socket.sayFrames(1, { kind: "push", binding: 1, payload: json(n) });
  await settle();
  expect(socket.packets.at(-1)).toMatchObject({ acknowledged: 72, frames: [] });
  expect(socket.packets.length).toBe(before + 2);
  socket.sayFrames(1, { kind: "push", binding: 1, payload: json(1) });
  made.binding.send("n", 1);
  await settle();
  expect(socket.packets.at(-1)).toMatchObject({ acknowledged: 73, frames: [{ kind: "send" }] });
  await made.clock.pass(1_000);
  expect(socket.packets.length).toBe(before + 3);
});

test("what is sent in one tick goes out in one packet", async () => {
  const made = await bound();
  const before = made.socket.packets.length;
  for (let n = 0; n < 10; n++) {
    made.binding.send("n", n);
    await Promise.resolve();
  }
  await settle();
  expect(made.socket.packets.length).toBe(before + 1);
  expect(made.socket.packets.at(-1)!.frames.length).toBe(10);
});

test("bytes may be reused once they are sent, also while there is no session", async () => {
  const made = await bound();
  const data = new Uint8Array([1]);
  made.binding.send("n", data);
  data[0] = 9;
  made.socket.say({ goingAway: { deadlineMs: 1_000, spreadMs: 10 } });
  made.binding.send("n", data);
  data[0] = 7;
  await made.clock.pass(1_000);
  made.socket.open();
  made.socket.welcome();
  await settle();
  made.socket.sayFrames(1, { kind: "bound", binding: 1, created: false });
  await settle();
  const sent = made.sockets
    .flatMap(({ frames }) => frames)
    .flatMap((f) => (f.kind === "send" ? [f.payload.data[0]] : []));
  expect(sent).toEqual([1, 9]);
});

test("a gateway that goes away is left when nothing is under way, or when its patience ends", async () => {
  for (const answered of [true, false]) {
    const made = await bound({ url: ["ws://one", "ws://two"] });
    const seen = eventsOf(made);
    const request = codeOf(made.binding.request("n", 1));
    await settle();
    made.socket.say({ acknowledged: 2, goingAway: { deadlineMs: 1_000, spreadMs: 500 } });
    await made.clock.pass(100);
    expect(made.socket.closed).toBeUndefined();
    if (answered)
      made.socket.sayFrames(2, { kind: "reply", binding: 1, sequence: 1, result: { ok: true, payload: json(1) } });
    else await made.clock.pass(700);
    expect(made.socket.packets.at(-1)!.goodbye).toBe(true);
    expect(await request).toBe(answered ? "nothing went wrong" : "outcomeUnknown");
    expect(seen).toEqual(["goingAway", "lost a outcomeUnknown true", "reconnecting goingAway 250"]);
    await made.clock.pass(250);
    expect(made.socket.url).toBe("ws://two");
    made.socket.open();
    expect(made.socket.packets[0]!.hello!.resume).toBeUndefined();
  }
});

test("pushes without a handler are kept up to a limit, and what is dropped is told", async () => {
  const made = await bound();
  const seen = eventsOf(made);
  for (let n = 1; n <= 1_030; n++) made.socket.sayFrames(1, { kind: "push", binding: 1, payload: json(n) });
  expect(seen).toEqual(Array.from({ length: 6 }, () => "dropped 1"));
  const pushes: unknown[] = [];
  const off = made.binding.onPush((_name, value) => {
    pushes.push(value);
    if (value === 8) off();
  });
  await settle();
  expect(pushes).toEqual([7, 8]);
  made.binding.onPush((_name, value) => pushes.push(value));
  made.socket.sayFrames(1, { kind: "push", binding: 1, payload: json(1_031) });
  await settle();
  expect(pushes.length).toBe(1_025);
  expect(pushes.at(-1)).toBe(1_031);
});

test("an application that closes the client in any listener disturbs nothing", async () => {
  for (const event of ["state", "resumed", "bindingLost", "rebound", "sendRefused"] as const) {
    const made = await bound({ reconnect: { baseMs: 2, capMs: 2 } });
    made.client.on(event, () => void made.client.close());
    made.binding.send("n", 1);
    await settle();
    made.socket.drop();
    await made.clock.pass(1);
    if (made.sockets.length > 1) {
      made.socket.open();
      made.socket.welcome();
      await settle();
      if (made.client.state !== "closed") made.socket.sayFrames(1, { kind: "bound", binding: 1, created: false });
    }
    await made.clock.pass(5_000);
    expect(made.client.state).toBe("closed");
    expect(made.clock.running).toBe(0);
    expect(await codeOf(made.client.bind("Actor", "b"))).toBe("closed");
  }
});

test("close() while there is no connection reports what is left, and is done", async () => {
  const made = await bound();
  const seen = eventsOf(made);
  made.binding.send("n", 1);
  await settle();
  made.socket.drop();
  made.binding.send("n", 2);
  await made.client.close();
  expect(seen.slice(1)).toEqual(["refused 1 outcomeUnknown", "refused 2 notConnected", "closed"]);
  expect(made.clock.running).toBe(0);
  await made.client.close();
});

test("close() does not wait for a gateway that does not acknowledge", async () => {
  const made = await bound();
  made.binding.send("n", 1);
  await settle();
  const closed = made.client.close();
  await made.clock.pass(1_999);
  expect(made.client.state).toBe("connected");
  await made.clock.pass(1);
  await closed;
  expect(made.socket.packets.at(-1)!.goodbye).toBe(true);
  expect(made.socket.closed).toEqual({ code: 1000 });
});

test("close() is done at once when the connection breaks while it waits", async () => {
  const made = await bound();
  made.binding.send("n", 1);
  await settle();
  const closed = made.client.close();
  made.socket.drop();
  await closed;
  expect(made.clock.running).toBe(0);
});

test("the real clock is never early, even where the system's timers are", async () => {
  const original = globalThis.setTimeout;
  try {
    globalThis.setTimeout = ((fn: () => void, ms: number) => original(fn, ms / 4)) as typeof setTimeout;
    const beganMs = performance.now();
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(20);
    const timer = systemClock.after(8, () => expect.unreachable());
    await new Promise<void>((resolve) => systemClock.after(4, resolve));
    timer.cancel();
    await new Promise<void>((resolve) => systemClock.after(10, resolve));
  } finally {
    globalThis.setTimeout = original;
  }
});

test("options that make no sense are refused with what to do", () => {
  const attempt = (options: object) => () =>
    connect({ url: "ws://x", webSocket: FakeSocket, clock: new VirtualClock(), ...options });
  for (const options of [
    { url: [] },
    { url: "http://x" },
    { url: "ws://" },
    { requestTimeoutMs: 0 },
    { maxBufferedBytes: NaN },
    { reconnect: { baseMs: -1 } },
  ]) {
    expect(attempt(options)).toThrow(expect.objectContaining({ code: "invalidArgument" }));
  }
  const globals = globalThis as { WebSocket?: unknown };
  const original = globals.WebSocket;
  try {
    delete globals.WebSocket;
    expect(attempt({ webSocket: undefined })).toThrow(/give one as `webSocket`/);
  } finally {
    if (original !== undefined) globals.WebSocket = original;
  }
});
