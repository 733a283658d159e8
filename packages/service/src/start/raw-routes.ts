/** @module Every route that is no contract operation. */

import type { RawRoute } from "../core/routing/raw-route.ts";
import { checkRoutes } from "../evals/checks/webhook.ts";
import { artifactRoutes } from "../evals/ingest/artifacts.ts";
import { documentRoutes } from "../http/documents.ts";
import type { Metrics } from "../http/metrics.ts";
import { pageRoutes } from "../http/pages.ts";
import { probeRoutes, type Readiness } from "../http/probes.ts";
import { cliLoginRoutes } from "../people/accounts/cli-login/routes.ts";
import { serverConnectionRoutes } from "../servers/connections/routes.ts";
import { tunnelRoutes } from "../servers/tunnels/routes.ts";
import { xaaRoutes } from "../servers/xaa/routes.ts";

export function createRawRoutes(parts: {
  readiness: Readiness;
  metrics: Metrics;
  webFolder: string | undefined;
  /** The origin of widgets. */
  frames?: string | undefined;
}): RawRoute[] {
  return [
    ...probeRoutes(parts.readiness, parts.metrics),
    ...documentRoutes,
    ...cliLoginRoutes,
    ...serverConnectionRoutes,
    ...tunnelRoutes,
    ...xaaRoutes,
    ...artifactRoutes,
    ...checkRoutes,
    ...pageRoutes(parts.webFolder, parts.frames),
  ];
}
