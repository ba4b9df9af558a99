import { fileURLToPath } from "node:url";
import { describe } from "vitest";
import { raceSuite } from "@rehome/conformance";
import type { HistoryEntry } from "@rehome/conformance";
import { findService } from "@rehome/conformance/services";
import { openPostgresStore } from "../src/index.ts";
import { namesIn } from "../src/schema.ts";
import { dropSchema, newSchema, withClient } from "./support/store-under-test.ts";

const PROGRAM = fileURLToPath(new URL("./support/race-contender.mjs", import.meta.url));

const service = await findService("postgres");

describe.skipIf(service === undefined)("PostgreSQL", () => {
  raceSuite(async () => {
    const { url } = service!;
    const schema = newSchema();
    const open = () => openPostgresStore({ url, schema, maxConnections: 2 });
    await (await open()).close();
    const { schema: quoted, object } = namesIn(schema);
    return {
      program: { command: process.execPath, arguments: [PROGRAM, url, schema] },
      open,
      history: {
        // Written by the server itself, in the same transaction as the row and under the row's lock.
        begin: () =>
          withClient(url, async (client) => {
            await client.query(`
              CREATE TABLE ${quoted}.history (at bigserial, LIKE ${object});
              CREATE FUNCTION ${quoted}.write_history() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                  INSERT INTO ${quoted}.history SELECT nextval('${quoted}.history_at_seq'), NEW.*;
                  RETURN NULL;
                END $$;
              CREATE TRIGGER write_history AFTER INSERT OR UPDATE ON ${object}
                FOR EACH ROW EXECUTE FUNCTION ${quoted}.write_history();`);
          }),
        read: () =>
          withClient(url, async (client) => {
            const { rows } = await client.query<HistoryEntry>(`
              SELECT key, version AS "storeVersion", object_generation AS "objectGeneration",
                authority_owner_generation AS "authorityOwnerGeneration", owner_id || '#' || owner_lease_generation AS owner
              FROM ${quoted}.history ORDER BY at`);
            return rows;
          }),
      },
      close: () => dropSchema(url, schema),
    };
  });
});
