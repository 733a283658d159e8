/** @module `fettle serve`: from configuration to a service that answers, and back to nothing left behind. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { OrganizationId, ProjectId, ServerId } from "@fettle/contract/core";
import type { App } from "../core/app.ts";
import { bindRefusal, type Given, readConfig } from "../core/config/config.ts";
import { listeningUrl, urlOf } from "../core/config/service-url.ts";
import { listen } from "../http/listening-socket.ts";
import type { Readiness } from "../http/probes.ts";
import { widgetOrigins } from "../servers/widgets/origins.ts";
import { createApp } from "./create-app.ts";

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
  const creating = createApp(config, options.log ? { log: options.log } : {});
  const loading = nextTurn().then(() => import("./serve-parts.ts"));
  const app = await creating;
  started.defer(() => app.stop());
  const parts = await loading;
  const url = urlOf(config);
  const entrance = options.sample
    ? await parts.openSample(app, started, url)
    : await parts.openSetup(app, url);
  const stopping = new AbortController();
  const http = await parts.openHttp(app, readiness, stopping.signal);
  started.defer(() => http.server.close());
  started.defer(() => front.close(graceMs));
  started.defer(() => stopping.abort());
  app.relay.listeningAt(config.internalUrl ?? listeningUrl(config));
  // Before the front: an open socket would keep it from closing.
  started.defer(() => app.relay.close());
  front.open(http.server.routing, http.upgrade);
  if (http.widgets) widgetFront?.open(http.widgets);
  readiness.reason = undefined;
  app.publishService(url);
  await parts.beginWork(app);
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
