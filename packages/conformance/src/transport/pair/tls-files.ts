import { readFileSync } from "node:fs";
import { X509Certificate } from "node:crypto";
import { identityUri } from "@rehome/transport/sockets";
import { ridFromText } from "@rehome/wire";
import { expect, it } from "vitest";
import { TestAuthority } from "./certificates.ts";
import type { Leaf } from "./certificates.ts";
import type { TlsFiles } from "./protocol.ts";
import { tlsClient, tlsServer } from "./tls.ts";
import { later, until } from "../scene.ts";
import { inPair } from "./scene.ts";
import type { Pairing, PairNode } from "./scene.ts";

const leafFor = (authority: TestAuthority, name: string): Promise<Leaf> =>
  authority.leaf({ uris: [identityUri({ meshName: "conformance", nodeRid: ridFromText(name) })] });

/** Certificates that are replaced while nodes run. */
export function pairTlsFileTests(pairing: Pairing): void {
  it(
    "T3: new links use new files, a bad file leaves the old ones in use and says so, and links that are there stay",
    inPair(pairing, async (scene) => {
      const { a, b } = await scene.pair();
      const tester = await leafFor(pairing.authority, "tester");
      const server = await tlsServer(scene, pairing, await leafFor(pairing.authority, "c"));
      a.run({ do: "connect", to: { name: "c", generation: 1, endpoint: server.endpoint } });
      const shown: Record<"a" | "b", () => Promise<string>> = {
        a: async () => {
          const count = server.sockets.length;
          a.run(
            { do: "forget", to: "c" },
            { do: "connect", to: { name: "c", generation: 1, endpoint: server.endpoint } },
          );
          await until("another dial", () => server.sockets.length > count);
          return server.sockets.at(-1)!.getPeerX509Certificate()!.fingerprint256;
        },
        b: async () => {
          const peer = await tlsClient(scene, pairing, b, tester);
          return peer.serverFingerprint;
        },
      };
      for (const node of [a, b]) {
        const files = node.plan.tls!;
        const name = node.plan.name as "a" | "b";
        expect(await shown[name]()).toBe(fingerprintOf(files));
        const renewed = await leafFor(pairing.authority, name);
        pairing.folder.replace(files, renewed, pairing.authority.pem);
        await until("the new files", () => count(node, "certificate.replaced") === 1);
        const inUse = fingerprintOf(files);
        expect(await shown[name]()).toBe(inUse);
        const another = await leafFor(pairing.authority, name);
        const bad: [Leaf, string, RegExp][] = [
          [{ ...another, cert: "nonsense" }, pairing.authority.pem, /no proper certificate/],
          [{ cert: renewed.cert, key: another.key }, pairing.authority.pem, /is not that of/],
          [another, "nonsense", /authorities/],
          [await leafFor(pairing.authority, "z"), pairing.authority.pem, /is that of rehome:\/\/conformance\/z/],
        ];
        for (const [index, [leaf, authority, reason]] of bad.entries()) {
          pairing.folder.replace(files, leaf, authority);
          await until("a word about it", () => reason.test(node.logged));
          await later(60);
          expect([index, await shown[name]()]).toEqual([index, inUse]);
        }
        pairing.folder.replace(files, another, pairing.authority.pem);
        await until("the good files", () => count(node, "certificate.replaced") === 2);
        expect(await shown[name]()).toBe(fingerprintOf(files));
        expect(node.logged).not.toContain("PRIVATE KEY");
      }
      a.sendText(b, "as ever");
      await until("a record", () => b.texts.includes("as ever"));
      expect(b.story).toEqual(["LinkUp"]);
    }),
  );

  it(
    "T3: an authority that is no longer in the file is no longer accepted",
    inPair(pairing, async (scene) => {
      const b = await scene.far("b");
      const next = await TestAuthority.make("the next authority");
      const [old, young] = [await leafFor(pairing.authority, "c"), await leafFor(next, "c")];
      const own = await leafFor(pairing.authority, "b");
      const gets = async (leaf: Leaf): Promise<boolean> => {
        const peer = await tlsClient(scene, pairing, b, leaf);
        await later(100);
        return !peer.isClosed;
      };
      expect([await gets(old), await gets(young)]).toEqual([true, false]);
      pairing.folder.replace(b.plan.tls!, own, next.pem);
      await until("the new files", () => count(b, "certificate.replaced") === 1);
      expect([await gets(old), await gets(young)]).toEqual([false, true]);
    }),
  );
}

function fingerprintOf(files: TlsFiles): string {
  return new X509Certificate(readFileSync(files.certFile)).fingerprint256;
}

function count(node: PairNode, event: string): number {
  return node.all("log").filter((entry) => entry.event === event).length;
}
