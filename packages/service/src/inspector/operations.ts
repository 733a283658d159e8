/** @module What the pages may ask of the local inspector: operations of the contract, on one person's own files. The rest is not supported here. */

import type {
  BodyOf,
  HistoryEntryId,
  OutputOf,
  ParametersOf,
  QueryOf,
  SavedCallId,
} from "@fettle/contract/core";
import type { LocalOperationId } from "@fettle/contract/inspector";
import type { Operations } from "@fettle/contract/operations";
import type { Project } from "@fettle/contract/people";
import { maskUrl } from "@fettle/contract/secrets";
import { requireAsRead } from "../core/routing/as-read.ts";
import { nothingHere } from "../core/routing/not-found.ts";
import { badCursor, cutPage } from "../core/routing/page.ts";
import type { Vault } from "../core/vault/vault.ts";
import { version } from "../core/version.ts";
import { hostCatalogBindings } from "../environments/host-catalog/routes.ts";
import { sharedCall } from "../servers/history/repeat-call.ts";
import { compareEntries, toDetail, toEntry, verdictsOf } from "../servers/history/told.ts";
import type { AskName } from "../servers/live/live.ts";
import { sharedServer, toServer } from "../servers/saved/saved.ts";
import type { Asking } from "./asking.ts";
import type { LocalConformance } from "./conformance-runs.ts";
import type { Credentials } from "./credentials.ts";
import type { HistoryFiles } from "./history-files.ts";
import { localOrganizationId, localProjectId, localUserId } from "./local-place.ts";
import type { LocalSample } from "./sample.ts";
import type { SavedCallFile } from "./saved-call-files.ts";
import { createCall, rerun, runSaved, updateCall } from "./saved-calls.ts";
import type { LocalServer, SavedServers } from "./saved-servers.ts";
import type { LocalSignIns } from "./sign-ins.ts";
import type { LocalWidgets } from "./widgets.ts";

export interface LocalApp {
  vault: Vault;
  servers: SavedServers;
  history: HistoryFiles;
  calls: SavedCallFile;
  asking: Asking;
  sample: LocalSample;
  widgets: LocalWidgets;
  credentials: Credentials;
  signIns: LocalSignIns;
  /** Opened when somebody first asks for it: most look at a server and go. */
  conformance(): Promise<LocalConformance>;
  startedAt: number;
  /** Tells open pages what is stale. */
  changed(about: "servers" | "history" | "conformance-runs"): void;
}

interface LocalCall<Id extends keyof Operations> {
  app: LocalApp;
  params: ParametersOf<Operations[Id]>;
  query: QueryOf<Operations[Id]>;
  body: BodyOf<Operations[Id]>;
  signal: AbortSignal;
}

type Answer<Id extends keyof Operations> = OutputOf<Operations[Id]>;
/** A stream answers by itself. */
type Handlers = {
  [Id in Exclude<LocalOperationId, "streamServerAsk">]: (
    call: LocalCall<Id>,
  ) => Promise<Answer<Id>> | Answer<Id>;
};

const notHere = () => nothingHere();

function theServer({ app, params }: { app: LocalApp; params: { serverId: string } }): LocalServer {
  const server = app.servers.find(params.serverId);
  if (!server) throw notHere();
  return server;
}

async function theEntry(call: { app: LocalApp; params: { serverId: string; entryId: HistoryEntryId } }) {
  const server = theServer(call);
  const entry = await call.app.history.find(server.id, call.params.entryId);
  if (!entry) throw notHere();
  return { server, entry };
}

function theCall(call: { app: LocalApp; params: { serverId: string; callId: SavedCallId } }) {
  const server = theServer(call);
  const saved = call.app.calls.find(server.id, call.params.callId);
  if (!saved) throw notHere();
  return { server, saved };
}

