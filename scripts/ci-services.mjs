// Gives a CI run databases of its own on the machine's PostgreSQL and Redis, and removes them.
//   node scripts/ci-services.mjs create FILE   writes lines `export NAME='URL'` for a shell to read
//   node scripts/ci-services.mjs remove FILE   removes what the file names
// Starts from REHOME_POSTGRES_URL and REHOME_REDIS_URL, or the usual addresses.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { URL } from "node:url";
import pg from "pg";
import { createClient } from "redis";

const POSTGRES_URL = process.env.REHOME_POSTGRES_URL || "postgres://postgres@127.0.0.1:5432/test";
const REDIS_URL = process.env.REHOME_REDIS_URL || "redis://127.0.0.1:6379";
/** Redis has 16 databases unless it is told otherwise; the first may be anybody's. */
const REDIS_DATABASES = Array.from({ length: 15 }, (_, index) => 15 - index);

async function withPostgres(url, use) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function withRedis(url, use) {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}

function withPath(text, path) {
  const url = new URL(text);
  url.pathname = `/${path}`;
  return url.href;
}

async function createPostgres() {
  const name = `rehome_ci_${randomBytes(6).toString("hex")}`;
  await withPostgres(POSTGRES_URL, (client) => client.query(`CREATE DATABASE ${name}`));
  return withPath(POSTGRES_URL, name);
}

/** One that is empty now, so that it may be emptied afterwards. */
async function createRedis() {
  for (const database of REDIS_DATABASES) {
    const url = withPath(REDIS_URL, database);
    if (await withRedis(url, async (client) => (await client.dbSize()) === 0)) return url;
  }
  throw new Error(`No database of ${REDIS_URL} is empty: empty one of 1 to 15.`);
}

async function create(file) {
  const urls = {
    REHOME_POSTGRES_URL: await createPostgres(),
    REHOME_REDIS_URL: await createRedis(),
    // Nobody can remove the database to which they are connected.
    REHOME_CI_POSTGRES_SERVER: POSTGRES_URL,
  };
  const lines = Object.entries(urls).map(([name, url]) => `export ${name}='${url.replaceAll("'", "%27")}'\n`);
  writeFileSync(file, lines.join(""));
}

async function remove(file) {
  if (!existsSync(file)) return;
  const text = readFileSync(file, "utf8");
  const valueOf = (name) => new RegExp(`${name}='([^']+)'`).exec(text)[1];
  const name = new URL(valueOf("REHOME_POSTGRES_URL")).pathname.slice(1);
  if (!/^rehome_ci_[0-9a-f]+$/.test(name)) throw new Error(`${name} is not a database that this script has made.`);
  const drop = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
  await withPostgres(valueOf("REHOME_CI_POSTGRES_SERVER"), (client) => client.query(drop));
  await withRedis(valueOf("REHOME_REDIS_URL"), (client) => client.flushDb());
}

const [what, file] = process.argv.slice(2);
const actions = { create, remove };
if (file === undefined || !Object.hasOwn(actions, what)) throw new Error("usage: ci-services.mjs create|remove FILE");
await actions[what](file);
