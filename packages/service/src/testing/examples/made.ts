/** @module What examples send, and the calls that make a thing for one example alone, so that it can be changed and deleted. */
import type { Step } from "./step.ts";

export const throwaway = "Throwaway $RANDOM";
export const asks = (title: string, word = "harbour") => ({
  title,
  steps: [
    { id: "ask", kind: "prompt", prompt: `Search books for "${word}"` },
    { id: "called", kind: "assert", assertion: { type: "toolCalledAtLeastOnce", toolName: "search_books" } },
  ],
});
export const budget = { sessionsPerTarget: 1, maxTurns: 3 };
export const report = {
  schemaVersion: 1,
  kind: "protocol-conformance",
  name: "https://mcp.example.com/mcp",
  passed: true,
  durationMs: 1_840,
  groups: [
    {
      id: "2025-11-25",
      title: "Protocol 2025-11-25",
      target: "https://mcp.example.com/mcp",
      passed: true,
      durationMs: 1_840,
      cases: [
        { id: "initialize", title: "Initializes", category: "lifecycle", status: "passed", durationMs: 31 },
      ],
    },
  ],
};
export const checked = {
  target: { kind: "external", serverUrl: "https://mcp.example.com/mcp" },
  source: "cli",
  requestedSuites: ["protocol"],
};
export const blueprint =
  "base: debian:13@sha256:abababababababababababababababababababababababababababababababab\ninitialize:\n  - name: tools\n    run: apt-get install -y jq\n";
export const inStock = { toolName: "check_stock", parameters: { bookId: "tin-swallows" } };
export const result = {
  caseTitle: "Finds a book by its subject",
  passed: true,
  durationMs: 2_140,
  model: "gpt-5-mini",
  provider: "openai",
  actualToolCalls: [{ toolName: "search_books", arguments: { query: "harbour" } }],
};

