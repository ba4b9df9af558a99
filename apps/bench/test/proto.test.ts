import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("the generated code is what the schema gives", () => {
  const script = fileURLToPath(new URL("../scripts/proto.mjs", import.meta.url));
  const { status, stderr } = spawnSync("node", [script, "--check"], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
}, 120_000);
