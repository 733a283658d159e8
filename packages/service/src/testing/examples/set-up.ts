/** @module What every example counts on. */
import { inStock, made } from "./made.ts";
import type { Step } from "./step.ts";

/** Pasted once before any example. What is not in the sample project yet is made; what examples made is passed over by its name. */
export const setUp: readonly Step[] = [
  { operation: "listProjects", set: "PROJECT_ID", field: "id", called: "Sample shop" },
  { operation: "listOrganizations", set: "ORGANIZATION_ID", field: "id" },
  { operation: "listProjectServers", set: "SERVER_ID", field: "id", called: "Bookshop" },
  { operation: "listClients", set: "CLIENT_ID", field: "id", called: "Shop assistant" },
  { operation: "listEnvironments", set: "ENVIRONMENT_ID", field: "id" },
  { operation: "listEvalSuites", set: "SUITE_ID", field: "id", called: "Bookshop desk" },
  { operation: "listEvalCases", set: "CASE_ID", field: "id" },
  { operation: "listEvalRuns", query: { suiteId: "$SUITE_ID" }, set: "EVAL_RUN_ID", field: "id" },
  { operation: "listEvalRunIterations", set: "ITERATION_ID", field: "id" },
  { operation: "listPersonas", set: "PERSONA_ID", field: "id", called: "Tom" },
  { operation: "listSwarms", set: "SWARM_ID", field: "id", called: "Bookshop visitors (sample)" },
  { operation: "listJourneys", set: "JOURNEY_ID", field: "id", called: "Find the way to a book" },
  { operation: "listJourneyRuns", set: "JOURNEY_RUN_ID", field: "id" },
  { operation: "listJourneyRuns", set: "WAVE_ID", field: "waveId" },
  { operation: "listJourneyRunSessions", set: "SESSION_KEY", field: "id" },
  { operation: "listSwarmFindings", set: "FINDING_ID", field: "id" },
  { operation: "listScenarios", set: "SCENARIO_ID", field: "id", called: "Ask the bookshop (sample)" },
  { operation: "listUserTestingSessions", set: "VISIT_ID", field: "id" },
  { operation: "listUserTestingFindings", set: "VISIT_FINDING_ID", field: "id" },
  { operation: "getUserTestingSignals", set: "WINDOW_ID", field: "windowId" },
  { operation: "listProjectSkills", set: "SKILL_ID", field: "id" },
  { operation: "listProjectPlugins", set: "PLUGIN_VERSION_ID", field: "activeVersionId" },
  { operation: "searchRegistryDirectory", set: "DIRECTORY_SERVER_ID", field: "id" },
  { operation: "listRegistryServers", set: "REGISTRY_SERVER_ID", field: "id" },
  { operation: "callTool", body: inStock },
  { operation: "listServerHistory", query: { kind: "tool" }, set: "HISTORY_ENTRY_ID", field: "id" },
  { ...made.chat, set: "CHAT_SESSION_ID" },
  {
    operation: "startConformanceRun",
    body: { suites: ["protocol"] },
    set: "CONFORMANCE_RUN_ID",
    field: "runId",
  },
  { ...made.readiness, set: "READINESS_RUN_ID" },
];
