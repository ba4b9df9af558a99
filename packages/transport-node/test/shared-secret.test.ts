import { randomBytes } from "node:crypto";
import type { LinkEvent, LocalIdentity, Transport } from "@rehome/core";
import { TransportError } from "@rehome/transport";
import { ridFromText } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { createNodeTransport } from "../src/index.ts";

const opened: Transport[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((transport) => transport.close()));
});

function identityOf(name: string): LocalIdentity {
  return {
    meshName: "mesh",
    nodeRid: ridFromText(name),
    nodeGeneration: 1n,
    lease: { ownerId: "owner", ownerLeaseGeneration: 1n },
    applicationVersion: 1n,
    placementWeight: 1,
  };
}

async function node(name: string, sharedSecrets: readonly Uint8Array[] | undefined) {
  const seen: string[] = [];
  const logged: string[] = [];
  const transport = createNodeTransport({
    ...(sharedSecrets && { sharedSecrets }),
    log: { write: (_level, event, fields) => void logged.push(`${event} ${JSON.stringify(fields)}`) },
  });
  opened.push(transport);
  let changed = () => {};
  const { endpoint } = await transport.listen(identityOf(name), {
    onRecord: (_peer, frames) => {
      seen.push(new TextDecoder().decode(frames[0]));
      changed();
    },
    onLink: (event: LinkEvent) => {
      seen.push(event.type === "ConnectFailed" ? event.reason : event.type);
      changed();
    },
  });
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      changed = () => void (condition() && resolve());
      changed();
    });
  const address = { nodeRid: ridFromText(name), nodeGeneration: 1n, endpoint };
  return { transport, address, seen, logged, until };
}

describe("shared secrets over sockets", () => {
  const secret = randomBytes(32);

  it("link nodes that know one of them", async () => {
    const a = await node("a", [secret]);
    const b = await node("b", [randomBytes(32), secret]);
    a.transport.connect(b.address);
    await a.until(() => a.seen.includes("LinkUp"));
    a.transport.send(b.address.nodeRid, [new TextEncoder().encode("hello")], "data");
    await b.until(() => b.seen.includes("hello"));
    expect(b.seen).toEqual(["LinkUp", "hello"]);
  });

  it("refuse every other node before it has any effect, and the log says why and nothing secret", async () => {
    for (const others of [[randomBytes(32)], undefined]) {
      const a = await node("a", others);
      const b = await node("b", [secret]);
      a.transport.connect(b.address);
      await a.until(() => a.seen.length > 0);
      expect(a.seen[0]).toBe("the peer refused: securityIdentityMismatch");
      expect(b.seen).toEqual([]);
      expect(b.logged[0]).toContain("securityIdentityMismatch");
      expect(b.logged.join()).not.toContain(secret.toString("hex"));
    }
  });

  it("encrypt nothing, so plain TCP to another machine has to be allowed all the same", async () => {
    const transport = createNodeTransport({ host: "0.0.0.0", advertisedHost: "10.0.0.1", sharedSecrets: [secret] });
    opened.push(transport);
    const listening = transport.listen(identityOf("a"), { onRecord: () => {}, onLink: () => {} });
    await expect(listening).rejects.toMatchObject({ code: "plaintextRefused" });
  });

  it("that could be guessed are refused at once", () => {
    expect(() => createNodeTransport({ sharedSecrets: [randomBytes(16)] })).toThrow(TransportError);
    expect(() => createNodeTransport({ sharedSecrets: [] })).toThrow(/from 1 to 8/);
  });
});
