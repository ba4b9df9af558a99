import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface FakeServer {
  readonly url: string;
  /** Connections taken so far. */
  readonly connections: number;
  close(): Promise<void>;
}

/** What a suitable server says of itself. */
export const GOOD_INFO = "redis_version:7.2.4\r\nrole:master\r\nmaxmemory_policy:noeviction\r\n";

/**
 * Speaks as much of Redis's protocol as opening a store takes. `answer` gives the reply's bytes to a command, or nothing to stay
 * silent.
 */
export async function fakeServer(answer: (command: readonly string[]) => string | undefined): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    let pending = "";
    socket.on("data", (bytes) => {
      pending += bytes.toString("latin1");
      for (let command = takeCommand(); command !== undefined; command = takeCommand()) {
        const reply = answer(command);
        if (reply !== undefined) socket.write(reply, "latin1");
      }
    });
    const takeCommand = (): readonly string[] | undefined => {
      const head = /^\*(\d+)\r\n/.exec(pending);
      if (head === null) return undefined;
      const words: string[] = [];
      let at = head[0].length;
      for (let word = 0; word < Number(head[1]); word++) {
        const length = /^\$(\d+)\r\n/.exec(pending.slice(at));
        if (length === null) return undefined;
        const start = at + length[0].length;
        at = start + Number(length[1]) + 2;
        if (at > pending.length) return undefined;
        words.push(pending.slice(start, at - 2));
      }
      pending = pending.slice(at);
      return words;
    };
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export function bulk(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}

/** Answers what opening asks, with other words where `instead` has some. */
export function openingAnswers(instead: Readonly<Record<string, string>> = {}) {
  const answers: Readonly<Record<string, string>> = {
    INFO: bulk(GOOD_INFO),
    TYPE: "+none\r\n",
    HSETNX: ":1\r\n",
    HGET: bulk("1"),
    ...instead,
  };
  return (command: readonly string[]) => answers[command[0]!.toUpperCase()];
}
