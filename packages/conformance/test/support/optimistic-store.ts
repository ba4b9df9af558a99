import type {
  AuthorityStore,
  AuthorityTransactions,
  RowNeeds,
  RowSnapshot,
  TransactionBody,
  UnknownAnswer,
} from "@rehome/core";
import { authorityStoreOver, OptimisticCall } from "@rehome/core";
import type { RowDatabase } from "./row-database.ts";

/** What the wire between a client and the database does, and what happened at the database, in order. */
export interface Line {
  /** Waits as long as a request or an answer takes. */
  travel(): Promise<void>;
  /** A call has got its answer from here: from a snapshot that nothing had to be written to, or by its write. */
  tookEffect(decidedAtMs: number): void;
  /** Rows of earlier answers, of any age, with which a call may begin. */
  remembered(): RowSnapshot | undefined;
  showed(snapshot: RowSnapshot): void;
}

const LONGEST_MS = 2000;

/** A store whose rules run on the client, over rows that travel. */
export function optimisticStore(database: RowDatabase, lineOfCall: () => Line): AuthorityStore {
  let isOpen = true;
  const run = async <A>(body: TransactionBody<A>, needs: RowNeeds): Promise<A | UnknownAnswer> => {
    if (!isOpen) return { outcome: "unknown", reason: "The store is closed. Nothing was written." };
    const line = lineOfCall();
    const call = new OptimisticCall(body, needs, LONGEST_MS);
    const remembered = line.remembered();
    let step = call.begin(remembered);
    let isGuess = step.do === "apply";
    for (;;) {
      if (step.do === "settle") return step.answer;
      if (step.do === "giveUp") return { outcome: "unknown", reason: "Others were faster. Nothing was written." };
      await line.travel();
      if (step.do === "apply" && database.apply(step.bundle)) {
        // Times count from the snapshot; a guess writes none, and holds at the moment of its write.
        line.tookEffect(isGuess ? database.nowMs : step.bundle.guards.fromMs);
        step = { do: "settle", answer: step.answer };
      } else {
        const snapshot = database.fetch(step.needs);
        line.showed(snapshot);
        step = step.do === "fetch" ? call.fetched(snapshot) : call.conflicted(snapshot);
        if (step.do === "settle") line.tookEffect(snapshot.nowMs);
        isGuess = false;
      }
      await line.travel();
    }
  };
  const transactions: AuthorityTransactions = {
    read: run,
    write: run,
    close: () => Promise.resolve(void (isOpen = false)),
  };
  return authorityStoreOver(transactions);
}
