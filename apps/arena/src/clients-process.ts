import { ArenaClient } from "./arena-client.ts";
import { runChild, type ChildProcess } from "./child.ts";
import type { ClientsPlan, ClientStats } from "./ipc.ts";
import { ACTOR_TYPE } from "./messages.ts";
import { bindClient, type ClientLink } from "./client-link.ts";
import { Traffic } from "./traffic.ts";

/** Clients that connect and bind at the same time. */
const CONCURRENT_BINDS = 32;
const REPORT_MS = 250;
/** How often a client that rests is asked whether everything has come. */
const QUIET_POLL_MS = 10;

/** The clients' process of the arena: all clients, each with a connection of its own. */
let clients: ArenaClient[] = [];
let traffic: Traffic | undefined;

runChild(async (child, message) => {
  switch (message.type) {
    case "startClients":
      clients = await connectAll(child, message.plan);
      traffic = new Traffic(clients, message.plan.rate, message.plan.seed);
      child.tell({ type: "ready", url: undefined });
      return;
    case "go": {
      traffic?.start();
      const reporting = setInterval(() => child.tell({ type: "clientStats", stats: stats() }), REPORT_MS);
      child.onClose(() => Promise.resolve(clearInterval(reporting)));
      return;
    }
    case "rest":
      traffic?.stop();
      for (const client of clients) client.rest();
      await quiet(message.withinMs);
      handIn(child);
      return;
    case "report":
      handIn(child);
      return;
    default:
      throw new Error(`the clients do not understand "${message.type}"`);
  }
});

function handIn(child: ChildProcess): void {
  child.tell({ type: "clientAccounts", accounts: clients.map((client) => client.account()) });
}

async function connectAll(child: ChildProcess, plan: ClientsPlan): Promise<ArenaClient[]> {
  const all: ArenaClient[] = [];
  const links: ClientLink[] = [];
  child.onClose(async () => void (await Promise.all(links.map((link) => link.close()))));
  const left = [...plan.clients.entries()];
  const connect = async (): Promise<void> => {
    for (let entry = left.shift(); entry !== undefined; entry = left.shift()) {
      const [index, names] = entry;
      const link = await bindClient(plan.url, ACTOR_TYPE, names.actorId);
      links.push(link);
      const client = new ArenaClient({ ...names, seed: plan.seed, sabotage: plan.sabotage }, link.binding);
      link.attach(client);
      all[index] = client;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_BINDS }, connect));
  return all;
}

async function quiet(withinMs: number): Promise<void> {
  const endsAtMs = performance.now() + withinMs;
  while (performance.now() < endsAtMs && !clients.every((client) => client.quiet)) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_POLL_MS));
  }
}

function stats(): ClientStats {
  const sum = (of: (client: ArenaClient) => number) => clients.reduce((total, client) => total + of(client), 0);
  return {
    sent: sum((client) => client.sent),
    disconnects: sum((client) => client.disconnects),
    anomalies: sum((client) => client.anomalies),
  };
}
