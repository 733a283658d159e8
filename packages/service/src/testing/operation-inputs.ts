/** @module What a test sends to each built operation, and what it gets back once access is given. Whoever builds an operation adds its line. */
import { idOf } from "@fettle/contract/core";
import { clientTemplateIds } from "@fettle/contract/environments";
import type { Operations } from "@fettle/contract/operations";
import type { App } from "../core/app.ts";
import { newId } from "../core/id.ts";
import { uploadPlugin } from "../environments/plugins/plugins.ts";
import { archiveEnvironment, createEnvironment, ensureAdhoc } from "../environments/saved/environments.ts";
import { findEnvironment } from "../environments/saved/store.ts";
import { createSkill } from "../environments/skills/skills.ts";
import { updateSkill } from "../environments/skills/store.ts";
import { createSuite } from "../evals/suites/suites.ts";
import { createClient } from "../servers/clients/clients.ts";
import { addReport, startRun } from "../servers/conformance/ingest.ts";
import { createServer } from "../servers/saved/servers.ts";
import { openTunnel } from "../servers/tunnels/tunnels.ts";
import { accountInputs } from "./accounts/inputs.ts";
import { agentInputs } from "./agent/inputs.ts";
import { bundle, skillFiles } from "./bundles.ts";
import { evalRunInputs } from "./eval-run-inputs.ts";
import { modelInputs } from "./models/inputs.ts";
import { noticeInputs } from "./notices/inputs.ts";
import { readinessInputs } from "./readiness/inputs.ts";
import { registryInputs } from "./registry/inputs.ts";
import { sandboxImageInputs } from "./sandbox-images/inputs.ts";
import { serverHistoryInputs } from "./server-history/inputs.ts";
import { suiteReport } from "./suite-report.ts";
import { swarmInputs } from "./swarms/inputs.ts";
import { userTestingInputs } from "./user-testing-inputs.ts";
import { inProgressTo, type PersonName, people, type World } from "./world.ts";

/** What is sent, and what comes back once access is given, where that is not the declared success. */
export interface OperationInput {
  params?: (world: World, app: App) => Promise<Record<string, string>> | Record<string, string>;
  query?: Record<string, string>;
  /** `params` are the ones made above, the project's and the organization's included. */
  body?: (world: World, params: Record<string, string>) => unknown;
  passes?: number | ((person: PersonName | undefined) => number);
}

type BuiltId = {
  [Id in keyof Operations]: Operations[Id] extends { built: true } ? Id : never;
}[keyof Operations];

/** Nothing listens on the discard port, so whatever talks to the server is refused at once. */
const nowhere = "http://127.0.0.1:9/mcp";
const anAsk = "0b7f8f0e-6a0f-4d7e-9d7a-0f3f6f1f3b11";
const savedServer = async ({ projectId, people }: World, app: App) => {
  const server = { name: newId("server"), enabled: true, transportType: "http", url: nowhere } as const;
  const { id } = await createServer(app, app.db, projectId, people.owner.userId, server);
  return { serverId: id };
};
const savedClient = async ({ projectId, people }: World, app: App) => {
  const wanted = { name: newId("client"), template: clientTemplateIds[0] };
  const { id, configId } = await createClient(app, app.db, projectId, people.owner.userId, wanted);
  return { client: id, hostId: id, configId };
};
const newClient = () => ({ name: newId("client"), template: clientTemplateIds[0] });
/** A client attached to a server, so that what is made of it can run. */
const attachedClient = async (world: World, app: App) => {
  const { serverId } = await savedServer(world, app);
  const wanted = { name: newId("client"), config: { modelId: "fettle/rules-1", serverIds: [serverId] } };
  const { id } = await createClient(app, app.db, world.projectId, world.people.owner.userId, wanted);
  return { hostId: id };
};
const savedEnvironment = async (world: World, app: App) => {
  const wanted = { name: newId("environment"), ...(await attachedClient(world, app)) };
  const { id } = await createEnvironment(app, app.db, world.projectId, world.people.owner.userId, wanted);
  return { environmentId: id };
};
const archivedEnvironment = async (world: World, app: App) => {
  const { environmentId } = await savedEnvironment(world, app);
  const row = await findEnvironment(app.db, world.projectId, environmentId);
  await archiveEnvironment(app, app.db, world.people.owner.userId, row!, row!.revision);
  return { environmentId };
};
const adhocEnvironment = async (world: World, app: App) => {
  const stack = await attachedClient(world, app);
  const project = { id: world.projectId, isAdmin: false };
  const { environment } = await ensureAdhoc(app, app.db, project, world.people.owner.userId, stack);
  return { environmentId: environment.id };
};
const sharedSkill = async ({ projectId, people }: World, app: App) => {
  const files = skillFiles(newId("skill").replace("_", "-"));
  const { id } = await createSkill(app, app.db, projectId, people.owner.userId, files);
  await updateSkill(app.db, id, { sharing: "project", updatedAt: new Date() });
  return { skillId: id };
};
/** Declared as `elevated`: the owner, or a project admin. */
const byItsOwner = (person: PersonName | undefined) =>
  person === "owner" || person === "admin" || person === "projectAdmin" ? 200 : 403;
