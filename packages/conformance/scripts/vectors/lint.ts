// Checks the vector files: npm run lint:vectors -w @rehome/conformance [-- FOLDER]
import { fileURLToPath } from "node:url";
import { linter } from "./check.ts";
import { readVectorFolder } from "./folder.ts";

const folder = process.argv[2] ?? fileURLToPath(new URL("../../../../test-vectors/", import.meta.url));
const { texts, schemas } = readVectorFolder(folder);
const lines = linter(schemas)(texts);
for (const line of lines) console.error(line);
if (lines.length > 0) process.exitCode = 1;
else console.log(`${Object.keys(texts).length} vector files: no fault`);
