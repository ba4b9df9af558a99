import { MAY_REPLACE, passedOverText, type NodeDescriptor, type ReserveAnswer } from "@rehome/core";
import { actorAuthorityKey, type ActorFence, type Reservation, type Rid } from "@rehome/wire";
import { errorOfWire, RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { id128Text, randomId128 } from "../ids.ts";
import { fenceOf, type ListedNode } from "../links/directory.ts";
import type { Answer } from "../links/requests.ts";

/** Pauses while somebody else creates the same actor, or the store is silent. */
const RETRY_PAUSE_MS = 20;
const UINT32_RANGE = 2 ** 32;

export interface Placed {
  readonly created: boolean;
  readonly fence: ActorFence;
}

/** Finds an actor or makes it: reserve in the store, 49 to the chosen node, which commits the reservation. */
export class Placement {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Rejects with `typeMismatch`, `typeUnknown`, `capacityExceeded`, `storeUnavailable`, `timedOut`, `notConnected`. */
  async ensure(type: string, actorId: string, timeoutMs = this.#host.config.deadlines.createMs): Promise<Placed> {
    const { clock } = this.#host.config;
    const deadline = clock.nowMs() + timeoutMs;
    const key = actorAuthorityKey(actorId);
    const full = new Set<Rid>();
    for (let created = false; ;) {
      const leftMs = deadline - clock.nowMs();
      if (leftMs <= 0)
        throw new RuntimeError("timedOut", `actor "${actorId}" could not be found or made within ${timeoutMs} ms`);
      if (this.#host.stopped()) throw new RuntimeError("closed", "this node is closing");
      const reading = await this.#host.directory.readSettled(key, leftMs);
      if (reading?.record.state === "active" && reading.ownerLeaseLive) {
        if (reading.record.stableType !== type) {
          throw new RuntimeError(
            "typeMismatch",
            `actor "${actorId}" is of type "${reading.record.stableType}", not "${type}"`,
          );
        }
        const fence = fenceOf(actorId, reading.record);
        this.#host.directory.learn(fence);
        return { created, fence };
      }
      const held = this.#host.mover.arrivals.awaits(actorId) ? "standing" : "none";
      if (reading && MAY_REPLACE[reading.ownerLeaseLive ? "live" : "ended"][held] === "awaitCommit") {
        await this.#host.directory.pause(RETRY_PAUSE_MS);
        continue;
      }
      const outcome = await this.#create(type, actorId, full, leftMs);
      created ||= outcome === "created";
      if (outcome === "wait") await this.#host.directory.pause(RETRY_PAUSE_MS);
    }
  }

  /** H7: an actor that moves is asked again, where it lives by then. */
  async destroy(type: string, actorId: string, timeoutMs = this.#host.config.deadlines.createMs): Promise<void> {
    const { clock } = this.#host.config;
    const deadline = clock.nowMs() + timeoutMs;
    for (;;) {
      const { fence, record } = await this.#host.directory.locate(actorId, timeoutMs);
      if (record.stableType !== type) {
        throw new RuntimeError("typeMismatch", `actor "${actorId}" is of type "${record.stableType}", not "${type}"`);
      }
      const answer = await this.#askToEnd(fence, Math.max(1, deadline - clock.nowMs()));
      if (answer.ok) return;
      const error = answer.result ? errorOfWire(answer.result, answer.error.message) : answer.error;
      const isElsewhere = error.code === "busy" || error.code === "stale";
      if (!isElsewhere || clock.nowMs() >= deadline) throw error;
      await this.#host.directory.pause(RETRY_PAUSE_MS);
    }
  }

  #askToEnd(actor: ActorFence, timeoutMs: number): Promise<Answer> {
    const { requests, links } = this.#host;
    return new Promise((settle) => {
      const what = `destroying actor "${actor.actor.actorId}"`;
      const correlation = requests.open({ kind: "actorDestroy", what, timeoutMs, settle });
      requests.sentTo(correlation, actor.nodeRid);
      links.send(
        actor.nodeRid,
        { command: "actorDestroy", correlation, actor },
        { onUnsent: (error) => requests.fail(correlation, error) },
      );
    });
  }

  async #create(type: string, actorId: string, full: Set<Rid>, leftMs: number): Promise<"created" | "again" | "wait"> {
    const node = await this.#choose(type, full);
    const reservationId = id128Text(randomId128(this.#host.config.random));
    const answer = await this.#host.store.reserve({
      key: actorAuthorityKey(actorId),
      kind: "actor",
      stableType: type,
      owner: node.owner,
      reservationId,
      ttlMs: this.#host.config.deadlines.createMs,
      ifOwnerLeaseEnded: "replace",
    });
    if (answer.outcome === "capacityExceeded") full.add(node.owner.nodeRid);
    if (answer.outcome === "generationExhausted")
      throw new RuntimeError("capacityExceeded", `actor id "${actorId}" has no generation left`);
    if (answer.outcome !== "reserved") return answer.outcome === "exists" ? "again" : "wait";
    const outcome = await this.#ask(type, actorId, node, answer, leftMs).catch((error: unknown) => {
      if (!(error instanceof RuntimeError) || error.code !== "busy") throw error;
      // It has begun to drain since it was listed (D1): another one is chosen.
      full.add(node.owner.nodeRid);
      return "again" as const;
    });
    // With nothing to inherit the node that makes it cannot know that there was an actor before.
    const isSilent = answer.replacesLostOwner && answer.reservation.record.payload.length === 0;
    if (isSilent && outcome === "created") {
      this.#host.config.observe({ type: "ActorRecreated", actorType: type, actorId, from: "new" });
    }
    return outcome;
  }

  async #ask(
    type: string,
    actorId: string,
    node: NodeDescriptor,
    reserved: Extract<ReserveAnswer, { outcome: "reserved" }>,
    leftMs: number,
  ): Promise<"created" | "again"> {
    const { reservationId, record } = reserved.reservation;
    const answer = await new Promise<Answer>((settle) => {
      const correlation = this.#host.requests.open({
        kind: "actorCreate",
        what: `creating actor "${actorId}" of type "${type}"`,
        timeoutMs: leftMs,
        settle,
      });
      const reservation: Reservation = {
        reservationId,
        expectedStoreVersion: record.storeVersion,
        objectGeneration: record.objectGeneration,
        authorityOwnerGeneration: record.authorityOwnerGeneration,
        nodeRid: node.owner.nodeRid,
        nodeGeneration: node.owner.nodeGeneration,
        ownerId: node.owner.ownerId,
        ownerLeaseGeneration: node.owner.ownerLeaseGeneration,
        pendingCapacityDelta: 1,
      };
      this.#host.requests.sentTo(correlation, node.owner.nodeRid);
      this.#host.links.send(
        node.owner.nodeRid,
        {
          command: "actorCreate",
          correlation,
          operation: randomId128(this.#host.config.random),
          sourceNodeRid: this.#host.self.nodeRid,
          sourceNodeGeneration: this.#host.self.nodeGeneration,
          actorId,
          stableType: type,
          reservation,
          deadlineUnixMs: BigInt(Math.ceil(this.#host.config.clock.unixMs() + leftMs)),
        },
        { onUnsent: (error) => this.#host.requests.fail(correlation, error) },
      );
    });
    if (answer.ok && answer.tail?.operation === "actorCreate") {
      if (answer.tail.createResult === "created") return "created";
      if (answer.tail.createResult === "existing") return "again";
      throw new RuntimeError("rejected", `node "${node.endpoint}" rejected the creation of actor "${actorId}"`);
    }
    await this.#host.store.abortCreate(record.key, reservationId);
    if (answer.ok) throw new RuntimeError("protocolError", `creating actor "${actorId}": a reply without its tail`);
    throw answer.result ? errorOfWire(answer.result, answer.error.message) : answer.error;
  }

  /** Serving, hosts the type, has room; then by weight (`protocol.md` D2). */
  async #choose(type: string, full: ReadonlySet<Rid>): Promise<NodeDescriptor> {
    const isOpen = (node: ListedNode): boolean => whyNotHere(node, type, full) === undefined;
    let nodes = await this.#host.directory.nodes();
    // An old list is no reason to say no: a node may have begun to serve, or serve again (D4), since.
    if (!nodes.some(isOpen)) nodes = await this.#host.directory.nodes(true);
    const open = nodes.filter(isOpen);
    if (open.length === 0) throw noPlace(nodes, type, full);
    return pickByWeight(open, this.#host.config.random.bytes(4));
  }
}

