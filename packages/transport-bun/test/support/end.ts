// One end of the pairings, for a process of its own.
import { runTransportEnd } from "@rehome/conformance/transport-end";
import { createBunTransport } from "../../src/index.ts";

runTransportEnd((settings) => createBunTransport(settings));
