import type {
  AuthorityStore,
  CommitRequest,
  OwnerLease,
  PublishRequest,
  UnknownAnswer,
} from "../ports/authority-store.ts";
import {
  assertAcquire,
  assertCommit,
  assertDescriptor,
  assertDuration,
  assertKey,
  assertLease,
  assertLimit,
  assertPrefix,
  assertPublish,
  assertReserve,
  assertText,
} from "./arguments.ts";
import { abortCreate, commitCreate, reserve } from "./creation.ts";
import { acquire, describe, nodes, release, renew } from "./leases.ts";
import { commit, fence } from "./moves.ts";
import { destroy, publish } from "./owner-writes.ts";
import { pageBoundsOf, read, scan } from "./reads.ts";
import { rowNeeds } from "./row-exchange.ts";
import type { RowNeeds } from "./row-exchange.ts";
import type { AuthorityTables } from "./tables.ts";

/** What one call of a store does inside one transaction. Running it again, after nothing was written, is harmless. */
export type TransactionBody<A> = (tables: AuthorityTables, nowMs: number) => A;

/**
 * A database as {@link authorityStoreOver} sees it.
 *
 * - The body's writes MUST all take effect, or none. `nowMs` MUST be the store's own clock, read while nothing that a
 *   writing body sees can change any more.
 * - MUST settle within the store's deadline, with the body's answer or as `unknown`, and MUST NOT reject except with what
 *   the body threw. After `close`, everything is `unknown`.
 */
export interface AuthorityTransactions {
  /** `needs`: the rows that the body will look at as far as is known, for who has to fetch them first. */
  read<A>(body: TransactionBody<A>, needs: RowNeeds): Promise<A | UnknownAnswer>;
  write<A>(body: TransactionBody<A>, needs: RowNeeds): Promise<A | UnknownAnswer>;
  close(): Promise<void>;
}

/**
 * The {@link AuthorityStore} of any database: the rules, the checks of arguments (which throw {@link CoreError}
 * `assertionFailed`) and the copies of what a caller could still change. A database that cannot give its rows without
 * waiting runs each body as an `OptimisticCall`.
 */
export function authorityStoreOver(transactions: AuthorityTransactions): AuthorityStore {
  return {
    ...objectCalls(transactions),
    ...leaseCalls(transactions),
    close: () => transactions.close(),
  };
}

type LeaseCall = "acquire" | "renew" | "release" | "describe" | "nodes";

function objectCalls(transactions: AuthorityTransactions): Omit<AuthorityStore, LeaseCall | "close"> {
  return {
    read(key) {
      assertKey(key);
      return transactions.read((tables, nowMs) => read(tables, nowMs, key), rowNeeds({ objects: [key] }));
    },
    scan(prefix, cursor, limit) {
      assertPrefix(prefix);
      if (cursor !== undefined) assertKey(cursor);
      assertLimit(limit);
      const page = { prefix, after: cursor, bounds: pageBoundsOf(limit) };
      return transactions.read((tables, nowMs) => scan(tables, nowMs, page), rowNeeds({ page }));
    },
    reserve(request) {
      assertReserve(request);
      return transactions.write(
        (tables, nowMs) => reserve(tables, nowMs, request),
        objectsUnder([request.key], request.owner),
      );
    },
    commitCreate(key, reservationId, lease) {
      assertKey(key);
      assertText("reservationId", reservationId);
      assertLease(lease);
      return transactions.write(
        (tables, nowMs) => commitCreate(tables, nowMs, { key, reservationId, lease }),
        objectsUnder([key], lease),
      );
    },
    abortCreate(key, reservationId) {
      assertKey(key);
      assertText("reservationId", reservationId);
      return transactions.write((tables) => abortCreate(tables, { key, reservationId }), rowNeeds({ objects: [key] }));
    },
    commit(request) {
      assertCommit(request);
      const own = ownCommit(request);
      const keys = own.participants.map((participant) => participant.key);
      return transactions.write((tables, nowMs) => commit(tables, nowMs, own), objectsUnder(keys, own.owner));
    },
    fence(key, baseVersion, lease) {
      assertKey(key);
      assertLease(lease);
      return transactions.write(
        (tables, nowMs) => fence(tables, nowMs, { key, baseVersion, lease }),
        objectsUnder([key], lease),
      );
    },
    publish(request) {
      assertPublish(request);
      const own = ownPublish(request);
      return transactions.write((tables, nowMs) => publish(tables, nowMs, own), objectsUnder([own.key], own.lease));
    },
    destroy(key, baseVersion, lease) {
      assertKey(key);
      assertLease(lease);
      return transactions.write(
        (tables, nowMs) => destroy(tables, nowMs, { key, baseVersion, lease }),
        objectsUnder([key], lease),
      );
    },
  };
}

function leaseCalls(transactions: AuthorityTransactions): Pick<AuthorityStore, LeaseCall> {
  return {
    acquire(request) {
      assertAcquire(request);
      const needs = rowNeeds({ leases: [request.ownerId], nodes: [request], lastLeaseGeneration: true });
      return transactions.write((tables, nowMs) => acquire(tables, nowMs, request), needs);
    },
    renew(lease, durationMs) {
      assertLease(lease);
      assertDuration("durationMs", durationMs);
      return transactions.write(
        (tables, nowMs) => renew(tables, nowMs, { lease, durationMs }),
        objectsUnder([], lease),
      );
    },
    release(lease) {
      assertLease(lease);
      return transactions.write((tables, nowMs) => release(tables, nowMs, lease), objectsUnder([], lease));
    },
    describe(descriptor) {
      assertDescriptor(descriptor);
      return transactions.write(
        (tables, nowMs) => describe(tables, nowMs, descriptor),
        objectsUnder([], descriptor.owner),
      );
    },
    nodes(meshName) {
      assertText("meshName", meshName);
      return transactions.read((tables, nowMs) => nodes(tables, nowMs, meshName), rowNeeds({ mesh: meshName }));
    },
  };
}

/** What a write of these objects looks at, under the lease of whoever writes. */
function objectsUnder(keys: readonly string[], lease: OwnerLease): RowNeeds {
  return rowNeeds({ objects: keys, leases: [lease.ownerId] });
}

/** A call may have to wait for the database while its caller goes on to use the arrays that it passed. */
function ownCommit(request: CommitRequest): CommitRequest {
  const participants = request.participants.map((participant) => ({
    ...participant,
    membershipDigest: participant.membershipDigest.slice(),
  }));
  return { ...request, participants };
}

function ownPublish(request: PublishRequest): PublishRequest {
  return request.payload === undefined ? request : { ...request, payload: request.payload.slice() };
}
