import type { ActorAccount, ActorClientAccount, ClientAccount } from "./account/accounts.ts";
import { RangeSet } from "./account/ranges.ts";
import { emptyTrack, type TrackRecord } from "./account/track.ts";

/** Findings that are spelled out; the numbers count them all. */
const MAX_FINDINGS = 12;

/** The four faults, and what was counted besides. */
export interface Judgement {
  /** Messages that the clients sent, one-way and requests. */
  readonly sent: number;
  /** Messages that actors ran; a message that ran twice counts twice. */
  readonly received: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly reordered: number;
  readonly disconnects: number;
  /** Messages whose sender was told that they were not run: no fault, but worth a line. */
  readonly refused: number;
  readonly answers: number;
  readonly pushes: number;
  /** What is wrong, in sentences, the first few. */
  readonly findings: readonly string[];
}

type Fault = "lost" | "duplicated" | "reordered" | "disconnects";

/** Adds up faults and remembers the first few in words. */
class Ledger {
  readonly faults: Record<Fault, number> = { lost: 0, duplicated: 0, reordered: 0, disconnects: 0 };
  readonly findings: string[] = [];

  add(fault: Fault, count: number, who: string, what: string): void {
    if (count <= 0) return;
    this.faults[fault] += count;
    if (this.findings.length < MAX_FINDINGS) this.findings.push(`${who}: ${what} (${count} ${fault})`);
  }
}

/**
 * Compares what every client says it sent and saw with what every actor says it ran and sent. Nothing of the product is
 * asked: a message counts as run only when its actor's own account proves it.
 *
 * @param actors by actor id; an actor without an account could not be asked, and nothing sent to it is proven to have run
 */
export function judge(clients: readonly ClientAccount[], actors: ReadonlyMap<string, ActorAccount>): Judgement {
  const ledger = new Ledger();
  let received = 0;
  let refused = 0;
  for (const client of clients) {
    const actor = actors.get(client.actorId);
    ledger.add("disconnects", client.disconnects, client.client, "connection or binding lost");
    refused += refusedOf(client).size + client.forgotten;
    if (actor === undefined) {
      const unproven = client.sent - refusedOf(client).size - client.forgotten;
      ledger.add("lost", unproven, client.client, `its actor ${client.actorId} could not be asked`);
    } else {
      judgeActor(client, actor, ledger);
    }
    judgePushes(client, actor, ledger);
  }
  for (const actor of actors.values()) {
    received += actor.strangers + actor.clients.reduce((sum, entry) => sum + entry.messages.count, 0);
  }
  return {
    sent: clients.reduce((sum, client) => sum + client.sent, 0),
    received,
    ...ledger.faults,
    refused,
    answers: clients.reduce((sum, client) => sum + client.answers.count, 0),
    pushes: clients.reduce((sum, client) => sum + client.pushes.count, 0),
    findings: ledger.findings,
  };
}

/** Green is what the arena exits 0 for: none of the four faults, and something moved. */
export function isGreen(faults: Readonly<Record<Fault, number>>, moves: number): boolean {
  return faults.lost + faults.duplicated + faults.reordered + faults.disconnects === 0 && moves > 0;
}

function judgeActor(client: ClientAccount, actor: ActorAccount, ledger: Ledger): void {
  const who = client.client;
  ledger.add("lost", actor.damaged ? 1 : 0, who, `the state of ${actor.actorId} came back other than it was`);
  ledger.add("duplicated", actor.strangers, who, `${actor.actorId} ran messages of clients that it has no account for`);
  for (const entry of actor.clients) {
    if (entry.client === who) continue;
    ledger.add("duplicated", entry.messages.count, who, `${actor.actorId} ran messages of ${entry.client}`);
  }
  const own = actor.clients.find((entry) => entry.client === who) ?? { client: who, messages: emptyTrack, requests: 0 };
  const lostMessages = judgeMessages(client, own, ledger);
  const lostAnswers = judgeAnswers(client, actor, own, ledger);
  const unexplained = client.unanswered - lostAnswers - lostMessages;
  ledger.add("lost", unexplained, who, "requests that ran and were never answered");
}

