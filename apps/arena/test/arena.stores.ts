import { describe, expect, test } from "vitest";
import { RunningArena } from "./run-arena.ts";
import { serversHere } from "./servers.ts";

const servers = await serversHere();

describe("the arena on a server", () => {
  for (const [title, server] of servers) {
    test.skipIf(server === undefined)(`keeps every message while actors move, with ${title} as the store`, async () => {
      const arena = new RunningArena(["--seconds", "4", "--clients", "20", "--json", "--store", server!.storeUrl]);
      try {
        const result = await arena.done;
        expect(result.exitCode, result.stdout + result.stderr).toBe(0);
        const verdict = JSON.parse(result.stdout.trimEnd().split("\n").at(-1)!) as Record<string, number>;
        expect(verdict["moves"]).toBeGreaterThan(0);
        expect(verdict["received"]).toBeGreaterThan(0);
      } finally {
        await arena.clean();
        await server!.remove();
      }
    });
  }
});
