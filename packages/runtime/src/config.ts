import { checkSealDeadline, type Log, type Random } from "@rehome/core";
import { ridFromText, type Rid } from "@rehome/wire";
import type { NodeEvent, NodeOptions } from "./api.ts";
import { RuntimeError } from "./errors.ts";
import { assertName } from "./names.ts";
import {
  assertApplicationVersion,
  assertFunction,
  assertMethods,
  assertOptions,
  invalid,
  type OptionNames,
} from "./options.ts";
import { ScopedClock } from "./scoped-clock.ts";
import { silentLog, systemClock, systemRandom } from "@rehome/system";

/** Every wait that this node bounds, in ms. */
export interface Deadlines {
  /** A whole move, from the check to the verdict of the store. */
  readonly moveMs: number;
  /** What a target may take beyond that to settle a doubt with the store (`protocol.md` T6). */
  readonly storeResolutionMs: number;
  /** A session's seal; must be longer than the two above together (S5). */
  readonly sealMs: number;
  /** How long an old owner forwards (F1). */
  readonly followMs: number;
  /** A request whose caller says nothing else. */
  readonly requestMs: number;
  /** Creating an actor, binding to it. */
  readonly createMs: number;
  /** How long a record waits for a link to come up. */
  readonly connectMs: number;
  /** The lease in the store; it is renewed three times as often (L1). */
  readonly leaseMs: number;
  /** All of `close()`. */
  readonly closeMs: number;
}

/** Every buffer that this node bounds (`protocol.md` I8, T4, H1, F1). */
export interface Limits {
  /** Messages waiting in one actor's mailbox, and their bytes. */
  readonly mailboxMessages: number;
  readonly mailboxBytes: number;
  /** The ingress hold of one move, and the wait for forwarding after it. */
  readonly holdMessages: number;
  readonly holdBytes: number;
  readonly inboundMoves: number;
  readonly outboundMoves: number;
  readonly concurrentCaptures: number;
  readonly concurrentRestores: number;
  readonly payloadBytesInFlight: number;
  readonly actorStateBytes: number;
  readonly chunkBytes: number;
  /** The data of one message, answer or push. */
  readonly messageBytes: number;
  /** Records that wait for one link to come up. */
  readonly pendingRecordsPerPeer: number;
}

export const defaultDeadlines: Deadlines = {
  moveMs: 10_000,
  storeResolutionMs: 5_000,
  sealMs: 20_000,
  followMs: 30_000,
  requestMs: 10_000,
  createMs: 10_000,
  connectMs: 5_000,
  leaseMs: 10_000,
  closeMs: 5_000,
};

export const defaultLimits: Limits = {
  mailboxMessages: 10_000,
  mailboxBytes: 64 * 1024 * 1024,
  holdMessages: 1_024,
  holdBytes: 16 * 1024 * 1024,
  inboundMoves: 64,
  outboundMoves: 64,
  concurrentCaptures: 8,
  concurrentRestores: 8,
  payloadBytesInFlight: 256 * 1024 * 1024,
  actorStateBytes: 64 * 1024 * 1024,
  chunkBytes: 256 * 1024,
  messageBytes: 1024 * 1024,
  pendingRecordsPerPeer: 4_096,
};

const DEFAULT_PLACEMENT_WEIGHT = 50;
const MAX_PLACEMENT_WEIGHT = 100;
const DEFAULT_CAPACITY = 100_000;
/**
 * The most that a chunk or a message can be set to. Transports take records of 2 MiB by default; fences, names and metadata,
 * and those of the 31 that a message may travel in, need some of it.
 */
const MAX_RECORD_DATA_BYTES = 1024 * 1024;

/** `NodeOptions`, checked once, with every default visible. */
export interface NodeConfig {
  readonly meshName: string;
  readonly name: string;
  readonly rid: Rid;
  readonly applicationVersion: bigint;
  readonly placementWeight: number;
  readonly capacity: number;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly log: Log;
  readonly clock: ScopedClock;
  readonly random: Random;
  readonly observe: (event: NodeEvent) => void;
}

/** Checks options and fills in defaults. Throws `invalidArgument` with what to change. */
export function parseConfig(options: NodeOptions): NodeConfig {
  if (typeof (options as unknown) !== "object" || (options as unknown) === null) {
    throw invalid("startNode needs an object of options: meshName, name, transport, store …");
  }
  assertName("meshName", options.meshName);
  assertName("name", options.name);
  assertOptions("deadlines", options.deadlines ?? {}, namesOf(defaultDeadlines));
  assertOptions("limits", options.limits ?? {}, namesOf(defaultLimits));
  const deadlines = Object.freeze({ ...defaultDeadlines, ...options.deadlines });
  const limits = Object.freeze({ ...defaultLimits, ...options.limits });
  for (const [name, value] of [...Object.entries(deadlines), ...Object.entries(limits)]) {
    assertRange(name, value, 1, Number.MAX_SAFE_INTEGER);
  }
  assertRange("chunkBytes", limits.chunkBytes, 1, MAX_RECORD_DATA_BYTES);
  assertRange("messageBytes", limits.messageBytes, 1, MAX_RECORD_DATA_BYTES);
  assertSealOutlivesMove(deadlines);
  const placementWeight = options.placementWeight ?? DEFAULT_PLACEMENT_WEIGHT;
  assertRange("placementWeight", placementWeight, 0, MAX_PLACEMENT_WEIGHT);
  const capacity = options.capacity ?? DEFAULT_CAPACITY;
  assertRange("capacity", capacity, 0, Number.MAX_SAFE_INTEGER);
  const applicationVersion = options.applicationVersion ?? 1n;
  assertApplicationVersion("applicationVersion", applicationVersion);
  assertReplacements(options);
  return Object.freeze({
    meshName: options.meshName,
    name: options.name,
    rid: ridFromText(options.name),
    applicationVersion,
    placementWeight,
    capacity,
    deadlines,
    limits,
    log: options.log ?? silentLog,
    clock: new ScopedClock(options.clock ?? systemClock),
    random: options.random ?? systemRandom,
    observe: options.observe ?? (() => undefined),
  });
}

/** What the application may put in place of the defaults, as far as can be told before it is used. */
function assertReplacements({ log, clock, random, observe }: NodeOptions): void {
  if (log !== undefined) assertMethods("log", log, ["write"]);
  if (clock !== undefined) assertMethods("clock", clock, ["nowMs", "unixMs", "after"]);
  if (random !== undefined) assertMethods("random", random, ["bytes"]);
  if (observe !== undefined) assertFunction("observe", observe);
}

function namesOf<T extends object>(defaults: T): OptionNames<T> {
  return Object.fromEntries(Object.keys(defaults).map((name) => [name, true])) as OptionNames<T>;
}

function assertSealOutlivesMove({ sealMs, moveMs, storeResolutionMs }: Deadlines): void {
  try {
    checkSealDeadline({ sealDeadlineMs: sealMs, moveDeadlineMs: moveMs, storeResolutionMs });
  } catch (cause) {
    const least = moveMs + storeResolutionMs;
    const message = `deadlines.sealMs (${sealMs}) must be longer than moveMs + storeResolutionMs (${least})`;
    throw new RuntimeError("invalidArgument", message, { cause });
  }
}

function assertRange(option: string, value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new RuntimeError(
      "invalidArgument",
      `${option} must be a whole number from ${least} to ${most}, not ${value}`,
    );
  }
}