/** Returns how many messages are lost. */
function judgeMessages(client: ClientAccount, own: ActorClientAccount, ledger: Ledger): number {
  const who = client.client;
  const track = own.messages;
  const refused = refusedOf(client);
  const missing = missingUpTo(track, client.sent);
  const refusedNotRun = refused.countIn(missing);
  const unseen = missing.size + track.forgotten;
  const lost = Math.max(0, unseen - refusedNotRun - client.forgotten);
  ledger.add("lost", lost, who, `messages sent and never run${example(missing)}`);
  ledger.add("duplicated", track.repeated, who, "messages run again");
  ledger.add(
    "duplicated",
    refused.size - refusedNotRun,
    who,
    "messages run although their sender was told they were not",
  );
  ledger.add("duplicated", Math.max(0, track.last - client.sent), who, "messages run that were never sent");
  ledger.add("duplicated", track.strange, who, "messages run that have no number");
  ledger.add("reordered", track.late, who, "messages run after later ones");
  const clean = unseen === 0 && track.repeated + track.late + track.strange === 0 && track.last === client.sent;
  checkCount(who, track, ledger);
  if (clean && (track.hash !== client.sentHash || own.requests !== client.requests)) {
    ledger.add("reordered", 1, who, "the numbers agree, but their order or what they carried does not");
  }
  return lost;
}

/** Returns how many answers are lost. */
function judgeAnswers(client: ClientAccount, actor: ActorAccount, own: ActorClientAccount, ledger: Ledger): number {
  const who = client.client;
  const track = client.answers;
  // The second run of a request gives an answer that nobody waits for.
  const lost = Math.max(0, missingUpTo(track, actor.answers).size + track.forgotten - own.messages.repeated);
  ledger.add("lost", lost, who, "answers given and never received");
  ledger.add("duplicated", track.repeated + Math.max(0, track.last - actor.answers), who, "answers received again");
  ledger.add("reordered", track.late + track.strange, who, "requests answered in another order than asked");
  ledger.add("reordered", client.wrongAnswers, who, "answers to other questions");
  return lost;
}

function judgePushes(client: ClientAccount, actor: ActorAccount | undefined, ledger: Ledger): void {
  const who = client.client;
  const track = client.pushes;
  const pushed = actor?.pushes ?? track.last;
  const missing = missingUpTo(track, pushed);
  const unseen = missing.size + track.forgotten;
  ledger.add("lost", unseen, who, `pushes sent and never received${example(missing)}`);
  ledger.add("duplicated", track.repeated + Math.max(0, track.last - pushed), who, "pushes received again");
  ledger.add("reordered", track.late + track.strange, who, "pushes received after later ones");
  checkCount(who, track, ledger);
  const clean = unseen === 0 && track.repeated + track.late + track.strange === 0 && track.last === pushed;
  if (clean && actor !== undefined && track.hash !== actor.pushHash) {
    ledger.add("reordered", 1, who, "the pushes' numbers agree, but their order or what they carried does not");
  }
}

/** An account that does not add up is no proof of anything: the difference is a fault too. */
function checkCount(who: string, track: TrackRecord, ledger: Ledger): void {
  const missing = new RangeSet(Infinity, track.missing).size;
  const distinct = track.last - missing - track.forgotten;
  const difference = track.count - distinct - track.repeated - track.strange;
  ledger.add("lost", -difference, who, "an account that does not add up");
  ledger.add("duplicated", difference, who, "an account that does not add up");
}

function missingUpTo(track: TrackRecord, sent: number): RangeSet {
  const missing = new RangeSet(Infinity, track.missing);
  missing.add(track.last + 1, sent);
  return missing;
}

function refusedOf(client: ClientAccount): RangeSet {
  return new RangeSet(Infinity, client.refused);
}

function example(missing: RangeSet): string {
  const first = missing.toJSON()[0];
  if (first === undefined) return "";
  return first[0] === first[1] ? `, the first is ${first[0]}` : `, the first are ${first[0]} to ${first[1]}`;
}
