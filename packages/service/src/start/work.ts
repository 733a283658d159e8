/** @module `fettle work`: runs background jobs apart from the API, beside any number of others on one database. */
import type { App } from "../core/app.ts";
import { type Given, readConfig } from "../core/config/config.ts";
import { createApp } from "./create-app.ts";

export interface Working {
  /** Hands back what does not end soon, then closes the database; safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts working on the database that `DATABASE_URL` names, or on the embedded one that a `fettle serve` on the same data
 * folder keeps running.
 */
export async function work(options: Given & { log?: App["log"] }): Promise<Working> {
  const app = await createApp(readConfig(options), {
    ownership: "attach",
    ...(options.log && { log: options.log }),
  });
  await app.work();
  app.log.info("working");
  return { stop: app.stop };
}