export const made = {
  client: {
    operation: "createClient",
    set: "NEW_CLIENT_ID",
    field: "id",
    body: { name: throwaway, config: { modelId: "fettle/rules-1", serverIds: ["$SERVER_ID"] } },
  },
  clientConfig: {
    operation: "getClient",
    set: "NEW_CONFIG_ID",
    field: "configId",
    path: { client: "$NEW_CLIENT_ID" },
  },
  environment: {
    operation: "createEnvironment",
    set: "NEW_ENVIRONMENT_ID",
    field: "id",
    body: { name: throwaway, hostId: "$CLIENT_ID" },
  },
  /** One of nobody else, whatever was tried before. */
  adhoc: {
    operation: "ensureAdhocEnvironment",
    set: "NEW_ENVIRONMENT_ID",
    field: "id",
    body: { hostId: "$NEW_CLIENT_ID" },
  },
  image: {
    operation: "createSandboxImage",
    set: "NEW_IMAGE_ID",
    field: "id",
    body: { name: throwaway, blueprint },
  },
  server: {
    operation: "createProjectServer",
    set: "NEW_SERVER_ID",
    field: "id",
    body: { name: throwaway, transportType: "http", url: "https://mcp.example.com/mcp" },
  },
  suite: {
    operation: "createEvalSuite",
    set: "NEW_SUITE_ID",
    field: "suiteId",
    body: {
      name: throwaway,
      serverIds: ["$SERVER_ID"],
      model: "fettle/rules-1",
      tests: [asks("Searches the catalogue")],
    },
  },
  evalCase: {
    operation: "createEvalCase",
    set: "NEW_CASE_ID",
    field: "id",
    body: asks(throwaway, "tin"),
  },
  startedRun: {
    operation: "createEvalRun",
    set: "NEW_EVAL_RUN_ID",
    field: "runId",
    body: { suiteId: "$SUITE_ID" },
  },
  reportedRun: {
    operation: "reportEvalRun",
    set: "NEW_EVAL_RUN_ID",
    field: "runId",
    body: { suiteName: "Reported from CI", results: [result] },
  },
  openReport: {
    operation: "startEvalIngestRun",
    set: "NEW_EVAL_RUN_ID",
    field: "runId",
    body: { suiteName: "Reported from CI", expectedIterations: 1 },
  },
  failedRun: {
    operation: "reportEvalRun",
    set: "NEW_EVAL_RUN_ID",
    field: "runId",
    body: { suiteName: "Reported $RANDOM", results: [{ ...result, passed: false }] },
  },
  reportedConformance: {
    operation: "reportConformanceRun",
    set: "NEW_CONFORMANCE_RUN_ID",
    field: "runId",
    body: { schemaVersion: 1, ...checked, reports: { protocol: report } },
  },
  openConformance: {
    operation: "startConformanceIngestRun",
    set: "NEW_CONFORMANCE_RUN_ID",
    field: "runId",
    body: checked,
  },
  heldConformance: {
    operation: "upsertConformanceIngestReport",
    body: { runId: "$NEW_CONFORMANCE_RUN_ID", suiteKind: "protocol", report },
  },
  connection: {
    operation: "createServerConnection",
    set: "NEW_CONNECTION_ID",
    field: "connectionRequestId",
    body: { url: "https://mcp.example.com/$RANDOM/mcp", projectId: "$PROJECT_ID" },
  },
  project: {
    operation: "createProject",
    set: "NEW_PROJECT_ID",
    field: "id",
    body: { name: throwaway, organizationId: "$ORGANIZATION_ID" },
  },
  tunnel: {
    operation: "createTunnel",
    set: "NEW_SERVER_ID",
    field: "serverId",
    body: { name: throwaway },
  },
  chat: {
    operation: "sendChatMessage",
    set: "NEW_CHAT_SESSION_ID",
    field: "sessionId",
    body: {
      projectId: "$PROJECT_ID",
      serverIds: ["$SERVER_ID"],
      modelId: "fettle/rules-1",
      message: 'Search books for "tin"',
      idempotencyKey: "try-$RANDOM",
    },
  },
  persona: {
    operation: "createPersona",
    set: "NEW_PERSONA_ID",
    field: "id",
    body: { name: throwaway, role: "Looks for a present" },
  },
  swarm: {
    operation: "createSwarm",
    set: "NEW_SWARM_ID",
    field: "id",
    body: { name: throwaway, environmentIds: ["$ENVIRONMENT_ID"], ...budget },
  },
  journey: {
    operation: "createJourney",
    set: "NEW_JOURNEY_ID",
    field: "id",
    body: {
      name: throwaway,
      goal: 'Search books about "harbour"',
      personaId: "$PERSONA_ID",
      environmentIds: ["$ENVIRONMENT_ID"],
      ...budget,
    },
  },
  journeyRun: {
    operation: "launchJourneyRun",
    set: "NEW_JOURNEY_RUN_ID",
    field: "id",
    path: { journeyId: "$NEW_JOURNEY_ID" },
    body: {},
  },
  canceledJourneyRun: { operation: "cancelJourneyRun", path: { runId: "$NEW_JOURNEY_RUN_ID" } },
  calibration: {
    operation: "createCalibration",
    set: "NEW_CALIBRATION_ID",
    field: "id",
    body: { scenarioId: "$SCENARIO_ID" },
  },
  scenario: {
    operation: "publishScenario",
    set: "NEW_SCENARIO_ID",
    field: "id",
    path: { environmentId: "$NEW_ENVIRONMENT_ID" },
    body: { name: "Try the desk", mode: "invited_only" },
  },
  member: {
    operation: "upsertScenarioMember",
    path: { scenarioId: "$NEW_SCENARIO_ID" },
    body: { email: "ana@example.com", sendInviteEmail: false },
  },
  readiness: {
    operation: "startDirectoryAReadinessRun",
    set: "NEW_READINESS_RUN_ID",
    field: "runId",
    body: {},
  },
  canceledReadiness: { operation: "cancelReadinessRun", path: { runId: "$NEW_READINESS_RUN_ID" } },
  savedCall: {
    operation: "createSavedCall",
    set: "NEW_SAVED_CALL_ID",
    field: "id",
    body: { name: throwaway, kind: "tool", subject: "check_stock", parameters: inStock.parameters },
  },
  webhook: {
    operation: "createWebhook",
    set: "NEW_WEBHOOK_ID",
    field: "id",
    body: { name: throwaway, url: "https://ci.example.com/fettle", events: ["eval_run.ended"] },
  },
  delivery: {
    operation: "testWebhook",
    set: "NEW_DELIVERY_ID",
    field: "id",
    path: { webhookId: "$NEW_WEBHOOK_ID" },
  },
  waiver: {
    operation: "createGateWaiver",
    set: "NEW_WAIVER_ID",
    field: "id",
    path: { runId: "$NEW_EVAL_RUN_ID" },
    body: { reason: "Known, fixed in the next release", expiresAt: "$IN_AN_HOUR" },
  },
} as const satisfies Record<string, Step>;
