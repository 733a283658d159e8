/** @module Rewrites the baseline of new databases, by a PostgreSQL of its own that goes through every migration. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { baselineFiles } from "../src/core/db/baseline.ts";
import { startEmbedded } from "../src/core/db/embedded.ts";
import { findMigrations, migrateDatabase } from "../src/core/db/migrate.ts";
import { copyChain } from "../src/testing/migrations/folder.ts";
import { writtenBaseline } from "../src/testing/migrations/written-baseline.ts";
import { silentLog } from "../src/testing/silent-log.ts";

const folder = mkdtempSync(join(tmpdir(), "fettle-baseline-"));
chmodSync(folder, 0o711);
const server = await startEmbedded({ dataFolder: folder, log: silentLog, extraSettings: { fsync: "off" } });
try {
  await migrateDatabase(server.url, { folder: copyChain(join(folder, "migrations")) });
  const client = new pg.Client({ connectionString: server.url.reveal() });
  await client.connect();
  const { schema, applied } = await writtenBaseline(client).finally(() => client.end());
  const files = baselineFiles(findMigrations());
  mkdirSync(dirname(files.schema), { recursive: true });
  writeFileSync(files.schema, schema);
  writeFileSync(files.applied, applied);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
