import type { ClientAccount } from "./account/accounts.ts";
import { RangeSet } from "./account/ranges.ts";
import { mix, Track, type TrackRecord } from "./account/track.ts";
import { messageNames, type Answer, type AskMessage, type NumberedMessage, type Push } from "./messages.ts";
import { SeededRandom } from "./random.ts";
import { MessagePath, type Sabotage } from "./sabotage.ts";

/** The part of a client's binding that the arena uses. */
export interface ClientBinding {
  /** Returns the message's sequence on the binding. Throws an error that has a `code` when nothing was taken. */
  send(name: string, value: unknown): number;
  /** Rejects with an error that has a `code`. */
  request(name: string, value: unknown, options: { readonly timeoutMs: number }): Promise<unknown>;
}

/** One message in so many is a request. */
const MESSAGES_PER_REQUEST = 4;
/** Requests that one client has open before it waits: so an arena that is too slow slows its clients down. */
const OPEN_REQUESTS = 8;
/** Longer than a move may take. */
const REQUEST_MS = 15_000;
/** Refused numbers that are remembered one by one. */
const MAX_REFUSED = 1_024;
/** One-way messages that can still be told apart when they are refused; more than can be under way. */
const REMEMBERED_SENDS = 4_096;
/** Answers wait here for those to earlier questions, so that their numbers are noted in the order of asking. */
type Settled = { readonly answer: number | undefined };

/** With these the sender knows that the message was not run and will not be (`protocol.md` I2). */
const REFUSALS: ReadonlySet<string> = new Set([
  "notFound",
  "notConnected",
  "backpressured",
  "busy",
  "handlerNotFound",
  "typeUnknown",
  "typeMismatch",
  "actorSessionNotBound",
  "stale",
  "tooLarge",
  "limitExceeded",
  "overloaded",
  "goingAway",
]);

export interface ArenaClientOptions {
  readonly client: string;
  readonly actorId: string;
  readonly seed: number;
  readonly sabotage: Sabotage | undefined;
}

/** One client: numbers what it sends, notes what it sees, and can say so at any time. */
export class ArenaClient {
  readonly #options: ArenaClientOptions;
  readonly #binding: ClientBinding;
  readonly #random: SeededRandom;
  readonly #outgoing: MessagePath<NumberedMessage>;
  readonly #incoming: MessagePath<Push>;
  readonly #pushes = new Track();
  readonly #answers = new Track();
  readonly #settled = new Map<number, Settled>();
  readonly #refused = new RangeSet(MAX_REFUSED);
  readonly #errors = new Map<string, number>();
  /** Numbers of the latest one-way messages by their sequence on the binding, by which a refusal names them. */
  readonly #sequences = new Map<number, number>();
  #nameless = 0;
  #sent = 0;
  #sentHash = 0;
  #requests = 0;
  #answersNoted = 0;
  #open = 0;
  #failed = 0;
  #wrongAnswers = 0;
  #outcomeUnknown = 0;
  #disconnects = 0;
  #highestPush = 0;
  #pushesMade: number | undefined;

  constructor(options: ArenaClientOptions, binding: ClientBinding) {
    this.#options = options;
    this.#binding = binding;
    this.#random = new SeededRandom(options.seed, "traffic", options.client);
    const faults = (direction: string) => new SeededRandom(options.seed, "sabotage", direction, options.client);
    this.#outgoing = new MessagePath(options.sabotage, faults("out"), (message) => this.#say(message));
    this.#incoming = new MessagePath(options.sabotage, faults("in"), (push) => this.#pushes.note(push.n, push.mark));
  }

  get sent(): number {
    return this.#sent;
  }

  get disconnects(): number {
    return this.#disconnects;
  }

  /** Faults that this client can see by itself. */
  get anomalies(): number {
    return this.#pushes.anomalies + this.#answers.anomalies + this.#wrongAnswers;
  }

  /** Another message may be sent now. */
  get ready(): boolean {
    return this.#open < OPEN_REQUESTS;
  }

  /** Nothing is under way any more: every request has ended, every push that the actor made has come. */
  get quiet(): boolean {
    return this.#open === 0 && this.#lastPushCame();
  }

