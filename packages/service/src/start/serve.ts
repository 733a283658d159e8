/** @module `fettle serve`: from configuration to a service that answers, and back to nothing left behind. */
import type { OrganizationId, ProjectId, ServerId } from "@fettle/contract/core";
import type { App } from "../core/app.ts";
import { bindRefusal, type Given, readConfig } from "../core/config/config.ts";
import { listeningUrl, urlOf } from "../core/config/service-url.ts";
import { listen } from "../http/listening-socket.ts";
import { createMetrics } from "../http/metrics.ts";
import type { Readiness } from "../http/probes.ts";
import { createServer } from "../http/server.ts";
import { findWebFolder } from "../http/site.ts";
import { prepareSetup } from "../people/accounts/setup/setup.ts";
import { syncRegistriesSoon } from "../servers/registry/sync.ts";
import { createUpgrade } from "../servers/relay/upgrade.ts";
import { widgetListener } from "../servers/widgets/listener.ts";
import { widgetOrigins } from "../servers/widgets/widgets.ts";
import { bindings } from "./bindings.ts";
import { createApp } from "./create-app.ts";
import { createRawRoutes } from "./raw-routes.ts";
import { startBookshop } from "./sample/bookshop.ts";
import { openSampleWorkspace } from "./sample/workspace.ts";

export interface ServeOptions extends Given {
  /** Open the sample workspace, made at the first start. */
  sample?: boolean;
  log?: App["log"];
}

/** A running service: what a person or script needs to use it. */
export interface Serving {
  url: string;
  /** Works once: into the sample workspace, or to set up a service nobody has an account on. */
  signInUrl?: string;
  /** Of the sample workspace, as are the four after it. */
  apiKey?: string;
  organizationId?: OrganizationId;
  projectId?: ProjectId;
  serverId?: ServerId;
  /** Where the sample's MCP server answers. */
  bookshopUrl?: string;
  dataDir: string;
  /** Answers what came in, drains, closes the database; safe to call twice. */
  stop(): Promise<void>;
}

/** How long a stop waits for answers under way before it cuts them off. */
const graceMs = 15_000;

/**
 * Starts the whole service in this process.
 *
 * @example
 * const service = await serve({ flags: { port: "0" }, env: process.env });
 * console.log(service.url);
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const asked = readConfig(options);
  const refusal = bindRefusal(asked);
  if (refusal) throw refusal;
  const readiness: Readiness = { reason: "starting" };
  // What was started is ended in the reverse order, by a stop or by a start that fails half way.
  await using started = new AsyncDisposableStack();

  const front = await listen(asked);
  started.defer(() => front.close(0));
  const widgetFront =
    widgetOrigins(asked) &&
    (await listen({ host: asked.host, port: asked.widgetPort, flag: "--widget-port" }));
  started.defer(() => widgetFront?.close(0));
  const config = { ...asked, port: front.port, widgetPort: widgetFront?.port ?? asked.widgetPort };
  const app = await createApp(config, options.log ? { log: options.log } : {});
  started.defer(() => app.stop());
  const url = urlOf(config);
  const entrance = options.sample ? await openSample(app, started, url) : await openSetup(app, url);
  const stopping = new AbortController();
  const http = await openHttp(app, readiness, stopping.signal);
  started.defer(() => http.close());
  started.defer(() => front.close(graceMs));
  started.defer(() => stopping.abort());
  app.relay.listeningAt(config.internalUrl ?? listeningUrl(config));
  // Before the front: an open socket would keep it from closing.
  started.defer(() => app.relay.close());
  front.open(http.routing, createUpgrade(app));
  const widgets = widgetListener(app);
  if (widgets) widgetFront?.open(widgets);
  readiness.reason = undefined;
  app.publishService(url);
  // After the door is open: nobody's request waits for the schedules to be read.
  await app.work();
  await syncRegistriesSoon(app);
  app.log.info("serving", { url });

  const running = started.move();
  let stopped: Promise<void> | undefined;
  return {
    url,
    ...entrance,
    dataDir: config.dataFolder,
    stop: () => {
      readiness.reason = "stopping";
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}

type Entrance = Omit<Serving, "url" | "dataDir" | "stop">;

/** While nobody has an account, the way in is the one-time setup link. */
async function openSetup(app: App, url: string): Promise<Entrance> {
  const token = await prepareSetup(app);
  return token ? { signInUrl: `${url}/setup#token=${token.reveal()}` } : {};
}

async function openSample(app: App, started: AsyncDisposableStack, url: string): Promise<Entrance> {
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

async function openHttp(app: App, readiness: Readiness, stopping: AbortSignal) {
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
    bindings,
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
  return server;
}
