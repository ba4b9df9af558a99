/** The protocol version that this code speaks. */
export const PROTOCOL_VERSION = 1;

/** An application message as it travels: a name, a content type and bytes. The same shape as the runtime's. */
export interface Payload {
  /** 1–255 bytes of UTF-8. Names that begin with `~` are the system's own. */
  readonly packetName: string;
  readonly contentType: string;
  readonly data: Uint8Array;
}

/** Why something did not happen, as it travels. `code` may be one that this version does not know. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A numbered message to the gateway; `client.proto` says what each is for. */
export type ClientFrame =
  | {
      readonly kind: "bind";
      readonly binding: number;
      readonly actorType: string;
      readonly actorId: string;
    }
  | { readonly kind: "unbind"; readonly binding: number }
  | { readonly kind: "send"; readonly binding: number; readonly sequence: number; readonly payload: Payload }
  | {
      readonly kind: "request";
      readonly binding: number;
      readonly sequence: number;
      readonly payload: Payload;
      readonly timeoutMs: number;
    };

/** A numbered message to the client; `client.proto` says what each is for. */
export type GatewayFrame =
  | { readonly kind: "bound"; readonly binding: number; readonly created: boolean }
  | { readonly kind: "bindFailed"; readonly binding: number; readonly failure: Failure }
  | { readonly kind: "unbound"; readonly binding: number }
  | { readonly kind: "push"; readonly binding: number; readonly payload: Payload }
  | { readonly kind: "reply"; readonly binding: number; readonly sequence: number; readonly result: ReplyResult }
  | { readonly kind: "sendRefused"; readonly binding: number; readonly sequence: number; readonly failure: Failure }
  | { readonly kind: "bindingLost"; readonly binding: number; readonly failure: Failure };

export type ReplyResult =
  { readonly ok: true; readonly payload: Payload } | { readonly ok: false; readonly failure: Failure };

/** The first words of a client on a connection. */
export interface Hello {
  readonly protocolVersion: number;
  readonly token: string;
  readonly resume: { readonly session: Uint8Array; readonly received: number } | undefined;
}

/** What the gateway takes from this client; `Infinity` where there is no limit. */
export interface SessionLimits {
  readonly maxMessageBytes: number;
  readonly windowFrames: number;
  readonly framesPerSecond: number;
  readonly burstFrames: number;
  readonly resumeGraceMs: number;
  readonly silenceLimitMs: number;
  readonly maxBindings: number;
  readonly maxOutstandingRequests: number;
  readonly maxRequestTimeoutMs: number;
}

export interface Welcome {
  readonly protocolVersion: number;
  readonly session: Uint8Array;
  readonly resumed: boolean;
  readonly limits: SessionLimits;
}

/** `retryAfterMs` is `undefined` when coming again as before is of no use. */
export interface Refused {
  readonly failure: Failure;
  readonly retryAfterMs: number | undefined;
}

export interface GoingAway {
  readonly deadlineMs: number;
  readonly spreadMs: number;
}

/** One WebSocket message from a client, decoded. */
export interface ClientPacket {
  readonly first: number;
  readonly acknowledged: number;
  readonly frames: readonly ClientFrame[];
  readonly hello: Hello | undefined;
  /** The number of the ping that it answers. */
  readonly pong: number | undefined;
  readonly goodbye: boolean;
}

/** One WebSocket message from a gateway, decoded. */
export interface GatewayPacket {
  readonly first: number;
  readonly acknowledged: number;
  readonly frames: readonly GatewayFrame[];
  readonly welcome: Welcome | undefined;
  readonly refused: Refused | undefined;
  readonly ping: number | undefined;
  readonly goingAway: GoingAway | undefined;
}

/** A packet to encode: what is left out is absent, and its frames are encoded already. */
export type Outgoing<P extends { readonly frames: readonly unknown[] }> = Partial<Omit<P, "frames">> & {
  readonly frames?: readonly Uint8Array[];
};
