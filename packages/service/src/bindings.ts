/** @module Every built operation and the function that answers it. */
import { accountBindings } from "./accounts/routes.ts";
import { agentBindings } from "./agent/routes.ts";
import { chatBindings } from "./chat/routes.ts";
import { clientBindings } from "./clients/routes.ts";
import { computerBindings } from "./computers/routes.ts";
import { conformanceBindings } from "./conformance/routes.ts";
import { environmentBindings } from "./environments/routes.ts";
import { evalCheckBindings } from "./eval-checks/repos.ts";
import { evalIngestBindings } from "./eval-ingest/routes.ts";
import { evalRunBindings } from "./eval-runs/routes.ts";
import { evalSuiteBindings } from "./eval-suites/routes.ts";
import { hostCatalogBindings } from "./host-catalog/routes.ts";
import { eventStreamBindings } from "./http/event-stream.ts";
import { findingBindings } from "./insights/routes.ts";
import { calibrationBindings } from "./journey-runs/calibrations/routes.ts";
import { journeyRunBindings } from "./journey-runs/routes.ts";
import { attendedBindings } from "./live/attended-routes.ts";
import { liveBindings } from "./live/routes.ts";
import { modelBindings } from "./models/routes.ts";
import { noticeBindings } from "./notices/routes.ts";
import { pluginBindings } from "./plugins/routes.ts";
import { projectBindings } from "./projects/routes.ts";
import { readinessBindings } from "./readiness/routes.ts";
import { registryBindings } from "./registry/routes.ts";
import type { Bindings } from "./routing/bind.ts";
import { sandboxImageBindings } from "./sandbox-images/routes.ts";
import { serverConnectionBindings } from "./server-connections/routes.ts";
import { serverGroupBindings } from "./server-groups/routes.ts";
import { serverHistoryBindings } from "./server-history/routes.ts";
import { serverSignInBindings } from "./server-sign-ins/routes.ts";
import { serverBindings } from "./servers/routes.ts";
import { skillBindings } from "./skills/routes.ts";
import { swarmBindings } from "./swarms/routes.ts";
import { traceExportBindings } from "./trace-exports/routes.ts";
import { tunnelBindings } from "./tunnels/routes.ts";
import { userTestingBindings } from "./user-testing/routes.ts";
import { widgetBindings } from "./widgets/routes.ts";

export const bindings: Bindings = {
  ...accountBindings,
  ...projectBindings,
  ...modelBindings,
  ...hostCatalogBindings,
  ...serverBindings,
  ...serverGroupBindings,
  ...clientBindings,
  ...environmentBindings,
  ...computerBindings,
  ...sandboxImageBindings,
  ...skillBindings,
  ...pluginBindings,
  ...liveBindings,
  ...attendedBindings,
  ...widgetBindings,
  ...serverHistoryBindings,
  ...noticeBindings,
  ...conformanceBindings,
  ...readinessBindings,
  ...evalSuiteBindings,
  ...evalRunBindings,
  ...findingBindings,
  ...swarmBindings,
  ...journeyRunBindings,
  ...calibrationBindings,
  ...chatBindings,
  ...agentBindings,
  ...evalIngestBindings,
  ...evalCheckBindings,
  ...serverConnectionBindings,
  ...serverSignInBindings,
  ...eventStreamBindings,
  ...tunnelBindings,
  ...traceExportBindings,
  ...userTestingBindings,
  ...registryBindings,
};
