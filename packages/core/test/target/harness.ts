import type { RelocationPrepare } from "@rehome/wire";
import { ridFromText } from "@rehome/wire";
import type { OwnerIdentity } from "../../src/ports/authority-store.ts";
import type { TargetConfig } from "../../src/target/config.ts";
import type { TargetEffect } from "../../src/target/effects.ts";
import type { TargetInput } from "../../src/target/inputs.ts";
import { TargetRegistry } from "../../src/target/registry.ts";
import type { TargetWork } from "../../src/target/registry.ts";
import {
  START,
  allChunks,
  bytesOf,
  configWith,
  cutoverReceived,
  headerOf,
  peerOf,
  prepareOf,
  restored,
  restoredMember,
  source,
} from "./fixture.ts";

export const other: OwnerIdentity = { ...source, nodeRid: ridFromText("node-c"), ownerId: "owner-c" };

/** A registry, and what it wanted done, by relocation. */
export class Harness {
  readonly registry: TargetRegistry;
  readonly work: TargetWork[] = [];
  now = START;

  constructor(limits: Partial<TargetConfig["limits"]> = {}) {
    this.registry = new TargetRegistry(configWith(limits));
  }

  prepare(command: RelocationPrepare, from: OwnerIdentity = source): readonly TargetWork[] {
    return this.#did(this.registry.prepare(peerOf(from), command, bytesOf(command), this.now));
  }

  step(command: RelocationPrepare, ...inputs: readonly TargetInput[]): readonly TargetWork[] {
    let last: readonly TargetWork[] = [];
    for (const input of inputs) last = this.#did(this.registry.step(command.relocation, input, this.now));
    return last;
  }

  /** Brings an open attempt to where its commit write is out. */
  commit(command: RelocationPrepare): void {
    const cutover = cutoverReceived([], headerOf(command));
    this.step(command, ...allChunks(command), restoredInputOf(command), { ...cutover, peer: command.sourceNodeRid });
  }

  typeOf(command: RelocationPrepare): string | undefined {
    return this.registry.stateOf(command.relocation)?.type;
  }

  /** Which relocations were told to restore, by the low half of their ids, in order. */
  restores(): bigint[] {
    return this.work.flatMap(({ relocation, effects }) =>
      effects.filter((effect) => effect.type === "RestoreUnit").map(() => relocation.low),
    );
  }

  #did(work: readonly TargetWork[]): readonly TargetWork[] {
    this.work.push(...work);
    return work;
  }
}

/** What the payload of an actor's move says, in agreement with its 40. */
export function restoredInputOf({ object, coordinator }: RelocationPrepare): TargetInput {
  if (object.kind !== "actor") throw new Error("only actors here");
  const { actorId, objectGeneration, authorityOwnerGeneration } = object;
  const baseVersion = coordinator.expectedAuthorityStoreVersion;
  const member = { ...restoredMember, actor: { actorId, objectGeneration }, authorityOwnerGeneration, baseVersion };
  return { type: "Restored", restored: { ...restored, members: [member] } };
}

/** The move number `low`, of an actor of its own. */
export function moveOf(low: number, change: Parameters<typeof prepareOf>[0] = {}): RelocationPrepare {
  return prepareOf({ relocation: { high: 1n, low: BigInt(low) }, object: actor(`actor-${low}`), ...change });
}
export function actor(
  actorId: string,
  objectGeneration = 7n,
  authorityOwnerGeneration = 8n,
): RelocationPrepare["object"] {
  return { kind: "actor", actorId, objectGeneration, authorityOwnerGeneration };
}
export function typesOf(work: readonly TargetWork[]): string[] {
  return work.flatMap(({ effects }) => effects.map((effect) => effect.type));
}
export function answerOf(work: readonly TargetWork[]): Extract<TargetEffect, { type: "SendFailed" }> | undefined {
  return work.flatMap(({ effects }) => effects).find((effect) => effect.type === "SendFailed");
}
