import { transportPairSuite } from "@rehome/conformance";
import { bun } from "../support/ends.ts";

transportPairSuite(bun(), bun("another Bun"));
