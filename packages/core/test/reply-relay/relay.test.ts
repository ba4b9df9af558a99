import { ridFromText, type Id128, type ReplyRelay, type ReplyRelayAck, type RequestSource } from "@rehome/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReplyRelayReceiver } from "../../src/reply-relay/receiver.ts";
import { DEFAULT_RELAY_LIMITS, ReplyRelaySender, type RelayedRequest } from "../../src/reply-relay/sender.ts";

const requester: RequestSource = {
  ownerId: "owner-c",
  ownerLeaseGeneration: 30n,
  nodeRid: ridFromText("c"),
  nodeGeneration: 3n,
};

const move = {
  relocation: { high: 7n, low: 9n },
  targetAttemptGeneration: 1n,
  coordinator: {
    ownerId: "owner-a",
    leaseGeneration: 20n,
    nodeRid: ridFromText("a"),
    nodeGeneration: 2n,
    expectedAuthorityStoreVersion: "v1",
  },
};

const operation = (low: bigint): Id128 => ({ high: 1n, low });

function request(low = 1n, change: Partial<RelayedRequest> = {}): RelayedRequest {
  return { operation: operation(low), replyRouteId: 100n + low, requester, move, ...change };
}

const ok = {
  terminalResult: "ok",
  failureCode: "none",
  payload: { packetName: "answer", contentType: "text/plain", data: new Uint8Array([1]) },
} as const;

function ackOf(command: ReplyRelay, change: Partial<ReplyRelayAck> = {}): ReplyRelayAck {
  return {
    command: "replyRelayAck",
    relocation: command.context.relocation,
    coordinator: command.context.coordinator,
    operation: command.operation,
    replyRouteId: command.replyRouteId,
    requestSource: requester,
    status: "terminalReceived",
    ...change,
  };
}

describe("Q1: the new owner relays the result to the requester's node", () => {
  it("under the operation and the correlation that the requester gave", () => {
    expect(new ReplyRelaySender().relay(request(), ok, 10)).toEqual({
      peer: requester.nodeRid,
      command: {
        command: "replyRelay",
        operation: operation(1n),
        replyRouteId: 101n,
        context: { kind: "maintenanceRelocation", ...move, participantId: 1n, sequence: 1n },
        ...ok,
      },
      dropped: [],
    });
  });

  it("counts the 33s of one relocation from 1", () => {
    const sender = new ReplyRelaySender();
    const other = { ...move, relocation: { high: 7n, low: 10n } };
    const sequences = [request(1n), request(2n), request(3n, { move: other }), request(4n)].map(
      (asked) => sender.relay(asked, ok, 1).command.context.sequence,
    );
    expect(sequences).toEqual([1n, 2n, 1n, 3n]);
  });

  it("I3: a second result for the same operation is the first one again", () => {
    const sender = new ReplyRelaySender();
    const first = sender.relay(request(), ok, 10);
    const second = sender.relay(request(), { terminalResult: "internalError", failureCode: "requestFailed" }, 10);
    expect(second.command).toBe(first.command);
    expect([sender.size, sender.bytes]).toEqual([1, 10]);
  });
});

