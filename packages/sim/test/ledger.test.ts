import { beforeEach, describe, expect, it } from "vitest";
import { checkAtRest, checkHolds } from "../src/check/at-rest.ts";
import type { LifeState } from "../src/check/accounts.ts";
import { Ledger, pushName } from "../src/check/ledger.ts";
import { closeAccounts, type Outcome } from "../src/check/settled.ts";

let now: number;
let broken: string[];
let ledger: Ledger;
let state: LifeState;
let owner: string;
const a = { name: "a.1", alive: true };
const b = { name: "b.1", alive: true };

beforeEach(() => begin());

function begin(): void {
  now = 0;
  broken = [];
  owner = a.name;
  ledger = new Ledger({
    now: () => now,
    report: (rule) => broken.push(rule),
    faultOfOwner: (runner) => (runner.name === owner ? undefined : `the store names ${owner}`),
  });
  state = ledger.born("t");
}

const answer = (operation: string) => ({ outcome: "accepted", operation, spotId: "room", reply: "welcome" }) as const;

const run = (what: string, message?: ReturnType<Ledger["sent"]>, on = a, with_ = state): (() => void) | undefined =>
  ledger.turn(on, with_, what, message);
const ran = (message: ReturnType<Ledger["sent"]>): void => run(`m${message.id}`, message)?.();
const send = (stream = "c1"): ReturnType<Ledger["sent"]> => ledger.sent("send", stream, "t");
const ask = (): ReturnType<Ledger["sent"]> => ledger.sent("request", "c1", "t");

describe("accounts that are as they should be", () => {
  it("break nothing", () => {
    const [one, two, three] = [send(), ask(), send("c2")];
    ran(one);
    ran(two);
    ledger.answered(two, two.id);
    ledger.toldNotRun(three, "backpressured");
    expect(broken).toEqual([]);
  });

  it("take what a sender was told last when it was told before that nobody can tell", () => {
    const one = send();
    ledger.toldUnknown(one, "outcomeUnknown");
    ledger.toldNotRun(one, "stale");
    ran(send());
    expect(broken).toEqual([]);
  });

  it("do not count what a dead run of a node does", () => {
    expect(ledger.turn({ name: "a.1", alive: false }, state, "m0", send())).toBeUndefined();
    expect(ledger.turns).toBe(0);
  });
});

describe("I1", () => {
  it("is broken by a turn of a node that the store does not name", () => {
    owner = b.name;
    ran(send());
    expect(broken).toEqual(["I1"]);
  });

  it("is broken by a turn that begins while another one runs", () => {
    run("slow", send());
    run("note", send());
    expect(broken).toEqual(["I1"]);
  });

  it("is kept when the node of the running turn has died", () => {
    run("slow", send());
    ledger.died(a);
    ran(send());
    expect(broken).toEqual([]);
  });
});

describe("I2", () => {
  it("is broken by a message that runs after its sender was told that it will not", () => {
    const one = send();
    ledger.toldNotRun(one, "stale");
    ran(one);
    expect(broken).toEqual(["I2"]);
  });

  it("is broken by a message whose sender is told that it was not run when it was", () => {
    const one = send();
    ran(one);
    ledger.toldNotRun(one, "stale");
    expect(broken).toEqual(["I2"]);
  });
});

describe("I3", () => {
  it("is broken by a message that runs twice", () => {
    const one = send();
    ran(one);
    ran(one);
    expect(broken).toContain("I3");
  });

  it("is broken by an answer to a request that did not run, or to another one", () => {
    ledger.answered(ask(), 0);
    const two = ask();
    ran(two);
    ledger.answered(two, 7);
    expect(broken).toEqual(["I3", "I3"]);
  });

  it("is broken by a second word on a request", () => {
    const one = ask();
    ran(one);
    ledger.answered(one, one.id);
    ledger.toldUnknown(one, "timedOut");
    expect(broken).toEqual(["I3"]);
  });

  it("is broken by a failure of a handler that never had its turn", () => {
    ledger.toldFailed(ask(), "rejected");
    expect(broken).toEqual(["I3"]);
  });

  it("is broken by timers that fire twice, too early, or unset, and by join answers that nobody asked for (T12, J1)", () => {
    ledger.timerSet(state, 1, 100);
    ledger.timerFired(state, 1);
    now = 100;
    ledger.timerFired(state, 1);
    ledger.timerFired(state, 2);
    ledger.joinAsked(state, "room");
    ledger.joinAnswered(state, answer("1"));
    ledger.joinAnswered(state, answer("2"));
    expect(broken).toEqual(["I3", "I3", "I3", "I3"]);
  });

  it("is kept by a join's answer that is told again, and is the same, after a node was lost (J1)", () => {
    ledger.joinAsked(state, "room");
    ledger.joinAnswered(state, answer("1"));
    ledger.joinAnswered(ledger.born("t"), answer("1"));
    expect(broken).toEqual([]);
  });

  it("is broken by a join's answer that is told twice in a life, or again as another one (J1)", () => {
    for (const again of [
      () => ledger.joinAnswered(state, answer("1")),
      () => ledger.joinAnswered(ledger.born("t"), answer("2")),
      () => ledger.joinAnswered(ledger.born("t"), { ...answer("1"), outcome: "rejected", reason: "" }),
      () => ledger.joinAnswered(ledger.born("t"), { ...answer("1"), reply: "else" }),
      () => ledger.joinAnswered(ledger.born("other"), answer("1")),
    ]) {
      begin();
      ledger.joinAsked(state, "room");
      ledger.joinAnswered(state, answer("1"));
      again();
      expect(broken).toEqual(["I3"]);
    }
  });

  it("is broken by pushes that arrive twice, or that nobody made", () => {
    const last = new Map<number, number>();
    const push = pushName(ledger.pushed(state, ["s"]));
    ledger.pushReceived(push, "s", last);
    ledger.pushReceived(push, "s", last);
    ledger.pushReceived("p9.9", "s", last);
    expect(broken).toEqual(["I3", "I3"]);
  });
});

