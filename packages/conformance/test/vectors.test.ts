import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import native from "@node-rs/crc32";
import { accelerateCrc32c } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { writtenFiles } from "../scripts/vectors/files.ts";
import { readVectorFolder } from "../scripts/vectors/folder.ts";
import { errorCodes, expandVectors, loadVectorFile, runVectors, wireImplementation } from "../src/vectors/index.ts";

const folder = fileURLToPath(new URL("../../../test-vectors/", import.meta.url));
const { texts } = readVectorFolder(folder);
const names = Object.keys(texts);

describe("three ways to the same bytes: files, plain layout, @rehome/wire", () => {
  it.each(Object.entries(writtenFiles()).map(([name, content]) => ({ name, content })))(
    "$name is what the cases and the plain layout give",
    ({ name, content }) => {
      const onDisk = JSON.stringify(JSON.parse(readFileSync(folder + name, "utf8")));
      // Not toEqual: it would print the whole file.
      expect(onDisk === JSON.stringify(content), `${name} is stale: npm run vectors -w @rehome/conformance`).toBe(true);
    },
  );

  it("has no file that is not made from the cases", () => {
    expect(names).toEqual(
      Object.keys(writtenFiles())
        // Those of links are another page's, and another package's test plays them.
        .filter((name) => !name.startsWith("schema/") && !name.startsWith("transport/"))
        .sort(),
    );
  });

  it.each(names)("@rehome/wire agrees with every case of %s", async (name) => {
    const report = await runVectors(loadVectorFile(texts[name]!), wireImplementation, { keep: 5 });
    expect(report.differences).toEqual([]);
    expect([report.failed, report.skipped]).toEqual([0, 0]);
    expect(report.passed).toBeGreaterThan(name.startsWith("scenarios/") ? 0 : 40);
  });

  it.each(["crc32c.json", "durable.json"])(
    "native CRC32C agrees with every case of %s, whatever its length",
    async (name) => {
      let calls = 0;
      accelerateCrc32c((bytes, previous) => {
        calls++;
        return native.crc32c(bytes, previous);
      }, 0);
      try {
        const report = await runVectors(loadVectorFile(texts[name]!), wireImplementation, { keep: 5 });
        expect(report.differences).toEqual([]);
        expect([report.failed, report.skipped]).toEqual([0, 0]);
        expect(calls).toBeGreaterThan(20);
      } finally {
        accelerateCrc32c(undefined);
      }
    },
  );

  it("asks for every refusal of section 4", () => {
    const asked = new Set<unknown>();
    for (const text of Object.values(texts)) {
      for (const { expected } of expandVectors(loadVectorFile(text))) {
        asked.add((expected["error"] as { readonly code?: string } | undefined)?.code);
      }
    }
    asked.delete(undefined);
    expect([...asked].sort()).toEqual([...errorCodes].sort());
  });
});

describe("the four records that were known to be right before", () => {
  const upToSession =
    "00000000000000000700000000000000090b636f6f7264696e61746f72000000000000000306736f757263650000000000000002000973746f72652d763137";
  const fence = "076163746f722d31000000000000000506736f757263650000000000000002000000000000000b000000000000000d";
  const session =
    "06736f7572636500000000000000020d73657373696f6e2d6f776e657200000000000000080773657373696f6e0000000000000006";
  const actor = "076163746f722d310000000000000005";
  const records = {
    sessionRelocationSeal: `5a4d012a${upToSession}01${fence}${session}`,
    sessionRelocationSealed: `5a4d012b${upToSession}${fence}${session}`,
    "sessionRelocationRoute-commit": `5a4d012c${upToSession}02${actor}${session}01001f000000000000000b000000000000000c067461726765740000000000000004`,
    "sessionRelocationRoute-abort": `5a4d012c${upToSession}01${actor}${session}020008000000000000000b`,
  };
  const file = loadVectorFile(texts["commands-sessions.json"]!);
  it.each(Object.entries(records))("%s stands in the file", (name, frame) => {
    const found = file.family === "commands" && file.valid.find(({ id }) => id === `${name}-fixed-point`);
    expect(found && found.frames).toEqual([frame]);
  });
});
