import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { transportVectors } from "../scripts/vectors/transport/files.ts";
import { kinds } from "../scripts/vectors/transport/layout.ts";

const read = (path: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../../test-vectors/${path}`, import.meta.url)), "utf8"));
const shipped = read("transport/bytes.json");
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
for (const name of ["common", "transport"]) ajv.addSchema(read(`schema/${name}.schema.json`) as object);
const validate = ajv.getSchema("transport.schema.json")!;

describe("the vectors of the transport", () => {
  it("are what the plain layout gives", () => {
    expect(shipped).toEqual(JSON.parse(JSON.stringify(transportVectors)));
  });

  it("fit their schema, which refuses what does not", () => {
    expect([validate(shipped), validate.errors]).toEqual([true, null]);
    for (const change of [
      { family: "keys" },
      { units: [{ ...transportVectors.units[0], hex: "ABC" }] },
      { strangers: [{ ...transportVectors.strangers[0], more: 1 }] },
      { conversations: [{ ...transportVectors.conversations[0], steps: [{ connection: 1 }, { hears: [] }] }] },
    ]) {
      expect([change, validate({ ...transportVectors, ...change })]).toEqual([change, false]);
    }
  });

  it("have an id of their own each, and show every kind of unit", () => {
    const { units, strangers, conversations } = transportVectors;
    const ids = [...units, ...strangers, ...conversations].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id.startsWith("transport-"))).toBe(true);
    expect(new Set(units.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
  });
});
