import { fileURLToPath } from "node:url";
import { childEnd, localEnd } from "@rehome/conformance";
import type { PairEnd } from "@rehome/conformance";
import { createNodeTransport } from "@rehome/transport-node";
import { bunPath } from "./bun.ts";

/** An end in the process of the tests. */
export const node: PairEnd = localEnd("Node", (settings) => createNodeTransport(settings));

/** An end in a process of its own. */
export function bun(name = "Bun"): PairEnd {
  const program = fileURLToPath(new URL("./end.ts", import.meta.url));
  return childEnd(name, bunPath, ["--conditions=rehome-source", program]);
}
