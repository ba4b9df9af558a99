import type { LocalIdentity } from "@rehome/core";
import { decodeRecord, encodeRecord, ridFromText } from "@rehome/wire";
import type { Admission, Command, Rid } from "@rehome/wire";
import { admissionOf } from "../../src/admission.ts";
import { decodeOpenBody, encodeAdmitUnit, encodeHelloUnit, helloTermsOf, linkTermsOf } from "../../src/open-unit.ts";
import type { HelloTerms, LinkTerms } from "../../src/open-unit.ts";
import { Outbox } from "../../src/outbox.ts";
import { copyBytes, RecordPool } from "../../src/record-pool.ts";
import { UnitReader } from "../../src/unit-reader.ts";
import { encodeNumberUnit, PREFACE, readFrames, readNumber, unitKind, writeNumber } from "../../src/units.ts";
import type { UnitBody } from "../../src/units.ts";
import { concat } from "./bytes.ts";
import { RawPeer } from "./fake-network.ts";
import type { FakeStream } from "./fake-network.ts";
import type { TestNode, World } from "./nodes.ts";

export interface RawUnit {
  readonly kind: number;
  readonly body: Uint8Array;
}

/** A peer that speaks the bytes and follows no rule but those that a test writes down. */
export class RawNode {
  readonly raw: RawPeer;
  readonly rid: Rid;

  constructor(raw: RawPeer, name: string) {
    this.raw = raw;
    this.rid = ridFromText(name);
  }

  write(...parts: Uint8Array[]): void {
    this.raw.write(concat(parts));
  }

  record(number: number, text: string): void {
    this.write(recordUnit(number, text));
  }

  get units(): RawUnit[] {
    const units: RawUnit[] = [];
    const reader = new UnitReader(
      {
        limitOf: () => 1 << 24,
        onUnit: (kind, body) => void units.push({ kind, body: copyBytes(body.bytes, body.start, body.end) }),
        onUnknownVersion: () => {},
      },
      new RecordPool(),
    );
    reader.push(this.raw.received);
    return units;
  }

  /** What came in `connection` and `open` units. */
  commands(): Command[] {
    return this.units.flatMap(({ kind, body }) => {
      if (kind === unitKind.connection) return [decodeRecord(readFrames(body, 0, body.length, 8))];
      if (kind !== unitKind.open) return [];
      return [decodeRecord(readFrames(body, 2 + body[0]! * 256 + body[1]!, body.length, 8))];
    });
  }

  /** The terms of the admit that has come. */
  get admitted(): LinkTerms {
    return linkTermsOf(decodeOpenBody(this.open, 8));
  }

  /** The terms of the hello that has come. */
  get hello(): HelloTerms {
    return helloTermsOf(decodeOpenBody(this.open, 8));
  }

  /** Numbers and texts of the records that have come. */
  get records(): [number, string][] {
    return this.units
      .filter(({ kind }) => kind === unitKind.record)
      .map(({ body }) => [readNumber(body, 0), new TextDecoder().decode(readFrames(body, 8, body.length, 8)[0])]);
  }

  private get open(): UnitBody {
    const { body } = this.units.find(({ kind }) => kind === unitKind.open)!;
    return { bytes: body, start: 0, end: body.length, owned: true };
  }

  /** The last number that was acknowledged to this peer. */
  get acknowledged(): number {
    const last = this.units.filter(({ kind }) => kind === unitKind.acknowledge).at(-1);
    return last === undefined ? 0 : Number(new DataView(last.body.buffer).getBigUint64(0));
  }
}

export function recordUnit(number: number, text: string): Uint8Array {
  const outbox = new Outbox();
  const frames = [new TextEncoder().encode(text)];
  outbox.appendRecord(frames, Outbox.recordBytes(frames));
  let unit = new Uint8Array(0);
  outbox.writeTo({
    remote: "",
    proven: undefined,
    heldBytes: 0,
    start: () => {},
    close: () => {},
    destroy: () => {},
    write: (bytes) => {
      unit = bytes.slice();
      return bytes.length;
    },
  });
  writeNumber(unit, 5, number);
  return unit;
}

export function acknowledgement(number: number): Uint8Array {
  return encodeNumberUnit(unitKind.acknowledge, number);
}

/** The preface and hello of a node called `name` that wants `target`, with whatever a test changes. */
export function helloBytes(
  target: TestNode,
  name: string,
  changes: { admission?: Partial<Admission>; terms?: Partial<HelloTerms> } = {},
): Uint8Array {
  const admission = { ...admissionOfNode(name), ...changes.admission };
  const terms: HelloTerms = {
    ...LINK_TERMS,
    targetRid: target.rid,
    targetGeneration: target.generation,
    nonce: undefined,
    ...changes.terms,
  };
  return concat([PREFACE, encodeHelloUnit(terms, encodeRecord({ command: "hello", admission }))]);
}

/** The preface and admit of a node called `name`. */
export function admitBytes(name: string, changes: Partial<Admission> = {}, terms: Partial<LinkTerms> = {}): Uint8Array {
  const admission = { ...admissionOfNode(name), ...changes };
  const admit = encodeRecord({ command: "admit", admission });
  return concat([PREFACE, encodeAdmitUnit({ ...LINK_TERMS, ...terms }, admit)]);
}

const LINK_TERMS = {
  linkId: new Uint8Array(16).fill(9),
  receivedThrough: undefined,
  attempt: 1,
  maxRecordBytes: 1 << 20,
};

/** What a node called `name` says of itself. */
export function admissionOfNode(name: string): Admission {
  const identity: LocalIdentity = {
    meshName: "mesh",
    nodeRid: ridFromText(name),
    nodeGeneration: 1n,
    lease: { ownerId: `owner-of-${name}`, ownerLeaseGeneration: 7n },
    applicationVersion: 1n,
    placementWeight: 50,
  };
  return admissionOf(identity, `fake://${name}`, "plain");
}

/** Accepts at an endpoint, and answers the first bytes that come with these. */
export function listenRaw(world: World, endpoint: string, answer: Uint8Array): { node: RawNode | undefined } {
  const found: { node: RawNode | undefined } = { node: undefined };
  world.network.listeners.set(endpoint, (stream) => {
    const node = new RawNode(new RawPeer(stream as FakeStream), endpoint);
    found.node = node;
    node.raw.onFirstBytes = () => node.write(answer);
  });
  return found;
}

/** A raw node that has just been admitted. */
export function greet(world: World, target: TestNode, name: string, hello = helloBytes(target, name)): RawNode {
  const node = new RawNode(world.raw(target), name);
  world.run();
  node.write(hello);
  world.run();
  return node;
}
