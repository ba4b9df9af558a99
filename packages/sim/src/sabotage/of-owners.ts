import { CORE, RUNTIME, type Sabotage } from "./types.ts";

/** Bugs in what an owner keeps in the store. */
export const OF_OWNERS: readonly Sabotage[] = [
  {
    name: "save-too-early",
    rule: "L3",
    what: "a save is said to be done before the store has it",
    edits: [
      {
        file: `${RUNTIME}/actors/saving.ts`,
        find: 'const outcome = await writes.write({ type: "save", saved });',
        replace:
          'const outcome = await Promise.race([writes.write({ type: "save", saved }), { type: "written" } as const]);',
      },
    ],
  },
  {
    name: "begin-new-after-loss",
    rule: "L3",
    what: "an actor that had saved begins new after its node was lost",
    edits: [
      {
        file: `${RUNTIME}/actors/recreation.ts`,
        find: 'return { state: await restoreSaved(activation, definition, saved!), from: "savedState" };',
        replace: 'return { state: await definition.create(activation.context), from: "savedState" };',
      },
    ],
  },
  {
    name: "join-forgets-saved",
    rule: "L3, J2",
    what: "the answer to a join overwrites what the actor had saved",
    edits: [
      {
        file: `${CORE}/owner-writes/document.ts`,
        find: "document: { ...document, journal: stepped.journal }",
        replace: "document: { saved: undefined, journal: stepped.journal }",
      },
    ],
  },
  {
    name: "restore-silently",
    rule: "L3",
    what: "nobody says that an actor was made again from what it had saved",
    edits: [
      {
        file: `${RUNTIME}/actors/actor-host.ts`,
        find: 'if (inheritance.type !== "none") {\n      config.observe(',
        replace: 'if (inheritance.type === "unreadable") {\n      config.observe(',
      },
    ],
  },
  {
    name: "retell-under-another-name",
    rule: "J1",
    what: "after a loss the answer to a join is told again under a new operation id",
    edits: [
      {
        file: `${RUNTIME}/moves/join-journal.ts`,
        find: '    if (decision === "deliver") this.deliver(activation, journal);\n    if (decision !== "reject") return;',
        replace:
          '    if (decision === "deliver") this.deliver(activation, { ...journal, operation: { ...operation, low: 1n } });\n    if (decision !== "reject") return;',
      },
    ],
  },
  {
    name: "join-under-another-name",
    rule: "J2",
    what: "the actor is told of a join under another id than that of the move which it was",
    edits: [
      {
        file: `${RUNTIME}/moves/join-journal.ts`,
        find: 'return { outcome: "accepted", operation: id128Text(operation), spotId',
        replace: 'return { outcome: "accepted", operation: id128Text({ ...operation, low: 1n }), spotId',
      },
    ],
  },
];
