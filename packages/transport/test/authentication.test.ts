import { createHmac } from "node:crypto";
import { ridFromText } from "@rehome/wire";
import type { Admission } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { Authentication } from "../src/authentication.ts";
import type { SharedSecretOptions } from "../src/authentication.ts";
import { createTransport } from "../src/transport.ts";
import type { HelloTerms } from "../src/open-unit.ts";
import { encodeUnit, unitKind } from "../src/units.ts";
import { sameBytes, someBytes } from "./support/bytes.ts";
import { admitBytes, helloBytes, listenRaw, RawNode, recordUnit } from "./support/raw-node.ts";
import { World } from "./support/nodes.ts";
import type { TestNode } from "./support/nodes.ts";

const hmacSha256 = (key: Uint8Array, message: Uint8Array) =>
  new Uint8Array(createHmac("sha256", key).update(message).digest());
const SECRET = someBytes(32, 1);
const OTHER = someBytes(48, 2);
const NONCE = new Uint8Array(32).fill(3);

function sharedSecret(...secrets: Uint8Array[]): SharedSecretOptions {
  return { secrets, hmacSha256 };
}

async function nodes(world: World, ofA: Uint8Array[], ofB: Uint8Array[]): Promise<[TestNode, TestNode]> {
  const a = await world.node("a", { sharedSecret: sharedSecret(...ofA) });
  const b = await world.node("b", { sharedSecret: sharedSecret(...ofB) });
  return [a, b];
}

function failures(node: TestNode): string[] {
  return node.ofType("ConnectFailed").map(({ reason }) => reason);
}

function rejections(node: TestNode): unknown[] {
  return node.logged.filter(({ event }) => event === "connection.rejected").map(({ fields }) => fields["detail"]);
}

interface HelloChanges {
  readonly admission?: Partial<Admission>;
  readonly terms?: Partial<HelloTerms>;
}

/** A test's own end that has said a proper hello to `a` and been challenged. */
async function challenged(changes: HelloChanges = {}) {
  const world = new World();
  const a = await world.node("a", { sharedSecret: sharedSecret(SECRET) });
  const peer = new RawNode(world.raw(a), "b");
  world.run();
  const hello = helloBytes(a, "b", {
    admission: { securityIdentity: "shared-secret", ...changes.admission },
    terms: { nonce: NONCE, ...changes.terms },
  });
  peer.write(hello);
  world.run();
  // Behind the preface and the unit's header.
  const body = hello.subarray(9);
  const challenge = peer.units.find(({ kind }) => kind === unitKind.challenge)?.body;
  const prove = (bytes: Uint8Array) => {
    peer.write(encodeUnit(unitKind.proof, bytes));
    world.run();
  };
  return { world, a, peer, body, challenge, prove };
}

const authentication = new Authentication(sharedSecret(SECRET));