describe("Q3: a 33 is repeated until 46 or until the requester's lease has ended", () => {
  it("on every new link to the requester's node, oldest first", () => {
    const sender = new ReplyRelaySender();
    const [one, two] = [request(1n), request(2n)].map((asked) => sender.relay(asked, ok, 1).command);
    sender.relay(request(3n, { requester: { ...requester, nodeRid: ridFromText("d") } }), ok, 1);
    expect(sender.linkUp(requester.nodeRid, 3n)).toEqual([one, two]);
    expect(sender.linkUp(requester.nodeRid, 3n)).toEqual([one, two]);
    expect(sender.acknowledge(requester.nodeRid, ackOf(one!))).toEqual({ outcome: "acknowledged" });
    expect(sender.linkUp(requester.nodeRid, 3n)).toEqual([two]);
  });

  it("either status of the 46 ends it, a repeat of the 46 is harmless", () => {
    for (const status of ["terminalReceived", "alreadyTerminal"] as const) {
      const sender = new ReplyRelaySender();
      const ack = ackOf(sender.relay(request(), ok, 1).command, { status });
      expect(sender.acknowledge(requester.nodeRid, ack).outcome).toBe("acknowledged");
      expect(sender.acknowledge(requester.nodeRid, ack).outcome).toBe("unknown");
      expect([sender.size, sender.bytes]).toEqual([0, 0]);
    }
  });

  it("a newer run of the requester's node is owed nothing of the earlier one", () => {
    const sender = new ReplyRelaySender();
    sender.relay(request(), ok, 1);
    expect(sender.linkUp(requester.nodeRid, 2n)).toEqual([]);
    expect(sender.size).toBe(1);
    expect(sender.linkUp(requester.nodeRid, 4n)).toEqual([]);
    expect(sender.size).toBe(0);
  });

  it("a lease that ended ends what was asked under it, and no other", () => {
    const sender = new ReplyRelaySender();
    sender.relay(request(1n), ok, 1);
    sender.relay(request(2n, { requester: { ...requester, ownerLeaseGeneration: 31n } }), ok, 1);
    sender.relay(request(3n, { requester: { ...requester, ownerId: "owner-d" } }), ok, 1);
    expect(sender.leaseEnded("owner-c", 30n)).toBe(1);
    expect([sender.size, sender.bytes]).toEqual([2, 2]);
  });

  const sent = () => {
    const sender = new ReplyRelaySender();
    return { sender, command: sender.relay(request(), ok, 1).command };
  };
  it.each<readonly [string, Partial<ReplyRelayAck>]>([
    ["relocation", { relocation: { high: 7n, low: 10n } }],
    ["coordinator.nodeGeneration", { coordinator: { ...move.coordinator, nodeGeneration: 1n } }],
    ["replyRouteId", { replyRouteId: 1n }],
    ["requestSource.ownerLeaseGeneration", { requestSource: { ...requester, ownerLeaseGeneration: 29n } }],
    ["requestSource.nodeGeneration", { requestSource: { ...requester, nodeGeneration: 4n } }],
  ])("M9: a 46 with another %s ends nothing", (field, change) => {
    const { sender, command } = sent();
    expect(sender.acknowledge(requester.nodeRid, ackOf(command, change))).toEqual({ outcome: "refused", field });
    expect(sender.size).toBe(1);
  });

  it("M9: nor does one from another peer", () => {
    const { sender, command } = sent();
    expect(sender.acknowledge(ridFromText("x"), ackOf(command))).toEqual({ outcome: "refused", field: "peer" });
    expect(sender.size).toBe(1);
  });

  it("I8: past the limits the oldest goes, and is named", () => {
    const byCount = new ReplyRelaySender({ ...DEFAULT_RELAY_LIMITS, maxRelays: 2 });
    const first = byCount.relay(request(1n), ok, 1).command;
    byCount.relay(request(2n), ok, 1);
    expect(byCount.relay(request(3n), ok, 1).dropped).toEqual([first]);
    expect(byCount.size).toBe(2);
    const byBytes = new ReplyRelaySender({ ...DEFAULT_RELAY_LIMITS, maxBytes: 10 });
    byBytes.relay(request(1n), ok, 4);
    byBytes.relay(request(2n), ok, 4);
    expect(byBytes.relay(request(3n), ok, 9).dropped).toHaveLength(2);
    expect(byBytes.relay(request(4n), ok, 99).dropped).toHaveLength(1);
    expect([byBytes.size, byBytes.bytes]).toEqual([1, 99]);
  });
});

