/** @module What one running process of the service holds; made once at start and handed to every rule function. */
import type { Config } from "./config.ts";
import type { Database } from "./db/pool.ts";
import type { Log } from "./log/log.ts";

/** Each part is added by the folder that owns it. */
export interface App {
  config: Config;
  db: Database;
  log: Log;
  /** The clock, in epoch milliseconds; a test may turn it. */
  now(): number;
}
