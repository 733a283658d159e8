/** @module A whole app on a database of its own, for tests of rules and routes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../core/config/config.ts";
import type { Log } from "../core/log/log.ts";
import { createApp, type RunningApp } from "../start/create-app.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { silentLog } from "./silent-log.ts";

export interface TestApp extends RunningApp {
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * @param options.database to put several apps, as several processes would be, on one database; its maker closes it.
 * @example
 * await using app = await testApp({ env: { FETTLE_LIMIT_KEY_BURST: "3" } });
 */
export async function testApp(
  options: { env?: Record<string, string>; now?: () => number; log?: Log; database?: TestDatabase } = {},
): Promise<TestApp> {
  const home = mkdtempSync(join(tmpdir(), "fettle-app-"));
  const database = options.database ?? (await testDatabase());
  const config = readConfig({
    env: {
      FETTLE_HOME: home,
      FETTLE_PORT: "0",
      DATABASE_URL: database.url.reveal(),
      // Whatever this machine has, a test says what it needs.
      FETTLE_SANDBOX_ENGINE: "off",
      // Several apps on one database must have one key.
      FETTLE_SECRET_KEY: "the key of every app of a test, and no other",
      ...options.env,
    },
  });
  const app = await createApp(config, {
    log: options.log ?? silentLog,
    ...(options.now && { now: options.now }),
  });
  const stop = async () => {
    await app.stop();
    if (!options.database) await database.close();
    rmSync(home, { recursive: true, force: true });
  };
  return { ...app, stop, [Symbol.asyncDispose]: stop };
}
