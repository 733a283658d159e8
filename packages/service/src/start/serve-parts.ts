/** @module What a serving process holds beside its `App`: the HTTP server, the way in, the sample. Loaded while the database starts. */

import type { App } from "../core/app.ts";
import { createMetrics } from "../http/metrics.ts";
import type { Readiness } from "../http/probes.ts";
import { createServer } from "../http/server.ts";
import { findWebFolder } from "../http/site.ts";
import { prepareSetup } from "../people/accounts/setup/setup.ts";
import { syncRegistriesSoon } from "../servers/registry/sync.ts";
import { createUpgrade } from "../servers/relay/upgrade.ts";
import { widgetListener } from "../servers/widgets/listener.ts";
import { widgetOrigins } from "../servers/widgets/origins.ts";
import { bindingOf } from "./bindings.ts";
import type { RunningApp } from "./create-app.ts";
import { createRawRoutes } from "./raw-routes.ts";
import type { Serving } from "./serve.ts";

type Entrance = Omit<Serving, "url" | "dataDir" | "stop">;

/** While nobody has an account, the way in is the one-time setup link. */
export async function openSetup(app: App, url: string): Promise<Entrance> {
  const token = await prepareSetup(app);
  return token ? { signInUrl: `${url}/setup#token=${token.reveal()}` } : {};
}

export async function openSample(app: App, started: AsyncDisposableStack, url: string): Promise<Entrance> {
  const { startBookshop } = await import("./sample/bookshop.ts");
  const { openSampleWorkspace } = await import("./sample/workspace.ts");
  const { port } = app.config;
  const bookshop = await startBookshop(port + 2 > 65_535 ? 0 : port + 2);
  started.defer(() => bookshop.close());
  const sample = await openSampleWorkspace(app, bookshop.url);
  if (!sample) {
    app.log.warn("this service was set up by somebody, so no sample workspace is opened");
    return {};
  }
  const { signInToken, ...rest } = sample;
  return { signInUrl: `${url}/login#token=${signInToken.reveal()}`, ...rest, bookshopUrl: bookshop.url };
}

/** What the listening sockets hand their requests to. */
export async function openHttp(app: App, readiness: Readiness, stopping: AbortSignal) {
  const metrics = createMetrics();
  metrics.gauge("fettle_database_connections", "Open database connections.", () => app.pool.totalCount);
  metrics.gauge("fettle_database_connections_idle", "Idle database connections.", () => app.pool.idleCount);
  metrics.gauge("fettle_database_waiting", "Calls waiting for a connection.", () => app.pool.waitingCount);
  metrics.gauge("fettle_jobs", "Background jobs by state, of all processes together.", async () => {
    const counts = Object.entries(await app.jobs.countByState());
    return Object.fromEntries(counts.map(([state, count]) => [`state="${state}"`, count]));
  });
  const webFolder = findWebFolder();
  const server = createServer({
    app,
    bindingOf,
    rawRoutes: createRawRoutes({
      readiness,
      metrics,
      webFolder,
      frames: widgetOrigins(app.config)?.widgets,
    }),
    metrics,
    webFolder,
    stopping,
    // The published bundle trusts what development and tests have proved.
    checkOutputs: import.meta.filename.endsWith(".ts"),
  });
  await server.ready();
  return { server, upgrade: createUpgrade(app), widgets: widgetListener(app) };
}

/** After the door is open: nobody's request waits for the schedules to be read. */
export async function beginWork(app: RunningApp): Promise<void> {
  await app.work();
  await syncRegistriesSoon(app);
}
