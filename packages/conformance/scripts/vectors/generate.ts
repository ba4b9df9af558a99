// Writes the vector files: npm run vectors -w @rehome/conformance
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { writtenFiles } from "./files.ts";

const folder = fileURLToPath(new URL("../../../../test-vectors/", import.meta.url));
for (const [name, content] of Object.entries(writtenFiles())) {
  const text = await format(JSON.stringify(content), { parser: "json", printWidth: 120 });
  writeFileSync(`${folder}${name}`, text);
  console.log(`${name}: ${Math.ceil(text.length / 1024)} KiB`);
}
