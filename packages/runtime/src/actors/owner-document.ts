import {
  EMPTY_DOCUMENT,
  type DocumentCodec,
  type JournalCursor,
  type JournalRecord,
  type OwnerDocument,
  type SavedState,
} from "@rehome/core";
import { decodeDurable, encodeDurable } from "@rehome/wire";
import protobuf from "protobufjs/light.js";
import { ownerDocumentSchema } from "../generated/owner-document.ts";
import { id128FromBytes, id128ToBytes } from "../ids.ts";
import { fromHalves, toHalves, type Halves } from "../moves/payload-schema.ts";

/** The format that this code writes, and the newest that it reads. */
const DOCUMENT_FORMAT = 1;
/** The document is one piece of durable state. */
const ENVELOPE = { magic: "ZLTC", order: 0 } as const;

/** `proto/owner-document.proto`, as protobufjs gives it. */
interface DocumentMessage {
  format: number;
  join: {
    operation: Uint8Array;
    actorId: string;
    spotId: string;
    cursor: number;
    contentType: string;
    reply: Uint8Array;
  } | null;
  saved: { version: number; applicationVersion: Halves; contentType: string; data: Uint8Array } | null;
}

const cursors: Readonly<Record<JournalCursor, number>> = { prepared: 1, committed: 2, delivered: 3 };
const type = protobuf.Root.fromJSON(ownerDocumentSchema).lookupType("rehome.owner.v1.OwnerDocument");

/** The owner's document as the store keeps it (`protocol.md` J2, L3). */
export const ownerDocuments: DocumentCodec = {
  encode(document: OwnerDocument): Uint8Array {
    if (!document.journal && !document.saved) return new Uint8Array(0);
    const message: DocumentMessage = {
      format: DOCUMENT_FORMAT,
      join: document.journal ? encodeJournal(document.journal) : null,
      saved: document.saved ? encodeSaved(document.saved) : null,
    };
    return encodeDurable({ ...ENVELOPE, data: type.encode(message).finish() });
  },

  /** `undefined` for whatever is not a document that this node can read: a wrong checksum, a newer format, a stranger's bytes. */
  decode(bytes: Uint8Array): OwnerDocument | undefined {
    if (bytes.length === 0) return EMPTY_DOCUMENT;
    try {
      const envelope = decodeDurable(bytes);
      if (envelope.magic !== "ZLTC" || envelope.order !== 0) return undefined;
      const message = type.decode(envelope.data) as unknown as DocumentMessage;
      if (message.format < 1 || message.format > DOCUMENT_FORMAT) return undefined;
      const journal = message.join ? decodeJournal(message.join) : undefined;
      if (message.join && !journal) return undefined;
      return { journal, saved: message.saved ? decodeSaved(message.saved) : undefined };
    } catch {
      return undefined;
    }
  },
};

function encodeJournal(record: JournalRecord): NonNullable<DocumentMessage["join"]> {
  const { actorId, spotId, contentType, reply } = record;
  return {
    operation: id128ToBytes(record.operation),
    actorId,
    spotId,
    cursor: cursors[record.cursor],
    contentType,
    reply,
  };
}

function decodeJournal(message: NonNullable<DocumentMessage["join"]>): JournalRecord | undefined {
  const operation = id128FromBytes(message.operation);
  const cursor = (Object.keys(cursors) as JournalCursor[]).find((name) => cursors[name] === message.cursor);
  if (!operation || !cursor) return undefined;
  const { actorId, spotId, contentType, reply } = message;
  return { operation, actorId, spotId, cursor, contentType, reply };
}

function encodeSaved(saved: SavedState): NonNullable<DocumentMessage["saved"]> {
  const { stateVersion, applicationVersion, contentType, data } = saved;
  return { version: stateVersion, applicationVersion: toHalves(applicationVersion), contentType, data };
}

function decodeSaved(message: NonNullable<DocumentMessage["saved"]>): SavedState {
  const { version, applicationVersion, contentType, data } = message;
  return { stateVersion: version, applicationVersion: fromHalves(applicationVersion), contentType, data };
}
