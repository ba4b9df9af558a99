import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { raceSuite } from "@rehome/conformance";
import type { HistoryEntry } from "@rehome/conformance";
import { openSqliteStore } from "../src/index.ts";
import { temporaryDirectory, withDatabase } from "./support/store-under-test.ts";

const PROGRAM = fileURLToPath(new URL("./support/race-contender.mjs", import.meta.url));

/** Written by SQLite itself, in the same transaction as the row. */
const BEGIN_HISTORY = `
CREATE TABLE history AS SELECT 0 AS at, object.* FROM object;
CREATE TRIGGER write_history AFTER INSERT ON object BEGIN
  INSERT INTO history SELECT (SELECT count(*) FROM history), object.* FROM object WHERE key = NEW.key;
END;
CREATE TRIGGER write_change AFTER UPDATE ON object BEGIN
  INSERT INTO history SELECT (SELECT count(*) FROM history), object.* FROM object WHERE key = NEW.key;
END;`;

const READ_HISTORY = `
SELECT key, CAST(version AS TEXT) AS storeVersion, CAST(object_generation AS TEXT) AS objectGeneration,
  CAST(authority_owner_generation AS TEXT) AS authorityOwnerGeneration, owner_id || '#' || owner_lease_generation AS owner
FROM history ORDER BY at`;

raceSuite(() => {
  const directory = temporaryDirectory();
  const path = join(directory.path, "store.db");
  return Promise.resolve({
    program: { command: process.execPath, arguments: [PROGRAM, path] },
    open: () => openSqliteStore({ path }),
    history: {
      begin: () => withDatabase(path, (database) => database.exec(BEGIN_HISTORY)),
      read: () => withDatabase(path, (database) => database.prepare(READ_HISTORY).all() as unknown as HistoryEntry[]),
    },
    close: () => Promise.resolve(directory.remove()),
  });
});
