/** @module Every route that is no contract operation. */
import { cliLoginRoutes } from "./accounts/cli-login/routes.ts";
import { checkRoutes } from "./eval-checks/webhook.ts";
import { artifactRoutes } from "./eval-ingest/artifacts.ts";
import { documentRoutes } from "./http/documents.ts";
import type { Metrics } from "./http/metrics.ts";
import { pageRoutes } from "./http/pages.ts";
import { probeRoutes, type Readiness } from "./http/probes.ts";
import type { RawRoute } from "./routing/raw-route.ts";
import { serverConnectionRoutes } from "./server-connections/routes.ts";
import { tunnelRoutes } from "./tunnels/routes.ts";
import { xaaRoutes } from "./xaa/routes.ts";

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
