/** @module Every operation of the service, by id, in the order of the tags. */
import * as agent from "./operations/agent.ts";
import * as appAccount from "./operations/app/account.ts";
import * as appAgent from "./operations/app/agent.ts";
import * as appChat from "./operations/app/chat.ts";
import * as appCompat from "./operations/app/compat.ts";
import * as appComputer from "./operations/app/computer.ts";
import * as appConformance from "./operations/app/conformance.ts";
import * as appEvals from "./operations/app/evals.ts";
import * as appFindings from "./operations/app/findings.ts";
import * as appModels from "./operations/app/models.ts";
import * as appOrganization from "./operations/app/organization.ts";
import * as appPlugins from "./operations/app/plugins.ts";
import * as appProject from "./operations/app/project.ts";
import * as appRegistry from "./operations/app/registry.ts";
import * as appServerAsks from "./operations/app/server-asks.ts";
import * as appServerConnection from "./operations/app/server-connection.ts";
import * as appServerSignIn from "./operations/app/server-sign-in.ts";
import * as appSession from "./operations/app/session.ts";
import * as appSkills from "./operations/app/skills.ts";
import * as appSwarms from "./operations/app/swarms.ts";
import * as appTunnels from "./operations/app/tunnels.ts";
import * as appUserTesting from "./operations/app/user-testing.ts";
import * as appVisits from "./operations/app/visits.ts";
import * as appWidgets from "./operations/app/widgets.ts";
import * as calibrations from "./operations/calibrations.ts";
import * as caseOfCall from "./operations/case-of-call.ts";
import * as catalog from "./operations/catalog.ts";
import * as clients from "./operations/clients.ts";
import * as conformanceRuns from "./operations/conformance-runs.ts";
import * as directoryReadiness from "./operations/directory-readiness.ts";
import * as environments from "./operations/environments.ts";
import * as evalIngest from "./operations/eval-ingest.ts";
import * as evalInsights from "./operations/eval-insights.ts";
import * as evalRuns from "./operations/eval-runs.ts";
import * as evalSuites from "./operations/eval-suites.ts";
import * as execution from "./operations/execution.ts";
import * as serverExport from "./operations/export.ts";
import * as models from "./operations/models.ts";
import * as notices from "./operations/notices.ts";
import * as oauth from "./operations/oauth.ts";
import * as plugins from "./operations/plugins.ts";
import * as primitives from "./operations/primitives.ts";
import * as registry from "./operations/registry.ts";
import * as sandboxImages from "./operations/sandbox-images.ts";
import * as scenarios from "./operations/scenarios.ts";
import * as serverConnections from "./operations/server-connections.ts";
import * as serverDiagnostics from "./operations/server-diagnostics.ts";
import * as serverHistory from "./operations/server-history.ts";
import * as skills from "./operations/skills.ts";
import * as swarmInsights from "./operations/swarm-insights.ts";
import * as swarmRuns from "./operations/swarm-runs.ts";
import * as swarms from "./operations/swarms.ts";
import * as tunnels from "./operations/tunnels.ts";
import * as userTesting from "./operations/user-testing.ts";

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

export type Operations = typeof operations;
export type OperationId = keyof Operations;