/** Why a node takes no new actor of this type, or `undefined`. */
function whyNotHere({ descriptor, owned }: ListedNode, type: string, full: ReadonlySet<Rid>): string | undefined {
  const { state, stableTypes, placementWeight, capacity, owner } = descriptor;
  if (!stableTypes.includes(type)) return "it does not host the type";
  if (state !== "serving") return `it is ${state}`;
  if (placementWeight === 0) return "its placement weight is 0";
  if (owned >= capacity) return `it is full (${owned} of ${capacity})`;
  return full.has(owner.nodeRid) ? "it was full when it was asked" : undefined;
}

function noPlace(nodes: readonly ListedNode[], type: string, full: ReadonlySet<Rid>): RuntimeError {
  const why = passedOverText(
    nodes.map((node) => ({
      nodeRid: node.descriptor.owner.nodeRid,
      reason: whyNotHere(node, type, full) ?? "it could take it now",
    })),
  );
  const isHosted = nodes.some(
    ({ descriptor }) => descriptor.state === "serving" && descriptor.stableTypes.includes(type),
  );
  return isHosted
    ? new RuntimeError("capacityExceeded", `no node has room for an actor of type "${type}" (${why})`)
    : new RuntimeError("typeUnknown", `no serving node hosts actors of type "${type}" (${why})`);
}

/** Chooses with probability in proportion to the weights; `bytes` are four random ones. */
export function pickByWeight(nodes: readonly ListedNode[], bytes: Uint8Array): NodeDescriptor {
  const total = nodes.reduce((sum, node) => sum + node.descriptor.placementWeight, 0);
  const fraction = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) / UINT32_RANGE;
  let left = fraction * total;
  for (const node of nodes) {
    left -= node.descriptor.placementWeight;
    if (left < 0) return node.descriptor;
  }
  return nodes[nodes.length - 1]!.descriptor;
}
