export type { App } from "./core/app.ts";
export { bindRefusal, type Config, type Given, readConfig } from "./core/config/config.ts";
export { isLoopbackHost } from "./core/config/option-values.ts";
export { type Option, type OptionName, options } from "./core/config/options.ts";
export type { Database, Querier, Transaction } from "./core/db/pool.ts";
export { type Events, longestEventBytes, type StreamItem } from "./core/events/events.ts";
export { keepAlive, keepAliveMs, sseBye, sseFrame } from "./core/events/sse.ts";
export { newId } from "./core/id.ts";
export {
  defineJob,
  type JobCall,
  type JobDefinition,
  LeaseLost,
  PermanentFailure,
} from "./core/jobs/define.ts";
export type { Enqueued, EnqueueOptions, JobRow, Jobs } from "./core/jobs/jobs.ts";
export { createLog, type Fields, type Log } from "./core/log/log.ts";
export { StartError, type StartErrorCode } from "./core/start-error.ts";
export { type Vault, VaultError } from "./core/vault/vault.ts";
export type { AdminPerson, EndedSessions } from "./people/accounts/admin/people.ts";
export { type Admin, openAdmin } from "./start/admin.ts";
export { createApp, type RunningApp } from "./start/create-app.ts";
export { type ServeOptions, type Serving, serve } from "./start/serve.ts";
export { type Working, work } from "./start/work.ts";
