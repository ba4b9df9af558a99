import { transportPairSuite } from "@rehome/conformance";
import { bun, node } from "../support/ends.ts";

transportPairSuite(bun(), node);
