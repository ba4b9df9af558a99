import { ridFromText, type SessionRelocationRoute } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { OwedRoutes } from "../../src/move/owed-routes.ts";

const gateway = ridFromText("g");

function route(session: string, action: "abort" | "commit" = "abort"): SessionRelocationRoute {
  return {
    command: "sessionRelocationRoute",
    relocation: { high: 7n, low: 9n },
    coordinator: {
      ownerId: "owner-a",
      leaseGeneration: 20n,
      nodeRid: ridFromText("a"),
      nodeGeneration: 2n,
      expectedAuthorityStoreVersion: "v1",
    },
    senderRole: action === "abort" ? "source" : "coordinator",
    actor: { actorId: "user:42", objectGeneration: 3n },
    session: {
      ownerNodeRid: gateway,
      ownerNodeGeneration: 6n,
      ownerId: "owner-g",
      ownerLeaseGeneration: 60n,
      sessionRid: ridFromText(session),
      bindingGeneration: 1n,
    },
    route:
      action === "abort"
        ? { action, currentAuthorityOwnerGeneration: 10n }
        : {
            action,
            previousAuthorityOwnerGeneration: 10n,
            targetAuthorityOwnerGeneration: 11n,
            targetNodeRid: ridFromText("b"),
            targetNodeGeneration: 4n,
          },
  };
}

describe("S20: a 44 is owed until its seal must have ended", () => {
  it("is repeated on every new link to that session owner, oldest first", () => {
    const owed = new OwedRoutes(20_000);
    const routes = ["s1", "s2", "s3"].map((name) => route(name));
    routes.forEach((command, index) => owed.owe(gateway, command, index));
    owed.owe(ridFromText("h"), route("s4"), 3);
    expect(owed.linkUp(gateway, 10)).toEqual(routes);
    expect(owed.linkUp(gateway, 20)).toEqual(routes);
    expect(owed.linkUp(ridFromText("x"), 20)).toEqual([]);
  });

  it("is forgotten when the seal's deadline has passed, not before", () => {
    const owed = new OwedRoutes(20_000);
    owed.owe(gateway, route("s1"), 0);
    owed.owe(gateway, route("s2"), 1);
    expect(owed.linkUp(gateway, 19_999)).toHaveLength(2);
    expect(owed.linkUp(gateway, 20_000)).toEqual([route("s2")]);
    owed.owe(gateway, route("s3"), 30_000);
    expect(owed.size).toBe(1);
  });

  it("S7: of one identity the first route is the one", () => {
    const owed = new OwedRoutes(20_000);
    owed.owe(gateway, route("s1"), 0);
    owed.owe(gateway, route("s1", "commit"), 5);
    expect(owed.linkUp(gateway, 10)).toEqual([route("s1")]);
  });

  it("I8: past the capacity the oldest goes, and is named", () => {
    const owed = new OwedRoutes(20_000, 2);
    expect(owed.owe(gateway, route("s1"), 0)).toBeUndefined();
    owed.owe(gateway, route("s2"), 0);
    expect(owed.owe(gateway, route("s3"), 0)).toEqual(route("s1"));
    expect(owed.size).toBe(2);
  });
});
