/** The machines of `protocol.md` sections 11 to 13 that scenarios play. */
import {
  DrainDesk,
  JoinDeliveries,
  MAY_REPLACE,
  STATE_AFTER_LOSS,
  afterLoss,
  afterMove,
  startDelivery,
  startDrain,
  startJoin,
  stepDelivery,
  stepDrain,
  stepJoin,
  stepJournal,
  EMPTY_DOCUMENT,
  startWriter,
  stepWriter,
  type DocumentCodec,
  type JoinConfig,
  type JournalOccupant,
} from "@rehome/core";
import type { Json, JsonObject } from "../vectors/file.ts";
import { fromScenarioJson, toScenarioJson } from "./json.ts";
import { answering, stepping, type Play } from "./play-machine.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

type Parameters0<F extends (...given: never[]) => unknown> = Parameters<F>[0];
type Journal = Parameters<typeof stepJournal>;
type Moved = Parameters<typeof afterMove>;

/** `occupant`: what the journal holds all the while; nothing, where it is left out. */
export function join(config: Pick<JoinConfig, "deadlineAtMs"> & { readonly occupant?: JournalOccupant }): Play {
  const { deadlineAtMs, occupant = { type: "none" } } = config;
  const told: JoinConfig = { deadlineAtMs, occupant: () => occupant };
  type Input = Parameters<typeof stepJoin<string>>[1];
  return stepping(
    () => startJoin<string>(),
    (state, input: Input, atMs) => stepJoin(state, input, told, atMs),
  );
}

export function joinJournal(): Play {
  return answering<{
    Step: { journal?: Journal[0]; step: Journal[1] };
    Moved: { journal?: Moved[0]; joined?: Moved[1]; queued: Moved[2] };
    OwnerLost: { journal?: Journal[0]; lastRelocation?: Parameters<typeof afterLoss>[1] };
  }>({
    Step: ({ journal, step }) => ({ type: "Stepped", result: stepJournal(journal, step) }),
    Moved: ({ journal, joined, queued }) => ({ type: "Decisions", decisions: afterMove(journal, joined, queued) }),
    OwnerLost: ({ journal, lastRelocation }) => ({ type: "Decision", decision: afterLoss(journal, lastRelocation) }),
  });
}

export function joinDelivery(config: {
  readonly record: Parameters0<typeof startDelivery>;
  readonly tell: "now" | "queued";
}): Play {
  return stepping(() => startDelivery(config.record, config.tell), stepDelivery);
}

export function joinDeliveries({ remembered }: { readonly remembered: number }): Play {
  const deliveries = new JoinDeliveries(remembered);
  type End = Parameters<typeof deliveries.end>;
  return answering<{ Begin: { operation: End[0] }; End: { operation: End[0]; outcome: End[1] } }>({
    Begin: ({ operation }) => ({ type: "Admission", admission: deliveries.begin(operation) }),
    End: ({ operation, outcome }) => (deliveries.end(operation, outcome), undefined),
  });
}

export function lostOwner(): Play {
  type Lease = keyof typeof MAY_REPLACE;
  type Saved = keyof typeof STATE_AFTER_LOSS;
  return answering<{
    MayReplace: { ownerLease: Lease; heldPayload: keyof (typeof MAY_REPLACE)[Lease] };
    StateAfterLoss: { saved: Saved; policy: keyof (typeof STATE_AFTER_LOSS)[Saved] };
  }>({
    MayReplace: ({ ownerLease, heldPayload }) => ({ type: "Decision", decision: MAY_REPLACE[ownerLease][heldPayload] }),
    StateAfterLoss: ({ saved, policy }) => ({ type: "Decision", decision: STATE_AFTER_LOSS[saved][policy] }),
  });
}

/** The document's bytes in scenarios: its JSON form in UTF-8, names in alphabetical order, nothing between. */
const documents: DocumentCodec = {
  encode: (document) => encoder.encode(JSON.stringify(sorted(toScenarioJson(document)))),
  decode(bytes) {
    if (bytes.length === 0) return EMPTY_DOCUMENT;
    try {
      return { ...EMPTY_DOCUMENT, ...(fromScenarioJson(JSON.parse(decoder.decode(bytes)) as Json) as object) };
    } catch {
      return undefined;
    }
  },
};

function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value as JsonObject).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, inner]) => [name, sorted(inner)]));
}

type Writer = Parameters<typeof startWriter>;
export function ownerWrites({ record, ...config }: Omit<Writer[0], "codec"> & { readonly record: Writer[1] }): Play {
  return stepping(() => startWriter({ ...config, codec: documents }, record), stepWriter);
}

export function drain(config: Parameters0<typeof startDrain>): Play {
  return stepping((atMs) => startDrain(config, atMs), stepDrain);
}

export function drainDesk(): Play {
  const desk = new DrainDesk();
  return answering<{ Begin: { request: Parameters0<typeof desk.begin> }; End: object }>({
    Begin: ({ request }) => ({
      type: "Admission",
      admission: desk.begin({ ...request, applicationVersion: request.applicationVersion }),
    }),
    End: () => (desk.end(), undefined),
  });
}
