import { connect, type WebSocketConstructor } from "@rehome/client";
import { startGateway } from "@rehome/gateway";
import type { Node, NodeOptions } from "@rehome/runtime";
import { openSqliteStore, SqliteStoreError } from "@rehome/store-sqlite";
import { createNodeTransport } from "@rehome/transport-node";
import { WebSocket } from "ws";
import type { ClientBinding } from "./arena-client.ts";
import { Refusal } from "./child.ts";
import { messageNames, type Push } from "./messages.ts";

/** Where everything of a run listens: nothing of it is meant for other machines. */
const HOST = "127.0.0.1";

type Store = NodeOptions["store"];
type Log = NonNullable<NodeOptions["log"]>;
type LogLevel = Parameters<Log["write"]>[0];

/** What a client of the arena needs of its connection. */
export interface ClientLink {
  readonly binding: ClientBinding;
  /** Says where to tell what happens; called once, before anything is sent. */
  attach(client: ClientListener): void;
  close(): Promise<void>;
}

export interface ClientListener {
  onPush(push: Push): void;
  onDisconnect(): void;
  onRefused(sequence: number, code: string): void;
}

export async function openStore(path: string): Promise<Store> {
  return openSqliteStore({ path });
}

/** Makes the store if it is not there. Rejects with one line that says what to do. */
export async function checkStore(path: string): Promise<void> {
  try {
    const store = await openStore(path);
    await store.close();
  } catch (error) {
    if (!(error instanceof SqliteStoreError)) throw error;
    throw new Refusal(`${error.message} (--store PATH names another file.)`, { cause: error });
  }
}

export function nodeTransport(): NodeOptions["transport"] {
  return createNodeTransport({ host: HOST, port: 0 });
}

/** Rejects with one line that says what to do. */
export async function startArenaGateway(node: Node, port: number): Promise<{ url: string; close(): Promise<void> }> {
  try {
    return await startGateway({ node, host: HOST, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    const advice = "choose another one with --port, or leave that out for a free one";
    throw new Refusal(`Port ${port} on ${HOST} is in use: ${advice}.`, { cause: error });
  }
}

/** Connects a client and binds it. */
export async function bindClient(url: string, actorType: string, actorId: string): Promise<ClientLink> {
  // The class of `ws` has all that the client uses; only its event types differ from the browser's.
  const client = connect({ url, webSocket: WebSocket });
  const binding = await client.bind(actorType, actorId);
  let listener: ClientListener | undefined;
  client.on("state", ({ state }) => {
    if (state === "reconnecting") listener?.onDisconnect();
  });
  client.on("bindingLost", () => {
    // With a lost session all bindings go; that has been counted as the lost connection that it is.
    if (client.state === "connected") listener?.onDisconnect();
  });
  client.on("sendRefused", ({ sequence, error }) => listener?.onRefused(sequence, error.code));
  binding.onPush((name, value) => {
    if (name === messageNames.push) listener?.onPush(value as Push);
  });
  return { binding, attach: (to) => void (listener = to), close: () => client.close() };
}

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Writes to stderr what is at least as grave as the environment variable REHOME_LOG says; by default errors. */
export function errorLog(name: string): Log {
  const least = logLevels.indexOf((process.env["REHOME_LOG"] ?? "error") as LogLevel);
  return {
    write(level, event, fields) {
      if (logLevels.indexOf(level) >= least)
        process.stderr.write(`${name} ${level} ${event} ${textOfFields(fields)}\n`);
    },
  };
}

function textOfFields(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(fields, (_key, value: unknown) => {
    if (typeof value === "bigint") return String(value);
    return value instanceof Error ? value.message : value;
  });
}
