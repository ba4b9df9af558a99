import { ridFromText, type ActorFence, type ActorRequest, type ActorSend, type Command } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { RuntimeError, payloadOf } from "../../src/index.ts";
import { parseConfig } from "../../src/config.ts";
import type { Host } from "../../src/host.ts";
import { Requests } from "../../src/links/requests.ts";
import type { SendOptions } from "../../src/links/links.ts";
import { Binding } from "../../src/sessions/binding.ts";
import { requestLetter } from "../../src/sessions/letters.ts";
import { Timers } from "./timers.ts";

const FOLLOW_MS = 30_000;
const ROUTE: ActorFence = {
  actor: { actorId: "t", objectGeneration: 1n },
  nodeRid: ridFromText("a"),
  nodeGeneration: 1n,
  authorityOwnerGeneration: 1n,
  ownerLeaseGeneration: 1n,
};

interface Sent {
  readonly command: ActorSend | ActorRequest;
  readonly options: SendOptions;
}

/** A binding in front of a link that only writes down, and refuses when it is told to. */
function setup() {
  const clock = new Timers();
  const config = parseConfig({ meshName: "m", name: "gate", transport: {} as never, store: {} as never, clock });
  const requests = new Requests(config, 0n);
  const sent: Sent[] = [];
  const state = { full: false, stale: 0, sealed: false };
  const refused: { ticket: bigint; code: string }[] = [];
  const links = {
    send(_peer: unknown, command: Command, options: SendOptions): boolean {
      if (state.full) options.onUnsent?.(new RuntimeError("backpressured", "full"));
      else sent.push({ command: command as ActorSend, options });
      return !state.full;
    },
  };
  const host = { config, requests, links } as unknown as Host;
  const binding = new Binding({
    host,
    sessionRid: ridFromText("s"),
    bindingGeneration: 1n,
    operationHigh: 9n,
    actorType: "tally",
    route: ROUTE,
    onRefused: (ticket, error) => refused.push({ ticket, code: error.code }),
    onStale: () => state.stale++,
    isSealed: () => state.sealed,
  });
  const send = (): bigint => {
    const ticket = binding.nextTicket();
    binding.feed({ kind: "send", ticket, payload: payloadOf("note", 1) });
    return ticket;
  };
  const request = (timeoutMs: number) => {
    const answers: string[] = [];
    binding.nextTicket();
    const letter = requestLetter({
      host,
      payload: payloadOf("ask", 1),
      timeoutMs,
      timedOut: () => new RuntimeError("timedOut", "late"),
      settle: (answer) => answers.push(answer.ok ? "ok" : answer.error.code),
    });
    return { letter, answers };
  };
  return { clock, requests, sent, state, refused, binding, send, request };
}

const places = (sent: readonly Sent[]) =>
  sent.map(({ command }) => {
    const { sessionSequence } = command.sessionTail!;
    return command.payload.packetName === "~gone" ? `gone ${sessionSequence}` : String(sessionSequence);
  });
const flags = (sent: readonly Sent[]) => sent.map(({ command }) => command.metadata?.[0]?.[0]);
const stale = new RuntimeError("stale", "not here");

