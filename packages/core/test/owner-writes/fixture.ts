import type { DocumentCodec, OwnerChange, OwnerDocument } from "../../src/owner-writes/document.ts";
import { EMPTY_DOCUMENT } from "../../src/owner-writes/document.ts";
import type { WriterConfig, WriterEffect, WriterInput, WriterState, WriterStep } from "../../src/owner-writes/state.ts";
import { startWriter, stepWriter } from "../../src/owner-writes/step.ts";
import { brokenWriterInvariants } from "../../src/owner-writes/invariants.ts";
import type { JournalRecord } from "../../src/join-journal/record.ts";
import type { AuthorityRecord } from "../../src/ports/authority-store.ts";
import { baseRecord } from "../authority-commit/fixture.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A document as text, so that a failing test can be read. */
export const codec: DocumentCodec = {
  encode: (document) => {
    if (document === EMPTY_DOCUMENT) return new Uint8Array(0);
    const plain = (_: string, value: unknown): unknown => {
      if (typeof value === "bigint") return `${value}n`;
      return value instanceof Uint8Array ? [...value] : value;
    };
    return encoder.encode(JSON.stringify(document, plain));
  },
  decode(bytes) {
    if (bytes.length === 0) return EMPTY_DOCUMENT;
    try {
      const revive = (key: string, value: unknown): unknown => {
        if (typeof value === "string" && /^\d+n$/.test(value)) return BigInt(value.slice(0, -1));
        return (key === "data" || key === "reply") && Array.isArray(value) ? new Uint8Array(value as number[]) : value;
      };
      const value = JSON.parse(decoder.decode(bytes), revive) as Partial<OwnerDocument>;
      return { journal: value.journal, saved: value.saved };
    } catch {
      return undefined;
    }
  },
};

export const config: WriterConfig = {
  authority: {
    key: baseRecord.key,
    objectGeneration: baseRecord.objectGeneration,
    authorityOwnerGeneration: baseRecord.authorityOwnerGeneration,
    owner: baseRecord.owner,
  },
  codec,
  retry: { firstMs: 10, mostMs: 1_000 },
  deadlineMs: 5_000,
};

export const journal: JournalRecord = {
  operation: { high: 4n, low: 2n },
  actorId: "user:42",
  spotId: "room",
  contentType: "text/plain",
  reply: new Uint8Array([1, 2, 3]),
  cursor: "prepared",
};

export function save(value: number): OwnerChange {
  return {
    type: "save",
    saved: { stateVersion: 1, applicationVersion: 1n, contentType: "x", data: new Uint8Array([value]) },
  };
}

export function document(value: number): OwnerDocument {
  const change = save(value);
  return { journal: undefined, saved: change.type === "save" ? change.saved : undefined };
}

/** The record as it is when it holds this document. */
export function recordWith(
  held: OwnerDocument,
  storeVersion: string,
  base: AuthorityRecord = baseRecord,
): AuthorityRecord {
  return { ...base, storeVersion, payload: codec.encode(held) };
}

/** A writer, with every step checked. */
export class Harness {
  state: WriterState;
  effects: readonly WriterEffect[];

  constructor(record: AuthorityRecord = recordWith(document(1), "v10")) {
    const first = startWriter(config, record);
    this.state = first.state;
    this.effects = first.effects;
  }

  tell(input: WriterInput): readonly WriterEffect[] {
    const step: WriterStep = stepWriter(this.state, input);
    const broken = brokenWriterInvariants(step.state, step.effects);
    if (broken.length > 0) throw new Error(`after ${input.type}: ${broken.join("; ")}`);
    this.state = step.state;
    this.effects = step.effects;
    return step.effects;
  }

  get types(): string[] {
    return this.effects.map(({ type }) => type);
  }
}
