/** @module What the examples of servers, environments, images, registries and notices send. */
import { blueprint, checked, inStock, made } from "./made.ts";
import type { Recipes } from "./step.ts";

const newClient = { name: "Night shift", template: "claude" };
const changesClient = {
  first: [made.client, made.clientConfig],
  path: { client: "$NEW_CLIENT_ID" },
} as const;
const changesHost = { first: [made.client], path: { hostId: "$NEW_CLIENT_ID" } } as const;
const onNewEnvironment = {
  first: [made.environment],
  path: { environmentId: "$NEW_ENVIRONMENT_ID" },
} as const;
const onNewImage = { first: [made.image], path: { imageId: "$NEW_IMAGE_ID" } } as const;
const onNewConnection = { first: [made.connection], path: { requestId: "$NEW_CONNECTION_ID" } } as const;
const onNewWebhook = { first: [made.webhook], path: { webhookId: "$NEW_WEBHOOK_ID" } } as const;
const onNewCall = { first: [made.savedCall], path: { callId: "$NEW_SAVED_CALL_ID" } } as const;
const engine = { needs: "a container engine (`FETTLE_SANDBOX_ENGINE`)" } as const;

export const serverRecipes = {
  createClient: { body: newClient },
  updateClient: {
    ...changesClient,
    body: { set: { systemPrompt: "Answer in one sentence." }, expectedConfigId: "$NEW_CONFIG_ID" },
  },
  deleteClient: { first: [made.client], path: { client: "$NEW_CLIENT_ID" }, body: { force: false } },
  duplicateClient: { ...changesClient, body: { name: "Copy of $RANDOM" } },
  setClientServers: {
    ...changesClient,
    body: { serverIds: ["$SERVER_ID"], expectedConfigId: "$NEW_CONFIG_ID" },
  },
  createHost: { body: { ...newClient, name: "Day shift" } },
  updateHost: { ...changesHost, body: { name: "Renamed $RANDOM" } },
  deleteHost: { ...changesHost, body: { force: false } },
  duplicateHost: { ...changesHost, body: { name: "Copy of $RANDOM" } },
  setHostServers: { ...changesHost, body: { serverIds: ["$SERVER_ID"] } },

  createEnvironment: {
    body: {
      name: "Bookshop at night",
      description: "With the model of the night shift.",
      hostId: "$CLIENT_ID",
    },
  },
  ensureAdhocEnvironment: { body: { hostId: "$CLIENT_ID" } },
  updateEnvironment: { ...onNewEnvironment, body: { expectedRevision: 1, description: "For the evenings" } },
  archiveEnvironment: { ...onNewEnvironment, body: { expectedRevision: 1 } },
  nameEnvironment: {
    first: [made.client, made.adhoc],
    path: { environmentId: "$NEW_ENVIRONMENT_ID" },
    body: { expectedRevision: 1, name: "Kept $RANDOM" },
  },
  restoreEnvironment: {
    first: [
      made.environment,
      {
        operation: "archiveEnvironment",
        path: { environmentId: "$NEW_ENVIRONMENT_ID" },
        body: { expectedRevision: 1 },
      },
    ],
    path: { environmentId: "$NEW_ENVIRONMENT_ID" },
    body: { expectedRevision: 2 },
  },
  createServerGroup: { body: { name: "Shop servers", serverIds: ["$SERVER_ID"] } },

  createSandboxImage: { body: { name: "Command line tools", blueprint } },
  validateSandboxImageBlueprint: { body: { blueprint } },
  getSandboxImage: onNewImage,
  updateSandboxImage: { ...onNewImage, body: { name: "Renamed $RANDOM" } },
  deleteSandboxImage: onNewImage,
  promoteSandboxImage: onNewImage,
  listSandboxImageBuilds: onNewImage,
  buildSandboxImage: { ...onNewImage, ...engine },
  useSandboxImage: {
    first: [made.image, { operation: "buildSandboxImage", path: { imageId: "$NEW_IMAGE_ID" } }],
    path: { imageId: "$NEW_IMAGE_ID" },
    needs: "a container engine (`FETTLE_SANDBOX_ENGINE`), and the build to have ended",
  },
  resetComputer: engine,

  listTools: { body: {} },
  listPrompts: { body: {} },
  listResources: { body: {} },
  listResourceTemplates: { body: {} },
  readResource: { body: { uri: "bookshop://hours" } },
  getPrompt: {
    body: {
      promptName: "recommend_books",
      arguments: { reader: "my neighbour, who loves ships", mood: "curious" },
    },
  },
  callTool: { body: inStock },

  reportConformanceRun: { body: made.reportedConformance.body },
  startConformanceIngestRun: { body: checked },
  upsertConformanceIngestReport: { first: [made.openConformance], body: made.heldConformance.body },
  heartbeatConformanceIngestRun: {
    first: [made.openConformance],
    body: { runId: "$NEW_CONFORMANCE_RUN_ID" },
  },
  finalizeConformanceIngestRun: {
    first: [made.openConformance, made.heldConformance],
    body: { runId: "$NEW_CONFORMANCE_RUN_ID" },
  },
  startConformanceRun: { body: { suites: ["protocol"] } },
  compareConformanceRuns: {
    first: [{ ...made.reportedConformance, set: "EARLIER_RUN_ID" }, made.reportedConformance],
    path: { runId: "$NEW_CONFORMANCE_RUN_ID" },
    query: { with: "$EARLIER_RUN_ID" },
  },
  cancelConformanceRun: { first: [made.openConformance], path: { runId: "$NEW_CONFORMANCE_RUN_ID" } },
  deleteConformanceRun: { first: [made.reportedConformance], path: { runId: "$NEW_CONFORMANCE_RUN_ID" } },
  updateConformanceSchedule: { body: { enabled: true, intervalMinutes: 1_440, suites: ["protocol"] } },

  createServerConnection: { body: made.connection.body },
  getServerConnection: onNewConnection,
  cancelServerConnection: onNewConnection,
  retryServerConnectionValidation: {
    ...onNewConnection,
    needs: "a request that is `validating`: its server answered at first, and does not answer now",
  },
  importOAuthTokens: {
    first: [made.server],
    path: { serverId: "$NEW_SERVER_ID" },
    body: {
      serverUrl: "https://mcp.example.com/mcp",
      tokens: { access_token: "example-access-token", token_type: "Bearer", expires_in: 3_600 },
    },
  },

  promoteChatSession: { body: { suiteName: "From conversations" } },
  createProject: { body: { name: "Second shop", organizationId: "$ORGANIZATION_ID" } },
  updateProject: { body: { description: "A small bookshop to try everything on." } },
  deleteProject: { first: [made.project], path: { projectId: "$NEW_PROJECT_ID" } },
  createProjectServer: {
    body: { name: "Orders", transportType: "http", url: "https://mcp.example.com/mcp" },
  },
  updateProjectServer: {
    first: [made.server],
    path: { serverId: "$NEW_SERVER_ID" },
    body: { timeout: 20_000 },
  },
  deleteProjectServer: { first: [made.server], path: { serverId: "$NEW_SERVER_ID" } },
  exportTracesOtlp: { query: { projectId: "$PROJECT_ID", limit: "1" } },
  createTunnel: { body: { name: "My laptop" } },
  closeTunnel: { first: [made.tunnel], path: { serverId: "$NEW_SERVER_ID" } },

  startDirectoryAReadinessRun: { body: {} },
  startDirectoryBReadinessRun: { body: { submissionMode: "mcp-only" } },
  cancelReadinessRun: {
    first: [made.readiness],
    path: { runId: "$NEW_READINESS_RUN_ID" },
    races: true,
  },
  deleteReadinessRun: {
    first: [made.readiness, made.canceledReadiness],
    path: { runId: "$NEW_READINESS_RUN_ID" },
  },

  searchRegistryDirectory: { query: { q: "bookshop", limit: "1" } },
  installRegistryDirectoryServer: {
    body: { catalogServerId: "$DIRECTORY_SERVER_ID", name: "From a directory" },
  },
  installRegistryServer: { body: { registryServerId: "$REGISTRY_SERVER_ID", name: "From a card" } },

  updateHistoryRetention: { body: { days: 30 } },
  createCaseFromHistory: { body: { suiteId: "$SUITE_ID", title: "Knows the stock" } },
  rerunServerHistoryEntry: { body: {} },
  createSavedCall: {
    body: {
      name: "Stock of Tin Swallows",
      kind: "tool",
      subject: "check_stock",
      parameters: inStock.parameters,
    },
  },
  getSavedCall: onNewCall,
  updateSavedCall: { ...onNewCall, body: { parameters: { bookId: "salt-atlas" } } },
  deleteSavedCall: onNewCall,
  runSavedCall: { ...onNewCall, body: {} },
  createCaseFromSavedCall: {
    first: [made.suite, made.savedCall],
    path: onNewCall.path,
    body: { suiteId: "$NEW_SUITE_ID", title: "Knows the stock" },
  },

  updateNoticeLetters: { body: { events: ["eval_run.ended"] } },
  createWebhook: {
    body: { name: "CI", url: "https://ci.example.com/fettle", events: ["eval_run.ended"] },
  },
  getWebhook: onNewWebhook,
  updateWebhook: { ...onNewWebhook, body: { events: ["eval_run.ended", "tunnel.dropped"] } },
  deleteWebhook: onNewWebhook,
  rotateWebhookSecret: onNewWebhook,
  testWebhook: onNewWebhook,
  listWebhookDeliveries: onNewWebhook,
  redeliverWebhook: {
    first: [made.webhook, made.delivery],
    path: { webhookId: "$NEW_WEBHOOK_ID", deliveryId: "$NEW_DELIVERY_ID" },
  },
} satisfies Recipes;
