/** @module What the examples of suites and runs send. */
import { asks, made, result } from "./made.ts";
import type { Recipes } from "./step.ts";

const onNewSuite = { first: [made.suite], path: { suiteId: "$NEW_SUITE_ID" } } as const;
const attached = {
  operation: "attachEvalSuiteEnvironment",
  path: { suiteId: "$NEW_SUITE_ID" },
  body: { environmentId: "$ENVIRONMENT_ID" },
} as const;
const group = { suiteId: "$NEW_SUITE_ID", targets: [{ environmentId: "$ENVIRONMENT_ID" }] };
const onNewRun = { first: [made.startedRun], path: { runId: "$NEW_EVAL_RUN_ID" } } as const;

export const evalRecipes = {
  connectEvalCheckRepo: {
    body: { projectId: "$PROJECT_ID", suiteId: "$SUITE_ID", repo: "acme/shop", outagePolicy: "fail_open" },
    needs: "a code host app (`FETTLE_CHECKS_APP_ID`)",
  },
  reportEvalRun: { body: made.reportedRun.body },
  startEvalIngestRun: { body: made.openReport.body },
  ingestEvalRunIterations: {
    first: [made.openReport],
    body: { runId: "$NEW_EVAL_RUN_ID", results: [result] },
  },
  finalizeEvalIngestRun: {
    first: [
      made.openReport,
      { operation: "ingestEvalRunIterations", body: { runId: "$NEW_EVAL_RUN_ID", results: [result] } },
    ],
    body: { runId: "$NEW_EVAL_RUN_ID" },
  },
  createEvalRunGroup: { first: [made.suite, attached], body: group },
  getEvalRunGroup: {
    first: [
      made.suite,
      attached,
      { operation: "createEvalRunGroup", set: "NEW_RUN_GROUP_ID", field: "runGroupId", body: group },
    ],
    path: { runGroupId: "$NEW_RUN_GROUP_ID" },
  },
  createEvalRun: { body: { suiteId: "$SUITE_ID", notes: "Before the release" } },
  deleteEvalRun: { first: [made.reportedRun], path: { runId: "$NEW_EVAL_RUN_ID" } },
  cancelEvalRun: { ...onNewRun, races: true },
  createGateWaiver: {
    first: [made.failedRun],
    path: { runId: "$NEW_EVAL_RUN_ID" },
    body: made.waiver.body,
  },
  revokeGateWaiver: {
    first: [made.failedRun, made.waiver],
    path: { runId: "$NEW_EVAL_RUN_ID", waiverId: "$NEW_WAIVER_ID" },
  },
  requestEvalRunInsights: { body: { force: true } },
  cancelEvalRunInsights: {
    first: [{ operation: "requestEvalRunInsights", body: { force: true } }],
    races: true,
  },
  requestEvalRunJudge: { body: { enable: true } },
  regradeEvalRun: { body: {} },
  createEvalSuite: {
    body: {
      name: "Opening hours",
      description: "What customers ask most",
      serverIds: ["$SERVER_ID"],
      model: "fettle/rules-1",
      passCriteria: { minimumPassRate: 100 },
      tests: [asks("Searches the catalogue")],
    },
  },
  syncFileOwnedEvalSuite: {
    body: {
      declaredSuiteId: "orders",
      name: "Orders",
      sourceHash: "a".repeat(64),
      environment: { servers: ["$SERVER_ID"] },
      defaultConfig: { modelId: "fettle/rules-1" },
      defaultPassCriteria: { minimumPassRate: 100 },
    },
  },
  updateEvalSuite: { ...onNewSuite, body: { name: "Renamed $RANDOM", tags: ["nightly"] } },
  deleteEvalSuite: onNewSuite,
  createEvalCase: { ...onNewSuite, body: asks("Finds a book by its subject", "tin") },
  createEvalCases: { ...onNewSuite, body: { cases: [asks("Finds a book by its subject", "tin")] } },
  generateEvalCases: { ...onNewSuite, body: { mode: "normal" } },
  updateEvalCase: {
    first: [made.suite, { ...made.evalCase, path: { suiteId: "$NEW_SUITE_ID" } }],
    path: { suiteId: "$NEW_SUITE_ID", caseId: "$NEW_CASE_ID" },
    body: { title: "Finds a book by a word of its title" },
  },
  deleteEvalCase: {
    first: [made.suite, { ...made.evalCase, path: { suiteId: "$NEW_SUITE_ID" } }],
    path: { suiteId: "$NEW_SUITE_ID", caseId: "$NEW_CASE_ID" },
  },
  attachEvalSuiteEnvironment: { ...onNewSuite, body: attached.body },
  updateEvalSuiteSchedule: { ...onNewSuite, body: { enabled: true, intervalMinutes: 1_440 } },
} satisfies Recipes;