describe("a shared secret", () => {
  it("known to both makes links, over which everything goes as over any", async () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const world = new World({ seed, readSize: (n) => 1 + (seed % n) });
      const [a, b] = await nodes(world, [SECRET], [SECRET]);
      a.onLink = b.onLink = (event) => {
        if (event.type !== "LinkUp") return;
        const [from, to] = event.peer.nodeRid === b.rid ? [a, b] : [b, a];
        for (let count = 0; count < 5; count += 1) from.send(to, `${count}`);
      };
      // One dials, or both at once: one link, no record lost.
      a.transport.connect(b.address);
      if (seed % 2 === 0) for (let steps = 0; steps < seed % 13; steps += 1) world.network.step();
      if (seed % 3 > 0) b.transport.connect(a.address);
      world.advance(10_000);
      const story = ["LinkUp", ...Array.from({ length: 5 }, () => "record")];
      expect([seed, a.story, b.story]).toEqual([seed, story, story]);
      world.cutAll();
      a.send(b, "after a cut");
      world.advance(1_000);
      expect([seed, b.texts.at(-1), world.openStreams]).toEqual([seed, "after a cut", 2]);
      expect(b.ofType("LinkResumed").length).toBe(1);
    }
  });

  it("that one end does not know refuses the other, at either end, with a reason and nothing secret in it", async () => {
    const world = new World();
    const [a, b] = await nodes(world, [SECRET], [OTHER]);
    a.transport.connect(b.address);
    world.run();
    expect(failures(a)).toEqual(["the peer refused: securityIdentityMismatch"]);
    expect(rejections(b)).toEqual(["it proves none of the shared secrets"]);
    expect([a.story, b.story]).toEqual([["ConnectFailed"], []]);
    const said = JSON.stringify([a.logged, b.logged, a.events], (_key, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    for (const secret of [SECRET, OTHER]) {
      expect(said).not.toContain(Buffer.from(secret).toString("hex"));
      expect(said).not.toContain(Buffer.from(secret).toString("base64"));
    }
  });

  it("can be changed while links live: each of several is accepted, the first one is proven", async () => {
    // Each step of a rotation: old and new in every combination that meets.
    const steps: [Uint8Array[], Uint8Array[]][] = [
      [[OTHER], [OTHER, SECRET]],
      [
        [OTHER, SECRET],
        [OTHER, SECRET],
      ],
      [
        [SECRET, OTHER],
        [OTHER, SECRET],
      ],
      [[SECRET, OTHER], [SECRET]],
    ];
    for (const [one, other] of steps) {
      for (const [ofA, ofB] of [
        [one, other],
        [other, one],
      ] as const) {
        const world = new World();
        const [a, b] = await nodes(world, ofA, ofB);
        a.transport.connect(b.address);
        world.run();
        expect([a.story, b.story]).toEqual([["LinkUp"], ["LinkUp"]]);
      }
    }
  });

  it("is at least 32 bytes long, and the error says so without showing it", () => {
    const world = new World();
    const create = (...secrets: Uint8Array[]) =>
      createTransport(world.network.adapter("fake://x"), {
        clock: world.clock,
        random: { bytes: (count) => new Uint8Array(count) },
        log: { write: () => {} },
        sharedSecret: sharedSecret(...secrets),
      });
    expect(() => create(someBytes(31))).toThrow(/secret 1 has 31 bytes, at least 32/);
    expect(() => create(SECRET, new Uint8Array(0))).toThrow(/secret 2 has 0 bytes/);
    expect(() => create()).toThrow(/from 1 to 8/);
    expect(() => create(...Array.from({ length: 9 }, () => SECRET))).toThrow(/from 1 to 8/);
    expect(() => create("a password of more than 32 characters" as unknown as Uint8Array)).toThrow(/not a Uint8Array/);
    expect(() => create(someBytes(31))).toThrow(expect.objectContaining({ code: "invalidOptions" }));
    expect(() => create(SECRET)).not.toThrow();
  });

  it("is copied", async () => {
    const secret = SECRET.slice();
    const options = sharedSecret(secret);
    const world = new World();
    const a = await world.node("a", { sharedSecret: options });
    const b = await world.node("b", { sharedSecret: sharedSecret(SECRET) });
    secret.fill(0);
    a.transport.connect(b.address);
    world.run();
    expect(a.story).toEqual(["LinkUp"]);
  });

  it("cannot be talked away: an end that proves nothing is refused by one that proves, and the other way round", async () => {
    for (const aProves of [true, false]) {
      const world = new World();
      const proves = { sharedSecret: sharedSecret(SECRET) };
      const a = await world.node("a", aProves ? proves : {});
      const b = await world.node("b", aProves ? {} : proves);
      a.transport.connect(b.address);
      world.run();
      expect(failures(a)).toEqual(["the peer refused: securityIdentityMismatch"]);
      expect(b.story).toEqual([]);
    }
  });
});

