// Made by scripts/generate.ts from the schema. Do not edit.
import type { FrozenRecord, FrozenSource, PayloadEnvelope } from "../../values/composites.ts";
import { readActorFence, readActorRef, readSpotFence } from "./composite-readers.ts";
import {
  blob,
  bool,
  constant1,
  enter2,
  enter4,
  gen,
  id128,
  leave,
  metadata,
  only4,
  pair,
  rid,
  text8,
  uint1,
} from "../input.ts";
import { refuse, type Mutable } from "../refuse.ts";

export function readFrozenSource(): FrozenSource {
  const tag = uint1();
  const outer = enter2();
  switch (tag) {
    case 1: {
      const value: FrozenSource = {
        kind: "node",
        nodeRid: rid(),
        nodeGeneration: gen(),
        ownerId: text8(),
        ownerLeaseGeneration: gen(),
      };
      leave(outer);
      return value;
    }
    case 2: {
      const value: FrozenSource = {
        kind: "spot",
        nodeRid: rid(),
        nodeGeneration: gen(),
        ownerId: text8(),
        ownerLeaseGeneration: gen(),
        spotId: text8(),
      };
      leave(outer);
      return value;
    }
    case 3: {
      const value: FrozenSource = {
        kind: "actor",
        nodeRid: rid(),
        nodeGeneration: gen(),
        ownerId: text8(),
        ownerLeaseGeneration: gen(),
        actor: readActorRef(),
      };
      leave(outer);
      return value;
    }
    case 4: {
      const value: FrozenSource = {
        kind: "boundSession",
        nodeRid: rid(),
        nodeGeneration: gen(),
        ownerId: text8(),
        ownerLeaseGeneration: gen(),
        actor: readActorRef(),
        sessionRid: rid(),
        bindingGeneration: gen(),
        sessionSequence: gen(),
      };
      leave(outer);
      return value;
    }
    default:
      return refuse();
  }
}

export function readPayloadEnvelope(): PayloadEnvelope {
  constant1(1);
  const outer0 = enter4();
  const packetNameValue = text8();
  const contentTypeValue = text8();
  const dataValue = blob(4294967295);
  leave(outer0);
  const value: PayloadEnvelope = { packetName: packetNameValue, contentType: contentTypeValue, data: dataValue };
  return value;
}

