import { describe, expect, test } from "vitest";
import type { ActorAccount, ClientAccount } from "../src/account/accounts.ts";
import { ActorState } from "../src/actor-state.ts";
import { ArenaClient } from "../src/arena-client.ts";
import { isGreen, judge, type Judgement } from "../src/judge.ts";
import type { Answer, AskMessage, NumberedMessage, Push } from "../src/messages.ts";
import type { Sabotage } from "../src/sabotage.ts";

type Faults = Partial<Record<"lost" | "duplicated" | "reordered" | "disconnects", number>>;

/** What happens to the messages between a client and its actor; each is one the product must never do. */
interface Product {
  toActor(messages: readonly Sent[]): readonly Sent[];
  toClient(pushes: readonly Push[]): readonly Push[];
  answer(answer: Answer): Answer | Error;
}

interface Sent {
  readonly name: string;
  readonly message: NumberedMessage;
  readonly answer: ((answer: Answer | Error) => void) | undefined;
}

const honest: Product = { toActor: (all) => all, toClient: (all) => all, answer: (answer) => answer };
const MESSAGES = 200;

/** One client and one actor with that product between them: what each says at the end. */
async function run(
  product: Partial<Product>,
  sabotage?: Sabotage,
): Promise<{ client: ClientAccount; actor: ActorAccount }> {
  const { toActor, toClient, answer } = { ...honest, ...product };
  const sent: Sent[] = [];
  const client = new ArenaClient(
    { client: "client-1", actorId: "actor-1", seed: 3, sabotage },
    {
      send: (name, value) => sent.push({ name, message: value as NumberedMessage, answer: undefined }),
      request: (name, value) =>
        new Promise((resolve, reject) => {
          const settle = (result: Answer | Error) => (result instanceof Error ? reject(result) : resolve(result));
          sent.push({ name, message: value as AskMessage, answer: settle });
        }),
    },
  );
  for (let i = 0; i < MESSAGES; i++) client.sendNext();
  client.rest();
  const state = new ActorState({ stateBytes: 300, padSeed: 1 });
  const pushes: Push[] = [];
  for (const { name, message, answer: settle } of toActor(sent)) {
    state.note(message, name === "ask");
    if (message.n % 4 === 0) pushes.push(state.nextPush());
    settle?.(answer({ n: message.n, answer: state.nextAnswer(), pushes: state.pushes }));
  }
  for (const push of toClient(pushes)) client.onPush(push);
  await new Promise((resolve) => setImmediate(resolve));
  return { client: client.account(), actor: state.account("actor-1") };
}

function verdict(client: ClientAccount, actor: ActorAccount | undefined): Judgement {
  return judge([client], new Map(actor === undefined ? [] : [["actor-1", actor]]));
}

function expectFaults(judgement: Judgement, faults: Faults): void {
  const { lost, duplicated, reordered, disconnects } = judgement;
  const expected = { lost: 0, duplicated: 0, reordered: 0, disconnects: 0, ...faults };
  expect({ lost, duplicated, reordered, disconnects }).toEqual(expected);
  const red = Object.keys(faults).length > 0;
  expect(isGreen(judgement, 1)).toBe(!red);
  expect(judgement.findings.length > 0).toBe(red);
}

const oneWay = (sent: Sent) => sent.answer === undefined;

function without<T>(all: readonly T[], index: number): T[] {
  return all.filter((_, i) => i !== index);
}

function moved<T>(all: readonly T[], from: number, to: number): T[] {
  const rest = without(all, from);
  rest.splice(to, 0, all[from]!);
  return rest;
}

function again<T>(all: readonly T[], from: number, to: number): T[] {
  const more = [...all];
  more.splice(to, 0, all[from]!);
  return more;
}

