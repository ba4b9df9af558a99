import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { LocalIdentity, Transport } from "@rehome/core";
import { ridFromBytes, ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { decodeOpenBody, encodeAdmitUnit, encodeHelloUnit, encodeRejectUnit } from "../src/open-unit.ts";
import { Outbox } from "../src/outbox.ts";
import { createTransport } from "../src/transport.ts";
import { encodeFramesUnit, encodeNumberUnit, encodeUnit, unitKind, writeNumber } from "../src/units.ts";
import { RawNode } from "./support/raw-node.ts";
import { World } from "./support/nodes.ts";

interface Fields {
  readonly linkId: string;
  readonly receivedThrough?: string;
  readonly attempt: string;
  readonly maxRecordBytes: number;
  readonly targetRid?: string;
  readonly targetGeneration?: string;
  readonly nonce?: string;
}

interface Step {
  readonly connection?: number;
  readonly from?: "dialler" | "acceptor";
  readonly bytes?: string;
  readonly ends?: true;
  readonly sends?: readonly string[];
  readonly hears?: readonly string[];
}

interface Vectors {
  readonly acceptor: Readonly<Record<"meshName" | "nodeRid" | "ownerId" | "advertisedEndpoint", string>> &
    Readonly<Record<"lifecycleGeneration" | "applicationVersion" | "ownerLeaseGeneration", string>> & {
      readonly placementWeight: number;
    };
  readonly units: readonly {
    readonly id: string;
    readonly kind: keyof typeof unitKind;
    readonly number?: string;
    readonly fields?: Partial<Fields>;
    readonly frames?: readonly string[];
    readonly body?: string;
    readonly hex: string;
  }[];
  readonly strangers: readonly { readonly id: string; readonly hex: string; readonly answer: string }[];
  readonly conversations: readonly {
    readonly id: string;
    readonly secrets: readonly string[];
    readonly random: readonly string[];
    readonly steps: readonly Step[];
  }[];
}

const path = fileURLToPath(new URL("../../../test-vectors/transport/bytes.json", import.meta.url));
const vectors = JSON.parse(readFileSync(path, "utf8")) as Vectors;
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The node that the vectors call the acceptor. Waits for nothing but its clock. */
async function acceptor(world: World, secrets: readonly string[], random: readonly string[]) {
  const self = vectors.acceptor;
  const draws = [...random];
  const heard: string[][] = [];
  const identity: LocalIdentity = {
    meshName: self.meshName,
    nodeRid: ridFromText(self.nodeRid),
    nodeGeneration: BigInt(self.lifecycleGeneration),
    lease: { ownerId: self.ownerId, ownerLeaseGeneration: BigInt(self.ownerLeaseGeneration) },
    applicationVersion: BigInt(self.applicationVersion),
    placementWeight: self.placementWeight,
  };
  const transport: Transport = createTransport(world.network.adapter(self.advertisedEndpoint), {
    clock: world.clock,
    random: {
      bytes: (count) => {
        const drawn = bytesOf(draws.shift() ?? "");
        if (drawn.length !== count) throw new Error(`The vector does not say which ${count} bytes are drawn.`);
        return drawn;
      },
    },
    log: { write: () => {} },
    ...(secrets.length > 0 && {
      sharedSecret: {
        secrets: secrets.map(bytesOf),
        hmacSha256: (key: Uint8Array, message: Uint8Array) =>
          new Uint8Array(createHmac("sha256", key).update(message).digest()),
      },
    }),
  });
  await transport.listen(identity, {
    onRecord: (_peer, frames) => void heard.push(frames.map(hexOf)),
    onLink: () => {},
  });
  return { transport, heard, endpoint: self.advertisedEndpoint };
}

describe("the vectors of docs/transport.md", () => {
  for (const { id, kind, number, fields, frames = [], body, hex } of vectors.units) {
    it(`${id}: is laid out so`, () => {
      expect(hexOf(encode({ kind, number, fields, frames, body }))).toBe(hex);
      if (kind !== "open") return;
      const bytes = bytesOf(hex).subarray(5);
      const open = decodeOpenBody({ bytes, start: 0, end: bytes.length, owned: true }, 8);
      expect(open.frames.map(hexOf)).toEqual(frames);
      expect(open.fields.size).toBe(Object.keys(fields ?? {}).length);
    });
  }

  for (const { id, hex, answer } of vectors.strangers) {
    it(`${id}: is answered so`, async () => {
      const world = new World();
      const node = await acceptor(world, [], []);
      const peer = new RawNode(world.network.raw(node.endpoint), "stranger");
      world.run();
      peer.write(bytesOf(hex));
      world.run();
      expect(peer.commands()).toEqual(answer === "dropped" ? [] : [{ command: "reject", reason: answer }]);
      if (answer === "dropped") expect(peer.raw.received.length).toBe(0);
      expect(peer.raw.closed).toBeDefined();
    });
  }

  for (const { id, secrets, random, steps } of vectors.conversations) {
    it(`${id}: goes so`, async () => {
      const world = new World();
      const { transport, heard, endpoint } = await acceptor(world, secrets, random);
      const connections = new Map<number, RawNode>();
      const seen = new Map<number, number>();
      let heardSoFar = 0;
      for (const [index, step] of steps.entries()) {
        const connection = step.connection ?? 0;
        if (step.sends !== undefined)
          expect(transport.send(ridFromText("node-a"), step.sends.map(bytesOf), "data")).toBe("accepted");
        if (step.hears !== undefined) expect([index, heard[heardSoFar++]]).toEqual([index, step.hears]);
        if (step.ends) connections.get(connection)!.raw.stream.destroy();
        if (step.from === "dialler") {
          const peer = connections.get(connection) ?? new RawNode(world.network.raw(endpoint), "node-a");
          connections.set(connection, peer);
          world.run();
          peer.write(bytesOf(step.bytes!));
        }
        // Long enough for an acknowledgement that waits, short of a probe.
        world.advance(50);
        if (step.from !== "acceptor") continue;
        const { received } = connections.get(connection)!.raw;
        expect([index, hexOf(received.subarray(seen.get(connection) ?? 0))]).toEqual([index, step.bytes]);
        seen.set(connection, received.length);
      }
      expect(heard.length).toBe(heardSoFar);
    });
  }
});

function encode(unit: {
  readonly kind: keyof typeof unitKind;
  readonly number: string | undefined;
  readonly fields: Partial<Fields> | undefined;
  readonly frames: readonly string[];
  readonly body: string | undefined;
}): Uint8Array {
  const frames = unit.frames.map(bytesOf);
  switch (unit.kind) {
    case "acknowledge":
    case "end":
      return encodeNumberUnit(unitKind[unit.kind], Number(unit.number));
    case "challenge":
    case "proof":
      return encodeUnit(unitKind[unit.kind], bytesOf(unit.body!));
    case "connection":
      return encodeFramesUnit(unitKind.connection, frames);
    case "record":
      return recordUnit(Number(unit.number), frames);
    case "open":
      return openUnit(unit.fields!, frames);
  }
}

function openUnit(fields: Partial<Fields>, frames: readonly Uint8Array[]): Uint8Array {
  if (fields.linkId === undefined) return encodeRejectUnit(frames);
  const terms = {
    linkId: bytesOf(fields.linkId),
    receivedThrough: fields.receivedThrough === undefined ? undefined : Number(fields.receivedThrough),
    attempt: Number(fields.attempt),
    maxRecordBytes: fields.maxRecordBytes!,
  };
  if (fields.targetRid === undefined) return encodeAdmitUnit(terms, frames);
  const target = {
    targetRid: ridFromBytes(bytesOf(fields.targetRid)),
    targetGeneration: BigInt(fields.targetGeneration!),
    nonce: fields.nonce === undefined ? undefined : bytesOf(fields.nonce),
  };
  return encodeHelloUnit({ ...terms, ...target }, frames);
}

function recordUnit(number: number, frames: readonly Uint8Array[]): Uint8Array {
  const outbox = new Outbox();
  outbox.appendRecord(frames, Outbox.recordBytes(frames));
  const parts: Uint8Array[] = [];
  outbox.writeTo({
    remote: "",
    proven: undefined,
    heldBytes: 0,
    start: () => {},
    close: () => {},
    destroy: () => {},
    write: (bytes) => {
      parts.push(bytes.slice());
      return bytes.length;
    },
  });
  const unit = parts[0]!;
  // An outbox counts from 1.
  writeNumber(unit, 5, number);
  return unit;
}
