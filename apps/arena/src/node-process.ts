import { runChild } from "./child.ts";
import { Host } from "./host.ts";

/** A node process of the arena. */
let host: Host | undefined;

runChild(async (child, message) => {
  if (message.type !== "startNode") return host?.handle(message);
  host = await Host.start(child, message);
  child.tell({ type: "ready", url: undefined });
});
