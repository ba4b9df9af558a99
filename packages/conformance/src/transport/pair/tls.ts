import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { connect as tlsConnect, createServer as createTlsServer } from "node:tls";
import type { SecureVersion, TLSSocket } from "node:tls";
import { identityUri } from "@rehome/transport/sockets";
import { ridFromBytes, ridFromText } from "@rehome/wire";
import { beforeAll, expect, it } from "vitest";
import { portOf } from "../proxy.ts";
import { RawPeer } from "../raw-peer.ts";
import { later, until } from "../scene.ts";
import { TestAuthority } from "./certificates.ts";
import type { Leaf, LeafPlan } from "./certificates.ts";
import { inPair } from "./scene.ts";
import type { Pairing, PairNode, PairScene } from "./scene.ts";

const MESH = "conformance";
const nameOf = (name: string, meshName = MESH) => identityUri({ meshName, nodeRid: ridFromText(name) });
const B = { meshName: MESH, nodeRid: ridFromText("b"), nodeGeneration: 1n, securityIdentity: "tls" } as const;

/** What is wrong with a peer that calls itself `c`, and what the log says of it, on either runtime. */
const WRONG: readonly (readonly [string, LeafPlan & { readonly stranger?: true }, RegExp])[] = [
  ["by another authority", { uris: [nameOf("c")], stranger: true }, /UNABLE_TO_|SELF_SIGNED|UNKNOWN_CA/],
  ["that has expired", { uris: [nameOf("c")], fromDays: -9, toDays: -1 }, /CERT_HAS_EXPIRED/],
  ["that is not valid yet", { uris: [nameOf("c")], fromDays: 1 }, /CERT_NOT_YET_VALID/],
  ["of another mesh", { uris: [nameOf("c", "another")] }, /of the mesh \\?"another/],
  ["of no node", { dns: ["c"] }, /0 names of the form/],
  ["of two nodes", { uris: [nameOf("c"), nameOf("d")] }, /2 names of the form/],
  ["with a name that only looks like one", { uris: [`rehome://${MESH}/%63`] }, /no proper rehome/],
  ["that hides a name in another one", { dns: [`x, URI:${nameOf("c")}`] }, /special characters|0 names/],
];

/** Mutual TLS: who is let in, and who is not. */
export function pairTlsTests(pairing: Pairing): void {
  let stranger: TestAuthority;
  beforeAll(async () => {
    stranger = await TestAuthority.make("somebody else's authority");
  });
  const leafOf = ({ stranger: isStranger, ...plan }: LeafPlan & { readonly stranger?: true }): Promise<Leaf> =>
    (isStranger ? stranger : pairing.authority).leaf(plan);

  it.each(WRONG)("T3: as a server, refuses a certificate %s before its hello", (_what, plan, reason) =>
    inPair(pairing, async (scene) => {
      const b = await scene.far("b");
      const peer = await tlsClient(scene, pairing, b, await leafOf(plan));
      const ownPort = peer.socket.localPort;
      peer.hello(B, ridFromText("c"));
      await until("its end", () => peer.isClosed);
      expect(peer.receivedBytes).toBe(0);
      await until("the reason in the log", () => reason.test(b.logged));
      await until("where it came from in the log", () => b.logged.includes(`127.0.0.1:${ownPort}`));
      expect(b.events).toEqual([]);
      expectNoSecrets(b);
    })(),
  );

  it.each(WRONG)("T3: as a client, refuses a certificate %s, and says no hello", (_what, plan, reason) =>
    inPair(pairing, async (scene) => {
      const a = await scene.near("a");
      const server = await tlsServer(scene, pairing, await leafOf(plan));
      a.run({ do: "connect", to: { name: "c", generation: 1, endpoint: server.endpoint } });
      await until("the reason in the log", () => reason.test(a.logged));
      await later(20);
      expect([server.bytes, a.ofType("LinkUp").length]).toEqual([0, 0]);
      expect(a.ofType("ConnectFailed").length).toBeGreaterThan(0);
      expectNoSecrets(a);
    })(),
  );

  it(
    "T3: refuses a client without a certificate before its hello",
    inPair(pairing, async (scene) => {
      const b = await scene.far("b");
      const peer = await tlsClient(scene, pairing, b, undefined);
      peer.hello(B, ridFromText("c"));
      await until("its end", () => peer.isClosed);
      expect(peer.receivedBytes).toBe(0);
      await until("the reason in the log", () => /DID_NOT_RETURN_A_CERTIFICATE/.test(b.logged));
      expect(b.events).toEqual([]);
    }),
  );

  it(
    "speaks nothing older than TLS 1.3, as a server and as a client",
    inPair(pairing, async (scene) => {
      const b = await scene.far("b");
      const leaf = await pairing.authority.leaf({ uris: [nameOf("c")] });
      await expect(tlsClient(scene, pairing, b, leaf, "TLSv1.2")).rejects.toMatchObject({
        code: expect.stringContaining("PROTOCOL") as string,
      });
      await until("a reason", () => /PROTOCOL/.test(b.logged));
      const a = await scene.near("a");
      const server = await tlsServer(scene, pairing, leaf, "TLSv1.2");
      a.run({ do: "connect", to: { name: "c", generation: 1, endpoint: server.endpoint } });
      await until("a failure", () => a.ofType("ConnectFailed").length > 0);
      expect([server.bytes, a.story.length, b.story.length]).toEqual([0, 0, 0]);
    }),
  );

  it(
    "T3: refuses a node that passes itself off as another one, and lets the same node in under its own name",
    inPair(pairing, async (scene) => {
      const b = await scene.far("b");
      const leaf = await pairing.authority.leaf({ uris: [nameOf("c")] });
      const liar = await tlsClient(scene, pairing, b, leaf);
      liar.hello(B, ridFromText("d"));
      await until("its end", () => liar.isClosed);
      expect(liar.commands).toEqual([{ command: "reject", reason: "identityMismatch" }]);
      expect(b.events).toEqual([]);
      // It is told by another way than the refusal.
      await until("the reason in its log", () => b.logged.includes("identityMismatch"));
      const honest = await tlsClient(scene, pairing, b, leaf);
      honest.hello(B, ridFromText("c"));
      honest.record(1, new TextEncoder().encode("let me in"));
      await until("its record", () => b.records.length === 1);
      expect(b.texts).toEqual(["let me in"]);
    }),
  );

  it(
    "T3: dials another node than the wanted one in vain, and says no hello",
    inPair(pairing, async (scene) => {
      const a = await scene.near("a");
      const server = await tlsServer(scene, pairing, await pairing.authority.leaf({ uris: [nameOf("d")] }));
      a.run({ do: "connect", to: { name: "c", generation: 1, endpoint: server.endpoint } });
      await until("a failure", () => a.ofType("ConnectFailed").length > 0);
      expect(a.ofType("ConnectFailed")[0]?.reason).toContain("proven to be d");
      expect(server.bytes).toBe(0);
    }),
  );

  it(
    "lets in a rid of any bytes, and a mesh of any characters",
    inPair(pairing, async (scene) => {
      const b = await scene.far("b");
      const rid = ridFromBytes(Uint8Array.from({ length: 255 }, (_, index) => 255 - index));
      const uri = identityUri({ meshName: MESH, nodeRid: rid });
      const peer = await tlsClient(scene, pairing, b, await pairing.authority.leaf({ uris: [uri] }));
      peer.hello(B, rid);
      await until("its link", () => b.ofType("LinkUp").length === 1);
      const meshName = "é, / 漢字%🙂";
      const near = await scene.near("near", { meshName });
      const far = await scene.far("far", { meshName });
      near.run({ do: "connect", to: far.address });
      await until("a link", () => near.story.length === 1 && far.story.length === 1);
    }),
  );

  it(
    "refuses to start with a certificate that is not this node's own, and says which one it is",
    inPair(pairing, async (scene) => {
      for (const start of [scene.near.bind(scene), scene.far.bind(scene)]) {
        const node = await start("x", { tls: await pairing.filesOf("y") });
        expect(node.all("refused").map(({ code }) => code)).toEqual(["certificateUnusable"]);
        expect(node.all("refused")[0]?.message).toContain(nameOf("y"));
      }
    }),
  );
}

/** A connection with the test's own certificate, or none. */
export function tlsClient(
  scene: PairScene,
  pairing: Pairing,
  target: PairNode,
  leaf: Leaf | undefined,
  version: SecureVersion = "TLSv1.3",
): Promise<RawPeer> {
  const socket = tlsConnect({
    host: "127.0.0.1",
    port: portOf(target.endpoint),
    ca: pairing.authority.pem,
    ...leaf,
    minVersion: version,
    maxVersion: version,
    checkServerIdentity: () => undefined,
  });
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("secureConnect", () => resolve(scene.own(new RawPeer(socket))));
  });
}

/** A server with the test's own certificate, which never says a word. */
export async function tlsServer(scene: PairScene, pairing: Pairing, leaf: Leaf, maxVersion: SecureVersion = "TLSv1.3") {
  const heard = { endpoint: "", bytes: 0, sockets: [] as TLSSocket[], destroy: () => void server.close() };
  const server = createTlsServer({ ...leaf, ca: pairing.authority.pem, requestCert: true, maxVersion }, (socket) => {
    heard.sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => (heard.bytes += chunk.length));
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  heard.endpoint = `tls://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return scene.own(heard);
}

/** What a TLS client says first. */
export async function clientHello(): Promise<Buffer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const heard = new Promise<Buffer>((resolve) =>
    server.once("connection", (socket) => {
      socket.once("data", (bytes) => {
        socket.destroy();
        resolve(bytes);
      });
    }),
  );
  const client = tlsConnect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  client.on("error", () => undefined);
  const bytes = await heard;
  client.destroy();
  server.close();
  return bytes;
}

function expectNoSecrets(node: PairNode): void {
  expect(node.logged).not.toMatch(/PRIVATE KEY|BEGIN|[A-Za-z0-9+/]{60}/);
}
