/** @module The local inspector: the app's own pages on this machine alone, with no account, no database and nothing outside. */
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { codeOf } from "@fettle/contract/core";
import { type InspectorState, inspectorLimits, inspectorService } from "@fettle/contract/inspector";
import { answerCallbacks } from "@fettle/mcp";
import { findVaultKeys } from "../core/vault/key.ts";
import { createVault } from "../core/vault/vault.ts";
import { version } from "../core/version.ts";
import { listen } from "../http/listening-socket.ts";
import { callbackPath } from "../servers/connections/callback-page.ts";
import { createSandbox } from "../servers/widgets/sandbox.ts";
import { createAsking } from "./asking.ts";
import { createCommands } from "./commands.ts";
import { openCredentials } from "./credentials.ts";
import { makePrivateFolder } from "./files.ts";
import { openHistoryFiles } from "./history-files.ts";
import { createListener } from "./listener.ts";
import type { LocalApp } from "./operations.ts";
import { createRoutes } from "./routes.ts";
import { createLocalSample } from "./sample.ts";
import { openSavedCalls } from "./saved-call-files.ts";
import { openSavedServers } from "./saved-servers.ts";
import { createSessionCodes } from "./session-codes.ts";
import { createSignIns } from "./sign-ins.ts";
import { claimHome, refuseSecond, releaseHome } from "./state-file.ts";
import { createTabs } from "./tabs.ts";
import { createLocalWidgets } from "./widgets.ts";

export interface InspectorOptions {
  /** The person's own folder: what the inspector keeps is in `inspector` there, and how to reach it in `inspector.json`. */
  home: string;
  /** Taken or refused; without one the usual port, or the next that is free. 0 is any that is free. */
  port?: number;
}

export interface RunningInspector {
  url: string;
  /** Opens a page that is let in; works once. */
  pageUrl(path?: string): string;
  state: InspectorState;
  /** Settles when it has ended, whoever ended it. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** How many ports are tried after the usual one. */
const portsTried = 10;

/**
 * @example
 * const inspector = await startInspector({ home: "/home/ida/.fettle" });
 * console.log(inspector.pageUrl());
 */
export async function startInspector({ home, port }: InspectorOptions): Promise<RunningInspector> {
  await refuseSecond(home);
  const folder = join(home, "inspector");
  makePrivateFolder(folder);
  await using started = new AsyncDisposableStack();
  const { front, widgetFront, callbackFront } = await (port === undefined
    ? listenNear(inspectorLimits.port, portsTried)
    : listenNear(port, 0));
  started.defer(() => callbackFront.close(0));
  started.defer(() => widgetFront.close(0));
  started.defer(() => front.close(inspectorLimits.stopMs));
  const url = `http://127.0.0.1:${front.port}`;
  // Another host name than the pages have, since cookies know no ports.
  const sandboxUrl = `http://localhost:${widgetFront.port}`;
  const redirectUri = new URL(callbackPath, `http://127.0.0.1:${callbackFront.port}`);
  const keys = findVaultKeys({ secretKey: undefined, previousSecretKeys: [], dataFolder: folder });
  const vault = createVault(keys.current);
  const tabs = createTabs();
  started.defer(async () => tabs.close());
  const servers = await openSavedServers(folder, vault);
  const history = openHistoryFiles(join(folder, "history"));
  const credentials = await openCredentials(folder, vault, servers);
  const changed: LocalApp["changed"] = (about) =>
    tabs.tellAll({ event: "changed", data: { topic: "project:proj_local", about } });
  const sample = createLocalSample(servers, () => changed("servers"));
  started.defer(() => sample.close());
  const asking = createAsking({ servers, credentials, history, sample });
  started.defer(() => asking.close());
  const widgets = createLocalWidgets({ app: url, widgets: sandboxUrl }, asking);
  const signIns = createSignIns({
    url,
    redirectUri: redirectUri.href,
    servers,
    credentials,
    changed: () => changed("servers"),
  });
  let conformance: ReturnType<LocalApp["conformance"]> | undefined;
  const openConformance: LocalApp["conformance"] = async () => {
    const { openConformance: open } = await import("./conformance-runs.ts");
    return open({ folder: join(folder, "conformance"), url, asking, history, changed });
  };
  started.defer(async () => (await conformance)?.close());
  const app: LocalApp = {
    vault,
    servers,
    history,
    calls: await openSavedCalls(folder),
    asking,
    sample,
    widgets,
    credentials,
    signIns,
    conformance: () => (conformance ??= openConformance()),
    startedAt: Date.now(),
    changed,
  };
  const codes = createSessionCodes();
  const state: InspectorState = {
    pid: process.pid,
    startId: randomUUID(),
    version,
    url,
    sandboxUrl,
    token: randomBytes(32).toString("base64url"),
    startedAt: new Date().toISOString(),
  };
  const ended = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const routes = createRoutes({
    app,
    tabs,
    commands: createCommands(tabs),
    codes,
    health: { service: inspectorService, version, startId: state.startId },
    url,
    sandboxUrl,
    token: state.token,
    stop: () => void stop(),
  });
  front.open(
    createListener({
      routes,
      url,
      sandboxUrl,
      port: front.port,
      token: state.token,
      stopping: stopping.signal,
    }),
    refuse,
  );
  widgetFront.open(createSandbox({ appOrigin: url, origin: sandboxUrl, shelf: widgets.shelf }), refuse);
  callbackFront.open(answerCallbacks({ redirectUri, take: signIns.takeAnswer }), refuse);
  await claimHome(home, state);
  started.defer(async () => releaseHome(home, state));
  started.defer(async () => stopping.abort());
  const running = started.move();
  let stopped: Promise<void> | undefined;
  function stop(): Promise<void> {
    stopped ??= running.disposeAsync().finally(ended.resolve);
    return stopped;
  }
  return {
    url,
    pageUrl: (path = "/") => `${url}${path}#k=${codes.make()}`,
    state,
    ended: ended.promise,
    stop,
  };
}

const refuse = (_request: unknown, socket: { destroy(): void }) => socket.destroy();

/** Three beside each other: the pages', that of the widgets, and where authorization servers send the browser. */
async function listenNear(port: number, further: number) {
  for (let tried = 0; ; tried++) {
    const at = (offset: number) => (port === 0 ? 0 : port + tried * 3 + offset);
    await using opened = new AsyncDisposableStack();
    try {
      const front = await listen({ host: "127.0.0.1", port: at(0) });
      opened.defer(() => front.close(0));
      const widgetFront = await listen({ host: "127.0.0.1", port: at(1) });
      opened.defer(() => widgetFront.close(0));
      const callbackFront = await listen({ host: "127.0.0.1", port: at(2) });
      opened.move();
      return { front, widgetFront, callbackFront };
    } catch (error) {
      if (tried === further || codeOf(error) !== "PORT_IN_USE") throw error;
    }
  }
}
