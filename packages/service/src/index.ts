export type { AdminPerson, EndedSessions } from "./accounts/admin/people.ts";
export { type Admin, openAdmin } from "./admin.ts";
export { type App, createApp, type RunningApp } from "./app.ts";
export {
  bindRefusal,
  type Config,
  type Given,
  isLoopbackHost,
  type Option,
  type OptionName,
  options,
  readConfig,
} from "./config.ts";
export type { Database, Querier, Transaction } from "./db/pool.ts";
export { type Events, longestEventBytes, type StreamItem } from "./events/events.ts";
export { keepAlive, keepAliveMs, sseBye, sseFrame } from "./events/sse.ts";
export { newId } from "./id.ts";
export { defineJob, type JobCall, type JobDefinition, LeaseLost, PermanentFailure } from "./jobs/define.ts";
export type { Enqueued, EnqueueOptions, JobRow, Jobs } from "./jobs/jobs.ts";
export { createLog, type Fields, type Log } from "./log/log.ts";
export { type ServeOptions, type Serving, serve } from "./serve.ts";
export { StartError, type StartErrorCode } from "./start-error.ts";
export { type Vault, VaultError } from "./vault/vault.ts";
export { type Working, work } from "./work.ts";
