/**
 * This client's tie to one actor. It lives through moves of the actor and through broken connections; the events of the
 * client tell when it does not.
 */
export interface Binding {
  readonly actorType: string;
  readonly actorId: string;
  /** Whether the actor can be reached: false while the binding is made again, and when it is over. */
  readonly bound: boolean;
  /** Whether the last bind made the actor anew. */
  readonly created: boolean;
  /**
   * Sends a one-way message. What is sent on one binding arrives in order, requests included. Returns the message's
   * sequence on this binding, by which `sendRefused` names it.
   *
   * Throws when nothing was taken: `backpressured` (wait for `drain`), `tooLarge`, `invalidArgument`,
   * `actorSessionNotBound` (the binding is over).
   */
  send(name: string, value?: unknown): number;
  /**
   * Sends a message and waits for its answer. Rejects with the codes of {@link Binding.send}, with `timedOut`, with
   * `outcomeUnknown` (the session was lost: it may or may not have run), `notConnected` (it never left this client), or
   * with what the actor's side says.
   */
  request(name: string, value?: unknown, options?: { readonly timeoutMs?: number }): Promise<unknown>;
  /**
   * Adds a handler of what the actor pushes, in the order pushed. Pushes from before the first handler are kept, 1,024
   * of them. Returns what takes the handler off again.
   */
  onPush(handler: (name: string, value: unknown) => void): () => void;
  /** Adds a handler that is told when the binding works again in a new session. */
  onRebound(handler: (info: { readonly created: boolean }) => void): () => void;
  /** Ends the binding; the actor stays. Settles when no push can come any more, and never rejects. */
  unbind(): Promise<void>;
}
