import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { AuthorityStore } from "@rehome/core";
import { CutProxy } from "../../src/cut-proxy/index.ts";
import type { StoreBehindProxy } from "../../src/index.ts";
import { memoryStoreUnderTest } from "./memory-store.ts";

/** How a client goes wrong, to see that the suite notices. */
export interface Flaw {
  /** Sends a call again when its connection was cut. */
  readonly resends?: boolean;
  /** Says this instead of `unknown`. */
  readonly saysWhenCut?: string;
  /** Waits for an answer for ever. */
  readonly neverGivesUp?: boolean;
}

const DEADLINE_MS = 300;

type Answer = { readonly outcome: string };
type Method = (...values: unknown[]) => Promise<Answer>;

/** A memory store behind a socket and a proxy: the smallest store with a server. */
export async function remoteStoreUnderTest(flaw: Flaw = {}): Promise<StoreBehindProxy> {
  const local = await memoryStoreUnderTest();
  const server = createServer((socket) => serve(socket, local.store));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy = await CutProxy.to(`memory://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const client = new Client(proxy.port, flaw);
  return {
    ...local,
    proxied: client.store(),
    proxy,
    settlesWithinMs: DEADLINE_MS * 5,
    async close() {
      client.close();
      await proxy.close();
      server.close();
      await local.close();
    },
  };
}

function serve(socket: Socket, store: AuthorityStore): void {
  socket.on("error", () => undefined);
  onLines(socket, (line) => {
    const { id, name, values } = fromText(line) as { id: number; name: keyof AuthorityStore; values: unknown[] };
    void (store[name] as Method)(...values).then((answer) => socket.write(toText({ id, answer })));
  });
}

/** One connection at a time, opened when a call needs it. */
class Client {
  readonly #port: number;
  readonly #flaw: Flaw;
  readonly #waiting = new Map<number, { settle(answer: Answer | "cut"): void }>();
  #socket: Socket | undefined;
  #lastId = 0;

  constructor(port: number, flaw: Flaw) {
    this.#port = port;
    this.#flaw = flaw;
  }

  store(): AuthorityStore {
    const get = (_: object, name: string) =>
      name === "then" ? undefined : (...values: unknown[]) => this.#call(name, values);
    return new Proxy({}, { get }) as AuthorityStore;
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #call(name: string, values: unknown[]): Promise<Answer> {
    const answer = await this.#ask(name, values);
    if (answer !== "cut") return answer;
    if (this.#flaw.resends === true) return this.#call(name, values);
    return { outcome: this.#flaw.saysWhenCut ?? "unknown", reason: "the connection was cut" } as Answer;
  }

  #ask(name: string, values: unknown[]): Promise<Answer | "cut"> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#socket?.destroy();
        settle("cut");
      };
      const timer = setTimeout(() => (this.#flaw.neverGivesUp === true ? undefined : giveUp()), DEADLINE_MS);
      const settle = (answer: Answer | "cut") => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(answer);
      };
      this.#waiting.set(id, { settle });
      this.#connected().write(toText({ id, name, values }));
    });
  }

  #connected(): Socket {
    if (this.#socket?.destroyed === false) return this.#socket;
    const socket = connect({ port: this.#port, host: "127.0.0.1", noDelay: true });
    this.#socket = socket;
    socket.on("error", () => undefined);
    socket.on("close", () => {
      for (const call of [...this.#waiting.values()]) call.settle("cut");
    });
    onLines(socket, (line) => {
      const { id, answer } = fromText(line) as { id: number; answer: Answer };
      this.#waiting.get(id)?.settle(answer);
    });
    return socket;
  }
}

function onLines(socket: Socket, onLine: (line: string) => void): void {
  let rest = "";
  socket.on("data", (bytes) => {
    const lines = (rest + bytes.toString("latin1")).split("\n");
    rest = lines.pop()!;
    for (const line of lines) onLine(line);
  });
}

/** JSON in ASCII, with the values that JSON does not have. */
function toText(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return { bigint: part.toString() };
    if (part instanceof Uint8Array) return { bytes: [...part] };
    return part === undefined ? { nothing: true } : part;
  });
  return `${text.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}

function fromText(text: string): unknown {
  const restored = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map(restored);
    const object = part as Record<string, unknown>;
    if ("bigint" in object) return BigInt(object["bigint"] as string);
    if ("bytes" in object) return new Uint8Array(object["bytes"] as number[]);
    if ("nothing" in object) return undefined;
    return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, restored(value)]));
  };
  return restored(JSON.parse(text));
}
