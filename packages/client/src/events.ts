import type { Binding } from "./binding.ts";
import type { ClientError } from "./errors.ts";

/**
 * `connecting`: for the first time. `connected`: there is a session. `reconnecting`: the connection is gone, and there
 * will be another one. `closed`: over for good.
 */
export type ClientState = "connecting" | "connected" | "reconnecting" | "closed";

/** What {@link Client.on} can tell of, with what each listener is given. */
export interface ClientEvents {
  /** `error` says why, except for `connected` and for `close()`. `retryInMs`: when the next try begins. */
  state: { readonly state: ClientState; readonly error?: ClientError; readonly retryInMs?: number };
  /**
   * Connected again. `resumed: true`: the session lived on, with all its bindings, and nothing was lost. `false`: this
   * is a new session; what the old one left undone was reported before.
   */
  resumed: { readonly resumed: boolean };
  /**
   * A binding ended without the application's wish. `rebinding`: it is being made again, and `rebound` or another
   * `bindingLost` follows; otherwise the binding is over, and `client.bind` can make a new one. Sends on it that
   * were neither refused nor otherwise known of have an unknown outcome.
   */
  bindingLost: { readonly binding: Binding; readonly error: ClientError; readonly rebinding: boolean };
  /** A binding works again in a new session. `created`: the actor was made anew. */
  rebound: { readonly binding: Binding; readonly created: boolean };
  /**
   * A one-way message was not run, or, with the code `outcomeUnknown`, nobody can tell. `sequence` is what `send`
   * returned.
   */
  sendRefused: { readonly binding: Binding; readonly sequence: number; readonly error: ClientError };
  /** There is room again after a `backpressured`. */
  drain: Record<never, never>;
  /** Pushes came before any handler for them was there, and more than can be kept: so many, the oldest, are gone. */
  pushDropped: { readonly binding: Binding; readonly count: number };
  /** The gateway is closing; the client will go to another one, or to the same one when it is back. */
  goingAway: Record<never, never>;
  /** The application's own listener or push handler threw, or a push could not be decoded. */
  handlerFailed: { readonly error: unknown };
}
