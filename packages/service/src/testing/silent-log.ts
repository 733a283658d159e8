/** @module A log that says nothing, for tests that look elsewhere. */
import type { Log } from "../core/log/log.ts";

export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};
