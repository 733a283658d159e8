/** @module The lists that pages, the command line and programs read, with the filters they read them by. Each is a page of an operation. */
import type { OperationId } from "@fettle/contract/operations";
import type { FilledProject } from "./filled-project.ts";

export interface AskedList {
  operation: OperationId;
  params?: Record<string, string>;
  query?: Record<string, string>;
}

export function askedLists({ projectId, scenarioId, world }: FilledProject): AskedList[] {
  const server = { serverId: "srv_00000002" };
  const run = { runId: "run_00000001" };
  const history = (query: Record<string, string>): AskedList => ({
    operation: "listServerHistory",
    params: server,
    query,
  });
  const iterations = (query: Record<string, string>): AskedList => ({
    operation: "listEvalRunIterations",
    params: run,
    query,
  });
  const visits = (query: Record<string, string>): AskedList => ({
    operation: "listUserTestingSessions",
    params: { scenarioId },
    query,
  });
  const of =
    (operation: OperationId) =>
    (query: Record<string, string>): AskedList => ({ operation, query });
  const [sessions, runs, findings, audit] = [
    of("listSessions"),
    of("listEvalRuns"),
    of("listFindings"),
    of("listAuditLog"),
  ];
  return [
    { operation: "listServerVerdicts" },
    of("listServerVerdicts")(server),
    history({}),
    history({ kind: "tool" }),
    history({ kind: "oauth" }),
    history({ outcome: "failed" }),
    history({ kind: "tool", outcome: "failed" }),
    { operation: "listConformanceRuns" },
    of("listConformanceRuns")(server),
    { operation: "listReadinessRuns" },
    of("listReadinessRuns")(server),
    of("listReadinessRuns")({ readinessKind: "openai" }),
    of("listProjectServers")({ limit: "20" }),
    of("listEvalSuites")({ limit: "50" }),
    { operation: "listEvalCases", params: { suiteId: "ste_00000002" } },
    { operation: "listEvalCases", params: { suiteId: "ste_00000002" }, query: { limit: "5" } },
    { operation: "listEvalSuiteRuns", params: { suiteId: "ste_00000002" } },
    runs({}),
    runs({ suiteId: "ste_00000002" }),
    runs({ status: "failed" }),
    runs({ status: "running" }),
    runs({ commitSha: "c0ffee0" }),
    runs({ runGroupId: "nightly" }),
    iterations({}),
    iterations({ order: "failures" }),
    iterations({ result: "failed" }),
    iterations({ status: "timed_out" }),
    iterations({ caseKey: "case-0" }),
    sessions({}),
    sessions({ sourceType: "direct" }),
    sessions({ sourceType: "eval" }),
    sessions({ sourceType: "swarm" }),
    sessions({ sourceType: "scenario" }),
    sessions({ status: "active" }),
    sessions({ status: "archived" }),
    of("listChatSessions")({}),
    of("listChatSessions")({ projectId }),
    of("listChatSessions")({ projectId, status: "archived" }),
    visits({}),
    visits({ feedback: "any" }),
    visits({ feedback: "negative" }),
    visits({ authType: "signedIn" }),
    visits({ population: "synthetic" }),
    visits({ state: "open" }),
    findings({}),
    findings({ familyId: "ste_00000001" }),
    findings({ status: "regressed" }),
    findings({ severity: "high" }),
    findings({ dismissed: "true" }),
    { operation: "listSwarmFindings" },
    { operation: "listUserTestingFindings", params: { scenarioId } },
    { operation: "listPersonas" },
    { operation: "listSwarms" },
    { operation: "listJourneys" },
    of("listJourneys")({ swarmId: "swm_1" }),
    { operation: "listJourneyRuns", params: { journeyId: "jny_1" } },
    { operation: "listJourneyRuns", params: { journeyId: "jny_n_00000001" } },
    { operation: "listJourneyRunSessions", params: { runId: "jrn_00000001" } },
    { operation: "getSwarmOverview" },
    { operation: "listCalibrations" },
    audit({}),
    audit({ action: "deleteEvalSuite" }),
    audit({ userId: world.people.admin.userId }),
    audit({ projectId }),
    audit({ action: "deleteEvalSuite", projectId }),
    { operation: "listWebhookDeliveries", params: { webhookId: "whk_1" } },
    { operation: "listWebhookDeliveries", params: { webhookId: "whk_1" }, query: { state: "failed" } },
    { operation: "searchRegistryDirectory" },
    { operation: "listScenarios" },
    { operation: "listProjects" },
  ];
}

/** @example nameOf({ operation: "listEvalRuns", query: { status: "failed" } }) // "listEvalRuns status=failed" */
export const nameOf = ({ operation, query = {} }: AskedList): string =>
  [operation, ...Object.entries(query).map(([name, value]) => `${name}=${value}`)].join(" ");
