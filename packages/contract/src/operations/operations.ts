/** @module Every operation of the service, by id, in the order of the tags. */
import * as agent from "../agent/operations/agent.ts";
import * as appAgent from "../agent/operations/app/agent.ts";
import * as appPlugins from "../environments/operations/app/plugins.ts";
import * as appSkills from "../environments/operations/app/skills.ts";
import * as clients from "../environments/operations/clients.ts";
import * as environments from "../environments/operations/environments.ts";
import * as plugins from "../environments/operations/plugins.ts";
import * as skills from "../environments/operations/skills.ts";
import * as appEvals from "../evals/operations/app/evals.ts";
import * as caseOfCall from "../evals/operations/case-of-call.ts";
import * as evalIngest from "../evals/operations/eval-ingest.ts";
import * as evalInsights from "../evals/operations/eval-insights.ts";
import * as evalRuns from "../evals/operations/eval-runs.ts";
import * as evalSuites from "../evals/operations/eval-suites.ts";
import * as appFindings from "../insights/operations/app/findings.ts";
import * as appModels from "../models/operations/app/models.ts";
import * as models from "../models/operations/models.ts";
import * as notices from "../notices/operations/notices.ts";
import * as appAccount from "../people/operations/app/account.ts";
import * as appOrganization from "../people/operations/app/organization.ts";
import * as appProject from "../people/operations/app/project.ts";
import * as appSession from "../people/operations/app/session.ts";
import * as appComputer from "../sandboxes/operations/app/computer.ts";
import * as sandboxImages from "../sandboxes/operations/sandbox-images.ts";
import * as appCompat from "../servers/operations/app/compat.ts";
import * as appConformance from "../servers/operations/app/conformance.ts";
import * as appRegistry from "../servers/operations/app/registry.ts";
import * as appServerAsks from "../servers/operations/app/server-asks.ts";
import * as appServerConnection from "../servers/operations/app/server-connection.ts";
import * as appServerSignIn from "../servers/operations/app/server-sign-in.ts";
import * as appTunnels from "../servers/operations/app/tunnels.ts";
import * as conformanceRuns from "../servers/operations/conformance-runs.ts";
import * as directoryReadiness from "../servers/operations/directory-readiness.ts";
import * as execution from "../servers/operations/execution.ts";
import * as serverExport from "../servers/operations/export.ts";
import * as oauth from "../servers/operations/oauth.ts";
import * as primitives from "../servers/operations/primitives.ts";
import * as registry from "../servers/operations/registry.ts";
import * as serverConnections from "../servers/operations/server-connections.ts";
import * as serverDiagnostics from "../servers/operations/server-diagnostics.ts";
import * as serverHistory from "../servers/operations/server-history.ts";
import * as tunnels from "../servers/operations/tunnels.ts";
import * as appChat from "../visitors/operations/app/chat.ts";
import * as appSwarms from "../visitors/operations/app/swarms.ts";
import * as appUserTesting from "../visitors/operations/app/user-testing.ts";
import * as appVisits from "../visitors/operations/app/visits.ts";
import * as calibrations from "../visitors/operations/calibrations.ts";
import * as chatSessions from "../visitors/operations/chat-sessions.ts";
import * as scenarios from "../visitors/operations/scenarios.ts";
import * as swarmInsights from "../visitors/operations/swarm-insights.ts";
import * as swarmRuns from "../visitors/operations/swarm-runs.ts";
import * as swarms from "../visitors/operations/swarms.ts";
import * as userTesting from "../visitors/operations/user-testing.ts";
import * as appWidgets from "../widgets/operations/app/widgets.ts";
import * as catalog from "./catalog.ts";

export const operations = {
  ...clients,
  ...environments,
  ...plugins,
  ...skills,
  ...sandboxImages,
  ...serverDiagnostics,
  ...primitives,
  ...serverExport,
  ...execution,
  ...evalSuites,
  ...evalRuns,
  ...evalInsights,
  ...evalIngest,
  ...conformanceRuns,
  ...serverConnections,
  ...oauth,
  ...scenarios,
  ...catalog,
  ...chatSessions,
  ...models,
  ...tunnels,
  ...agent,
  ...swarms,
  ...swarmRuns,
  ...swarmInsights,
  ...calibrations,
  ...userTesting,
  ...directoryReadiness,
  ...registry,
  ...serverHistory,
  ...caseOfCall,
  ...notices,
  ...appSession,
  ...appAccount,
  ...appOrganization,
  ...appModels,
  ...appRegistry,
  ...appProject,
  ...appSkills,
  ...appEvals,
  ...appFindings,
  ...appSwarms,
  ...appPlugins,
  ...appServerConnection,
  ...appServerSignIn,
  ...appTunnels,
  ...appComputer,
  ...appConformance,
  ...appChat,
  ...appAgent,
  ...appServerAsks,
  ...appCompat,
  ...appWidgets,
  ...appUserTesting,
  ...appVisits,
};

/** The same by the file that declares them, for the generated table that says where each is. */
export const operationModules = {
  agent,
  appAgent,
  appPlugins,
  appSkills,
  clients,
  environments,
  plugins,
  skills,
  appEvals,
  caseOfCall,
  evalIngest,
  evalInsights,
  evalRuns,
  evalSuites,
  appFindings,
  appModels,
  models,
  notices,
  appAccount,
  appOrganization,
  appProject,
  appSession,
  appComputer,
  sandboxImages,
  appCompat,
  appConformance,
  appRegistry,
  appServerAsks,
  appServerConnection,
  appServerSignIn,
  appTunnels,
  conformanceRuns,
  directoryReadiness,
  execution,
  serverExport,
  oauth,
  primitives,
  registry,
  serverConnections,
  serverDiagnostics,
  serverHistory,
  tunnels,
  appChat,
  appSwarms,
  appUserTesting,
  appVisits,
  calibrations,
  chatSessions,
  scenarios,
  swarmInsights,
  swarmRuns,
  swarms,
  userTesting,
  appWidgets,
  catalog,
};

export type OperationModule = keyof typeof operationModules;
export type Operations = typeof operations;
export type OperationId = keyof Operations;
