import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { LinkEvent, LocalIdentity, Transport } from "@rehome/core";
import { TransportError } from "@rehome/transport";
import { ridFromText } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { createNodeTransport } from "../src/index.ts";
import type { NodeTransportOptions } from "../src/index.ts";

const opened: Transport[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((transport) => transport.close()));
});

function identityOf(name: string): LocalIdentity {
  return {
    meshName: "mesh",
    nodeRid: ridFromText(name),
    nodeGeneration: 1n,
    lease: { ownerId: "owner", ownerLeaseGeneration: 1n },
    applicationVersion: 1n,
    placementWeight: 50,
  };
}

interface Listening {
  readonly transport: Transport;
  readonly endpoint: string;
  readonly events: LinkEvent[];
}

async function listen(name: string, options: NodeTransportOptions = {}): Promise<Listening> {
  const transport = createNodeTransport(options);
  opened.push(transport);
  const events: LinkEvent[] = [];
  const { endpoint } = await transport.listen(identityOf(name), {
    onRecord: () => undefined,
    onLink: (event) => void events.push(event),
  });
  return { transport, endpoint, events };
}

async function eventAfter(node: Listening, action: () => void): Promise<LinkEvent> {
  const count = node.events.length;
  action();
  while (node.events.length === count) await new Promise((resolve) => setTimeout(resolve, 1));
  return node.events[count]!;
}

async function errorOf(attempt: Promise<unknown>): Promise<TransportError> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TransportError);
  return error as TransportError;
}

describe("listening", () => {
  it("on a used port is an error that says what to do, and may be tried again", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const { port } = blocker.address() as AddressInfo;
    const transport = createNodeTransport({ port });
    opened.push(transport);
    const handler = { onRecord: () => undefined, onLink: () => undefined };
    const error = await errorOf(transport.listen(identityOf("a"), handler));
    expect(error.code).toBe("addressInUse");
    expect(error.message).toContain(String(port));
    expect(error.message).toContain("choose another port");
    await new Promise((resolve) => blocker.close(resolve));
    const { endpoint } = await transport.listen(identityOf("a"), handler);
    expect(endpoint).toBe(`tcp://127.0.0.1:${port}`);
  });

  it("on an address that is not this machine's, or a name that nobody knows, is addressUnavailable", async () => {
    const options = { allowPlaintextOffLoopback: true };
    expect((await errorOf(listen("a", { ...options, host: "192.0.2.1" }))).code).toBe("addressUnavailable");
    expect((await errorOf(listen("a", { ...options, host: "x".repeat(70) }))).code).toBe("addressUnavailable");
  });

  it("on the loopback addresses of both families and by name works", async () => {
    expect((await listen("a", { host: "127.0.0.2" })).endpoint).toMatch(/^tcp:\/\/127\.0\.0\.2:\d+$/);
    const b = await listen("b", { host: "localhost" });
    const c = await listen("c");
    await eventAfter(c, () =>
      c.transport.connect({ nodeRid: ridFromText("b"), nodeGeneration: 1n, endpoint: b.endpoint }),
    );
    expect(c.events.map(({ type }) => type)).toEqual(["LinkUp"]);
  });
});

describe("plain TCP off loopback", () => {
  it("is refused for listening unless allowed by name", async () => {
    for (const host of ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"])
      expect((await errorOf(listen("a", { host }))).code).toBe("plaintextRefused");
    const wildcard = { host: "0.0.0.0", advertisedHost: "127.0.0.1" };
    const error = await errorOf(listen("a", wildcard));
    expect(error.code).toBe("plaintextRefused");
    expect(error.message).toContain("allowPlaintextOffLoopback");
    const { endpoint } = await listen("a", { ...wildcard, allowPlaintextOffLoopback: true });
    expect(endpoint).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+$/);
  });

  it("is refused for connecting, before a packet leaves", async () => {
    const a = await listen("a", { limits: { connectTimeoutMs: 60_000 } });
    for (const endpoint of ["tcp://192.0.2.1:7801", "tcp://[2001:db8::1]:7801"]) {
      const nodeRid = ridFromText(endpoint);
      const event = await eventAfter(a, () => a.transport.connect({ nodeRid, nodeGeneration: 1n, endpoint }));
      expect(event.type === "ConnectFailed" && event.reason).toContain("plaintextRefused");
      a.transport.forget(nodeRid);
    }
  });
});

