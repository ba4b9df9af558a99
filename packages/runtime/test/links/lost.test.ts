import type { PeerIdentity, Transport } from "@rehome/core";
import { encodeRecord, ridFromText } from "@rehome/wire";
import { expect, it } from "vitest";
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

it("N2: tells of what was lost with a link, and takes no own answer for something else", () => {
  const errors: string[] = [];
  const config = parseConfig({
    meshName: "test",
    name: "a",
    transport,
    store: undefined as never,
    log: { write: (level, event) => level === "error" && errors.push(event) },
  });
  const links = new Links({
    config,
    self: identity("a"),
    transport,
    resolve: () => Promise.resolve(undefined),
    // An open request of this node under the correlation that its answer to the peer has.
    operationOf: () => "actorJoin",
  });
  const lost: LostLink[] = [];
  links.onLost((event) => lost.push(event));
  const answer = encodeRecord({
    command: "reply",
    correlation: 1n,
    terminalResult: "ok",
    failureCode: "none",
    tail: { operation: "streamBind", bindingGeneration: 1n, authorityOwnerGeneration: 1n },
  });
  const refusal = encodeRecord({
    command: "sendRefused",
    operation: { high: 1n, low: 1n },
    terminalResult: "notFound",
    failureCode: "actorLocationStale",
  });
  const unacknowledged = [answer, refusal];
  links.onLink({ type: "LinkLost", peer: identity("b"), reason: "livenessTimeout", unacknowledged });
  expect(lost.map((event) => event.unacknowledged.map(({ command }) => command))).toEqual([["sendRefused"]]);
  expect(errors).toEqual([]);
});
