/**
 * @module The test run's PostgreSQL: the first test that asks gets it started, by the process that leads the run, so that
 * it ends with the run however the run ends. With TEST_DATABASE_URL the tests use that server instead.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Secret } from "@fettle/contract/secrets";
import pg from "pg";
import { startEmbedded } from "../core/db/embedded.ts";
import { migrateDatabase } from "../core/db/migrate.ts";
import { silentLog } from "./silent-log.ts";

export const templateName = "fettle_test_template";
/** Where a test asks for the server's address; a variable, because tests run in child processes. */
export const askVariable = "FETTLE_TEST_POSTGRES";

/** Nothing is kept, so nothing needs to reach the disk. */
const forgetful = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  max_connections: "300",
};

/** vitest's global setup: costs a listening socket until a test wants a database. */
export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "fettle-test-"));
  chmodSync(folder, 0o711);
  let started: ReturnType<typeof start> | undefined;
  const asked = createServer((socket) => {
    started ??= start(folder);
    started.then(
      ({ url }) => socket.end(JSON.stringify({ url: url.reveal() })),
      (error) => socket.end(JSON.stringify({ error: String(error?.stack ?? error) })),
    );
  });
  asked.listen(join(folder, "ask"));
  asked.unref();
  process.env[askVariable] = join(folder, "ask");
  return async () => {
    asked.close();
    await started?.then(({ stop }) => stop()).catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
}

async function start(folder: string): Promise<{ url: Secret; stop: () => Promise<void> }> {
  const external = process.env.TEST_DATABASE_URL;
  const server = external
    ? { url: new Secret(external), stop: async () => {} }
    : await startEmbedded({ dataFolder: folder, log: silentLog, extraSettings: forgetful });
  const client = new pg.Client({ connectionString: server.url.reveal() });
  await client.connect();
  await client.query(`drop database if exists ${templateName} with (force)`);
  await client.query(`create database ${templateName}`);
  await client.end();
  await migrateDatabase(databaseNamed(server.url, templateName));
  return server;
}

/** What lies there is gone when the run ends. */
export function runFolder(): string {
  const ask = process.env[askVariable];
  if (!ask) throw new Error("no folder: this runs outside `vitest`, whose global setup makes one");
  return dirname(ask);
}

export function databaseNamed(server: Secret, name: string): Secret {
  const url = new URL(server.reveal());
  url.pathname = `/${name}`;
  return new Secret(url.href);
}
