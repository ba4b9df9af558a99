import { runChild } from "./child.ts";
import { Host } from "./host.ts";
import { checkStore, startArenaGateway } from "./gateway-parts.ts";
import { stderrLog } from "./node-parts.ts";

/** The gateway's process: a node that takes no actors, with the gateway on top. It also makes the store. */
let host: Host | undefined;

runChild(async (child, message) => {
  if (message.type === "openStore") {
    await checkStore(message.url);
    child.tell({ type: "storeOpen" });
  } else if (message.type === "startNode") {
    host = await Host.start(child, message);
    const gateway = await startArenaGateway(host.node, message.gatewayPort ?? 0, stderrLog(child.name));
    child.onClose(() => gateway.close());
    child.tell({ type: "ready", url: gateway.url });
  } else {
    await host?.handle(message);
  }
});
