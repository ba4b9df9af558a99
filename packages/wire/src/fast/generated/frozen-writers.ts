// Made by scripts/generate.ts from the schema. Do not edit.
import type { FrozenRecord, FrozenSource, PayloadEnvelope } from "../../values/composites.ts";
import { writeActorFence, writeActorRef, writeSpotFence } from "./composite-writers.ts";
import {
  blob,
  bool,
  close2,
  close4,
  gen,
  id128,
  metadata,
  only4,
  open2,
  open4,
  pair,
  rid,
  text8,
  uint1,
} from "../output.ts";
import { refuse } from "../refuse.ts";

/** The most bytes of it, without the data of its payload. */
export const payloadEnvelopeBound = 521;
/** The most bytes of it, without the data of its payload. */
export const frozenRecordBound = 4472;

export function writeFrozenSource(value: FrozenSource): void {
  switch (value.kind) {
    case "node": {
      uint1(1);
      const body0 = open2();
      rid(value.nodeRid);
      gen(value.nodeGeneration);
      text8(value.ownerId);
      gen(value.ownerLeaseGeneration);
      close2(body0);
      break;
    }
    case "spot": {
      uint1(2);
      const body1 = open2();
      rid(value.nodeRid);
      gen(value.nodeGeneration);
      text8(value.ownerId);
      gen(value.ownerLeaseGeneration);
      text8(value.spotId);
      close2(body1);
      break;
    }
    case "actor": {
      uint1(3);
      const body2 = open2();
      rid(value.nodeRid);
      gen(value.nodeGeneration);
      text8(value.ownerId);
      gen(value.ownerLeaseGeneration);
      writeActorRef(value.actor);
      close2(body2);
      break;
    }
    case "boundSession": {
      uint1(4);
      const body3 = open2();
      rid(value.nodeRid);
      gen(value.nodeGeneration);
      text8(value.ownerId);
      gen(value.ownerLeaseGeneration);
      writeActorRef(value.actor);
      rid(value.sessionRid);
      gen(value.bindingGeneration);
      gen(value.sessionSequence);
      close2(body3);
      break;
    }
    default:
      refuse();
  }
}

export function writePayloadEnvelope(value: PayloadEnvelope): void {
  uint1(1);
  const body4 = open4();
  text8(value.packetName);
  text8(value.contentType);
  blob(value.data, 4294967295);
  close4(body4);
}

export function writeFrozenRecord(value: FrozenRecord): void {
  switch (value.recordKind) {
    case "nodeSend": {
      uint1(1);
      writeFrozenSource(value.source);
      bool(value.metadata !== undefined);
      if (value.metadata !== undefined) {
        metadata(value.metadata);
      }
      pair(value.operation);
      only4(value.operationKind, "none", 0);
      const body5 = open2();
      close2(body5);
      writePayloadEnvelope(value.payload);
      break;
    }
    case "nodeRequest": {
      uint1(2);
      writeFrozenSource(value.source);
      bool(value.metadata !== undefined);
      if (value.metadata !== undefined) {
        metadata(value.metadata);
      }
      id128(value.operation);
      only4(value.operationKind, "nodeRequest", 1);
      const body6 = open2();
      gen(value.replyRouteId);
      close2(body6);
      writePayloadEnvelope(value.payload);
      break;
    }
    case "channelSend": {
      uint1(3);
      writeFrozenSource(value.source);
      bool(value.metadata !== undefined);
      if (value.metadata !== undefined) {
        metadata(value.metadata);
      }
      pair(value.operation);
      only4(value.operationKind, "none", 0);
      const body7 = open2();
      close2(body7);
      text8(value.channelName);
      writePayloadEnvelope(value.payload);
      break;
    }
    case "channelRequest": {
      uint1(4);
      writeFrozenSource(value.source);
      bool(value.metadata !== undefined);
      if (value.metadata !== undefined) {
        metadata(value.metadata);
      }
      id128(value.operation);
      only4(value.operationKind, "channelRequest", 2);
      const body8 = open2();
      gen(value.replyRouteId);
      close2(body8);
      text8(value.channelName);
      writePayloadEnvelope(value.payload);
      break;
    }
    case "spotSend": {
      uint1(5);
      writeFrozenSource(value.source);
      bool(value.metadata !== undefined);
      if (value.metadata !== undefined) {
        metadata(value.metadata);
      }
      pair(value.operation);
      only4(value.operationKind, "none", 0);
      const body9 = open2();
      close2(body9);
      writeSpotFence(value.target);
      writePayloadEnvelope(value.payload);
      break;
    }
    case "spotRequest": {
      uint1(6);
      writeFrozenSource(value.source);
      bool(value.metadata !== undefined);
      if (value.metadata !== undefined) {
        metadata(value.metadata);
      }
      id128(value.operation);
      only4(value.operationKind, "spotRequest", 3);
      const body10 = open2();
      gen(value.replyRouteId);
      close2(body10);
      writeSpotFence(value.target);
      writePayloadEnvelope(value.payload);
      break;
    }
    case "spotMulticast": {
      uint1(7);
      writeFrozenSource(value.source);
      bool(value.metadata !== undefined);
      if (value.metadata !== undefined) {
        metadata(value.metadata);
      }
      pair(value.operation);
      only4(value.operationKind, "none", 0);
      const body11 = open2();
      close2(body11);
      text8(value.channelName);
      text8(value.topic);
      writePayloadEnvelope(value.payload);
      break;
    }
    case "actorSend": {
      uint1(9);
      writeFrozenSource(value.source);
      bool(value.metadata !== undefined);
      if (value.metadata !== undefined) {
        metadata(value.metadata);
      }
      pair(value.operation);
      only4(value.operationKind, "none", 0);
      const body12 = open2();
      close2(body12);
      writeActorFence(value.target);
      writePayloadEnvelope(value.payload);
      break;
    }
    case "actorRequest": {
      uint1(10);
      writeFrozenSource(value.source);
      bool(value.metadata !== undefined);
      if (value.metadata !== undefined) {
        metadata(value.metadata);
      }
      id128(value.operation);
      only4(value.operationKind, "actorRequest", 4);
      const body13 = open2();
      gen(value.replyRouteId);
      close2(body13);
      writeActorFence(value.target);
      writePayloadEnvelope(value.payload);
      break;
    }
    default:
      refuse();
  }
}
