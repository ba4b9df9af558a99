import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/**
 * Looks at all bytes that one connection has carried in one direction since the rule was set, or at the last
 * {@link MAX_SEEN_BYTES} of them and the chunk that has just come.
 */
export type MatchBytes = (bytes: Uint8Array) => boolean;

/** How much of the past a rule keeps per connection and direction: more than any command's name and statement. */
const MAX_SEEN_BYTES = 64 * 1024;

/**
 * What happens once, on whichever connection first carries the request.
 *
 * - `before`: the chunk that completes the match does not reach the server, and the connection is reset.
 * - `after`: the request goes through; the server's next bytes (those that match `answer`, if given) do not come back, and
 *   the connection is reset. The server has acted by then.
 * - `swallow`: like `before`, but the connection stays open, and nothing more passes in either direction.
 * - `swallowAnswer`: like `after`, but the connection stays open, and nothing more passes in either direction.
 */
export interface CutRule {
  readonly at: "before" | "after" | "swallow" | "swallowAnswer";
  /** Of the bytes from the client. */
  readonly request: MatchBytes;
  /** Of the bytes from the server after the request. Default: any. */
  readonly answer?: MatchBytes;
}

/** A rule that was set. A test should see that it fired: a cut that never came proves nothing. */
export interface Cut {
  readonly fired: boolean;
  /** Takes the rule away if it has not fired yet; a rule that waits for its answer is taken away too. */
  disarm(): void;
}

