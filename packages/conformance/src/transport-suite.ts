import { describe } from "vitest";
import { closingTests } from "./transport/closing.ts";
import { cutTests } from "./transport/cuts.ts";
import { hostileTests } from "./transport/hostile.ts";
import { identityTests } from "./transport/identity.ts";
import { lossTests } from "./transport/losses.ts";
import { recordTests } from "./transport/records.ts";
import type { MakeTransport } from "./transport/scene.ts";

export type { MakeTransport, TransportSettings } from "./transport/scene.ts";

/**
 * Registers the tests that every `Transport` must pass over real sockets, in a Vitest test file (or Bun's runner). `make` is
 * called once per node and gives a transport that listens on loopback with the limits and the log that it is handed.
 */
export function transportSuite(make: MakeTransport): void {
  describe("Transport", () => {
    identityTests(make);
    recordTests(make);
    lossTests(make);
    cutTests(make);
    closingTests(make);
    hostileTests(make);
  });
}
