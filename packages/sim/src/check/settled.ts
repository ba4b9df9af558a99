import type { Client } from "../workload/clients.ts";
import type { LifeAccount, MessageAccount } from "./accounts.ts";
import { pushName, type Ledger } from "./ledger.ts";
import type { Report } from "./violation.ts";

export interface Death {
  readonly name: string;
  readonly atMs: number;
  /** It was drained and shut down before: nothing is lost with it. */
  readonly isClean: boolean;
}

/** What is known of a run when its accounts are closed. */
export interface Outcome {
  readonly ledger: Ledger;
  readonly clients: readonly Pick<Client, "name" | "bindings">[];
  /** When runs of nodes died or failed, by name. */
  readonly deaths: readonly Death[];
  /** The life that each actor has at the end, as its probe said. */
  readonly lives: ReadonlyMap<string, number>;
  /** Nothing can have been lost with a link: pushes must all have arrived. */
  readonly linksHeld: boolean;
  /** No node was lost, nor an answer of the store, and nobody wrote in between. */
  readonly isSure: boolean;
  /** Nothing kept a message waiting except moves that nothing disturbed: it runs within this time. */
  readonly promptMs: number | undefined;
}

/** Messages of which no one was told anything, because a node that had accepted them died. */
export interface Losses {
  silent: number;
}

/**
 * Closes the accounts of a run that has settled: everything that was sent ran or was reported (I2), every join was
 * answered (J1), every timer fired (T12), every push arrived.
 */
export function closeAccounts(outcome: Outcome, report: Report): Losses {
  const losses: Losses = { silent: 0 };
  for (const message of outcome.ledger.messages) closeMessage(outcome, message, losses, report);
  for (const life of outcome.ledger.lives) {
    closeLife(outcome, life, report);
    closeBeginning(outcome, life, report);
  }
  outcome.ledger.joins.close(outcome.lives);
  closePushes(outcome, report);
  return losses;
}

function closeMessage(outcome: Outcome, message: MessageAccount, losses: Losses, report: Report): void {
  const { told, kind, id, actorId, stream } = message;
  const waitedMs = message.ranAtMs - message.sentAtMs;
  if (outcome.promptMs !== undefined && message.ranOn !== undefined && waitedMs > outcome.promptMs) {
    report("I2", `m${id} to ${actorId} ran only after ${waitedMs.toFixed(0)} ms, with nothing in its way`, [`m${id}`]);
  }
  if (message.toldWhat === "outcomeUnknown" && outcome.linksHeld && outcome.isSure) {
    report("I2", `m${id} to ${actorId} has an unknown outcome, and neither a link nor a node was lost`, [`m${id}`]);
  }
  if (told !== "nothing" || (message.ranOn !== undefined && kind === "send")) return;
  const about = [`m${id}`];
  const senderDied = outcome.deaths.some(({ name }) => name === stream);
  if (senderDied || isOfLostLife(outcome, stream)) return;
  if (kind === "request") {
    report("I2", `m${id} to ${actorId} was never answered, and nobody said why`, about);
    return;
  }
  if (outcome.deaths.some(({ atMs, isClean }) => !isClean && atMs >= message.sentAtMs)) {
    losses.silent += 1;
    return;
  }
  report("I2", `m${id} of ${stream} to ${actorId} did not run, and nobody was told`, about);
}

/** The sender was an actor whose life ended with its node. */
function isOfLostLife({ ledger, lives }: Outcome, stream: string): boolean {
  const match = /^life (\d+)$/.exec(stream);
  const life = match && ledger.lives[Number(match[1])];
  return life ? lives.get(life.actorId) !== life.life : false;
}

function closeLife({ lives }: Outcome, life: LifeAccount, report: Report): void {
  if (lives.get(life.actorId) !== life.life) return;
  const about = [life.actorId];
  for (const [spotId, { answered, answeredBefore }] of life.joins) {
    if (answered > answeredBefore) continue;
    report("I2", `${life.actorId} asked for ${spotId} and got no answer (J1)`, about);
  }
  for (const [timer, { fired }] of life.timers) {
    if (!fired) report("I2", `timer t${timer} of ${life.actorId} never fired (T12)`, about);
  }
}

/** L3: never silently. */
function closeBeginning({ ledger, deaths }: Outcome, life: LifeAccount, report: Report): void {
  const { actorId, from, objectGeneration, lastTurnOn } = life;
  if (from === "new" || ledger.restored.has(`${actorId}@${objectGeneration}`)) return;
  if (deaths.some(({ name }) => name === lastTurnOn)) return;
  report("L3", `${actorId} was made again from what it had saved, and no node said so`, [actorId]);
}

/** What was pushed to a session while it stayed bound arrives (I4, I5). */
function closePushes({ ledger, clients, deaths, linksHeld }: Outcome, report: Report): void {
  if (deaths.length > 0 || !linksHeld) return;
  const bindings = clients.flatMap((client) => client.bindings.filter(({ state }) => state === "bound"));
  for (const push of ledger.pushes.values()) {
    if (push.dropped) continue;
    for (const sessionRid of push.to) {
      if (push.receivedBy.has(sessionRid)) continue;
      const binding = bindings.find(
        (each) => each.sessionRid === sessionRid && each.actorId === push.actorId && each.boundAtMs < push.atMs,
      );
      if (!binding) continue;
      report("I2", `${pushName(push)} of ${push.actorId} never reached ${binding.name}`, [pushName(push)]);
    }
  }
}
