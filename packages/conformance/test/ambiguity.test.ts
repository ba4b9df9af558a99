import { describe, expect, it } from "vitest";
import { ambiguitySuite } from "../src/index.ts";
import { cutEverywhere } from "../src/authority-store/ambiguity/cuts.ts";
import { WRITE_CASES } from "../src/authority-store/ambiguity/write-cases.ts";
import type { CutRule } from "../src/cut-proxy/index.ts";
import { remoteStoreUnderTest } from "./support/remote-store.ts";
import type { Flaw } from "./support/remote-store.ts";

ambiguitySuite(() => remoteStoreUnderTest());

describe("the suite notices a store that", () => {
  it.each<[string, Flaw, string, CutRule["at"]]>([
    ["sends a write again", { resends: true }, "publish", "after"],
    ["sends an acquire again", { resends: true }, "acquire", "after"],
    ["calls a cut a failure", { saysWhenCut: "stale" }, "fence", "before"],
    ["calls a cut a success", { saysWhenCut: "committed" }, "commit", "before"],
    ["waits for ever", { neverGivesUp: true }, "commit", "swallow"],
  ])("%s", async (_, flaw, name, at) => {
    const write = WRITE_CASES.find((one) => one.name === name)!;
    await expect(cutEverywhere(() => remoteStoreUnderTest(flaw), write, at)).rejects.toThrow();
  });
});
