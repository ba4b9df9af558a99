/** The same echo over a link: framing, numbers, acknowledgements, liveness and all. */
import type { LocalIdentity, Transport } from "@rehome/core";
import { createNodeTransport } from "@rehome/transport-node";
import { ridFromText } from "@rehome/wire";
import type { EchoClient } from "./echo-client.ts";

const SERVER = ridFromText("server");
const CLIENT = ridFromText("client");

/** The transport of the runtime that this program runs on. */
async function createTransport(): Promise<Transport> {
  if (process.versions["bun"] === undefined) return createNodeTransport();
  // It imports what only Bun has.
  const { createBunTransport } = await import("@rehome/transport-bun");
  return createBunTransport();
}

function identityOf(nodeRid: typeof SERVER): LocalIdentity {
  return {
    meshName: "bench",
    nodeRid,
    nodeGeneration: 1n,
    lease: { ownerId: "bench", ownerLeaseGeneration: 1n },
    applicationVersion: 1n,
    placementWeight: 1,
  };
}

/** Resolves with the endpoint. */
export async function serveRehome(): Promise<string> {
  const transport = await createTransport();
  const { endpoint } = await transport.listen(identityOf(SERVER), {
    onRecord: (peer, frames) => void transport.send(peer.nodeRid, frames, "data"),
    onLink: () => undefined,
  });
  return endpoint;
}

export async function dialRehome(endpoint: string, recordBytes: number): Promise<EchoClient> {
  const transport = await createTransport();
  const frames = [new Uint8Array(recordBytes).fill(7)];
  let onRecord: (bytes: number) => void = () => undefined;
  let onRead = (): void => undefined;
  await new Promise<void>((resolve, reject) => {
    transport
      .listen(identityOf(CLIENT), {
        onRecord: (_peer, received) => {
          onRecord(received[0]!.length);
          onRead();
        },
        onLink: (event) => {
          if (event.type === "LinkUp") resolve();
          if (event.type === "LinkLost") reject(new Error(`the link was lost: ${event.reason}`));
        },
      })
      .then(() => transport.connect({ nodeRid: SERVER, nodeGeneration: 1n, endpoint }), reject);
  });
  return {
    send: () => {
      const answer = transport.send(SERVER, frames, "data");
      if (answer !== "accepted" && answer !== "backedUp") throw new Error(`the transport answers ${answer}`);
    },
    flush: () => undefined,
    listen: (record, read) => {
      onRecord = record;
      onRead = read;
    },
  };
}
