/** @module A process for tests to kill: a whole app, configured by its environment, that runs jobs under a lease of the given length. */
import { createApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { createLog } from "../log/log.ts";

const app = await createApp(readConfig({ env: process.env }), {
  log: createLog({ level: "info", format: "json" }),
});
await app.jobs.work(app, { concurrency: 2, leaseMs: Number(process.argv[2]), drainMs: 1_000 });
process.stdout.write("ready\n");
