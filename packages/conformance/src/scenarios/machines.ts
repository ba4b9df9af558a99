/** The machines that scenarios play, behind one shape: a fact and the time in, effects or answers out. */
import {
  ActorFollow,
  IngressHold,
  OutboundMoves,
  OwedRoutes,
  ReplyRelayReceiver,
  ReplyRelaySender,
  SessionBarriers,
  StreamOrder,
  TargetRegistry,
  dropsCachedRoute,
  releaseEach,
  replyWay,
  restoreStreamOrder,
  startCommit,
  startLease,
  startSource,
  stepCommit,
  stepLease,
  stepSource,
  type PushOffer,
} from "@rehome/core";
import * as joins from "./join-machines.ts";
import { ScenarioError } from "./json.ts";
import { answering, stepping, type Play } from "./play-machine.ts";

/** Makes a machine from its config. */
type Make = (config: never) => Play;

type Parameters0<F extends (...given: never[]) => unknown> = Parameters<F>[0];

function sessionBarrier({ limits }: { readonly limits: ConstructorParameters<typeof SessionBarriers>[0] }): Play {
  const barriers = new SessionBarriers<string, string>(limits);
  type Binding = Parameters0<typeof barriers.offerMessage>;
  interface Message {
    readonly binding: Binding;
    readonly message: string;
    readonly bytes: number;
  }
  const offers = answering<{
    MessageOffered: Message;
    UnbindOffered: Omit<Message, "bytes">;
    PushOffered: PushOffer<string>;
  }>({
    MessageOffered: ({ binding, message, bytes }) => ({
      type: "MessageVerdict",
      verdict: barriers.offerMessage(binding, message, bytes),
    }),
    UnbindOffered: ({ binding, message }) => ({
      type: "UnbindVerdict",
      verdict: barriers.offerUnbind(binding, message),
    }),
    PushOffered: (offer) => ({ type: "PushVerdict", ...barriers.offerPush(offer) }),
  });
  return (input, atMs) =>
    input.type.endsWith("Offered") ? offers(input, atMs) : barriers.handle(input as never, atMs);
}

type HoldParameters = ConstructorParameters<typeof IngressHold>;
function ingressHold(config: {
  readonly operation: string;
  readonly mode: HoldParameters[1];
  readonly limits: HoldParameters[2];
}): Play {
  const hold = new IngressHold<string>(config.operation, config.mode, config.limits);
  const records = (list: readonly string[]): object => ({ type: "Records", records: list });
  interface By {
    readonly operation: string;
  }
  return answering<{
    Offered: { record: string; bytes: number };
    Promote: By;
    Snapshot: By;
    GiveBack: By;
    Release: By & { handedOver: Parameters<typeof hold.release>[1] };
    /** H6: every record in turn; those in `bad` fail. */
    ReleaseEach: { records: readonly string[]; bad: readonly string[] };
  }>({
    Offered: ({ record, bytes }) => ({ type: "Offer", outcome: hold.offer(record, bytes) }),
    Promote: ({ operation }) => (hold.promote(operation), undefined),
    Snapshot: ({ operation }) => records(hold.snapshot(operation)),
    GiveBack: ({ operation }) => records(hold.giveBack(operation)),
    Release: ({ operation, handedOver }) => ({ type: "Released", ...hold.release(operation, handedOver) }),
    ReleaseEach: ({ records: all, bad }) => {
      const delivered: string[] = [];
      const failures = releaseEach(all, (record) => {
        if (bad.includes(record)) throw new ScenarioError("bad record");
        delivered.push(record);
      });
      return { type: "Delivered", delivered, failed: failures.map(({ record }) => record) };
    },
  });
}

