import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rehome } from "../src/generated/client.js";
import {
  CLOSE_CODES,
  decodeClientPacket,
  decodeGatewayPacket,
  encodeClientFrame,
  encodeClientPacket,
  encodeGatewayFrame,
  encodeGatewayPacket,
  Inbox,
  MalformedPacket,
  meaningOf,
  Outbox,
  PacketSize,
  TokenBucket,
  type ClientFrame,
  type GatewayFrame,
} from "../src/protocol.ts";

const u32 = fc.nat({ max: 2 ** 32 - 1 });
const u53 = fc.maxSafeNat();
const text = fc.string({ unit: "binary" });
const bytes = fc.uint8Array();
const payload = fc.record({
  packetName: text,
  contentType: fc.oneof(fc.constantFrom("application/json", "", "application/x-empty"), text),
  data: bytes,
});
const failure = fc.record({ code: text, message: text });
const of = <K extends string>(kind: K) => fc.constant(kind);

const clientFrame: fc.Arbitrary<ClientFrame> = fc.oneof(
  fc.record({ kind: of("bind"), binding: u32, actorType: text, actorId: text }),
  fc.record({ kind: of("unbind"), binding: u32 }),
  fc.record({ kind: of("send"), binding: u32, sequence: u53, payload }),
  fc.record({ kind: of("request"), binding: u32, sequence: u53, payload, timeoutMs: u32 }),
);
const result = fc.oneof(
  fc.record({ ok: fc.constant(true as const), payload }),
  fc.record({ ok: fc.constant(false as const), failure }),
);
const gatewayFrame: fc.Arbitrary<GatewayFrame> = fc.oneof(
  fc.record({ kind: of("bound"), binding: u32, created: fc.boolean() }),
  fc.record({ kind: of("bindFailed"), binding: u32, failure }),
  fc.record({ kind: of("unbound"), binding: u32 }),
  fc.record({ kind: of("push"), binding: u32, payload }),
  fc.record({ kind: of("reply"), binding: u32, sequence: u53, result }),
  fc.record({ kind: of("sendRefused"), binding: u32, sequence: u53, failure }),
  fc.record({ kind: of("bindingLost"), binding: u32, failure }),
);
const limit = fc.oneof(fc.integer({ min: 1, max: 2 ** 32 - 1 }), fc.constant(Infinity));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

test("every client packet comes back as it was", () => {
  const packet = fc.record({
    first: u53,
    acknowledged: u53,
    frames: fc.array(clientFrame),
    hello: maybe(
      fc.record({
        protocolVersion: u32,
        token: text,
        resume: maybe(fc.record({ session: bytes, received: u53 })),
      }),
    ),
    pong: maybe(u32),
    goodbye: fc.boolean(),
  });
  fc.assert(
    fc.property(packet, (value) => {
      const encoded = encodeClientPacket({ ...value, frames: value.frames.map(encodeClientFrame) });
      expect(decodeClientPacket(encoded)).toEqual(value);
    }),
  );
});

test("every gateway packet comes back as it was", () => {
  const packet = fc.record({
    first: u53,
    acknowledged: u53,
    frames: fc.array(gatewayFrame),
    welcome: maybe(
      fc.record({
        protocolVersion: u32,
        session: bytes,
        resumed: fc.boolean(),
        limits: fc.record({
          maxMessageBytes: limit,
          windowFrames: limit,
          framesPerSecond: limit,
          burstFrames: limit,
          resumeGraceMs: u32,
          silenceLimitMs: limit,
          maxBindings: limit,
          maxOutstandingRequests: limit,
          maxRequestTimeoutMs: limit,
        }),
      }),
    ),
    refused: maybe(fc.record({ failure, retryAfterMs: maybe(u32) })),
    ping: maybe(u32),
    goingAway: maybe(fc.record({ deadlineMs: u32, spreadMs: u32 })),
  });
  fc.assert(
    fc.property(packet, (value) => {
      const encoded = encodeGatewayPacket({ ...value, frames: value.frames.map(encodeGatewayFrame) });
      expect(decodeGatewayPacket(encoded)).toEqual(value);
    }),
  );
});

test("a packet put together from encoded frames is what protobuf makes of the whole", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (datas) => {
      const frames = datas.map((data, at): ClientFrame => {
        return { kind: "send", binding: 1, sequence: at, payload: { packetName: "n", contentType: "x", data } };
      });
      const ours = encodeClientPacket({ first: 3, acknowledged: 4, frames: frames.map(encodeClientFrame) });
      const whole = rehome.client.v1.ClientPacket.encode({
        first: 3,
        acknowledged: 4,
        frames: datas.map((data, sequence) => ({
          send: { binding: 1, sequence, payload: { name: "n", contentType: "x", data } },
        })),
      }).finish();
      expect(Buffer.compare(ours, whole)).toBe(0);
    }),
  );
});

test("bytes that are no packet are MalformedPacket and nothing worse", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (garbage) => {
      for (const decode of [decodeClientPacket, decodeGatewayPacket]) {
        try {
          decode(garbage);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedPacket);
        }
      }
    }),
    { numRuns: 2_000 },
  );
  // Ill-formed UTF-8 is no text.
  expect(() => decodeClientPacket(new Uint8Array([0x22, 3, 0x12, 1, 0xff]))).toThrow(MalformedPacket);
});