describe("I4", () => {
  it("is broken by a message that runs after a later one of its sender", () => {
    const [one, two] = [send(), send()];
    ran(two);
    ran(one);
    expect(broken).toEqual(["I4"]);
  });

  it("is broken by a push that arrives after a later one", () => {
    const last = new Map<number, number>();
    const [one, two] = [ledger.pushed(state, ["s"]), ledger.pushed(state, ["s"])];
    ledger.pushReceived(pushName(two), "s", last);
    ledger.pushReceived(pushName(one), "s", last);
    expect(broken).toEqual(["I4"]);
  });
});

describe("I6 and I7", () => {
  it("are broken by a copy that lacks the last turn", () => {
    const copy = { ...state };
    ran(send());
    owner = b.name;
    ledger.turn(b, copy, "m1", send())?.();
    expect(broken).toEqual(["I6"]);
  });
});

describe("I8", () => {
  const atRest = {
    actors: 1,
    queuedMessages: 0,
    earlyMessages: 0,
    heldMessages: 0,
    outboundMoves: 0,
    inboundMoves: 0,
    follows: 0,
    followingMessages: 0,
    openRequests: 0,
    sessions: 1,
    bindings: 1,
    seals: 0,
    sealedBytes: 0,
    timers: 2,
  };

  it("is broken by holds beyond their limit", () => {
    checkHolds("a.1", { ...atRest, heldMessages: 8 }, 2, 4, (rule) => broken.push(rule));
    expect(broken).toEqual([]);
    checkHolds("a.1", { ...atRest, heldMessages: 9 }, 2, 4, (rule) => broken.push(rule));
    expect(broken).toEqual(["I8"]);
  });

  it("wants nothing to be left at rest: no message, no move, no seal, no timer but the periodic ones", () => {
    checkAtRest("a.1", atRest, 0, (rule) => broken.push(rule));
    expect(broken).toEqual([]);
    checkAtRest("a.1", { ...atRest, heldMessages: 1, seals: 1, timers: 3 }, 0, (rule) => broken.push(rule));
    expect(broken).toEqual(["settled", "settled", "settled"]);
  });
});

describe("the accounts of a run that has settled", () => {
  const outcome = (more: Partial<Outcome> = {}): Outcome => ({
    ledger,
    clients: [],
    deaths: [],
    lives: new Map([["t", state.life]]),
    linksHeld: true,
    isSure: true,
    promptMs: undefined,
    ...more,
  });
  const close = (more?: Partial<Outcome>) => closeAccounts(outcome(more), (rule) => broken.push(rule));

  it("break I2 by messages, requests, timers and joins that nobody ever heard of", () => {
    send();
    ask();
    ledger.timerSet(state, 1, 10);
    ledger.joinAsked(state, "room");
    close();
    expect(broken).toEqual(["I2", "I2", "I2", "I2"]);
  });

  it("break I2 by a join that moved its actor and was not told, or under another name (J2)", () => {
    ran(send());
    ledger.joinAsked(state, "room");
    ledger.joinMoved("t", "1");
    ledger.joinAnswered(state, answer("2"));
    close();
    expect(broken).toEqual(["I2"]);
    broken = [];
    ledger.joinAsked(state, "room");
    ledger.joinAnswered(state, answer("1"));
    close();
    expect(broken).toEqual([]);
  });

  it("count what was lost with a node that died after it was sent, and nothing else", () => {
    send();
    expect(close({ deaths: [{ name: "b.1", atMs: 5, isClean: false }] }).silent).toBe(1);
    expect(broken).toEqual([]);
    expect(close({ deaths: [{ name: "b.1", atMs: 5, isClean: true }] }).silent).toBe(0);
    expect(broken).toEqual(["I2"]);
    broken = [];
    now = 10;
    send();
    close({ deaths: [{ name: "b.1", atMs: 5, isClean: false }] });
    expect(broken).toEqual(["I2"]);
  });

  it("break I2 by an outcome that is unknown although neither a link nor a node was lost (N2)", () => {
    ledger.toldUnknown(send(), "outcomeUnknown");
    close({ linksHeld: false });
    close({ isSure: false });
    expect(broken).toEqual([]);
    close();
    expect(broken).toEqual(["I2"]);
  });

  it("break I2 by a push that did not reach a session that stayed bound", () => {
    const binding = { name: "c/1/0", actorId: "t", sessionRid: "s", state: "bound", boundAtMs: 0 } as never;
    now = 5;
    ledger.pushed(state, ["s"]);
    close({ clients: [{ name: "c", bindings: [binding] }] });
    expect(broken).toEqual(["I2"]);
  });

  it("break I2 by a message that waited with nothing in its way", () => {
    const one = send();
    now = 100;
    ran(one);
    close({ promptMs: 99 });
    expect(broken).toEqual(["I2"]);
  });
});