type StreamParameters = Parameters<typeof restoreStreamOrder<string>>;
function streamOrder(config: {
  readonly limits: StreamParameters[2];
  readonly restore?: { readonly snapshot: StreamParameters[0]; readonly queued: StreamParameters[1] };
}): Play {
  let order = new StreamOrder<string>(config.limits);
  const captured = (atMs: number): StreamParameters[0] => order.capture(atMs);
  return answering<{
    Arrived: Parameters0<typeof order.accept>;
    Ran: Parameters0<typeof order.ran>;
    Expire: object;
    Capture: object;
    /** What a move does: the snapshot of this moment becomes the target's order. */
    Moved: { queued: StreamParameters[1] };
  }>({
    Arrived: (arrival, atMs) => ({ type: "Acceptance", ...order.accept(arrival, atMs) }),
    Ran: (place, atMs) => (order.ran(place, atMs), undefined),
    Expire: (_input, atMs) => ({ type: "Expiry", ...order.expire(atMs) }),
    Capture: (_input, atMs) => ({ type: "Snapshot", ...captured(atMs) }),
    Moved: ({ queued }, atMs) => {
      order = restoreStreamOrder(captured(atMs), queued, config.limits, atMs);
      return undefined;
    },
  });
}

type FollowParameters = ConstructorParameters<typeof ActorFollow>;
function messageFollow(config: {
  readonly left: FollowParameters[0];
  readonly target: FollowParameters[1];
  readonly limits: FollowParameters[3];
}): Play {
  let follow: ActorFollow<string> | undefined;
  const running = (): ActorFollow<string> => {
    if (follow === undefined) throw new ScenarioError('"Start" comes first');
    return follow;
  };
  type Hint = Parameters<typeof dropsCachedRoute>;
  return answering<{
    Start: object;
    Offered: Parameters0<ActorFollow<string>["offer"]>;
    SendFirst: object;
    TakeAll: object;
    /** F4, at the sender: a 50 came from `peer`. */
    HintReceived: { cached: Hint[0]; peer: Hint[1]; command: Hint[2] };
  }>({
    Start: (_input, atMs) => {
      follow = new ActorFollow<string>(config.left, config.target, atMs, config.limits);
      return undefined;
    },
    Offered: (message, atMs) => ({ type: "Answer", ...running().offer(message, atMs) }),
    SendFirst: () => {
      const first = running().first();
      if (first === undefined) return undefined;
      running().removeFirst();
      return { type: "Forward", ...first };
    },
    TakeAll: () =>
      running()
        .takeAll()
        .map((message) => ({ type: "Taken", ...message })),
    HintReceived: ({ cached, peer, command }) => ({
      type: dropsCachedRoute(cached, peer, command) ? "DropCachedRoute" : "KeepCachedRoute",
    }),
  });
}

function replyRelaySender({ limits }: { readonly limits: ConstructorParameters<typeof ReplyRelaySender>[0] }): Play {
  const sender = new ReplyRelaySender(limits);
  type Relay = Parameters<typeof sender.relay>;
  type Acknowledge = Parameters<typeof sender.acknowledge>;
  return answering<{
    Settled: { request: Relay[0]; result: Relay[1]; bytes: Relay[2] };
    AckReceived: { peer: Acknowledge[0]; command: Acknowledge[1] };
    LinkUp: { peer: Acknowledge[0]; nodeGeneration: bigint };
    LeaseEnded: { ownerId: string; ownerLeaseGeneration: bigint };
  }>({
    Settled: ({ request, result, bytes }) => ({ type: "Send", ...sender.relay(request, result, bytes) }),
    AckReceived: ({ peer, command }) => ({ type: "AckAnswer", ...sender.acknowledge(peer, command) }),
    LinkUp: ({ peer, nodeGeneration }) =>
      sender.linkUp(peer, nodeGeneration).map((command) => ({ type: "SendAgain", command })),
    LeaseEnded: ({ ownerId, ownerLeaseGeneration }) => ({
      type: "Forgotten",
      count: sender.leaseEnded(ownerId, ownerLeaseGeneration),
    }),
  });
}

function replyRelayReceiver(config: {
  readonly self: ConstructorParameters<typeof ReplyRelayReceiver>[0];
  readonly capacity: number;
}): Play {
  const receiver = new ReplyRelayReceiver(config.self, config.capacity);
  type Receive = Parameters<typeof receiver.receive>;
  type Closed = Parameters<typeof receiver.closed>;
  return answering<{
    RelayReceived: { command: Receive[0]; open?: Receive[1] };
    Closed: { operation: Closed[0]; replyRouteId: Closed[1] };
  }>({
    RelayReceived: ({ command, open }) => ({ type: "RelayAnswer", ...receiver.receive(command, open) }),
    Closed: ({ operation, replyRouteId }) => (receiver.closed(operation, replyRouteId), undefined),
  });
}

