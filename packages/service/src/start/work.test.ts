import { expect, test, vi } from "vitest";
import { readConfig } from "../core/config/config.ts";
import { pruneJobs } from "../core/jobs/prune.ts";
import { silentLog } from "../testing/index.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { createApp } from "./create-app.ts";
import { work } from "./work.ts";

test("a worker beside a service shares its embedded database, and needs one that runs", async () => {
  const home = temporaryFolder();
  const env = { FETTLE_HOME: home };
  await expect(work({ env, log: silentLog })).rejects.toMatchObject({ code: "DATABASE_NOT_RUNNING" });
  const app = await createApp(readConfig({ env }), { log: silentLog });
  const working = await work({ env, log: silentLog });
  const { id } = await app.jobs.enqueue(pruneJobs, {});
  await vi.waitFor(async () => expect((await app.jobs.get(id))?.state).toBe("done"), 60_000);
  await working.stop();
  await app.stop();
});
