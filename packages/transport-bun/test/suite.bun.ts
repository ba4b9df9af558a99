import { transportSuite } from "@rehome/conformance";
import { createBunTransport } from "../src/index.ts";

transportSuite(({ limits, log }) => createBunTransport({ limits, log }));