/** Matches a piece of ASCII text: a command, a statement. */
export function textIn(text: string): MatchBytes {
  return (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(text, 0, "latin1");
}

/**
 * A TCP proxy that breaks connections at chosen places, whatever protocol they carry. It listens on a port of its own on
 * 127.0.0.1; {@link CutProxy.through} gives the URL that leads through it. Runs on Node and Bun.
 */
export class CutProxy {
  readonly port: number;
  /** Connections that clients have opened so far. */
  connections = 0;
  /** How often a client has sent something since it last heard of its server: what a caller had to wait for, pipelined or not. */
  roundTrips = 0;
  readonly #target: { readonly host: string; readonly port: number };
  #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #rules = new Set<ArmedRule>();
  #swallows = false;

  private constructor(server: Server, target: { readonly host: string; readonly port: number }) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    this.#accept(server);
  }

  /** In front of the server that `url` names; its scheme does not matter, its port has to be there. */
  static async to(url: string): Promise<CutProxy> {
    const { hostname, port } = new URL(url);
    if (port === "") throw new Error(`CutProxy needs a URL with a port, not ${url}.`);
    const target = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
    return new CutProxy(await listening(0), target);
  }

  /** The same URL, but through this proxy. */
  through(url: string): string {
    const through = new URL(url);
    through.hostname = "127.0.0.1";
    through.port = String(this.port);
    return through.href;
  }

  /** Sets a rule; several may stand at once. */
  arm(rule: CutRule): Cut {
    const armed = new ArmedRule(rule, () => this.#rules.delete(armed));
    this.#rules.add(armed);
    return armed;
  }

  /** Resets every connection that is open now. */
  cut(): void {
    for (const pair of [...this.#pairs]) pair.reset();
  }

  /** From now on everything is read and thrown away, on the connections of now and of later, until {@link heal}. */
  swallow(): void {
    this.#swallows = true;
    for (const pair of this.#pairs) pair.isSwallowing = true;
  }

  /** Forwards again, on new connections: those that have lost bytes are reset. */
  heal(): void {
    this.#swallows = false;
    for (const pair of [...this.#pairs]) if (pair.isSwallowing) pair.reset();
  }

  /** The server is gone: every connection is reset, and new ones are refused until {@link up}. */
  async down(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.cut();
    await closed;
  }

  /** Listens again, on the same port. */
  async up(): Promise<void> {
    this.#server = await listening(this.port);
    this.#accept(this.#server);
  }

  /** Ends it. The server behind it is left alone. */
  async close(): Promise<void> {
    this.#rules.clear();
    if (this.#server.listening) await this.down();
  }

  #accept(server: Server): void {
    server.on("connection", (client) => this.#join(client));
  }

  #join(client: Socket): void {
    this.connections += 1;
    const pair = new Pair(client, connect({ ...this.#target, noDelay: true }));
    pair.isSwallowing = this.#swallows;
    this.#pairs.add(pair);
    const { server } = pair;
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on("error", () => undefined);
      from.on("data", (bytes: Buffer) => this.#pass(pair, from === client, bytes));
      from.on("end", () => (pair.isSwallowing ? undefined : to.end()));
      from.on("close", () => {
        this.#pairs.delete(pair);
        for (const rule of this.#rules) rule.forget(pair);
        if (from === client || !pair.isSwallowing) to.destroy();
      });
    }
  }

  #pass(pair: Pair, isRequest: boolean, bytes: Buffer): void {
    if (pair.isSwallowing) return;
    for (const rule of [...this.#rules]) {
      const verdict = isRequest ? rule.onRequest(pair, bytes) : rule.onAnswer(pair, bytes);
      if (verdict === "reset") return pair.reset();
      if (verdict === "swallow") return void (pair.isSwallowing = true);
    }
    if (isRequest && pair.hasHeard) this.roundTrips += 1;
    pair.hasHeard = !isRequest;
    (isRequest ? pair.server : pair.client).write(bytes);
  }
}

/** One client's connection and the proxy's own to the server. */
class Pair {
  readonly client: Socket;
  readonly server: Socket;
  isSwallowing = false;
  /** The last bytes on it were the server's, or there were none yet. */
  hasHeard = true;

  constructor(client: Socket, server: Socket) {
    this.client = client;
    this.server = server;
  }

  reset(): void {
    this.client.resetAndDestroy();
    this.server.resetAndDestroy();
  }
}

type Verdict = "pass" | "reset" | "swallow";

/** A rule on its way: it waits for the request on any connection, then perhaps for the answer on that one. */
class ArmedRule implements Cut {
  fired = false;
  readonly #rule: CutRule;
  readonly #remove: () => void;
  readonly #requests = new Map<Pair, Seen>();
  #asked: { readonly pair: Pair; readonly answers: Seen } | undefined;

  constructor(rule: CutRule, remove: () => void) {
    this.#rule = rule;
    this.#remove = remove;
  }

  disarm(): void {
    this.#remove();
  }

  forget(pair: Pair): void {
    this.#requests.delete(pair);
    // A connection that ends by itself between request and answer: the rule waits for the next request.
    if (this.#asked?.pair === pair) this.#asked = undefined;
  }

  onRequest(pair: Pair, bytes: Buffer): Verdict {
    if (this.#asked !== undefined || !this.#seenOn(pair).matches(bytes, this.#rule.request)) return "pass";
    if (this.#rule.at === "before" || this.#rule.at === "swallow") return this.#fire();
    this.#asked = { pair, answers: new Seen() };
    return "pass";
  }

  onAnswer(pair: Pair, bytes: Buffer): Verdict {
    if (this.#asked?.pair !== pair) return "pass";
    return this.#asked.answers.matches(bytes, this.#rule.answer ?? (() => true)) ? this.#fire() : "pass";
  }

  #fire(): Verdict {
    this.fired = true;
    this.#remove();
    return this.#rule.at === "before" || this.#rule.at === "after" ? "reset" : "swallow";
  }

  #seenOn(pair: Pair): Seen {
    const seen = this.#requests.get(pair) ?? new Seen();
    this.#requests.set(pair, seen);
    return seen;
  }
}

/** What went through since the rule was set, so that a match may begin in one chunk and end in another. */
class Seen {
  #bytes: Buffer = Buffer.alloc(0);

  matches(chunk: Buffer, match: MatchBytes): boolean {
    const bytes = Buffer.concat([this.#bytes, chunk]);
    this.#bytes = bytes.subarray(-MAX_SEEN_BYTES);
    return match(bytes);
  }
}

async function listening(port: number): Promise<Server> {
  const server = createServer({ noDelay: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return server;
}
