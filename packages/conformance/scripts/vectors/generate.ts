// Writes the vector files: npm run vectors -w @rehome/conformance
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { writtenFiles } from "./files.ts";

const folder = fileURLToPath(new URL("../../../../test-vectors/", import.meta.url));
/**
 * JSON in which everything that an editor could hide or a tool could normalize away is escaped: combining marks, control
 * and format characters, U+FEFF.
 */
function escaped(json: string): string {
  return json.replace(/[\p{M}\p{C}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

for (const [name, content] of Object.entries(writtenFiles())) {
  const text = await format(escaped(JSON.stringify(content)), { parser: "json", printWidth: 120 });
  writeFileSync(`${folder}${name}`, text);
  console.log(`${name}: ${Math.ceil(text.length / 1024)} KiB`);
}