describe("the stream of a binding", () => {
  it("N4: counts from 1; what the link refuses at once has no place", () => {
    const { sent, state, refused, send } = setup();
    send();
    state.full = true;
    const ticket = send();
    state.full = false;
    send();
    expect(places(sent)).toEqual(["1", "2"]);
    expect(refused).toEqual([{ ticket, code: "backpressured" }]);
  });

  it("N4: neither has a request that the link refuses at once", () => {
    const { clock, sent, state, binding, request, send } = setup();
    const { letter, answers } = request(1_000);
    state.full = true;
    binding.feed(letter);
    state.full = false;
    expect(answers).toEqual(["backpressured"]);
    clock.pass(0);
    send();
    expect(places(sent)).toEqual(["1"]);
  });

  it("N5: what was queued for the link and not sent leaves its place to a marker", () => {
    const { clock, sent, refused, send } = setup();
    const ticket = send();
    send();
    sent[0]!.options.onUnsent!(new RuntimeError("notConnected", "no link"));
    clock.pass(0);
    expect(places(sent)).toEqual(["1", "2", "gone 1"]);
    expect(refused).toEqual([{ ticket, code: "notConnected" }]);
  });

  it("N5: a marker that finds no room, at once or later, is sent again", () => {
    const { clock, sent, state, send } = setup();
    send();
    state.full = true;
    sent[0]!.options.onUnsent!(new RuntimeError("notConnected", "no link"));
    clock.pass(0);
    state.full = false;
    clock.pass(100);
    expect(places(sent)).toEqual(["1", "gone 1"]);
    sent[1]!.options.onUnsent!(new RuntimeError("notConnected", "no link"));
    clock.pass(100);
    expect(places(sent)).toEqual(["1", "gone 1", "gone 1"]);
  });

  it("N6: says that it was idle after half a follow period, and no marker says so", () => {
    const { clock, sent, binding, send } = setup();
    send();
    send();
    clock.pass(FOLLOW_MS / 2 + 1);
    binding.lostWithLink(1n, new RuntimeError("outcomeUnknown", "lost"));
    clock.pass(0);
    send();
    clock.pass(FOLLOW_MS / 2);
    send();
    expect(flags(sent)).toEqual(["~r", undefined, undefined, "~r", undefined]);
  });

  it("I2: a message is reported once, however often and in whatever ways it comes back", () => {
    const { clock, sent, refused, binding, send } = setup();
    const ticket = send();
    binding.refused(1n, stale);
    clock.pass(0);
    binding.lostWithLink(1n, new RuntimeError("outcomeUnknown", "lost"));
    binding.refused(1n, stale);
    clock.pass(FOLLOW_MS + 1);
    binding.refused(1n, stale);
    expect(refused).toEqual([{ ticket, code: "stale" }]);
    expect(new Set(places(sent))).toEqual(new Set(["1", "gone 1"]));
    expect(clock.due.filter(({ at }) => at <= clock.now).length).toBe(0);
  });

  it("a 200 for a message that was never sent is none", () => {
    const { refused, binding } = setup();
    binding.refused(5n, stale);
    expect(refused).toEqual([]);
  });

  it("F3: a node that does not have the actor has the route looked at, for a message and for a request", () => {
    const { requests, sent, state, binding, request, send } = setup();
    send();
    binding.refused(1n, stale);
    expect(state.stale).toBe(1);
    binding.feed(request(1_000).letter);
    const { correlation } = sent.at(-1)!.command as ActorRequest;
    requests.complete(correlation, { terminalResult: "notFound", failureCode: "actorLocationStale" });
    expect(state.stale).toBe(2);
  });

  it("N5: a handler that is missing, threw or said no has had its turn: no marker", () => {
    const { clock, requests, sent, refused, binding, request, send } = setup();
    send();
    binding.refused(1n, new RuntimeError("handlerNotFound", "no such handler"));
    for (const failureCode of ["workerFailed", "requestRejected", "handlerNotFound"] as const) {
      binding.feed(request(1_000).letter);
      const { correlation } = sent.at(-1)!.command as ActorRequest;
      requests.complete(correlation, { terminalResult: "internalError", failureCode });
    }
    clock.pass(1_000);
    expect(places(sent)).toEqual(["1", "2", "3", "4"]);
    expect(refused).toEqual([{ ticket: 1n, code: "handlerNotFound" }]);
  });

  it("N5: a refusal that comes after the client gave up still fills the place", () => {
    const { clock, requests, sent, binding, request } = setup();
    const { letter, answers } = request(100);
    binding.feed(letter);
    clock.pass(200);
    expect(answers).toEqual(["timedOut"]);
    const { correlation } = sent[0]!.command as ActorRequest;
    requests.complete(correlation, { terminalResult: "backpressured", failureCode: "workerQueueFull" });
    clock.pass(0);
    expect(places(sent)).toEqual(["1", "gone 1"]);
    expect(answers).toEqual(["timedOut"]);
  });

  it("a request that nobody answers has gone after the follow period, without a marker", () => {
    const { clock, requests, sent, binding, request } = setup();
    binding.feed(request(100).letter);
    clock.pass(100 + FOLLOW_MS);
    expect(requests.isOpen((sent[0]!.command as ActorRequest).correlation)).toBe(false);
    expect(places(sent)).toEqual(["1"]);
    expect(clock.due).toEqual([]);
  });

  it("S17: a request that timed out while it was held is not sent any more", () => {
    const { clock, sent, binding, request } = setup();
    const { letter, answers } = request(100);
    clock.pass(100);
    binding.feed(letter);
    expect(sent).toEqual([]);
    expect(answers).toEqual(["timedOut"]);
  });

  it("N5: goes on filling places after its end, for as long as somebody waits for them, and tells nobody any more (Q2)", () => {
    const { clock, sent, state, refused, binding, send } = setup();
    send();
    send();
    send();
    state.full = true;
    binding.lostWithLink(1n, new RuntimeError("outcomeUnknown", "lost"));
    clock.pass(0);
    binding.end("fill");
    state.full = false;
    binding.refused(2n, stale);
    clock.pass(200);
    expect(places(sent)).toEqual(["1", "2", "3", "gone 1", "gone 2"]);
    binding.refused(1n, stale);
    clock.pass(200);
    expect(places(sent).slice(5)).toEqual(["gone 1"]);
    expect(refused).toEqual([{ ticket: 1n, code: "outcomeUnknown" }]);
    clock.pass(FOLLOW_MS);
    expect(clock.due).toEqual([]);
  });

  it("leaves no timer behind when it ends and its actor is gone", () => {
    const { clock, state, binding, send } = setup();
    send();
    state.full = true;
    binding.lostWithLink(1n, new RuntimeError("outcomeUnknown", "lost"));
    clock.pass(0);
    binding.end("leave");
    expect(clock.due).toEqual([]);
  });
});
