/** @module What a test sends to the operations on eval runs; see `operation-inputs.ts`. */
import type { EvalSuiteId } from "@fettle/contract/core";
import type { App } from "../core/app.ts";
import { failedRun, launchRun, waivedRun } from "./eval-suite.ts";
import type { OperationInput } from "./operation-inputs.ts";
import { inProgressTo, type World } from "./world.ts";

type SavedSuite = (world: World, app: App) => Promise<{ suiteId: EvalSuiteId } & Record<string, string>>;

const noFinding = () => ({ familyId: "ste_missing", findingId: "rf_0000000000000000" });
const reported = { suiteName: "Reported", results: [{ caseTitle: "One", passed: true }] };

export function evalRunInputs(savedSuite: SavedSuite) {
  const inSuite =
    (make: (world: World, app: App, suiteId: EvalSuiteId) => Promise<Record<string, string>>) =>
    async (world: World, app: App) =>
      make(world, app, (await savedSuite(world, app)).suiteId);
  return {
    createEvalRun: { params: savedSuite, body: (_, { suiteId }) => ({ suiteId }) },
    estimateEvalRun: { params: savedSuite, body: () => ({}) },
    getEvalSuiteDocument: { params: savedSuite },
    checkEvalSuiteDocument: { params: savedSuite, body: () => ({ text: "cases: []" }) },
    // It began with something else.
    saveEvalSuiteDocument: {
      params: savedSuite,
      body: () => ({ revision: "other", document: {} }),
      passes: 409,
    },
    listEvalRuns: {},
    listEvalSuiteRuns: { params: savedSuite },
    getEvalRun: { params: inSuite(launchRun) },
    listEvalRunIterations: { params: inSuite(launchRun) },
    getEvalRunMatrix: { params: inSuite(launchRun) },
    // It was not played, so there is none.
    getEvalIterationTrace: { params: inSuite(launchRun), passes: 404 },
    getEvalRunSteps: { params: inSuite(launchRun) },
    // No environment of it is attached.
    createEvalRunGroup: {
      params: savedSuite,
      body: (_, { suiteId }) => ({ suiteId, targets: [{ environmentId: "env_missing" }] }),
      passes: 400,
    },
    getEvalRunGroup: { params: () => ({ runGroupId: "rgr_missing" }), passes: 404 },
    // It is the suite's first.
    compareEvalRun: { params: inSuite(launchRun), passes: 404 },
    getEvalRunGate: { params: inSuite(launchRun) },
    getGateWaiver: { params: inSuite(launchRun) },
    createGateWaiver: {
      params: inSuite(failedRun),
      body: () => ({ reason: "Known", expiresAt: Date.now() + 3_600_000 }),
    },
    revokeGateWaiver: { params: inSuite(waivedRun) },
    // It goes on, so that there is nothing to grade yet.
    requestEvalRunJudge: { params: inSuite(launchRun), body: () => ({ enable: true }), passes: 409 },
    // It goes on, so that there is nothing to look at yet, and nothing to cancel.
    requestEvalRunInsights: { params: inSuite(launchRun), body: () => ({}), passes: 409 },
    cancelEvalRunInsights: { params: inSuite(launchRun), passes: 409 },
    listFindings: {},
    getFinding: { params: noFinding, passes: 404 },
    dismissFinding: { params: noFinding, passes: 404 },
    restoreFinding: { params: noFinding, passes: 404 },
    regradeEvalRun: { params: inSuite(failedRun), body: () => ({}) },
    listEvalRunGradings: { params: inSuite(launchRun) },
    reportEvalRun: { body: () => reported },
    startEvalIngestRun: { body: () => ({ suiteName: "Reported" }) },
    // No such run is being reported.
    ingestEvalRunIterations: {
      body: () => ({ runId: "run_missing", results: reported.results }),
      passes: 404,
    },
    finalizeEvalIngestRun: { body: () => ({ runId: "run_missing" }), passes: 404 },
    createEvalIngestUploadUrl: {},
    readEvalArtifact: { params: () => ({ artifactId: "art_missing" }), passes: 404 },
    exportTracesOtlp: {},
    listEvalCheckRepos: {},
    // No code host is set up.
    connectEvalCheckRepo: {
      params: savedSuite,
      body: ({ projectId }, { suiteId }) => ({
        projectId,
        suiteId,
        repo: "acme/shop",
        outagePolicy: "fail_open",
      }),
      passes: 422,
    },
    cancelEvalRun: { params: inSuite(launchRun) },
    // It goes on: whoever may delete it is told to cancel it first.
    deleteEvalRun: { params: inSuite(launchRun), passes: inProgressTo },
  } satisfies Record<string, OperationInput>;
}
