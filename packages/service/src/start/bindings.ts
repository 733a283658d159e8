/** @module Every built operation and the function that answers it. */

import { agentBindings } from "../agent/routes.ts";
import type { Bindings } from "../core/routing/bind.ts";
import { hostCatalogBindings } from "../environments/host-catalog/routes.ts";
import { pluginBindings } from "../environments/plugins/routes.ts";
import { environmentBindings } from "../environments/saved/routes.ts";
import { skillBindings } from "../environments/skills/routes.ts";
import { evalCheckBindings } from "../evals/checks/repos.ts";
import { evalIngestBindings } from "../evals/ingest/routes.ts";
import { evalRunBindings } from "../evals/runs/routes.ts";
import { evalSuiteBindings } from "../evals/suites/routes.ts";
import { traceExportBindings } from "../evals/trace-exports/routes.ts";
import { eventStreamBindings } from "../http/streams/event-stream.ts";
import { findingBindings } from "../insights/routes.ts";
import { modelBindings } from "../models/routes.ts";
import { accountBindings } from "../people/accounts/routes.ts";
import { projectBindings } from "../people/projects/routes.ts";
import { noticeBindings } from "../runs/notices/routes.ts";
import { computerBindings } from "../sandboxes/computers/routes.ts";
import { sandboxImageBindings } from "../sandboxes/images/routes.ts";
import { clientBindings } from "../servers/clients/routes.ts";
import { conformanceBindings } from "../servers/conformance/routes.ts";
import { serverConnectionBindings } from "../servers/connections/routes.ts";
import { serverGroupBindings } from "../servers/groups/routes.ts";
import { serverHistoryBindings } from "../servers/history/routes.ts";
import { attendedBindings } from "../servers/live/attended-routes.ts";
import { liveBindings } from "../servers/live/routes.ts";
import { readinessBindings } from "../servers/readiness/routes.ts";
import { registryBindings } from "../servers/registry/routes.ts";
import { serverBindings } from "../servers/saved/routes.ts";
import { serverSignInBindings } from "../servers/sign-ins/routes.ts";
import { tunnelBindings } from "../servers/tunnels/routes.ts";
import { widgetBindings } from "../servers/widgets/routes.ts";
import { chatBindings } from "../visitors/chat/routes.ts";
import { calibrationBindings } from "../visitors/journey-runs/calibrations/routes.ts";
import { journeyRunBindings } from "../visitors/journey-runs/routes.ts";
import { swarmBindings } from "../visitors/swarms/routes.ts";
import { userTestingBindings } from "../visitors/user-testing/routes.ts";

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
