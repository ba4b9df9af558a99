import type { PeerIdentity } from "@rehome/core";
import { actorAuthorityKey, type CommandName } from "@rehome/wire";
import { ACTOR, diary, type Manners } from "./book.ts";
import { clientSender, nodeSender, read, type ClientSender, type Sender } from "./senders.ts";
import { Stage, type Arrival, type Seat, type Tap } from "./stage.ts";

/** The control records of a move, by the name of their command. */
export const CONTROL: ReadonlySet<CommandName> = new Set<CommandName>([
  "relocationPrepare",
  "relocationState",
  "relocationReady",
  "relocationData",
  "relocationCutover",
  "relocationFailed",
  "sessionRelocationSeal",
  "sessionRelocationSealed",
  "sessionRelocationRoute",
  "actorJoined",
  "replyRelay",
  "replyRelayAck",
  "messageFollow",
]);

/** What came of the play, as everybody outside sees it. */
export interface Outcome {
  readonly moves: readonly (readonly [string, string])[];
  readonly ran: Readonly<Record<string, readonly number[]>>;
  readonly answers: readonly (readonly [number, string])[];
  readonly refused: number;
  readonly pushes: readonly string[];
  readonly lost: readonly string[];
  readonly state: unknown;
  readonly owner: string | undefined;
  /** How often the owner changed in the store, and how often anything of the record did. */
  readonly ownerGeneration: bigint;
  readonly storeVersion: bigint;
  readonly restored: number;
  readonly relocations: readonly string[];
  readonly holders: readonly string[];
  readonly faults: readonly string[];
}

/**
 * One play: an actor with a client, a node that sends and asks, and four moves: there, one that fails on the target, back,
 * and there again. `tap` sees every record before its node does.
 */
export async function play(prepare: (stage: Stage, seats: Readonly<Record<string, Seat>>) => Tap): Promise<Outcome> {
  const stage = await Stage.open({ seed: 7 });
  try {
    return await perform(stage, prepare);
  } finally {
    stage.close();
  }
}

async function perform(
  stage: Stage,
  prepare: (stage: Stage, seats: Readonly<Record<string, Seat>>) => Tap,
): Promise<Outcome> {
  let failing = false;
  const manners: Manners = { captureMs: 4, restoreMs: 4, ballast: 5_000, unreadable: () => failing };
  const actors = (process: Seat["process"]) => [diary(stage.book, process, manners)];
  const limits = { chunkBytes: 1_024 };
  const a = await stage.add("a", actors, { limits });
  await stage.settle(a.node.getOrCreate(ACTOR, "t"));
  const quiet = { placementWeight: 0, limits };
  const b = await stage.add("b", actors, quiet);
  const c = await stage.add("c", actors, quiet);
  const g = await stage.add("g", () => [], quiet);
  const node = nodeSender(stage, c, "t");
  const client = await clientSender(stage, g, "t", "client");
  await read(stage, c, "t");
  stage.taps.push(prepare(stage, { a, b, c, g }));

  let isOn = true;
  const traffic = (round: number): void => {
    if (!isOn) return;
    for (const sender of [node, client]) {
      if (round % 3 === 0) sender.ask();
      else sender.send({}, round % 3 === 1 ? "note" : "announce");
    }
    stage.time.after(3, () => traffic(round + 1));
  };
  traffic(0);
  const moves: [string, string][] = [];
  for (const [from, to, fails] of [
    [a, b, false],
    [b, a, true],
    [b, a, false],
    [a, b, false],
  ] as const) {
    await stage.pass(20);
    failing = fails;
    const { outcome } = await stage.settle(
      from.node.relocate("t", { to: to.name }).catch((error: { code: string }) => ({ outcome: error.code })),
    );
    moves.push([`${from.name}>${to.name}`, outcome]);
  }
  await stage.pass(20);
  isOn = false;
  await stage.pass(3_000);
  return outcomeOf(stage, { moves, node, client, state: await read(stage, c, "t") });
}

function outcomeOf(
  stage: Stage,
  { moves, node, client, state }: { moves: [string, string][]; node: Sender; client: ClientSender; state: unknown },
): Outcome {
  const row = stage.store.tables.object(actorAuthorityKey("t"))!;
  return {
    moves,
    ran: { node: stage.book.numbers("t", node.name), client: stage.book.numbers("t", client.name) },
    answers: [...node.answers, ...client.answers].map(([number, { outcome }]) => [number, outcome] as const),
    refused: stage.eventsOf("SendRefused").length + client.refused().length,
    pushes: client.pushes,
    lost: client.lost,
    // Which of the two senders is ahead of the other is chance; how many turns it had is not.
    state: (state as { count: number }).count,
    owner: stage.ownerInStore("t"),
    ownerGeneration: row.authorityOwnerGeneration,
    storeVersion: row.version,
    restored: stage.book.restored.length,
    relocations: stage.eventsOf("MoveEnded").map(({ relocation }) => relocation),
    holders: stage.holders("t"),
    faults: [...stage.book.faults, ...stage.broken],
  };
}

/** A control record as it was once handed over. */
export interface Handed {
  readonly command: CommandName;
  readonly at: string;
  readonly from: PeerIdentity;
  readonly frames: readonly Uint8Array[];
}

export function handed({ command, at, from, frames }: Arrival): Handed {
  return { command, at: at.name, from, frames: frames.map((frame) => frame.slice()) };
}
