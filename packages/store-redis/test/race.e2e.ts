import { fileURLToPath } from "node:url";
import { raceSuite } from "@rehome/conformance";
import { describe } from "vitest";
import { openRedisStore } from "../src/index.ts";
import { watchRows } from "./support/history.ts";
import { newPrefix, redis, removeStore } from "./support/store-under-test.ts";

const PROGRAM = fileURLToPath(new URL("./support/race-contender.mjs", import.meta.url));

describe.skipIf(redis === undefined)("on Redis", () => {
  raceSuite(() => {
    const [url, prefix] = [redis!.url, newPrefix()];
    const history = watchRows(url, prefix);
    return Promise.resolve({
      program: { command: process.execPath, arguments: [PROGRAM, url, prefix] },
      open: () => openRedisStore({ url, prefix }),
      history,
      async close() {
        history.end();
        await removeStore(prefix);
      },
    });
  });
});