const pluginFiles = () =>
  bundle({ "plugin.json": JSON.stringify({ name: newId("plugin").replace("_", "-") }) });
const savedPlugin = async ({ projectId, people }: World, app: App) => {
  const version = await uploadPlugin(app, projectId, people.owner.userId, pluginFiles());
  return { pluginId: version.pluginId, pluginVersionId: version.id };
};
const wantedRun = {
  target: { kind: "external", serverUrl: "https://mcp.example/mcp" },
  source: "cli",
  requestedSuites: ["protocol"],
} as const;
const reportedRun = async ({ projectId, people }: World, app: App) => {
  const by = { app, projectId, userId: people.owner.userId, origin: "https://fettle.example" };
  const { runId } = await startRun(by, { ...wantedRun, requestedSuites: ["protocol"] });
  await addReport(by, { runId, suiteKind: "protocol", report: suiteReport({ passed: ["one"] }) });
  return { runId };
};
const askedCase = (title: string) => ({
  title,
  steps: [{ id: "ask", kind: "prompt" as const, prompt: title }],
});
const savedSuite = async (world: World, app: App) => {
  const { projectId: id, people } = world;
  const { serverId } = await savedServer(world, app);
  const caller = { kind: "session", userId: people.owner.userId, sessionId: "none", via: "cli" } as const;
  const tests = ["One", "Other"].map(askedCase);
  const wanted = { name: "Suite", serverIds: [serverId], model: "fettle/rules-1", tests };
  const { suiteId: made, caseUpsert } = await createSuite(app, app.db, { id }, caller, wanted);
  const suiteId = idOf<"evalSuite">().parse(made);
  return { suiteId, caseId: caseUpsert.committed[0]!.id, serverId };
};
const theirRun = (_: World, { runId }: Record<string, string>) => ({ runId });
const noRequest = () => ({ requestId: "scr_missing" });
const noSession = () => ({ sessionId: "cht_missing" });
const noTurn = () => ({ sessionId: "cht_missing", turnId: "trn_missing" });
const nowhereToSend = () => ({ idempotencyKey: "1", message: "Hello" });
const wantedServer = { name: "New", transportType: "http", url: "https://mcp.example" };

const savedAsk = async (world: World, app: App) => ({ ...(await savedServer(world, app)), askId: anAsk });