test("what is decoded owns its bytes", () => {
  const data = new Uint8Array([1, 2, 3]);
  const frame = encodeClientFrame({
    kind: "send",
    binding: 1,
    sequence: 1,
    payload: { packetName: "n", contentType: "x", data },
  });
  const packet = encodeClientPacket({ first: 1, frames: [frame] });
  const decoded = decodeClientPacket(packet).frames[0] as Extract<ClientFrame, { kind: "send" }>;
  packet.fill(9);
  expect(decoded.payload.data).toEqual(data);
  expect(decoded.payload.data.buffer.byteLength).toBe(3);
});

test("the generated code is what the schema gives", () => {
  const script = fileURLToPath(new URL("../scripts/proto.mjs", import.meta.url));
  execFileSync(process.env["NODE"] ?? "node", [script, "--check"], { stdio: "pipe" });
}, 120_000);

test("close codes have one meaning each", () => {
  const codes = Object.values(CLOSE_CODES).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(meaningOf(4430)).toMatchObject({ reason: "slowConsumer", endsSession: true, final: false });
  expect(meaningOf(1009)).toMatchObject({ reason: undefined, endsSession: true });
  expect(meaningOf(1006)).toMatchObject({ reason: undefined, endsSession: false });
});

test("N1: outbox and inbox over a connection that breaks anywhere: once, in order", () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant("append" as const) },
    { weight: 4, arbitrary: fc.constant("write" as const) },
    { weight: 4, arbitrary: fc.constant("deliver" as const) },
    { weight: 2, arbitrary: fc.constant("acknowledge" as const) },
    { weight: 1, arbitrary: fc.constant("break" as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 400 }), (steps) => {
      const outbox = new Outbox<number>();
      const inbox = new Inbox();
      const received: number[] = [];
      let wire: { first: number; frames: Uint8Array[] }[] = [];
      let appended = 0;
      for (const what of [...steps, "break", ...Array.from({ length: appended + 400 }, () => "flow")]) {
        if (what === "append") outbox.append(new Uint8Array([++appended % 256]), appended);
        if (what === "write" || what === "flow") {
          const batch = outbox.take(3, 20);
          if (batch !== undefined) wire.push(batch);
        }
        if (what === "deliver" || what === "flow") {
          const packet = wire.shift();
          if (packet === undefined) continue;
          const repeats = inbox.accept(packet.first, packet.frames.length, 0);
          expect(repeats).toBeDefined();
          received.push(...packet.frames.slice(repeats).map(([byte]) => byte!));
        }
        if (what === "acknowledge" || what === "flow") expect(outbox.acknowledge(inbox.acknowledgement())).toBe(true);
        if (what === "break") {
          wire = [];
          expect(outbox.rewind(inbox.received)).toBe(true);
        }
      }
      expect(received).toEqual(Array.from({ length: appended }, (_, at) => (at + 1) % 256));
      expect([outbox.count, outbox.bytes]).toEqual([0, 0]);
    }),
  );
});

test("N1: an outbox believes no acknowledgement of what was not written, and no resume from what is gone", () => {
  const outbox = new Outbox<string>();
  for (const tag of ["a", "b", "c"]) outbox.append(new Uint8Array(1), tag);
  expect(outbox.acknowledge(1)).toBe(false);
  outbox.take(2, 1_000);
  expect(outbox.acknowledge(3)).toBe(false);
  expect(outbox.acknowledge(1)).toBe(true);
  expect([...outbox.unacknowledged()].map(({ tag, written }) => [tag, written])).toEqual([
    ["b", true],
    ["c", false],
  ]);
  expect(outbox.rewind(0)).toBe(false);
  expect(outbox.rewind(3)).toBe(false);
  expect(outbox.rewind(2)).toBe(true);
  expect(outbox.take(9, 1_000)).toMatchObject({ first: 3 });
});

test("an inbox takes no frames behind a hole", () => {
  const inbox = new Inbox();
  expect(inbox.accept(1, 2, 10)).toBe(0);
  expect(inbox.accept(4, 1, 10)).toBeUndefined();
  expect(inbox.accept(0, 1, 10)).toBeUndefined();
  expect(inbox.accept(1, 3, 10)).toBe(2);
  expect(inbox.accept(1, 1, 10)).toBe(1);
  expect([inbox.received, inbox.owed, inbox.owedBytes]).toEqual([3, 6, 30]);
  expect(inbox.acknowledgement()).toBe(3);
  expect(inbox.owed).toBe(0);
});

test("a token bucket lets through its rate and its burst", () => {
  const bucket = new TokenBucket(10, 5, 0);
  expect([bucket.take(5, 0), bucket.take(1, 0), bucket.msUntilOne(0)]).toEqual([true, false, 100]);
  expect([bucket.take(1, 100), bucket.take(1, 150), bucket.take(1, 200)]).toEqual([true, false, true]);
  expect(bucket.available(100_000)).toBe(5);
  expect(new TokenBucket(Infinity, 1, 0).take(1_000_000, 0)).toBe(true);
});

test("packets of a connection begin small and grow", () => {
  const size = new PacketSize();
  expect(Array.from({ length: 9 }, () => size.next() / 1_024)).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 64]);
});