describe("the judge", () => {
  test("is green when everything arrived once and in order", async () => {
    const { client, actor } = await run({});
    const judgement = verdict(client, actor);
    expectFaults(judgement, {});
    expect(judgement.sent).toBe(MESSAGES + 1);
    expect(judgement.received).toBe(MESSAGES + 1);
    expect(judgement.pushes).toBe(MESSAGES / 4);
    expect(judgement.answers).toBe(client.requests);
  });

  test("is not green when nothing moved", async () => {
    const { client, actor } = await run({});
    expect(isGreen(verdict(client, actor), 0)).toBe(false);
  });

  test("finds a one-way message that is lost in the middle, and the last one", async () => {
    const middle = await run({ toActor: (all) => without(all, all.findIndex(oneWay)) });
    expectFaults(verdict(middle.client, middle.actor), { lost: 1 });
    const tail = await run({ toActor: (all) => all.filter((sent) => sent.message.n < MESSAGES || !oneWay(sent)) });
    const lost = tail.client.sent - tail.actor.clients[0]!.messages.count;
    expect(lost).toBeGreaterThan(0);
    expectFaults(verdict(tail.client, tail.actor), { lost });
  });

  test("finds a request that is lost on its way, once", async () => {
    const { client, actor } = await run({
      toActor: (all) =>
        without(
          all,
          all.findIndex((sent) => !oneWay(sent)),
        ),
    });
    expect(client.unanswered).toBe(1);
    expectFaults(verdict(client, actor), { lost: 1 });
  });

  test("finds a message that runs twice, at once or much later", async () => {
    const soon = await run({ toActor: (all) => again(all, all.findIndex(oneWay), all.findIndex(oneWay)) });
    expectFaults(verdict(soon.client, soon.actor), { duplicated: 1 });
    const late = await run({ toActor: (all) => again(all, all.findIndex(oneWay), 150) });
    expectFaults(verdict(late.client, late.actor), { duplicated: 1 });
  });

  test("finds a request that runs twice", async () => {
    const index = (all: readonly Sent[]) => all.findIndex((sent) => !oneWay(sent));
    const { client, actor } = await run({ toActor: (all) => again(all, index(all), index(all)) });
    expect(verdict(client, actor).duplicated).toBe(1);
    expect(verdict(client, actor).lost).toBe(0);
  });

  test("finds a message that runs after later ones", async () => {
    const { client, actor } = await run({ toActor: (all) => moved(all, all.findIndex(oneWay), 30) });
    expectFaults(verdict(client, actor), { reordered: 1 });
  });

  test("finds a one-way message that changes places with a request", async () => {
    const { client, actor } = await run({
      toActor: (all) => {
        const index = all.findIndex((sent, i) => oneWay(sent) && !oneWay(all[i + 1]!));
        return moved(all, index, index + 1);
      },
    });
    expectFaults(verdict(client, actor), { reordered: 1 });
  });

  test("finds a message that carries something else than was sent", async () => {
    const { client, actor } = await run({
      toActor: ([first, ...rest]) => [{ ...first!, message: { ...first!.message, mark: 12_345 } }, ...rest],
    });
    expectFaults(verdict(client, actor), { reordered: 1 });
  });

  test("finds a request that runs as a one-way message", async () => {
    const { client, actor } = await run({
      toActor: (all) =>
        all.map((sent, i) => (i === all.findIndex((s) => !oneWay(s)) ? { ...sent, name: "say" } : sent)),
    });
    expectFaults(verdict(client, actor), { reordered: 1 });
  });

  test("finds a message that was never sent, with and without a number", async () => {
    const extra = (n: number) => (all: readonly Sent[]) => [
      ...all,
      { name: "say", message: { client: "client-1", n, mark: 1 }, answer: undefined },
    ];
    const beyond = await run({ toActor: extra(MESSAGES + 2) });
    expectFaults(verdict(beyond.client, beyond.actor), { duplicated: 1 });
    const numberless = await run({ toActor: extra(Number.NaN) });
    expectFaults(verdict(numberless.client, numberless.actor), { duplicated: 1 });
  });

  test("finds another client's message at this actor", async () => {
    const { client, actor } = await run({
      toActor: (all) => [...all, { name: "say", message: { client: "client-9", n: 1, mark: 1 }, answer: undefined }],
    });
    expectFaults(verdict(client, actor), { duplicated: 1 });
  });

  test("finds a push that is lost in the middle or at the end, doubled, or late", async () => {
    const cases: [Product["toClient"], Faults][] = [
      [(all) => without(all, 4), { lost: 1 }],
      [(all) => all.slice(0, -2), { lost: 2 }],
      [(all) => again(all, 4, 9), { duplicated: 1 }],
      [(all) => moved(all, 4, 9), { reordered: 1 }],
      [(all) => all.map((push) => (push.n === 7 ? { ...push, mark: 1 } : push)), { reordered: 1 }],
      [(all) => [...all, { n: all.length + 1, mark: 1 }], { duplicated: 1 }],
    ];
    for (const [toClient, faults] of cases) {
      const { client, actor } = await run({ toClient });
      expectFaults(verdict(client, actor), faults);
    }
  });

  test("finds an answer that is lost, one that answers another question, and one that comes twice", async () => {
    const timedOut = Object.assign(new Error("no answer"), { code: "timedOut" });
    const lost = await run({ answer: (answer) => (answer.answer === 3 ? timedOut : answer) });
    expectFaults(verdict(lost.client, lost.actor), { lost: 1 });
    const crossed = await run({ answer: (answer) => (answer.answer === 3 ? { ...answer, n: answer.n + 1 } : answer) });
    expectFaults(verdict(crossed.client, crossed.actor), { reordered: 1 });
    const twice = await run({ answer: (answer) => (answer.answer === 3 ? { ...answer, answer: 2 } : answer) });
    expect(verdict(twice.client, twice.actor).duplicated).toBe(1);
  });

  test("finds answers whose numbers changed places", async () => {
    const { client, actor } = await run({
      answer: (answer) => ({ ...answer, answer: answer.answer === 3 ? 4 : answer.answer === 4 ? 3 : answer.answer }),
    });
    expectFaults(verdict(client, actor), { reordered: 1 });
  });

  test("finds a request without an answer that nothing else explains", async () => {
    const { client, actor } = await run({});
    expectFaults(verdict({ ...client, unanswered: 2 }, actor), { lost: 2 });
  });

  test("counts losses in more gaps than an account can remember", async () => {
    const { client, actor } = await run({
      toActor: (all) => all.filter((sent) => !oneWay(sent) || sent.message.n % 2 === 0),
      toClient: (all) => all.filter((push) => push.n % 2 === 0),
    });
    const [entry] = actor.clients;
    const messages = { ...entry!.messages, missing: entry!.messages.missing.slice(5), forgotten: 0 };
    const forgotten = entry!.messages.missing.slice(0, 5).reduce((sum, [from, to]) => sum + to - from + 1, 0);
    const whole = verdict(client, actor);
    expect(whole.lost).toBeGreaterThan(MESSAGES / 4);
    expect(verdict(client, { ...actor, clients: [{ ...entry!, messages: { ...messages, forgotten } }] }).lost).toBe(
      whole.lost,
    );
    const pushes = { ...client.pushes, missing: client.pushes.missing.slice(3), forgotten: 3 };
    expect(verdict({ ...client, pushes }, actor).lost).toBe(whole.lost);
    const answers = { ...client.answers, last: client.answers.last + 2, forgotten: 2 };
    const more = { ...actor, answers: actor.answers + 2 };
    expect(verdict({ ...client, answers }, more).lost).toBe(whole.lost + 2);
  });

  test("finds messages of more clients than an account has room for", async () => {
    const { client, actor } = await run({});
    expectFaults(verdict(client, { ...actor, strangers: 3 }), { duplicated: 3 });
  });

  test("finds a state that was rolled back to an earlier one", async () => {
    const { client } = await run({});
    const earlier = await run({ toActor: (all) => all.slice(0, 150) });
    expect(verdict(client, earlier.actor).lost).toBeGreaterThan(0);
  });

  test("finds a damaged state and an account that does not add up", async () => {
    const { client, actor } = await run({});
    expectFaults(verdict(client, { ...actor, damaged: true }), { lost: 1 });
    const [entry] = actor.clients;
    const less = { ...entry!, messages: { ...entry!.messages, count: entry!.messages.count - 2 } };
    expectFaults(verdict(client, { ...actor, clients: [less] }), { lost: 2 });
    const more = { ...entry!, messages: { ...entry!.messages, count: entry!.messages.count + 1 } };
    expectFaults(verdict(client, { ...actor, clients: [more] }), { duplicated: 1 });
  });

  test("holds everything lost that an actor without an account was sent", async () => {
    const { client } = await run({});
    expectFaults(verdict(client, undefined), { lost: MESSAGES + 1 });
  });

  test("holds everything lost when the actor has never heard of the client", async () => {
    const { client, actor } = await run({});
    expect(verdict(client, { ...actor, clients: [] }).lost).toBe(MESSAGES + 1);
  });

  test("counts lost connections", async () => {
    const { client, actor } = await run({});
    expectFaults(verdict({ ...client, disconnects: 2 }, actor), { disconnects: 2 });
  });

  test("I2: a message that was refused and not run is no loss; one that was refused and did run is a fault", async () => {
    const { client, actor } = await run({
      toActor: (all) => all.filter((sent) => sent.message.n !== 5 || !oneWay(sent)),
    });
    expect(actor.clients[0]!.messages.missing).toEqual([[5, 5]]);
    const told = verdict({ ...client, refused: [[5, 5]] }, actor);
    expectFaults(told, {});
    expect(told.refused).toBe(1);
    expectFaults(verdict({ ...client, refused: [[4, 5]] }, actor), { duplicated: 1 });
  });

  test.each([
    ["drop", "lost"],
    ["double", "duplicated"],
    ["reorder", "reordered"],
  ] as const)("finds the sabotage %s", async (sabotage, fault) => {
    const { client, actor } = await run({}, sabotage);
    const judgement = verdict(client, actor);
    expect(judgement[fault]).toBeGreaterThan(0);
    expect(isGreen(judgement, 1)).toBe(false);
  });
});