describe("a running transport", () => {
  const alive = (kind: string) => process.getActiveResourcesInfo().filter((name) => name.startsWith(kind)).length;

  /** The test runner has timers of its own, which come and go. */
  async function untilAtMost(kind: string, count: number): Promise<void> {
    for (let turn = 0; alive(kind) > count && turn < 1_000; turn += 1) await new Promise((r) => setImmediate(r));
    expect(alive(kind)).toBeLessThanOrEqual(count);
  }

  it("keeps the process alive with its sockets only, and a closed one with nothing", async () => {
    await untilAtMost("TCP", 0);
    await untilAtMost("Timeout", 1);
    const a = await listen("a");
    const b = await listen("b");
    await eventAfter(a, () =>
      a.transport.connect({ nodeRid: ridFromText("b"), nodeGeneration: 1n, endpoint: b.endpoint }),
    );
    const nobody = { nodeRid: ridFromText("c"), nodeGeneration: 1n, endpoint: "tcp://127.0.0.1:1" };
    await eventAfter(a, () => a.transport.connect(nobody));
    // Two listeners, and a link's two ends.
    expect(alive("TCP")).toBe(4);
    await untilAtMost("Timeout", 1);
    await Promise.all([a.transport.close(), b.transport.close()]);
    await untilAtMost("TCP", 0);
    await untilAtMost("Timeout", 1);
  });
});

describe("endpoints", () => {
  it("that are none are failed attempts", async () => {
    const a = await listen("a");
    for (const endpoint of [
      "",
      "tcp://",
      "tcp://127.0.0.1",
      "tcp://127.0.0.1:0",
      "tcp://127.0.0.1:70000",
      "http://a:1",
    ]) {
      const nodeRid = ridFromText("x");
      const event = await eventAfter(a, () => a.transport.connect({ nodeRid, nodeGeneration: 1n, endpoint }));
      expect([endpoint, event.type === "ConnectFailed" && event.reason]).toEqual([
        endpoint,
        expect.stringContaining("invalidEndpoint"),
      ]);
      a.transport.forget(nodeRid);
    }
  });
});

/** As a program without types may call it. */
function thrownBy(options: object): TransportError {
  try {
    createNodeTransport(options);
  } catch (error) {
    expect(error).toBeInstanceOf(TransportError);
    return error as TransportError;
  }
  throw new Error("The options were accepted.");
}

describe("options", () => {
  it("that make no sense are refused at once", () => {
    for (const options of [
      { port: 70_000 },
      { port: -1 },
      { port: 1.5 },
      { host: "" },
      { host: "a b" },
      { host: "0.0.0.0", allowPlaintextOffLoopback: true },
      { host: "::", allowPlaintextOffLoopback: true },
      { limits: { maxRecordBytes: 0 } },
      { limits: { maxRecordBytes: 1 << 20, maxDataBytes: 1 << 19 } },
      { limits: { livenessProbeMs: 10, livenessTimeoutMs: 10 } },
      { limits: { reconnectMinMs: 10, reconnectMaxMs: 5 } },
      { limits: { ackDelayMs: Number.NaN } },
    ])
      expect(() => createNodeTransport(options)).toThrow(expect.objectContaining({ code: "invalidOptions" }));
  });

  it("that do not exist are refused by name, with the names of those that do", () => {
    const files = { certFile: "a", keyFile: "b", caFile: "c" };
    for (const [options, misspelt, known] of [
      [{ sharedSecret: [new Uint8Array(32)] }, "sharedSecret", "sharedSecrets"],
      [{ limits: { maxRecordByte: 1 } }, "maxRecordByte", "maxRecordBytes"],
      [{ tls: { ...files, caFiles: "d" } }, "caFiles", "caFile"],
    ] as [object, string, string][]) {
      const error = thrownBy(options);
      expect(error.code).toBe("invalidOptions");
      expect(error.message).toContain(`"${misspelt}"`);
      expect(error.message).toMatch(new RegExp(`\\b${known}\\b`));
    }
  });

  it("that ask for protection and say nothing of use never leave a node without it", () => {
    for (const nothing of [null, "", false])
      for (const name of ["sharedSecrets", "tls"])
        expect([name, nothing, thrownBy({ [name]: nothing }).code]).toEqual([name, nothing, "invalidOptions"]);
    expect(thrownBy({ sharedSecrets: new Uint8Array(32) }).message).toContain("a list is expected");
  });
});
