import { transportSuite } from "@rehome/conformance";
import { createNodeTransport } from "../src/index.ts";

transportSuite(({ limits, log }) => createNodeTransport({ limits, log }));