describe("an acceptor that wants a proof", () => {
  it("says nothing of itself before it has one, and admits who proves everything that it said", async () => {
    const { a, peer, body, challenge, prove } = await challenged();
    expect(peer.units.map(({ kind }) => kind)).toEqual([unitKind.challenge]);
    expect(a.story).toEqual([]);
    prove(authentication.diallerProof(challenge!, body));
    expect(peer.units.map(({ kind }) => kind)).toEqual([unitKind.challenge, unitKind.proof, unitKind.open]);
    const [, proof, admit] = peer.units;
    const said = { hello: body, challenge: challenge!, admit: admit!.body };
    expect(sameBytes(proof!.body, authentication.acceptorProof(said, SECRET))).toBe(true);
    peer.record(1, "proven");
    expect(a.story).toEqual(["LinkUp"]);
  });

  it("challenges everybody anew", async () => {
    const world = new World();
    const a = await world.node("a", { sharedSecret: sharedSecret(SECRET) });
    const seen = new Set<string>();
    for (let count = 0; count < 20; count += 1) {
      const peer = new RawNode(world.raw(a), "b");
      world.run();
      peer.write(helloBytes(a, "b", { admission: { securityIdentity: "shared-secret" }, terms: { nonce: NONCE } }));
      world.run();
      seen.add(Buffer.from(peer.units[0]!.body).toString("hex"));
    }
    expect(seen.size).toBe(20);
  });

  it("takes no proof in another role or with another secret, and nothing that is none", async () => {
    const wrong: [string, (c: Awaited<ReturnType<typeof challenged>>) => Uint8Array][] = [
      ["another secret", ({ challenge, body }) => authentication.diallerProof(challenge!, body, OTHER)],
      [
        "the acceptor's own",
        ({ challenge, body }) =>
          authentication.acceptorProof({ hello: body, challenge: challenge!, admit: new Uint8Array(0) }, SECRET),
      ],
      ["another hello", ({ challenge }) => authentication.diallerProof(challenge!, someBytes(200))],
      ["nothing", () => new Uint8Array(32)],
      ["its own challenge", ({ challenge }) => challenge!],
    ];
    for (const [name, make] of wrong) {
      const now = await challenged();
      now.prove(make(now));
      expect([name, now.a.story, now.peer.commands()]).toEqual([
        name,
        [],
        [{ command: "reject", reason: "securityIdentityMismatch" }],
      ]);
      expect(now.peer.raw.closed).toBeDefined();
    }
  });

  it("is bound to every part of the hello: mesh, rid, generation, link, attempt, target", async () => {
    const base = await challenged();
    const proof = authentication.diallerProof(base.challenge!, base.body);
    const changes: HelloChanges[] = [
      { admission: { lifecycleGeneration: 2n } },
      { admission: { nodeRid: ridFromText("c") } },
      { admission: { ownerId: "somebody else" } },
      { terms: { linkId: new Uint8Array(16) } },
      { terms: { attempt: 2 } },
      { terms: { receivedThrough: 1 } },
      { terms: { nonce: new Uint8Array(32) } },
      { terms: { targetGeneration: 0n } },
    ];
    for (const change of changes) {
      const now = await challenged(change);
      // Only what is said differs.
      expect(sameBytes(now.challenge!, base.challenge!)).toBe(true);
      now.prove(proof);
      expect([change, now.a.story]).toEqual([change, []]);
      expect(rejections(now.a)).toEqual(["it proves none of the shared secrets"]);
    }
  });

  it("looks at nothing before the proof: no record, no second hello, no effect on a link that stands", async () => {
    const { world, a, peer, body, challenge } = await challenged();
    peer.write(encodeUnit(unitKind.proof, authentication.diallerProof(challenge!, body)));
    peer.record(1, "proper");
    world.run();
    a.transport.send(peer.rid, [Uint8Array.of(1)], "data");
    expect(a.texts).toEqual(["proper"]);
    const second = helloBytes(a, "b").subarray(4);
    // Proven, each of these hellos would take the link's place: as a newer attempt, as a newer run.
    for (const lifecycleGeneration of [1n, 9n]) {
      for (const bytes of [recordUnit(2, "unproven"), encodeUnit(unitKind.proof, new Uint8Array(31)), second]) {
        const stranger = new RawNode(world.raw(a), "b");
        world.run();
        const admission = { securityIdentity: "shared-secret", lifecycleGeneration };
        stranger.write(helloBytes(a, "b", { admission, terms: { nonce: NONCE, attempt: 7 } }));
        world.run();
        expect(stranger.raw.closed).toBeUndefined();
        stranger.write(bytes);
        world.run();
        expect(stranger.raw.closed).toBeDefined();
      }
    }
    expect(a.story).toEqual(["LinkUp", "record"]);
    expect(a.transport.peer(peer.rid)?.nodeGeneration).toBe(1n);
    expect(peer.raw.closed).toBeUndefined();
  });

  it("takes no handshake that was recorded, whole or in part", async () => {
    const { world, a, peer, body, challenge } = await challenged();
    const recorded = encodeUnit(unitKind.proof, authentication.diallerProof(challenge!, body));
    peer.write(recorded);
    world.run();
    a.transport.forget(peer.rid);
    world.run();
    const replayed = new RawNode(world.raw(a), "b");
    world.run();
    replayed.write(helloBytes(a, "b", { admission: { securityIdentity: "shared-secret" }, terms: { nonce: NONCE } }));
    replayed.write(recorded);
    world.run();
    expect(replayed.commands()).toEqual([{ command: "reject", reason: "securityIdentityMismatch" }]);
    expect(a.ofType("LinkUp").length).toBe(1);
  });

  it("wants a nonce in the hello", async () => {
    const { peer, challenge } = await challenged({ terms: { nonce: undefined } });
    expect([challenge, peer.raw.closed === undefined]).toEqual([undefined, false]);
  });

  it("drops who does not answer its challenge in time", async () => {
    const { world, a, peer } = await challenged();
    world.advance(5_000);
    expect(peer.raw.closed).toBeDefined();
    expect(a.logged.some(({ event, fields }) => event === "connection.dropped" && fields["cause"] === "timeout")).toBe(
      true,
    );
  });
});

