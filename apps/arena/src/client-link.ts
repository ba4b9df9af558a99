import { connect } from "@rehome/client";
import { WebSocket } from "ws";
import type { ClientBinding } from "./arena-client.ts";
import { messageNames, type Push } from "./messages.ts";

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

/** Connects a client and binds it. */
export async function bindClient(url: string, actorType: string, actorId: string): Promise<ClientLink> {
  // The class of `ws` has all that the client uses; only its event types differ from the browser's.
  const client = connect({ url, webSocket: WebSocket });
  const binding = await client.bind(actorType, actorId);
  let listener: ClientListener | undefined;
  let connected = true;
  client.on("state", ({ state }) => {
    // Every further try that fails is told as well; the connection was lost once.
    if (connected && state !== "connected") listener?.onDisconnect();
    connected = state === "connected";
  });
  client.on("bindingLost", () => {
    // With a lost session all bindings go; that has been counted as the lost connection that it is.
    if (client.state === "connected") listener?.onDisconnect();
  });
  client.on("sendRefused", ({ sequence, error }) => listener?.onRefused(sequence, error.code));
  binding.onPush((name, value) => {
    if (name === messageNames.push) listener?.onPush(value as Push);
  });
  return {
    binding,
    attach: (to) => void (listener = to),
    close: () => {
      listener = undefined;
      return client.close();
    },
  };
}
