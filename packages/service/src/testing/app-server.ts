/** @module A process for tests to kill: a whole service, configured by its environment. Prints where it listens. */
import { createLog } from "../core/log/log.ts";
import { serve } from "../start/serve.ts";

const { url } = await serve({ env: process.env, log: createLog({ level: "error", format: "json" }) });
process.stdout.write(`${url}\n`);