export function readFrozenRecord(): FrozenRecord {
  const tag = uint1();
  switch (tag) {
    case 1: {
      const sourceValue = readFrozenSource();
      const metadataValue = bool() ? metadata() : undefined;
      const operationValue = pair();
      const operationKindValue = only4(0, "none");
      const outer1 = enter2();
      leave(outer1);
      const payloadValue = readPayloadEnvelope();
      const value: Mutable<Extract<FrozenRecord, { recordKind: "nodeSend" }>> = {
        recordKind: "nodeSend",
        source: sourceValue,
        operation: operationValue,
        operationKind: operationKindValue,
        payload: payloadValue,
      };
      if (metadataValue !== undefined) value.metadata = metadataValue;
      return value;
    }
    case 2: {
      const sourceValue = readFrozenSource();
      const metadataValue = bool() ? metadata() : undefined;
      const operationValue = id128();
      const operationKindValue = only4(1, "nodeRequest");
      const outer2 = enter2();
      const replyRouteIdValue = gen();
      leave(outer2);
      const payloadValue = readPayloadEnvelope();
      const value: Mutable<Extract<FrozenRecord, { recordKind: "nodeRequest" }>> = {
        recordKind: "nodeRequest",
        source: sourceValue,
        operation: operationValue,
        operationKind: operationKindValue,
        replyRouteId: replyRouteIdValue,
        payload: payloadValue,
      };
      if (metadataValue !== undefined) value.metadata = metadataValue;
      return value;
    }
    case 3: {
      const sourceValue = readFrozenSource();
      const metadataValue = bool() ? metadata() : undefined;
      const operationValue = pair();
      const operationKindValue = only4(0, "none");
      const outer3 = enter2();
      leave(outer3);
      const channelNameValue = text8();
      const payloadValue = readPayloadEnvelope();
      const value: Mutable<Extract<FrozenRecord, { recordKind: "channelSend" }>> = {
        recordKind: "channelSend",
        source: sourceValue,
        operation: operationValue,
        operationKind: operationKindValue,
        channelName: channelNameValue,
        payload: payloadValue,
      };
      if (metadataValue !== undefined) value.metadata = metadataValue;
      return value;
    }
    case 4: {
      const sourceValue = readFrozenSource();
      const metadataValue = bool() ? metadata() : undefined;
      const operationValue = id128();
      const operationKindValue = only4(2, "channelRequest");
      const outer4 = enter2();
      const replyRouteIdValue = gen();
      leave(outer4);
      const channelNameValue = text8();
      const payloadValue = readPayloadEnvelope();
      const value: Mutable<Extract<FrozenRecord, { recordKind: "channelRequest" }>> = {
        recordKind: "channelRequest",
        source: sourceValue,
        operation: operationValue,
        operationKind: operationKindValue,
        replyRouteId: replyRouteIdValue,
        channelName: channelNameValue,
        payload: payloadValue,
      };
      if (metadataValue !== undefined) value.metadata = metadataValue;
      return value;
    }
    case 5: {
      const sourceValue = readFrozenSource();
      const metadataValue = bool() ? metadata() : undefined;
      const operationValue = pair();
      const operationKindValue = only4(0, "none");
      const outer5 = enter2();
      leave(outer5);
      const targetValue = readSpotFence();
      const payloadValue = readPayloadEnvelope();
      const value: Mutable<Extract<FrozenRecord, { recordKind: "spotSend" }>> = {
        recordKind: "spotSend",
        source: sourceValue,
        operation: operationValue,
        operationKind: operationKindValue,
        target: targetValue,
        payload: payloadValue,
      };
      if (metadataValue !== undefined) value.metadata = metadataValue;
      return value;
    }
    case 6: {
      const sourceValue = readFrozenSource();
      const metadataValue = bool() ? metadata() : undefined;
      const operationValue = id128();
      const operationKindValue = only4(3, "spotRequest");
      const outer6 = enter2();
      const replyRouteIdValue = gen();
      leave(outer6);
      const targetValue = readSpotFence();
      const payloadValue = readPayloadEnvelope();
      const value: Mutable<Extract<FrozenRecord, { recordKind: "spotRequest" }>> = {
        recordKind: "spotRequest",
        source: sourceValue,
        operation: operationValue,
        operationKind: operationKindValue,
        replyRouteId: replyRouteIdValue,
        target: targetValue,
        payload: payloadValue,
      };
      if (metadataValue !== undefined) value.metadata = metadataValue;
      return value;
    }
    case 7: {
      const sourceValue = readFrozenSource();
      const metadataValue = bool() ? metadata() : undefined;
      const operationValue = pair();
      const operationKindValue = only4(0, "none");
      const outer7 = enter2();
      leave(outer7);
      const channelNameValue = text8();
      const topicValue = text8();
      const payloadValue = readPayloadEnvelope();
      const value: Mutable<Extract<FrozenRecord, { recordKind: "spotMulticast" }>> = {
        recordKind: "spotMulticast",
        source: sourceValue,
        operation: operationValue,
        operationKind: operationKindValue,
        channelName: channelNameValue,
        topic: topicValue,
        payload: payloadValue,
      };
      if (metadataValue !== undefined) value.metadata = metadataValue;
      return value;
    }
    case 9: {
      const sourceValue = readFrozenSource();
      const metadataValue = bool() ? metadata() : undefined;
      const operationValue = pair();
      const operationKindValue = only4(0, "none");
      const outer8 = enter2();
      leave(outer8);
      const targetValue = readActorFence();
      const payloadValue = readPayloadEnvelope();
      const value: Mutable<Extract<FrozenRecord, { recordKind: "actorSend" }>> = {
        recordKind: "actorSend",
        source: sourceValue,
        operation: operationValue,
        operationKind: operationKindValue,
        target: targetValue,
        payload: payloadValue,
      };
      if (metadataValue !== undefined) value.metadata = metadataValue;
      return value;
    }
    case 10: {
      const sourceValue = readFrozenSource();
      const metadataValue = bool() ? metadata() : undefined;
      const operationValue = id128();
      const operationKindValue = only4(4, "actorRequest");
      const outer9 = enter2();
      const replyRouteIdValue = gen();
      leave(outer9);
      const targetValue = readActorFence();
      const payloadValue = readPayloadEnvelope();
      const value: Mutable<Extract<FrozenRecord, { recordKind: "actorRequest" }>> = {
        recordKind: "actorRequest",
        source: sourceValue,
        operation: operationValue,
        operationKind: operationKindValue,
        replyRouteId: replyRouteIdValue,
        target: targetValue,
        payload: payloadValue,
      };
      if (metadataValue !== undefined) value.metadata = metadataValue;
      return value;
    }
    default:
      return refuse();
  }
}
