/**
 * @module An operation with its schemas, from the file that declares it. Making the schemas of all operations takes longer than
 * everything else that a service does before its first request, so each file is loaded when one of its operations is asked for.
 */
import { moduleOfOperation } from "../../generated/operation-table.ts";
import type { OperationDeclaration } from "../core/operation.ts";
import type { OperationId, OperationModule } from "./operations.ts";

const modules: Record<OperationModule, () => Promise<object>> = {
  agent: () => import("../agent/operations/agent.ts"),
  appAgent: () => import("../agent/operations/app/agent.ts"),
  appPlugins: () => import("../environments/operations/app/plugins.ts"),
  appSkills: () => import("../environments/operations/app/skills.ts"),
  clients: () => import("../environments/operations/clients.ts"),
  environments: () => import("../environments/operations/environments.ts"),
  plugins: () => import("../environments/operations/plugins.ts"),
  skills: () => import("../environments/operations/skills.ts"),
  appEvals: () => import("../evals/operations/app/evals.ts"),
  caseOfCall: () => import("../evals/operations/case-of-call.ts"),
  evalIngest: () => import("../evals/operations/eval-ingest.ts"),
  evalInsights: () => import("../evals/operations/eval-insights.ts"),
  evalRuns: () => import("../evals/operations/eval-runs.ts"),
  evalSuites: () => import("../evals/operations/eval-suites.ts"),
  appFindings: () => import("../insights/operations/app/findings.ts"),
  appModels: () => import("../models/operations/app/models.ts"),
  models: () => import("../models/operations/models.ts"),
  notices: () => import("../notices/operations/notices.ts"),
  appAccount: () => import("../people/operations/app/account.ts"),
  appOrganization: () => import("../people/operations/app/organization.ts"),
  appProject: () => import("../people/operations/app/project.ts"),
  appSession: () => import("../people/operations/app/session.ts"),
  appComputer: () => import("../sandboxes/operations/app/computer.ts"),
  sandboxImages: () => import("../sandboxes/operations/sandbox-images.ts"),
  appCompat: () => import("../servers/operations/app/compat.ts"),
  appConformance: () => import("../servers/operations/app/conformance.ts"),
  appRegistry: () => import("../servers/operations/app/registry.ts"),
  appServerAsks: () => import("../servers/operations/app/server-asks.ts"),
  appServerConnection: () => import("../servers/operations/app/server-connection.ts"),
  appServerSignIn: () => import("../servers/operations/app/server-sign-in.ts"),
  appTunnels: () => import("../servers/operations/app/tunnels.ts"),
  conformanceRuns: () => import("../servers/operations/conformance-runs.ts"),
  directoryReadiness: () => import("../servers/operations/directory-readiness.ts"),
  execution: () => import("../servers/operations/execution.ts"),
  serverExport: () => import("../servers/operations/export.ts"),
  oauth: () => import("../servers/operations/oauth.ts"),
  primitives: () => import("../servers/operations/primitives.ts"),
  registry: () => import("../servers/operations/registry.ts"),
  serverConnections: () => import("../servers/operations/server-connections.ts"),
  serverDiagnostics: () => import("../servers/operations/server-diagnostics.ts"),
  serverHistory: () => import("../servers/operations/server-history.ts"),
  tunnels: () => import("../servers/operations/tunnels.ts"),
  appChat: () => import("../visitors/operations/app/chat.ts"),
  appSwarms: () => import("../visitors/operations/app/swarms.ts"),
  appUserTesting: () => import("../visitors/operations/app/user-testing.ts"),
  appVisits: () => import("../visitors/operations/app/visits.ts"),
  calibrations: () => import("../visitors/operations/calibrations.ts"),
  chatSessions: () => import("../visitors/operations/chat-sessions.ts"),
  scenarios: () => import("../visitors/operations/scenarios.ts"),
  swarmInsights: () => import("../visitors/operations/swarm-insights.ts"),
  swarmRuns: () => import("../visitors/operations/swarm-runs.ts"),
  swarms: () => import("../visitors/operations/swarms.ts"),
  userTesting: () => import("../visitors/operations/user-testing.ts"),
  appWidgets: () => import("../widgets/operations/app/widgets.ts"),
  catalog: () => import("./catalog.ts"),
};

export async function loadOperation(id: OperationId): Promise<OperationDeclaration> {
  const declared = await modules[moduleOfOperation[id]]();
  // Each file exports its operations by their ids.
  return (declared as Record<string, OperationDeclaration>)[id] as OperationDeclaration;
}