/** A line for something not built does not compile; a built operation without a line fails the access matrix. */
export const operationInputs: Partial<Record<BuiltId, OperationInput>> = {
  getMe: {},
  listOrganizations: {},
  listProjects: {},
  listModels: {},
  getHostCompatCatalog: {},
  listHarnessBuiltinTools: { params: () => ({ harnessId: "claude-code" }) },
  createProject: {
    body: ({ organizationId }) => ({ name: "New", organizationId }),
    // Declared as `elevated`: any member may, in an organization that is theirs.
    passes: (person) => {
      const { role } = people[person!];
      return role === null ? 404 : role === "guest" ? 403 : 201;
    },
  },
  getProject: {},
  updateProject: { body: () => ({ name: "Renamed" }) },
  deleteProject: {},
  getProjectCapabilities: {},
  listProjectServers: {},
  createProjectServer: { body: () => wantedServer },
  getProjectServer: { params: savedServer },
  updateProjectServer: { params: savedServer, body: () => ({ name: "Renamed" }) },
  deleteProjectServer: { params: savedServer },
  listServerGroups: {},
  createServerGroup: {
    params: savedServer,
    body: (_, { serverId }) => ({ name: newId("serverGroup"), serverIds: [serverId] }),
  },

  // A report is the answer, whatever it found.
  runDoctor: { params: savedServer },
  checkServerCompat: { params: savedServer, passes: 502 },
  renderWidget: { params: savedServer, body: () => ({ resourceUri: "ui://shop/shelf.html" }), passes: 502 },
  listWidgetRefusals: {
    params: async (...world) => ({ ...(await savedServer(...world)), widgetId: "none" }),
    passes: 404,
  },
  validateServer: { params: savedServer, passes: 502 },
  checkOAuth: { params: savedServer },
  listTools: { params: savedServer, passes: 502 },
  listPrompts: { params: savedServer, passes: 502 },
  listResources: { params: savedServer, passes: 502 },
  listResourceTemplates: { params: savedServer, passes: 502 },
  readResource: { params: savedServer, body: () => ({ uri: "book://1" }), passes: 502 },
  exportServer: { params: savedServer, passes: 502 },
  callTool: { params: savedServer, body: () => ({ toolName: "search" }), passes: 502 },
  getPrompt: { params: savedServer, body: () => ({ promptName: "greet" }), passes: 502 },
  streamServerAsk: {
    params: savedServer,
    body: () => ({
      askId: anAsk,
      asked: { name: "listTools", input: {} },
      declares: { sampling: false, elicitation: false, roots: null },
    }),
  },
  answerServer: {
    params: savedAsk,
    body: () => ({ requestId: "1", answer: { result: {} } }),
  },
  cancelServerAsk: { params: savedAsk },
  sampleForServer: {
    params: savedServer,
    body: () => ({
      model: "fettle/rules-1",
      params: { messages: [{ role: "user", content: { type: "text", text: "Hello" } }] },
    }),
  },
  importOAuthTokens: {
    params: savedServer,
    body: () => ({ serverUrl: nowhere, tokens: { access_token: "a", token_type: "Bearer" } }),
  },

  listClientTemplates: {},
  listClients: {},
  createClient: { body: newClient },
  getClient: { params: savedClient },
  updateClient: {
    params: savedClient,
    body: (_, { configId }) => ({ set: { systemPrompt: "Be brief." }, expectedConfigId: configId }),
  },
  deleteClient: { params: savedClient },
  setClientServers: {
    params: savedClient,
    body: (_, { configId }) => ({ serverIds: [], expectedConfigId: configId }),
  },
  duplicateClient: { params: savedClient, body: () => ({ name: newId("client") }) },
  listHosts: {},
  createHost: { body: newClient },
  getHost: { params: savedClient },
  updateHost: { params: savedClient, body: () => ({ name: newId("client") }) },
  deleteHost: { params: savedClient },
  setHostServers: { params: savedClient, body: () => ({ serverIds: [] }) },
  duplicateHost: { params: savedClient, body: () => ({ name: newId("client") }) },

  listEnvironments: {},
  createEnvironment: {
    params: attachedClient,
    body: (_, { hostId }) => ({ name: newId("environment"), hostId }),
  },
  getEnvironmentCapabilities: {},
  getEnvironment: { params: savedEnvironment },
  updateEnvironment: { params: savedEnvironment, body: () => ({ expectedRevision: 1, description: "New" }) },
  resolveEnvironment: { params: savedEnvironment },
  ensureAdhocEnvironment: { params: attachedClient, body: (_, { hostId }) => ({ hostId }) },
  nameEnvironment: {
    params: adhocEnvironment,
    body: () => ({ expectedRevision: 1, name: newId("environment") }),
  },
  archiveEnvironment: { params: savedEnvironment, body: () => ({ expectedRevision: 1 }) },
  restoreEnvironment: { params: archivedEnvironment, body: () => ({ expectedRevision: 2 }) },

  listProjectSkills: {},
  getProjectSkill: { params: sharedSkill },
  getSkillFiles: { params: sharedSkill },
  checkSkill: { body: () => ({ files: skillFiles("new") }) },
  createSkill: { body: () => ({ files: skillFiles("new") }) },
  updateSkill: { params: sharedSkill, body: () => ({ files: skillFiles("new") }), passes: byItsOwner },
  shareSkill: { params: sharedSkill, passes: byItsOwner },
  unshareSkill: { params: sharedSkill, passes: byItsOwner },
  deleteSkill: { params: sharedSkill, passes: byItsOwner },
  startConformanceRun: { params: savedServer, body: () => ({}) },
  getConformanceSchedule: { params: savedServer },
  updateConformanceSchedule: { params: savedServer, body: () => ({ enabled: true, intervalMinutes: 1_440 }) },
  listConformanceRuns: {},
  getConformanceRun: { params: reportedRun },
  getConformanceReport: { params: reportedRun },
  getConformanceSuiteReport: {
    params: async (world, app) => ({ ...(await reportedRun(world, app)), suiteKind: "protocol" }),
  },
  compareConformanceRuns: { params: reportedRun },
  exportConformanceRun: { params: reportedRun },
  cancelConformanceRun: { params: reportedRun },
  deleteConformanceRun: { params: reportedRun, passes: inProgressTo },
  reportConformanceRun: {
    body: () => ({ schemaVersion: 1, ...wantedRun, reports: { protocol: suiteReport({ passed: ["one"] }) } }),
  },
  startConformanceIngestRun: { body: () => wantedRun },
  upsertConformanceIngestReport: {
    params: reportedRun,
    body: (_, { runId }) => ({ runId, suiteKind: "protocol", report: suiteReport({ passed: ["one"] }) }),
  },
  heartbeatConformanceIngestRun: { params: reportedRun, body: theirRun },
  finalizeConformanceIngestRun: { params: reportedRun, body: theirRun },

  ...readinessInputs(savedServer),

  listEvalSuites: {},
  createEvalSuite: {
    params: savedServer,
    body: (_, { serverId }) => ({ name: "S", serverIds: [serverId], model: "m", tests: [askedCase("One")] }),
  },
  getEvalSuite: { params: savedSuite },
  updateEvalSuite: { params: savedSuite, body: () => ({ name: "Renamed" }) },
  deleteEvalSuite: { params: savedSuite, passes: byItsOwner },
  syncFileOwnedEvalSuite: {
    params: savedServer,
    body: (_, { serverId }) => ({
      declaredSuiteId: "orders",
      name: "Orders",
      sourceHash: "0".repeat(64),
      environment: { servers: [serverId] },
      defaultConfig: { modelId: "fettle/rules-1" },
      defaultPassCriteria: { minimumPassRate: 100 },
    }),
  },
  attachEvalSuiteEnvironment: {
    params: async (world, app) => ({
      ...(await savedSuite(world, app)),
      ...(await savedEnvironment(world, app)),
    }),
    body: (_, { environmentId }) => ({ environmentId }),
  },
  updateEvalSuiteSchedule: { params: savedSuite, body: () => ({ enabled: true, intervalMinutes: 60 }) },
  listEvalCases: { params: savedSuite },
  createEvalCase: { params: savedSuite, body: () => askedCase("Two") },
  createEvalCases: { params: savedSuite, body: () => ({ cases: [askedCase("Two")] }) },
  // Its server is out of reach.
  generateEvalCases: { params: savedSuite, passes: 502 },
  getEvalCase: { params: savedSuite },
  updateEvalCase: { params: savedSuite, body: () => ({ title: "Renamed" }) },
  deleteEvalCase: { params: savedSuite },

  ...evalRunInputs(savedSuite),

  listProjectPlugins: {},
  // Declared as `elevated`: members of the project.
  getPluginVersion: {
    params: savedPlugin,
    passes: (person) => (person === "stranger" || person === "guest" ? 404 : 200),
  },
  uploadPlugin: { body: () => ({ files: pluginFiles() }) },
  listPluginVersions: { params: savedPlugin },
  setPluginEnabled: { params: savedPlugin, body: () => ({ enabled: false }) },
  activatePluginVersion: {
    params: savedPlugin,
    body: (_, { pluginVersionId }) => ({ pluginVersionId }),
  },
  uninstallPlugin: { params: savedPlugin },

  listServerConnections: {},
  createServerConnection: {
    body: ({ projectId }) => ({ url: nowhere, projectId }),
    // Declared as `elevated`: in a project the caller can see.
    passes: (person) => (person === "stranger" || person === "guest" ? 404 : 201),
  },
  // Whose conversation or project it is, is asked of the body and of the session: see chat.test.ts.
  sendChatMessage: { body: nowhereToSend, passes: 400 },
  streamChatTurn: { body: nowhereToSend, passes: 400 },
  listChatSessions: {},
  listSessions: {},
  getChatSession: { params: noSession, passes: 404 },
  getChatSessionTrace: { params: noSession, passes: 404 },
  promoteChatSession: { params: noSession, body: () => ({ suiteName: "New" }), passes: 404 },
  stopChatTurn: { params: noTurn, passes: 404 },
  getChatTurnWire: { params: noTurn, passes: 404 },
  decideChatCall: { params: noTurn, body: () => ({ toolCallId: "c", allow: true }), passes: 404 },
  branchChatSession: { params: noSession, body: () => ({ beforeTurnId: "trn_missing" }), passes: 404 },
  updateChatSession: { params: noSession, body: () => ({ isPinned: true }), passes: 404 },
  deleteChatSession: { params: noSession, passes: 404 },

  ...userTestingInputs(savedEnvironment),
  ...serverHistoryInputs(savedServer, savedSuite),
  ...noticeInputs,

  getServerConnection: { params: noRequest, passes: 404 },
  cancelServerConnection: { params: noRequest, passes: 404 },
  retryServerConnectionValidation: { params: noRequest, passes: 404 },
  readConnectionLink: { body: () => ({ token: "used" }), passes: 404 },
  getConnectionConsent: { params: noRequest, passes: 404 },
  chooseConnectionProject: {
    params: noRequest,
    body: ({ projectId }) => ({ projectId }),
    passes: 404,
  },
  authorizeConnection: { params: noRequest, passes: 404 },
  lookAtServer: { body: () => ({ url: nowhere }) },
  getServerSignIn: { params: savedServer },
  walkServerSignIn: { params: savedServer, body: () => ({ revision: 1, run: "stage" }), passes: 409 },
  finishConnectionAuthorization: { body: () => ({ state: "used", code: "c" }), passes: 404 },

  createTunnel: { body: () => ({ name: newId("server") }) },
  listTunnels: {},
  closeTunnel: {
    params: async ({ projectId, people }, app) => {
      const place = { projectId, userId: people.owner.userId, credentialId: "none" };
      const { serverId } = await openTunnel(app, app.db, place, newId("server"), "http://127.0.0.1");
      return { serverId };
    },
  },

  ...accountInputs,
  ...registryInputs,
  ...sandboxImageInputs,
  ...swarmInputs,
  ...modelInputs,
  ...agentInputs,
  listApiKeys: {},
  createApiKey: { body: () => ({ name: "New" }) },
  revokeApiKey: { params: ({ people }) => ({ keyId: people.member.keyId }) },
  listProjectMembers: {},
  setProjectMember: {
    params: ({ people }) => ({ userId: people.member.userId }),
    body: () => ({ role: "editor" }),
  },
  removeProjectMember: { params: ({ people }) => ({ userId: people.editor.userId }) },
};
