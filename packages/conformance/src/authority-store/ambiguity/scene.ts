import { expect } from "vitest";
import type { AuthorityStore } from "@rehome/core";
import { actorAuthorityKey } from "@rehome/wire";
import type { CutProxy } from "../../cut-proxy/index.ts";
import { Scene } from "../scene.ts";
import type { StoreUnderTest } from "../scene.ts";

/** One empty store whose `store` and `another` reach the server directly, and `proxied` through a proxy. */
export interface StoreBehindProxy extends StoreUnderTest {
  /** A client of the same records, all of whose connections lead through `proxy`. */
  readonly proxied: AuthorityStore;
  readonly proxy: CutProxy;
  /** By when every call of `proxied` must have settled, connecting anew included. */
  readonly settlesWithinMs: number;
}

export type MakeStoreBehindProxy = () => Promise<StoreBehindProxy>;

/** How long a client may need to notice that its server is back. */
const REACHABLE_WITHIN_MS = 10_000;
const POLL_MS = 5;

/** Runs a test with a store of its own; `close` closes its proxied client and its proxy too. */
export async function withProxiedStore(
  make: MakeStoreBehindProxy,
  test: (scene: ProxiedScene) => Promise<void>,
): Promise<void> {
  const underTest = await make();
  try {
    await test(new ProxiedScene(underTest));
  } finally {
    await underTest.close();
  }
}

export class ProxiedScene extends Scene {
  readonly proxied: AuthorityStore;
  readonly proxy: CutProxy;
  readonly #settlesWithinMs: number;

  constructor(underTest: StoreBehindProxy) {
    super(underTest);
    this.proxied = underTest.proxied;
    this.proxy = underTest.proxy;
    this.#settlesWithinMs = underTest.settlesWithinMs;
  }

  /** The call's answer. Fails if there is none in time, or if it rejects. */
  async settled<A extends { outcome: string }>(call: Promise<A>): Promise<A> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const fail = () => reject(new Error(`A call has not settled within ${this.#settlesWithinMs} ms.`));
      timer = setTimeout(fail, this.#settlesWithinMs);
    });
    try {
      return await Promise.race([call, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits until the proxied client has a connection again. */
  async reachable(): Promise<void> {
    const givesUpAtMs = performance.now() + REACHABLE_WITHIN_MS;
    for (;;) {
      const answer = await this.settled(this.proxied.read(actorAuthorityKey("nobody has this id")));
      if (answer.outcome !== "unknown") return expect(answer.outcome).toBe("absent");
      if (performance.now() > givesUpAtMs) throw new Error(`The store does not come back: ${answer.reason}`);
      await pause(POLL_MS);
    }
  }
}

export function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