describe("Q1, Q2: the requester's node", () => {
  const command = new ReplyRelaySender().relay(request(), ok, 1).command;
  const open = { replyRouteId: 101n, requester };

  it("delivers once and answers terminalReceived, then alreadyTerminal", () => {
    const receiver = new ReplyRelayReceiver(requester);
    expect(receiver.receive(command, open)).toEqual({ outcome: "deliver", ack: ackOf(command) });
    for (const again of [open, undefined]) {
      expect(receiver.receive(command, again)).toEqual({
        outcome: "repeat",
        ack: ackOf(command, { status: "alreadyTerminal" }),
      });
    }
  });

  it("the 46 is the one that the new owner waits for", () => {
    const sender = new ReplyRelaySender();
    const relayed = sender.relay(request(), ok, 1).command;
    const answer = new ReplyRelayReceiver(requester).receive(relayed, open);
    expect(answer.outcome === "deliver" && sender.acknowledge(requester.nodeRid, answer.ack).outcome).toBe(
      "acknowledged",
    );
  });

  it("a request that ended some other way gets no result, and is acknowledged", () => {
    const receiver = new ReplyRelayReceiver(requester);
    receiver.closed(command.operation, 101n);
    expect(receiver.receive(command, undefined)).toMatchObject({
      outcome: "repeat",
      ack: { status: "alreadyTerminal" },
    });
  });

  it("Q2: only for its own generation and lease", () => {
    for (const [field, self] of [
      ["requestSource.nodeGeneration", { ...requester, nodeGeneration: 4n }],
      ["requestSource.ownerLeaseGeneration", { ...requester, ownerLeaseGeneration: 31n }],
    ] as const) {
      expect(new ReplyRelayReceiver(self).receive(command, open)).toEqual({ outcome: "refused", field });
    }
  });

  it("Q2: only for an open operation and its own correlation", () => {
    const receiver = new ReplyRelayReceiver(requester);
    expect(receiver.receive(command, undefined)).toEqual({ outcome: "refused", field: "operation" });
    expect(receiver.receive(command, { ...open, replyRouteId: 1n })).toEqual({
      outcome: "refused",
      field: "replyRouteId",
    });
    expect(receiver.receive(command, open).outcome).toBe("deliver");
    const other = { ...command, replyRouteId: 1n };
    expect(receiver.receive(other, undefined)).toEqual({ outcome: "refused", field: "replyRouteId" });
  });

  it("I8: remembers ended requests, least recently used first out", () => {
    const receiver = new ReplyRelayReceiver(requester, 2);
    const of = (low: bigint) => ({ ...command, operation: operation(low) });
    for (const low of [1n, 2n]) receiver.receive(of(low), open);
    receiver.receive(of(1n), undefined);
    receiver.receive(of(3n), open);
    expect(receiver.receive(of(1n), undefined).outcome).toBe("repeat");
    expect(receiver.receive(of(2n), undefined).outcome).toBe("refused");
  });
});

it("I3, Q3: over any losses, repeats and new links a request gets its result exactly once", () => {
  const event = fc.constantFrom("deliver33", "lose33", "deliver46", "lose46", "linkUp");
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const sender = new ReplyRelaySender();
      const receiver = new ReplyRelayReceiver(requester);
      let [relays, acks]: [ReplyRelay[], ReplyRelayAck[]] = [[], []];
      const open = new Set([1n, 2n, 3n]);
      const delivered: bigint[] = [];
      for (const low of open) relays.push(sender.relay(request(low), ok, 1).command);
      const act = (what: string) => {
        if (what === "lose33") relays.shift();
        if (what === "lose46") acks.shift();
        const ack = what === "deliver46" ? acks.shift() : undefined;
        if (ack !== undefined) sender.acknowledge(requester.nodeRid, ack);
        if (what === "linkUp") [relays, acks] = [[...sender.linkUp(requester.nodeRid, 3n)], []];
        const relay = what === "deliver33" ? relays.shift() : undefined;
        if (relay === undefined) return;
        const { low } = relay.operation;
        const answer = receiver.receive(relay, open.has(low) ? { replyRouteId: 100n + low, requester } : undefined);
        if (answer.outcome === "refused") throw new Error(answer.field);
        if (answer.outcome === "deliver") delivered.push(low);
        open.delete(low);
        acks.push(answer.ack);
      };
      events.forEach(act);
      act("linkUp");
      for (let n = 0; n < 3; n++) act("deliver33");
      for (let n = 0; n < 3; n++) act("deliver46");
      expect([...delivered].sort()).toEqual([1n, 2n, 3n]);
      expect(sender.size).toBe(0);
    }),
  );
});
