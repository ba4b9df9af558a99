import { connect } from "node:net";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { LocalIdentity } from "@rehome/core";
import { decodeRecord, encodeRecord, ridFromText, ridToBytes } from "@rehome/wire";
import type { Command, Rid } from "@rehome/wire";
import { portOf } from "./proxy.ts";

/** `docs/transport.md`, written down a second time and by hand: a test's own end of a connection. */
const PREFACE = Uint8Array.of(0x52, 0x48, 0x4c, 0x01);
export const OPEN = 1;
export const RECORD = 2;
export const ACKNOWLEDGE = 3;
export const CONNECTION = 4;
export const END = 5;

/** Whom a hello is for. */
export interface HelloTarget extends Pick<LocalIdentity, "meshName" | "nodeRid" | "nodeGeneration"> {
  /** What the connection proves. Default `plain`. */
  readonly securityIdentity?: string;
}

export interface RawUnit {
  readonly kind: number;
  readonly body: Buffer;
}

export class RawPeer {
  readonly socket: Socket;
  readonly units: RawUnit[] = [];
  rid: Rid = ridFromText("raw");
  isClosed = false;
  receivedBytes = 0;
  private buffer: Buffer = Buffer.alloc(0);
  private prefaceSeen = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("error", () => undefined);
    socket.on("close", () => (this.isClosed = true));
    socket.on("data", (chunk: Buffer) => this.take(chunk));
  }

  static async connect(endpoint: string): Promise<RawPeer> {
    const socket = connect({ host: "127.0.0.1", port: portOf(endpoint), noDelay: true });
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return new RawPeer(socket);
  }

  /** Of the certificate that the other end has shown. */
  get serverFingerprint(): string {
    return (this.socket as TLSSocket).getPeerX509Certificate()!.fingerprint256;
  }

  hello(target: HelloTarget, rid: Rid, attempt = 1, receivedThrough?: number): void {
    this.rid = rid;
    this.socket.write(helloBytes(target, rid, attempt, receivedThrough));
  }

  record(number: number, ...frames: readonly Uint8Array[]): void {
    this.socket.write(recordBytes(number, ...frames));
  }

  acknowledge(number: number): void {
    this.socket.write(unit(ACKNOWLEDGE, u64(number)));
  }

  end(number: number): void {
    this.socket.write(unit(END, u64(number)));
  }

  /** A record about the connection: a probe, an answer. */
  about(command: Command): void {
    this.socket.write(unit(CONNECTION, framesOf(encodeRecord(command))));
  }

  /** What came in units of this kind. */
  bodies(kind: number): Buffer[] {
    return this.units.filter((unit) => unit.kind === kind).map(({ body }) => body);
  }

  /** The handshake's answer and everything about the connection. */
  get commands(): Command[] {
    return this.units.flatMap(({ kind, body }) => {
      if (kind === CONNECTION) return [decodeRecord(splitFrames(body))];
      return kind === OPEN ? [decodeRecord(splitFrames(body.subarray(2 + body.readUInt16BE(0))))] : [];
    });
  }

  get records(): Buffer[][] {
    return this.bodies(RECORD).map((body) => splitFrames(body.subarray(8)));
  }

  destroy(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    this.buffer = this.buffer.length === 0 ? chunk : Buffer.concat([this.buffer, chunk]);
    if (!this.prefaceSeen) {
      if (this.buffer.length < PREFACE.length) return;
      if (Buffer.compare(this.buffer.subarray(0, PREFACE.length), PREFACE) !== 0) throw new Error("No preface.");
      this.buffer = this.buffer.subarray(PREFACE.length);
      this.prefaceSeen = true;
    }
    while (this.buffer.length >= 5 && this.buffer.length >= 5 + this.buffer.readUInt32BE(1)) {
      const end = 5 + this.buffer.readUInt32BE(1);
      this.units.push({ kind: this.buffer[0]!, body: this.buffer.subarray(5, end) });
      this.buffer = this.buffer.subarray(end);
    }
  }
}

export function recordBytes(number: number, ...frames: readonly Uint8Array[]): Buffer {
  return unit(RECORD, u64(number), framesOf(frames));
}

/**
 * The preface and hello of a node with this rid, in its first generation and without a lease. It begins a link, or goes on
 * with it from the record that it has received last.
 */
export function helloBytes(target: HelloTarget, rid: Rid, attempt = 1, receivedThrough?: number): Buffer {
  const hello: Command = {
    command: "hello",
    admission: {
      topology: "routeMesh",
      meshName: target.meshName,
      securityIdentity: target.securityIdentity ?? "plain",
      lifecycleGeneration: 1n,
      descriptorRevision: 1n,
      advertisedEndpoint: "tcp://127.0.0.1:9",
      channels: [],
      runtimeState: "serving",
      applicationVersion: 1n,
      protocolCapabilities: ["rehome-v1"],
      placementWeight: 0,
      nodeRid: rid,
    },
  };
  const fields = Buffer.concat([
    field(1, Buffer.alloc(16, 7)),
    ...(receivedThrough === undefined ? [] : [field(2, u64(receivedThrough))]),
    field(3, u64(attempt)),
    field(4, u32(1 << 20)),
    field(5, ridToBytes(target.nodeRid)),
    field(6, u64(Number(target.nodeGeneration))),
  ]);
  return Buffer.concat([PREFACE, unit(OPEN, u16(fields.length), fields, framesOf(encodeRecord(hello)))]);
}

function unit(kind: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(kind), u32(body.length), body]);
}

function framesOf(frames: readonly Uint8Array[]): Buffer {
  return Buffer.concat(frames.flatMap((frame) => [u32(frame.length), frame]));
}

function splitFrames(body: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const end = at + 4 + body.readUInt32BE(at);
    frames.push(body.subarray(at + 4, end));
    at = end;
  }
  return frames;
}

function field(id: number, value: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(id), u16(value.length), value]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
