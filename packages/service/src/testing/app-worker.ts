/** @module A process for tests to kill or stop: a whole app, configured by its environment, that runs jobs under a lease of the given length. */

import { readConfig } from "../core/config/config.ts";
import { createLog } from "../core/log/log.ts";
import { createApp } from "../start/create-app.ts";

const app = await createApp(readConfig({ env: process.env }), {
  log: createLog({ level: "info", format: "json" }),
});
const worker = await app.jobs.work(app, { concurrency: 2, leaseMs: Number(process.argv[2]), drainMs: 0 });
process.once("SIGTERM", async () => {
  await worker.stop();
  await app.stop();
  process.exit(0);
});
process.stdout.write("ready\n");
