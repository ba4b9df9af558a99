import type { ActorAccount, ActorClientAccount } from "./account/accounts.ts";
import { mix, Track, type TrackRecord } from "./account/track.ts";
import type { ActorSeed } from "./messages.ts";
import { SeededRandom } from "./random.ts";

/** An actor has one client; the others are there to find messages that went astray. */
const MAX_CLIENTS = 4;
const LENGTH_BYTES = 4;

/** The part of the state that is not padding, as it is captured. */
interface Book {
  readonly seed: ActorSeed;
  readonly clients: readonly { readonly client: string; readonly messages: TrackRecord; readonly requests: number }[];
  readonly strangers: number;
  readonly answers: number;
  readonly pushes: number;
  readonly pushHash: number;
  readonly awake: boolean;
}

/** The state of one actor: its account, and padding up to the size asked for. */
export class ActorState {
  readonly seed: ActorSeed;
  /** Pushes are made: from the client's first message to its last. */
  awake = false;
  readonly #clients = new Map<string, { readonly messages: Track; requests: number }>();
  #strangers = 0;
  #answers = 0;
  #pushes = 0;
  #pushHash = 0;
  readonly #pad: Uint8Array;

  constructor(seed: ActorSeed, pad: Uint8Array = paddingOf(seed)) {
    this.seed = seed;
    this.#pad = pad;
  }

  /** Enters a message that is run. */
  note(message: { readonly client: string; readonly n: number; readonly mark: number }, isRequest: boolean): void {
    let entry = this.#clients.get(message.client);
    if (entry === undefined) {
      if (this.#clients.size >= MAX_CLIENTS) {
        this.#strangers++;
        return;
      }
      entry = { messages: new Track(), requests: 0 };
      this.#clients.set(message.client, entry);
    }
    entry.messages.note(message.n, message.mark);
    if (isRequest) entry.requests++;
  }

  /** The number of the next answer. */
  nextAnswer(): number {
    return ++this.#answers;
  }

  /** Enters a push and gives what it carries. */
  nextPush(): { n: number; mark: number } {
    const n = ++this.#pushes;
    // Any value that client and actor do not agree on beforehand will do.
    const mark = mix(this.seed.padSeed, n, this.#answers);
    this.#pushHash = mix(this.#pushHash, n, mark);
    return { n, mark };
  }

  get pushes(): number {
    return this.#pushes;
  }

  account(actorId: string): ActorAccount {
    return {
      actorId,
      clients: this.#clientAccounts(),
      strangers: this.#strangers,
      answers: this.#answers,
      pushes: this.#pushes,
      pushHash: this.#pushHash,
      damaged: Buffer.compare(this.#pad, paddingOf(this.seed)) !== 0,
    };
  }

  /** Length of the book, the book, and as much padding as makes up the size asked for. */
  capture(): Uint8Array {
    const book: Book = {
      seed: this.seed,
      clients: this.#clientAccounts(),
      strangers: this.#strangers,
      answers: this.#answers,
      pushes: this.#pushes,
      pushHash: this.#pushHash,
      awake: this.awake,
    };
    const text = Buffer.from(JSON.stringify(book));
    const used = LENGTH_BYTES + text.length;
    const bytes = new Uint8Array(Math.max(used, this.seed.stateBytes));
    new DataView(bytes.buffer).setUint32(0, text.length);
    bytes.set(text, LENGTH_BYTES);
    bytes.set(this.#pad.subarray(used), used);
    return bytes;
  }

  static restore(bytes: Uint8Array): ActorState {
    const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
    const used = LENGTH_BYTES + length;
    const book = JSON.parse(Buffer.from(bytes.subarray(LENGTH_BYTES, used)).toString()) as Book;
    const pad = new Uint8Array(book.seed.stateBytes);
    // The book lay over the beginning of the padding, which is made anew; the rest is what has travelled.
    pad.set(paddingOf(book.seed, Math.min(used, pad.length)));
    pad.set(bytes.subarray(used), Math.min(used, pad.length));
    const state = new ActorState(book.seed, pad);
    for (const { client, messages, requests } of book.clients) {
      state.#clients.set(client, { messages: new Track(messages), requests });
    }
    state.#strangers = book.strangers;
    state.#answers = book.answers;
    state.#pushes = book.pushes;
    state.#pushHash = book.pushHash;
    state.awake = book.awake;
    return state;
  }

  #clientAccounts(): ActorClientAccount[] {
    return Array.from(this.#clients, ([client, entry]) => ({
      client,
      messages: entry.messages.toJSON(),
      requests: entry.requests,
    }));
  }
}

/** Padding that can be made again to compare, and that does not compress to nothing. */
function paddingOf(seed: ActorSeed, length = seed.stateBytes): Uint8Array {
  const random = new SeededRandom(seed.padSeed, "padding");
  const words = new Uint32Array(Math.ceil(length / Uint32Array.BYTES_PER_ELEMENT));
  for (let i = 0; i < words.length; i++) words[i] = random.next();
  return new Uint8Array(words.buffer, 0, length);
}
