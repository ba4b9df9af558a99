import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CutProxy, textIn } from "../src/cut-proxy/index.ts";

/** Long enough for loopback on a busy machine; waited for only where nothing may come. */
const SILENCE_MS = 100;

let server: Server;
let proxy: CutProxy;
/** What the server has received, in all connections. */
let received: string;
const clients: Client[] = [];

/** A server that answers `done X` to `X`, and a proxy in front of it. */
beforeEach(async () => {
  received = "";
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      received += bytes.toString();
      socket.write(`done ${bytes.toString()}`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy = await CutProxy.to(`some://127.0.0.1:${(server.address() as AddressInfo).port}/path`);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy();
  await proxy.close();
  server.close();
});

class Client {
  readonly socket: Socket;
  heard = "";
  readonly ended: Promise<string>;

  constructor(port: number) {
    this.socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.socket.on("data", (bytes) => (this.heard += bytes.toString()));
    this.ended = new Promise((resolve) => {
      let why = "closed";
      this.socket.on("error", (error: NodeJS.ErrnoException) => (why = error.code ?? "error"));
      this.socket.on("close", () => resolve(why));
    });
    clients.push(this);
  }

  /** Sends and waits for this answer. */
  async ask(text: string, answer = `done ${text}`): Promise<void> {
    this.socket.write(text);
    while (!this.heard.endsWith(answer)) await once(this.socket, "data");
  }
}

function client(): Client {
  return new Client(proxy.port);
}

function silence(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SILENCE_MS));
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe("CutProxy", () => {
  it("passes everything on, and gives the URL that leads through it", async () => {
    const one = client();
    await one.ask("a");
    await one.ask("b");
    expect([received, one.heard]).toEqual(["ab", "done adone b"]);
    expect(proxy.through("redis://me:secret@somewhere:1/2?x=1")).toBe(
      `redis://me:secret@127.0.0.1:${proxy.port}/2?x=1`,
    );
    expect([proxy.connections, proxy.roundTrips]).toEqual([1, 2]);
    await expect(CutProxy.to("redis://127.0.0.1")).rejects.toThrow(/port/);
  });

  it("cuts before the chosen request reaches the server, once, and leaves other connections alone", async () => {
    const [one, other] = [client(), client()];
    await one.ask("a");
    await other.ask("b");
    const cut = proxy.arm({ at: "before", request: textIn("STOP") });
    await one.ask("c");
    expect(cut.fired).toBe(false);
    one.socket.write("STOP");
    expect(await one.ended).toBe("ECONNRESET");
    expect(cut.fired).toBe(true);
    await other.ask("STOP");
    expect(received).toBe("abcSTOP");
  });

  it("finds a request that comes in pieces, and none that came before the rule", async () => {
    const one = client();
    await one.ask("STOP");
    proxy.arm({ at: "before", request: textIn("STOP") });
    await one.ask("S");
    await one.ask("TO");
    one.socket.write("P");
    await one.ended;
    expect(received).toBe("STOPSTO");
  });

  it("cuts after the server has acted and before its answer comes back", async () => {
    const one = client();
    await one.ask("a");
    const cut = proxy.arm({ at: "after", request: textIn("STOP") });
    one.socket.write("STOP");
    expect(await one.ended).toBe("ECONNRESET");
    expect([cut.fired, received, one.heard]).toEqual([true, "aSTOP", "done a"]);
  });

  it("waits for the answer that is meant", async () => {
    const one = client();
    const cut = proxy.arm({ at: "after", request: textIn("a"), answer: textIn("done c") });
    await one.ask("a");
    await one.ask("b");
    expect(cut.fired).toBe(false);
    one.socket.write("c");
    await one.ended;
    expect([received, one.heard]).toEqual(["abc", "done adone b"]);
  });

  it.each([
    ["swallow", ""],
    ["swallowAnswer", "STOP"],
  ] as const)("%s keeps the connection open and lets nothing through any more", async (at, reaches) => {
    const one = client();
    const cut = proxy.arm({ at, request: textIn("STOP") });
    one.socket.write("STOP");
    await until(() => cut.fired);
    one.socket.write("b");
    await silence();
    expect([received, one.heard, one.socket.destroyed]).toEqual([reaches, "", false]);
    await client().ask("c");
    proxy.heal();
    expect(await one.ended).toBe("ECONNRESET");
  });

  it("does nothing after a rule was taken away", async () => {
    const cut = proxy.arm({ at: "before", request: () => true });
    cut.disarm();
    await client().ask("a");
    const answer = proxy.arm({ at: "after", request: () => true, answer: textIn("done c") });
    const one = client();
    await one.ask("b");
    answer.disarm();
    await one.ask("c");
    expect([cut.fired, answer.fired]).toEqual([false, false]);
  });

  it("swallows everything until it is healed, on old connections and new", async () => {
    const one = client();
    await one.ask("a");
    proxy.swallow();
    const other = client();
    await once(other.socket, "connect");
    one.socket.write("b");
    other.socket.write("c");
    await silence();
    expect([received, one.heard, other.heard]).toEqual(["a", "done a", ""]);
    proxy.heal();
    expect(await one.ended).toBe("ECONNRESET");
    await client().ask("d");
  });

  it("can be down for a while: connections are reset, new ones refused, and the port stays its own", async () => {
    const one = client();
    await one.ask("a");
    await proxy.down();
    expect(await one.ended).toBe("ECONNRESET");
    expect(await client().ended).toBe("ECONNREFUSED");
    await proxy.up();
    await client().ask("b");
    proxy.cut();
    expect(received).toBe("ab");
  });
});
