import type { HistoryEntry } from "@rehome/conformance";
import { createClient } from "redis";
import { objectFrom } from "../../src/rows.ts";
import { keysOf } from "../../src/transactions.ts";

/** How Redis's MONITOR writes a command that a script runs: `1700000000.123456 [0 lua] "HSET" "key" …`. */
const BY_SCRIPT = /^\d+\.\d+ \[\d+ lua\] (.*)$/s;
const QUOTED = /"((?:[^"\\]|\\.)*)"/gs;

/** Every row of an object that the server has written, in its own order, whoever wrote it. */
export function watchRows(url: string, prefix: string) {
  const client = createClient({ url, commandOptions: { timeout: 0 } });
  client.on("error", () => undefined);
  const [rowsKey] = keysOf(prefix) as [string];
  const entries: HistoryEntry[] = [];
  return {
    async begin(): Promise<void> {
      await client.connect();
      await client.monitor((line) => {
        const [command, key, ...pairs] = wordsOf(String(line));
        if (command?.toString() !== "HSET" || key?.toString() !== rowsKey) return;
        for (let at = 0; at + 1 < pairs.length; at += 2) {
          const field = pairs[at]!.toString();
          if (field.startsWith("o:")) entries.push(entryFrom(field.slice(2), pairs[at + 1]!));
        }
      });
    },
    read: () => Promise.resolve(entries),
    end: () => client.destroy(),
  };
}

function entryFrom(key: string, text: Buffer): HistoryEntry {
  const row = objectFrom(key, text, new Uint8Array(0));
  return {
    key,
    storeVersion: String(row.version),
    objectGeneration: String(row.objectGeneration),
    authorityOwnerGeneration: String(row.authorityOwnerGeneration),
    owner: `${row.owner.ownerId}#${row.owner.ownerLeaseGeneration}`,
  };
}

function wordsOf(line: string): Buffer[] {
  const words = BY_SCRIPT.exec(line)?.[1] ?? "";
  return [...words.matchAll(QUOTED)].map((word) => unescaped(word[1]!));
}

/** `\xNN`, `\n` and their like, as Redis prints bytes. */
function unescaped(text: string): Buffer {
  const letters: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", a: "\x07", b: "\b" };
  const latin1 = text.replace(/\\(?:x([0-9a-f]{2})|(.))/gs, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (letters[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(latin1, "latin1");
}
