import { GatewayError, startGateway, type Gateway } from "@rehome/gateway";
import type { Node } from "@rehome/runtime";
import { Refusal } from "./child.ts";
import { LOOPBACK, type Log } from "./node-parts.ts";
import { isStoreError, openStore } from "./store-url.ts";

/** Clients do not matter any more when the gateway closes: at the end of a run all processes do. */
const GATEWAY_CLOSE_MS = 1_000;

/** Makes the store if it is not there. Rejects with one line that says what to do. */
export async function checkStore(url: string): Promise<void> {
  try {
    const store = await openStore(url);
    await store.close();
  } catch (error) {
    if (!isStoreError(error)) throw error;
    throw new Refusal(`${error.message} (--store URL names another one.)`, { cause: error });
  }
}

/** Rejects with one line that says what to do. */
export async function startArenaGateway(node: Node, port: number, log: Log): Promise<Gateway> {
  try {
    return await startGateway({ node, host: LOOPBACK, port, log, deadlines: { closeMs: GATEWAY_CLOSE_MS } });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code !== "portInUse")
      throw new Refusal(`${error.message} (--port chooses another one.)`, { cause: error });
    const advice = "choose another one with --port, or leave that out for a free one";
    throw new Refusal(`Port ${port} on ${LOOPBACK} is in use: ${advice}.`, { cause: error });
  }
}
