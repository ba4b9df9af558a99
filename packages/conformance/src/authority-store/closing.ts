import { describe, expect, it } from "vitest";
import { moveOf, reservationIdOf, reserveRequest, withStore } from "./scene.ts";
import type { MakeStore } from "./scene.ts";

export function closingTests(make: MakeStore): void {
  describe("close", () => {
    it("ends one client: its calls answer `unknown` and write nothing, the others go on", () =>
      withStore(make, async (scene) => {
        const lease = await scene.node("n");
        const record = await scene.actor(lease, "a");
        const { key, storeVersion: baseVersion } = record;
        const closed = await scene.another();
        await closed.close();
        await closed.close();
        const answers = await Promise.all([
          closed.read(key),
          closed.scan("", undefined, 10),
          closed.nodes("mesh"),
          closed.reserve(reserveRequest(lease, "b")),
          closed.commitCreate(key, reservationIdOf("a"), lease),
          closed.abortCreate(key, reservationIdOf("a")),
          closed.commit(moveOf([record], lease)),
          closed.publish({ key, baseVersion, lease }),
          closed.fence(key, baseVersion, lease),
          closed.destroy(key, baseVersion, lease),
          closed.acquire({ meshName: "mesh", nodeRid: lease.nodeRid, ownerId: "y", durationMs: 1000 }),
          closed.renew(lease, 1000),
          closed.release(lease),
        ]);
        for (const answer of answers) {
          expect(answer).toEqual({ outcome: "unknown", reason: expect.stringMatching(/closed/) as string });
        }
        await scene.expectUnchanged([record]);
      }));
  });
}
