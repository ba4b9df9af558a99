import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { findService } from "../src/services/index.ts";
import type { ServiceName } from "../src/services/index.ts";

const VARIABLE = { redis: "REHOME_REDIS_URL", postgres: "REHOME_POSTGRES_URL" } as const;

const servers: Server[] = [];
const warn = console.warn;
let said: string[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  console.warn = warn;
  said = [];
});

/** A server that answers like this, and the port that it has. */
async function answering(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer(onSocket);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function saying(answer: string): (socket: Socket) => void {
  return (socket) => socket.once("data", () => socket.write(answer));
}

function find(name: ServiceName, url: string, isRequired?: string) {
  console.warn = (line: string) => said.push(line);
  return findService(name, { [VARIABLE[name]]: url, REHOME_REQUIRE_SERVICES: isRequired });
}

describe("findService", () => {
  it.each([
    ["redis", "+PONG\r\n"],
    ["redis", "-NOAUTH Authentication required.\r\n"],
    ["postgres", "N"],
    ["postgres", "S"],
  ] as const)("finds a %s that answers %j", async (name, answer) => {
    const url = `${name}://somebody:secret@127.0.0.1:${await answering(saying(answer))}/0`;
    expect(await find(name, url, "1")).toEqual({ name, url });
    expect(said).toEqual([]);
  });

  it.each([
    ["something else", saying("HTTP/1.1 400 Bad Request\r\n"), "that is no Redis"],
    ["one that hangs up", (socket: Socket) => void socket.end(), "it closed the connection"],
  ])("says what it skips when there is %s, and what to do", async (_, onSocket, obstacle) => {
    const port = await answering(onSocket);
    expect(await find("redis", `redis://:secret@127.0.0.1:${port}`)).toBe(undefined);
    expect(said).toEqual([
      "SKIPPED: all tests that need Redis. " +
        `Redis at redis://:***@127.0.0.1:${port} cannot be used (${obstacle}): ` +
        "start it, or set REHOME_REDIS_URL to the URL of another.",
    ]);
  });

  it("skips when nothing listens, and on what is no URL", async () => {
    const port = await answering(() => undefined);
    await new Promise((resolve) => servers.pop()!.close(resolve));
    expect(await find("postgres", `postgres://127.0.0.1:${port}/x`, "0")).toBe(undefined);
    expect(await find("postgres", "127.0.0.1", "")).toBe(undefined);
    expect(said[0]).toContain("(ECONNREFUSED)");
    expect(said[1]).toContain("that is no URL with a host");
  });

  it("gives up on one that never answers", async () => {
    expect(await find("redis", `redis://127.0.0.1:${await answering(() => undefined)}`)).toBe(undefined);
    expect(said[0]).toContain("no answer within 3000 ms");
  });

  it("rejects instead of skipping when services are required", async () => {
    const port = await answering((socket) => void socket.end());
    await expect(find("redis", `redis://127.0.0.1:${port}`, "1")).rejects.toThrow(/REHOME_REQUIRE_SERVICES/);
    expect(said).toEqual([]);
  });
});
