import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { linter } from "../scripts/vectors/check.ts";
import { readVectorFolder } from "../scripts/vectors/folder.ts";

const { texts, schemas } = readVectorFolder(fileURLToPath(new URL("../../../test-vectors/", import.meta.url)));
const faults = linter(schemas);

interface Case {
  id: string;
  note?: string;
  [name: string]: unknown;
}
type Content = Record<"valid" | "invalid" | "refused" | "derived" | "checksums" | "scenarios", Case[]>;

/** What the linter says of a file after a change to it; of all the files, if what they show together is the matter. */
function after(name: string, change: (content: Content) => void, others = {}): string[] {
  const content = JSON.parse(texts[name]!) as Content;
  change(content);
  return faults({ ...others, [name]: JSON.stringify(content) });
}
const amongAll = (name: string, change: (content: Content) => void): string[] => after(name, change, texts);
const named = (cases: Case[], id: string): Case => cases.find((one) => one.id === id)!;
const without = (cases: Case[], matches: (one: Case) => boolean): void => {
  cases.splice(0, cases.length, ...cases.filter((one) => !matches(one)));
};

describe("the linter of the vectors", () => {
  it("finds no fault in the shipped files", () => {
    expect(faults(texts)).toEqual([]);
  });

  it("a file that is no vector file", () => {
    expect(faults({ "keys.json": "[" })).toEqual(["keys.json: the file is not JSON"]);
    expect(faults({ "keys.json": "{}" })).toEqual(["keys.json: not a vector file: its format is not 1"]);
  });

  it.each<[title: string, changes: Partial<Case>]>([
    ["upper-case hex", { frames: ["5A4D01"] }],
    ["half a byte", { frames: ["5a4d0"] }],
    ["no note", { note: "" }],
    ["a property too many", { comment: "x" }],
    [
      "a number where section 7 has a decimal string",
      { value: { command: "actorLookup", correlation: 7, actorId: "a" } },
    ],
    [
      "a field that the command does not have",
      { value: { command: "actorLookup", correlation: "7", actorId: "a", spotId: "s" } },
    ],
  ])("the schema: %s", (_title, changes) => {
    const lines = after("commands-messages.json", ({ valid }) =>
      Object.assign(named(valid, "actorLookup-typical"), changes),
    );
    expect(lines[0]).toMatch(/^commands-messages\.json: actorLookup-typical: /);
  });

  it("the schema: a code that section 4 does not have, a rule that there is not", () => {
    const code = after("durable.json", ({ invalid }) => (named(invalid, "durable-magic")["code"] = "bad-magic"));
    expect(code[0]).toMatch(/^durable\.json: durable-magic: code /);
    const rule = after("durable.json", ({ derived }) => (derived[0]!["rule"] = "cutHere"));
    expect(rule[0]).toMatch(/^durable\.json: durable-cut: /);
  });

  it("an id twice in one file", () => {
    const twice = amongAll("crc32c.json", ({ checksums }) => checksums.push(checksums[0]!));
    expect(twice).toEqual(["crc32c-check: 2 cases have this id"]);
  });

  it("an id twice in two files", () => {
    const elsewhere = amongAll("crc32c.json", ({ checksums }) => (checksums[0]!.id = "durable-magic"));
    expect(elsewhere).toEqual(["durable-magic: 2 cases have this id"]);
  });

  it("a rule about a case that is not there, that does not fit its case, or that leaves it as it is", () => {
    const rule = (change: (rule: Case) => void): string[] =>
      after("commands-messages.json", ({ derived }) => change(named(derived, "actorLookup-typical-generations")));
    expect(rule((one) => (one["of"] = ["nobody"]))).toContain(
      "commands-messages.json: actorLookup-typical-generations: there is no valid case nobody",
    );
    expect(rule((one) => (one["places"] = [{ frame: 0, at: 99 }]))[0]).toMatch(/does not fit actorLookup-typical/);
    expect(rule((one) => (one["with"] = ["0000000000000041"]))[0]).toMatch(/leaves actorLookup-typical as it is/);
    expect(
      after("commands-messages.json", ({ derived }) => (named(derived, "messages-missing-frames")["atLeast"] = 9))[0],
    ).toMatch(/makes nothing of/);
  });

  it("frames, an envelope or a checksum that are not what the plain layout gives", () => {
    const frames = after("commands-messages.json", ({ valid }) => {
      const record = named(valid, "actorLookup-typical");
      record["frames"] = [(record["frames"] as string[])[0]!.replace(/41/, "42")];
    });
    expect(frames[0]).toMatch(/actorLookup-typical: the frames are not/);
    const hex = after("durable.json", ({ valid }) => (valid[0]!["hex"] = `${valid[0]!["hex"] as string}00`));
    expect(hex[0]).toMatch(/durable-chunk: the bytes are not/);
    const sum = after("crc32c.json", ({ checksums }) => (checksums[0]!["crc32c"] = 3421780262));
    expect(sum).toEqual(["crc32c.json: crc32c-check: the checksum is another"]);
  });

  /** Takes valid cases away, and what rules say of them. */
  function withoutValid({ valid, derived }: Content, matches: (id: string) => boolean): void {
    without(valid, ({ id }) => matches(id));
    for (const rule of derived) rule["of"] = (rule["of"] as string[]).filter((id) => !matches(id));
    without(derived, (rule) => (rule["of"] as string[]).length === 0);
  }

  it("a command that no case shows", () => {
    const lines = amongAll("commands-messages.json", (content) =>
      withoutValid(content, (id) => id.startsWith("sendRefused")),
    );
    expect(lines).toContain("no case shows: command sendRefused");
  });

  it("a name of an enum that no case shows", () => {
    const lines = amongAll("commands-handshake.json", (content) =>
      withoutValid(content, (id) => id === "reject-resourceLimit"),
    );
    expect(lines).toEqual(["no case shows: rejectReason resourceLimit"]);
  });

  it("a case of a union that no case shows", () => {
    const lines = amongAll("commands-sessions.json", (content) =>
      withoutValid(content, (id) => id === "boundSessionBind-tombstone"),
    );
    expect(lines).toEqual(["no case shows: binding tombstone"]);
  });

  it("a code that no refusal shows", () => {
    const lines = amongAll("durable.json", ({ invalid, derived }) => {
      for (const list of [invalid, derived]) without(list, (one) => one["code"] === "checksum-mismatch");
    });
    expect(lines).toEqual(["no case shows: code checksum-mismatch"]);
  });

  it("a rule that no scenario shows, and an id that does not begin with its rule", () => {
    const lines = amongAll("scenarios/ingress-hold.json", ({ scenarios }) =>
      without(scenarios, ({ id }) => id.startsWith("H6-")),
    );
    expect(lines).toEqual(["no case shows: rule H6"]);
    const id = after("scenarios/ingress-hold.json", ({ scenarios }) => (scenarios[0]!["rules"] = ["H2"]));
    expect(id).toEqual(["scenarios/ingress-hold.json: H1-count: the id does not begin with H2"]);
  });

  it("a scenario that goes back in time, or holds a record that has no bytes", () => {
    const steps = (
      change: (steps: { atMs: number; input: { command?: { relocation?: object } } }[]) => void,
    ): string[] => after("scenarios/session-barrier.json", ({ scenarios }) => change(scenarios[0]!["steps"] as never));
    expect(steps(([first]) => (first!.atMs = 5_000))[0]).toMatch(/S1-seal-and-commit: step 1 is before/);
    expect(steps(([first]) => delete first!.input.command!.relocation)[0]).toMatch(
      /"sessionRelocationSeal" has no bytes/,
    );
  });

  it("a family of refusals that a command does not have", () => {
    const lines = amongAll("commands-frozen.json", ({ derived }) => without(derived, ({ id }) => id === "frozen-cut"));
    expect(lines).toEqual(["no case shows: command relocationData cut at every byte"]);
  });
});