  /** Sends the next message. */
  sendNext(): void {
    const message = this.#number();
    if (this.#random.below(MESSAGES_PER_REQUEST) === 0) void this.#ask(message);
    else this.#outgoing.pass(message);
  }

  /** Sends the last message, a request, after which the actor pushes no more. */
  rest(): void {
    this.#outgoing.end();
    void this.#ask({ ...this.#number(), rest: true });
  }

  onPush(push: Push): void {
    this.#incoming.pass(push);
    this.#highestPush = Math.max(this.#highestPush, push.n);
    // Nothing comes any more that would push out one that is held back.
    if (this.#lastPushCame()) this.#incoming.end();
  }

  onDisconnect(): void {
    this.#disconnects++;
  }

  /** A one-way message was refused, or nobody knows what became of it. */
  onRefused(sequence: number, code: string): void {
    this.#refuse(this.#sequences.get(sequence), code);
  }

  account(): ClientAccount {
    return {
      client: this.#options.client,
      actorId: this.#options.actorId,
      sent: this.#sent,
      sentHash: this.#sentHash,
      requests: this.#requests,
      answers: this.#answersSoFar(),
      unanswered: this.#failed + this.#open,
      wrongAnswers: this.#wrongAnswers,
      refused: this.#refused.toJSON(),
      outcomeUnknown: this.#outcomeUnknown,
      forgotten: this.#refused.forgotten + this.#nameless,
      pushes: this.#pushes.toJSON(),
      disconnects: this.#disconnects,
      errors: Object.fromEntries(this.#errors),
    };
  }

  /** Before sabotage: a push that the arena itself has dropped is not worth waiting for. */
  #lastPushCame(): boolean {
    return this.#pushesMade !== undefined && this.#highestPush >= this.#pushesMade;
  }

  #number(): NumberedMessage {
    const n = ++this.#sent;
    const mark = this.#random.next();
    this.#sentHash = mix(this.#sentHash, n, mark);
    return { client: this.#options.client, n, mark };
  }

  #say(message: NumberedMessage): void {
    try {
      this.#sequences.set(this.#binding.send(messageNames.say, message), message.n);
    } catch (error) {
      this.#refuse(message.n, codeOf(error));
    }
    if (this.#sequences.size > REMEMBERED_SENDS) this.#sequences.delete(this.#sequences.keys().next().value!);
  }

  #refuse(n: number | undefined, code: string): void {
    this.#count(code);
    if (!REFUSALS.has(code)) this.#outcomeUnknown++;
    else if (n === undefined) this.#nameless++;
    else this.#refused.add(n);
  }

  async #ask(message: AskMessage): Promise<void> {
    const request = ++this.#requests;
    this.#open++;
    try {
      const answer = (await this.#binding.request(messageNames.ask, message, { timeoutMs: REQUEST_MS })) as Answer;
      if (answer.n !== message.n) this.#wrongAnswers++;
      if (message.rest === true) this.#pushesMade = answer.pushes;
      if (this.#lastPushCame()) this.#incoming.end();
      this.#settle(request, answer.answer);
    } catch (error) {
      const code = codeOf(error);
      this.#count(code);
      if (REFUSALS.has(code)) this.#refused.add(message.n);
      else this.#failed++;
      if (message.rest === true) this.#pushesMade = 0;
      this.#settle(request, undefined);
    }
    this.#open--;
  }

  /** Answers may come in any order; their numbers are noted in the order of the questions. */
  #settle(request: number, answer: number | undefined): void {
    this.#settled.set(request, { answer });
    for (let next; (next = this.#settled.get(this.#answersNoted + 1)) !== undefined;) {
      this.#settled.delete(++this.#answersNoted);
      if (next.answer !== undefined) this.#answers.note(next.answer, 0);
    }
  }

  /** With what has come after a question that is still open. */
  #answersSoFar(): TrackRecord {
    const track = new Track(this.#answers.toJSON());
    for (const [, { answer }] of [...this.#settled].sort(([left], [right]) => left - right)) {
      if (answer !== undefined) track.note(answer, 0);
    }
    return track.toJSON();
  }

  #count(code: string): void {
    this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1);
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : "unknown";
}
