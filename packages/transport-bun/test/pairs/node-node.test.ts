import { transportPairSuite } from "@rehome/conformance";
import { node } from "../support/ends.ts";

transportPairSuite(node, node);