describe("a dialler that wants a proof", () => {
  const toB = { nodeRid: ridFromText("b"), nodeGeneration: 1n, endpoint: "fake://b" };
  const admit = admitBytes("b", { securityIdentity: "shared-secret" }).subarray(4);

  async function dialling(answer: Uint8Array) {
    const world = new World();
    const a = await world.node("a", { sharedSecret: sharedSecret(SECRET) });
    const listener = listenRaw(world, "fake://b", Buffer.concat([Uint8Array.of(0x52, 0x48, 0x4c, 1), answer]));
    a.transport.connect(toB);
    world.run();
    const peer = listener.node!;
    return { world, a, peer };
  }
  const challenge = encodeUnit(unitKind.challenge, NONCE);

  it("takes no admit without one, whatever it says of itself", async () => {
    for (const answer of [admit, Buffer.concat([challenge, admit])]) {
      const { a, peer } = await dialling(answer);
      expect(failures(a)).toEqual(["not the peer that was wanted: it proves none of the shared secrets"]);
      expect(peer.commands()).toContainEqual({ command: "reject", reason: "securityIdentityMismatch" });
      expect(a.transport.peer(toB.nodeRid)).toBeUndefined();
    }
  });

  it("answers one challenge, with a proof of what it has said, and takes an answer that proves all of it", async () => {
    const { world, a, peer } = await dialling(challenge);
    const [hello, proof] = peer.units;
    expect(peer.hello.nonce?.length).toBe(32);
    expect(sameBytes(proof!.body, authentication.diallerProof(NONCE, hello!.body))).toBe(true);
    const said = { hello: hello!.body, challenge: NONCE, admit: admit.subarray(5) };
    peer.write(encodeUnit(unitKind.proof, authentication.acceptorProof(said, SECRET)), admit, recordUnit(1, "proven"));
    world.run();
    expect(a.story).toEqual(["LinkUp", "record"]);
  });

  it("takes no proof of its own back, nor one of another admit, challenge or secret", async () => {
    const wrong: [string, (hello: Uint8Array, own: Uint8Array) => Uint8Array][] = [
      ["its own", (_hello, own) => own],
      [
        "another admit",
        (hello) => authentication.acceptorProof({ hello, challenge: NONCE, admit: admit.subarray(6) }, SECRET),
      ],
      [
        "another challenge",
        (hello) =>
          authentication.acceptorProof({ hello, challenge: new Uint8Array(32), admit: admit.subarray(5) }, SECRET),
      ],
      [
        "another secret",
        (hello) => authentication.acceptorProof({ hello, challenge: NONCE, admit: admit.subarray(5) }, OTHER),
      ],
      ["as a dialler", (hello) => authentication.diallerProof(NONCE, hello)],
    ];
    for (const [name, make] of wrong) {
      const { world, a, peer } = await dialling(challenge);
      const [hello, own] = peer.units;
      peer.write(encodeUnit(unitKind.proof, make(hello!.body, own!.body)), admit, recordUnit(1, "unproven"));
      world.run();
      expect([name, failures(a)]).toEqual([
        name,
        ["not the peer that was wanted: it proves none of the shared secrets"],
      ]);
      expect(a.records).toEqual([]);
    }
  });

  it("answers no second challenge: it would lend its secret to whoever asks", async () => {
    const { a, peer } = await dialling(Buffer.concat([challenge, challenge]));
    expect(peer.units.filter(({ kind }) => kind === unitKind.proof).length).toBeLessThanOrEqual(1);
    expect(failures(a)[0]).toContain("which has no place here");
  });

  it("that proves nothing answers no challenge", async () => {
    const world = new World();
    const a = await world.node("a");
    const listener = listenRaw(world, "fake://b", Buffer.concat([Uint8Array.of(0x52, 0x48, 0x4c, 1), challenge]));
    a.transport.connect(toB);
    world.run();
    expect(listener.node!.units.length).toBe(1);
    expect(failures(a)[0]).toContain("which has no place here");
  });
});
