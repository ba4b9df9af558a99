import type { PeerIdentity, Transport } from "@rehome/core";
import { encodeRecord, ridFromText, type OperationKind } from "@rehome/wire";
import { beforeEach, expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { Links, type LostLink } from "../../src/links/links.ts";

const identity = (name: string): PeerIdentity => ({
  meshName: "test",
  nodeRid: ridFromText(name),
  nodeGeneration: 1n,
  lease: { ownerId: name, ownerLeaseGeneration: 1n },
});

/** A transport that nothing is sent on. */
const transport: Transport = {
  listen: () => Promise.resolve({ endpoint: "nowhere" }),
  connect: () => undefined,
  forget: () => undefined,
  send: () => "noLink",
  peer: () => undefined,
  close: () => Promise.resolve(),
};

const answer = encodeRecord({
  command: "reply",
  correlation: 1n,
  terminalResult: "ok",
  failureCode: "none",
  tail: { operation: "streamBind", bindingGeneration: 1n, authorityOwnerGeneration: 1n },
});

let logged: { level: string; event: string }[];
beforeEach(() => {
  logged = [];
});

function linksThatKnow(operationOf: (correlation: bigint) => OperationKind | undefined): Links {
  const config = parseConfig({
    meshName: "test",
    name: "a",
    transport,
    store: undefined as never,
    log: { write: (level, event) => logged.push({ level, event }) },
  });
  return new Links({ config, self: identity("a"), transport, resolve: () => Promise.resolve(undefined), operationOf });
}

it("N2: tells of what was lost with a link, and takes no own answer for something else", () => {
  // An open request of this node under the correlation that its answer to the peer has.
  const links = linksThatKnow(() => "actorJoin");
  const lost: LostLink[] = [];
  links.onLost((event) => lost.push(event));
  const refusal = encodeRecord({
    command: "sendRefused",
    operation: { high: 1n, low: 1n },
    terminalResult: "notFound",
    failureCode: "actorLocationStale",
  });
  const unacknowledged = [answer, refusal];
  links.onLink({ type: "LinkLost", peer: identity("b"), reason: "livenessTimeout", unacknowledged });
  expect(lost.map((event) => event.unacknowledged.map(({ command }) => command))).toEqual([["sendRefused"]]);
  expect(logged.filter(({ level }) => level === "error")).toEqual([]);
});

it("Q2: holds nothing against a peer whose answer comes after its request has timed out", () => {
  const links = linksThatKnow(() => undefined);
  links.handle("reply", () => undefined);
  for (let times = 0; times < 100; times++) links.onRecord(identity("b"), answer);
  expect(new Set(logged.map(({ event }) => event))).toEqual(new Set(["reply.unexpected"]));
});
