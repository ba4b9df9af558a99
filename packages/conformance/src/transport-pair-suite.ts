import { afterAll, beforeAll, describe } from "vitest";
import type { PairEnd } from "./transport/pair/ends.ts";
import { pairLossTests } from "./transport/pair/losses.ts";
import { pairRecordTests } from "./transport/pair/records.ts";
import { Pairing } from "./transport/pair/scene.ts";
import { pairTlsFileTests } from "./transport/pair/tls-files.ts";
import { pairTlsHostileTests, pairTlsToPlainTests } from "./transport/pair/tls-hostile.ts";
import { pairTlsTests } from "./transport/pair/tls.ts";

export { childEnd, localEnd, type PairEnd, type RunningEnd } from "./transport/pair/ends.ts";
export type { MakeEnd } from "./transport/pair/end.ts";

/**
 * Registers the tests of links between two implementations, or two runtimes: the nodes of one end dial those of the other.
 * Either end may be in the process of the tests (`localEnd`) or in one of its own (`childEnd`).
 */
export function transportPairSuite(dialer: PairEnd, acceptor: PairEnd): void {
  describe(`Transport, ${dialer.name} to ${acceptor.name}`, () => {
    const pairing = new Pairing(dialer, acceptor, false);
    beforeAll(() => pairing.start());
    afterAll(() => pairing.stop());
    pairRecordTests(pairing);
    pairLossTests(pairing);
    pairTlsToPlainTests(pairing);
  });
  describe(`Transport with TLS, ${dialer.name} to ${acceptor.name}`, () => {
    const pairing = new Pairing(dialer, acceptor, true);
    beforeAll(() => pairing.start());
    afterAll(() => pairing.stop());
    pairRecordTests(pairing);
    pairLossTests(pairing);
    pairTlsTests(pairing);
    pairTlsFileTests(pairing);
    pairTlsHostileTests(pairing);
  });
}
