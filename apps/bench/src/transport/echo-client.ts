/** One connection to an echo, and records under way on it. */
export interface EchoClient {
  send(): void;
  /** Writes what has been sent, where it has not been yet. */
  flush(): void;
  /** `onRecord` gets the size of each record that comes back; `onRead` is called when those of one read are done. */
  listen(onRecord: (bytes: number) => void, onRead: () => void): void;
}

/** Keeps a number of records under way until enough have come back. */
export class EchoRun {
  readonly #client: EchoClient;
  readonly #recordBytes: number;
  readonly #window: number;
  #left = 0;
  #underWay = 0;
  #wrong = 0;
  #done: () => void = () => undefined;

  constructor(client: EchoClient, recordBytes: number, window: number) {
    this.#client = client;
    this.#recordBytes = recordBytes;
    this.#window = window;
    client.listen(
      (bytes) => this.#onRecord(bytes),
      () => this.#onRead(),
    );
  }

  run(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#left = count;
      this.#done = resolve;
      this.#refill();
      this.#client.flush();
    });
  }

  check(): void {
    if (this.#wrong > 0 || this.#underWay > 0) throw new Error("other records came back than were sent");
  }

  #refill(): void {
    while (this.#underWay < this.#window && this.#left > 0) {
      this.#underWay += 1;
      this.#left -= 1;
      this.#client.send();
    }
  }

  #onRecord(bytes: number): void {
    if (bytes !== this.#recordBytes || this.#underWay === 0) this.#wrong += 1;
    this.#underWay -= 1;
    this.#refill();
  }

  #onRead(): void {
    this.#client.flush();
    if (this.#underWay > 0 || this.#left > 0) return;
    const done = this.#done;
    this.#done = () => undefined;
    done();
  }
}
