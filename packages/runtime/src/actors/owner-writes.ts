import {
  DEFAULT_STORE_RETRY,
  startWriter,
  stepWriter,
  type AuthorityRecord,
  type OwnerChange,
  type OwnerDocument,
  type WriteOutcome,
  type WriterEffect,
  type WriterInput,
  type WriterState,
  type WriterTimer,
} from "@rehome/core";
import { background } from "../background.ts";
import type { Host } from "../host.ts";
import { ownerDocuments } from "./owner-document.ts";
import { NamedTimers } from "../named-timers.ts";

/** What a writer tells its owner. */
export interface OwnerWritesListener {
  /** The store's record after a write of this owner. */
  wrote(record: AuthorityRecord): void;
  /** What the store held is not what this owner wrote: saved state or journal are lost. */
  lost(): void;
}

/** What one owner writes to its authority's record: does what the machine in `core/owner-writes` decides. */
export class OwnerWrites {
  readonly #host: Host;
  readonly #key: string;
  readonly #listener: OwnerWritesListener;
  readonly #timers: NamedTimers<WriterTimer>;
  readonly #open = new Map<number, (outcome: WriteOutcome) => void>();
  readonly #whenFrozen: (() => void)[] = [];
  #nextId = 1;
  #state: WriterState;

  /** `record` is the store's word on what this node owns. */
  constructor(host: Host, record: AuthorityRecord, listener: OwnerWritesListener) {
    this.#host = host;
    this.#key = record.key;
    this.#listener = listener;
    this.#timers = new NamedTimers(host.config.clock, (timer) => this.#dispatch({ type: "TimerFired", timer }));
    const { objectGeneration, authorityOwnerGeneration, owner } = record;
    const first = startWriter(
      {
        authority: { key: record.key, objectGeneration, authorityOwnerGeneration, owner },
        codec: ownerDocuments,
        retry: DEFAULT_STORE_RETRY,
        deadlineMs: host.config.deadlines.storeResolutionMs,
      },
      record,
    );
    this.#state = first.state;
    for (const effect of first.effects) this.#perform(effect);
  }

  /** What the record is known to hold. */
  get document(): OwnerDocument | undefined {
    return this.#state.type === "ended" ? undefined : this.#state.known.document;
  }

  /** Settles when the change is written, or cannot be; never rejects. */
  write(change: OwnerChange): Promise<WriteOutcome> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      this.#dispatch({ type: "WriteAsked", job: { id, change } });
    });
  }

  /** O6: settles when no write is out; none begins before `thaw`. */
  freeze(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenFrozen.push(resolve);
      this.#dispatch({ type: "FreezeAsked" });
    });
  }

  /** The move that stood on the version has ended, and this node is still the owner. */
  thaw(): void {
    this.#dispatch({ type: "Thawed" });
  }

  /** This copy has ended. */
  end(): void {
    this.#dispatch({ type: "Departed" });
  }

  #dispatch(input: WriterInput): void {
    const step = stepWriter(this.#state, input);
    this.#state = step.state;
    for (const effect of step.effects) this.#perform(effect);
  }

  #perform(effect: WriterEffect): void {
    const { store, self } = this.#host;
    switch (effect.type) {
      case "Publish": {
        const { baseVersion, payload, place } = effect;
        const request = { key: this.#key, baseVersion, lease: self, payload, ...(place ? { place } : {}) };
        this.#ask("publish", store.publish(request), (answer) => ({ type: "WriteSettled", answer }));
        return;
      }
      case "Destroy":
        this.#ask("destroy", store.destroy(this.#key, effect.baseVersion, self), (answer) => ({
          type: "WriteSettled",
          answer,
        }));
        return;
      case "ReadAuthority":
        this.#ask("read", store.read(this.#key), (answer) => ({ type: "AuthorityRead", answer }));
        return;
      case "FenceAuthority":
        this.#ask("fence", store.fence(this.#key, effect.baseVersion, self), (answer) => ({
          type: "FenceSettled",
          answer,
        }));
        return;
      case "StartTimer":
        this.#timers.start(effect.timer, effect.delayMs);
        return;
      case "StopTimer":
        this.#timers.stop(effect.timer);
        return;
      case "Frozen":
        for (const resolve of this.#whenFrozen.splice(0)) resolve();
        return;
      case "SettleWrite":
        if (effect.outcome.type === "written" && effect.outcome.record) this.#listener.wrote(effect.outcome.record);
        this.#open.get(effect.id)?.(effect.outcome);
        this.#open.delete(effect.id);
        return;
      case "ReportLoss":
        this.#listener.lost();
        return;
    }
  }

  #ask<A>(what: string, call: Promise<A>, input: (answer: A) => WriterInput): void {
    background(
      this.#host.config.log,
      `owner.${what}`,
      call.then((answer) => this.#dispatch(input(answer))),
    );
  }
}