/** Asks the server, and answers with what it said. */
function asks<Id extends keyof Operations>(name: AskName) {
  return async (call: LocalCall<Id>) => {
    const { app, body, signal } = call;
    const server = theServer(call as never);
    const withLogs = (call.query as { rpc?: string } | undefined)?.rpc === "true";
    // The contract names what each is asked with and answers.
    return (await app.asking.ask(server, name, body ?? {}, { signal, withLogs })) as Answer<Id>;
  };
}

const projectOf = ({ startedAt }: LocalApp): Project => ({
  id: localProjectId,
  name: "This computer",
  description: null,
  icon: null,
  organizationId: localOrganizationId,
  visibility: "private",
  role: "admin",
  isDefault: true,
  createdAt: startedAt,
  updatedAt: startedAt,
});

async function theRun({ app, params }: { app: LocalApp; params: { runId: string } }) {
  const conformance = await app.conformance();
  return { conformance, run: conformance.find(params.runId) };
}

export const localOperations: Handlers = {
  getBootstrap: ({ app }) => ({
    mode: "local",
    version,
    setupNeeded: false,
    signIn: { password: false, passwordLetters: false, oidc: [], sampleEmail: null },
    user: { id: localUserId, email: "", name: "You", imageUrl: null, hasPassword: false },
    organizations: [{ id: localOrganizationId, name: "Inspector", role: "owner", updatedAt: app.startedAt }],
  }),
  listProjects: ({ app }) => ({ items: [projectOf(app)] }),
  getProject: ({ app }) => projectOf(app),

  listProjectServers: ({ app, query: { cursor, limit } }) => {
    const rows = app.servers.list();
    const last = rows.findIndex(({ id }) => id === cursor);
    // In the order they were added: nobody knows the place of a server that was removed meanwhile.
    if (cursor !== undefined && last < 0) throw badCursor();
    const { shown, next } = cutPage(rows.slice(last + 1), limit, ({ id }) => id);
    return { items: shown.map((row) => toServer(app.vault, row)), ...next };
  },
  getProjectServer: (call) => toServer(call.app.vault, theServer(call)),
  createProjectServer: async ({ app, body }) => {
    const server = await app.servers.create(body);
    app.changed("servers");
    return toServer(app.vault, server);
  },
  updateProjectServer: async (call) => {
    const { app, body } = call;
    const { server, dropped } = await app.servers.update(theServer(call), body);
    app.changed("servers");
    return { ...toServer(app.vault, server), credentialsDropped: dropped };
  },
  deleteProjectServer: async (call) => {
    const { app } = call;
    const server = theServer(call);
    requireAsRead(server, call.query.expectedUpdatedAt, sharedServer);
    await app.servers.remove(server);
    app.signIns.forget(server.id);
    const kept = [app.history, app.calls, app.credentials, await app.conformance()];
    await Promise.all(kept.map((each) => each.forget(server.id)));
    app.changed("servers");
    return { id: server.id, projectId: server.projectId, deleted: true };
  },
  listServerConnections: () => ({ items: [] }),

  validateServer: asks("validate"),
  runDoctor: asks("runDoctor"),
  checkServerCompat: asks("checkCompat"),
  checkOAuth: (call) => {
    const server = theServer(call);
    const { url } = call.app.servers.endpointOf(server);
    return {
      useOAuth: server.settings.useOAuth ?? false,
      serverUrl: url === undefined ? null : maskUrl(url),
    };
  },
  listTools: asks("listTools"),
  listPrompts: asks("listPrompts"),
  listResources: asks("listResources"),
  listResourceTemplates: asks("listResourceTemplates"),
  readResource: asks("readResource"),
  exportServer: asks("exportServer"),
  callTool: asks("callTool"),
  getPrompt: asks("getPrompt"),
  answerServer: async (call) => {
    await call.app.asking.answer(theServer(call).id, call.params.askId, call.body);
    return { askId: call.params.askId };
  },
  cancelServerAsk: async (call) => {
    await call.app.asking.cancel(theServer(call).id, call.params.askId);
    return { askId: call.params.askId };
  },

  getServerSignIn: (call) => call.app.signIns.read(theServer(call)),
  walkServerSignIn: (call) => call.app.signIns.walk(theServer(call), call.body),

  renderWidget: (call) => call.app.widgets.render(theServer(call), call.body, call.signal),
  listWidgetRefusals: (call) => ({ items: call.app.widgets.refusals(theServer(call), call.params.widgetId) }),
  ...hostCatalogBindings,

  listServerHistory: async (call) => {
    const { cursor, limit, kind, outcome } = call.query;
    const rows = await call.app.history.list(theServer(call).id, { kind, outcome, before: cursor });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return { items: shown.map(toEntry), ...(rows.length > limit && last && { nextCursor: last.id }) };
  },
  getServerHistoryEntry: async (call) => {
    const { server, entry } = await theEntry(call);
    return toDetail(entry, server.name);
  },
  compareServerHistory: async (call) => {
    const { server, entry } = await theEntry(call);
    const { history } = call.app;
    const other = call.query.with;
    const before = other ? await history.find(server.id, other) : await history.findEarlier(entry);
    if (other && !before) throw notHere();
    return compareEntries(before, entry);
  },
  rerunServerHistoryEntry: async (call) => {
    const { server, entry } = await theEntry(call);
    return rerun(call.app, server, entry, call.body.parameters, call.signal);
  },
  listServerVerdicts: async ({ app, query }) => {
    const ids = app.servers.list().map(({ id }) => id);
    const wanted = query.serverId === undefined ? ids : ids.filter((id) => id === query.serverId);
    return { items: verdictsOf(await app.history.verdicts(wanted)) };
  },
  startConformanceRun: async (call) => {
    const server = theServer(call);
    const conformance = await call.app.conformance();
    const { id: runId, status, deduped, requestedSuites } = await conformance.start(server, call.body);
    return { runId, projectId: localProjectId, serverId: server.id, status, deduped, requestedSuites };
  },
  listConformanceRuns: async ({ app, query: { serverId, cursor, limit } }) => {
    const conformance = await app.conformance();
    const rows = conformance.list(serverId).filter(({ id }) => cursor === undefined || id < cursor);
    const { shown, next } = cutPage(rows, limit, ({ id }) => id);
    return { items: shown.map(conformance.shown), ...next };
  },
  getConformanceRun: async (call) => {
    const { conformance, run } = await theRun(call);
    return conformance.shown(run);
  },
  getConformanceReport: async (call) => {
    const { conformance, run } = await theRun(call);
    return conformance.failing(run);
  },
  getConformanceSuiteReport: async (call) => {
    const { conformance, run } = await theRun(call);
    return conformance.suiteReport(run, call.params.suiteKind);
  },
  compareConformanceRuns: async (call) => {
    const { conformance, run } = await theRun(call);
    return conformance.compare(run, call.query.with);
  },
  exportConformanceRun: async (call) => {
    const { conformance, run } = await theRun(call);
    return conformance.exported(run, call.query.format);
  },
  cancelConformanceRun: async (call) => {
    const { conformance, run } = await theRun(call);
    return conformance.shown(await conformance.cancel(run));
  },
  listSavedCalls: (call) => ({ items: call.app.calls.list(theServer(call).id) }),
  createSavedCall: (call) => createCall(call.app, theServer(call), call.body),
  getSavedCall: (call) => theCall(call).saved,
  updateSavedCall: (call) => updateCall(call.app, theCall(call).saved, call.body),
  deleteSavedCall: async (call) => {
    const { server, saved } = theCall(call);
    requireAsRead({ updatedAt: new Date(saved.updatedAt) }, call.query.expectedUpdatedAt, sharedCall);
    await call.app.calls.remove(saved.id);
    call.app.changed("history");
    return { id: saved.id, projectId: server.projectId, deleted: true };
  },
  runSavedCall: (call) => {
    const { server, saved } = theCall(call);
    return runSaved(call.app, server, saved, call.body.parameters, call.signal);
  },
};