function owedRoutes({
  sealDeadlineMs,
  capacity,
}: {
  readonly sealDeadlineMs: number;
  readonly capacity: number;
}): Play {
  const owed = new OwedRoutes(sealDeadlineMs, capacity);
  type Owe = Parameters<typeof owed.owe>;
  return answering<{ Owe: { peer: Owe[0]; command: Owe[1] }; LinkUp: { peer: Owe[0] } }>({
    Owe: ({ peer, command }, atMs) => {
      const dropped = owed.owe(peer, command, atMs);
      return dropped === undefined ? undefined : { type: "Dropped", command: dropped };
    },
    LinkUp: ({ peer }, atMs) => owed.linkUp(peer, atMs).map((command) => ({ type: "SendAgain", command })),
  });
}

function outboundMoves({ limit }: { readonly limit: number }): Play {
  const moves = new OutboundMoves(limit);
  return answering<{
    Begin: { request: Parameters0<typeof moves.begin> };
    Enter: { key: string; spotKey: string };
    InTheWay: { spotKey: string };
    End: { key: string };
  }>({
    Begin: ({ request }) => ({ type: "Admission", admission: moves.begin(request) }),
    Enter: ({ key, spotKey }) => ({ type: "Entry", outcome: moves.enter(key, spotKey) }),
    InTheWay: ({ spotKey }) => ({ type: "InTheWay", keys: moves.inTheWay(spotKey) }),
    End: ({ key }) => (moves.end(key), undefined),
  });
}

/** One node's registry of all moves to it. Every input but a lost link and an abort of all names its relocation. */
function target(config: ConstructorParameters<typeof TargetRegistry>[0]): Play {
  const registry = new TargetRegistry(config);
  return (input, atMs) => {
    const given = input as never as Record<string, never> & { readonly command?: { readonly relocation: never } };
    const relocation = given.command?.relocation ?? given["relocation"]!;
    const work =
      input.type === "PrepareReceived"
        ? registry.prepare(given["peer"]!, given.command as never, given["bytes"]!, atMs)
        : input.type === "LinkLost"
          ? registry.linkLost(given["peer"]!, atMs)
          : input.type === "AbortAll"
            ? registry.abortAll(given["failure"]!, atMs)
            : registry.step(relocation, input as never, atMs);
    return work.flatMap(({ relocation: of, effects }) => effects.map((effect) => ({ relocation: of, ...effect })));
  };
}

/** By the name that a scenario file says. */
export const machines: Readonly<Record<string, Make>> = {
  sessionBarrier,
  ingressHold,
  streamOrder,
  messageFollow,
  replyRelaySender,
  replyRelayReceiver,
  owedRoutes,
  outboundMoves,
  target,
  source: (config: Parameters0<typeof startSource>) => stepping((atMs) => startSource(config, atMs), stepSource),
  authorityCommit: (move: Parameters0<typeof startCommit>) => stepping(() => startCommit(move), stepCommit),
  lease: ({
    durationMs,
    granted,
  }: {
    readonly durationMs: number;
    readonly granted: Parameters<typeof startLease>[1];
  }) => stepping((atMs) => startLease({ durationMs }, granted, atMs), stepLease),
  join: joins.join,
  joinJournal: joins.joinJournal,
  joinDelivery: joins.joinDelivery,
  joinDeliveries: joins.joinDeliveries,
  lostOwner: joins.lostOwner,
  ownerWrites: joins.ownerWrites,
  drain: joins.drain,
  drainDesk: joins.drainDesk,
  replyWay: () =>
    answering<{ Asked: { known: Parameters0<typeof replyWay> } }>({
      Asked: ({ known }) => ({ type: "Way", way: replyWay(known) }),
    }),
};
