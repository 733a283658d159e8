/** @module Operations of the Swarm insights tag: overview, scorecards, and findings over waves. */

import { access, operation } from "../../core/operation.ts";
import { page, pageQuery } from "../../core/page.ts";
import { dismissedFilter } from "../../insights/finding.ts";
import { swarmLimits } from "../swarms/limits.ts";
import { SwarmOverview } from "../swarms/overview.ts";
import { FindingDismissed, RunScorecard, SwarmFinding } from "../swarms/scorecard.ts";
import {
  WaveInsights,
  WaveInsightsCanceled,
  WaveInsightsRequest,
  WaveInsightsRequested,
} from "../swarms/wave-insights.ts";

const tag = "Swarm insights";

export const getSwarmOverview = operation({
  id: "getSwarmOverview",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journeys-overview",
  access: access.project.read,
  summary: "The state of a project's swarms at a glance",
  description: "Reads the state of all journeys and swarms of a project: latest runs, completion, trends.",
  cli: "fettle cloud journeys overview",
  output: SwarmOverview,
  built: true,
});

export const getJourneyRunScorecard = operation({
  id: "getJourneyRunScorecard",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journey-runs/{runId}/scorecard",
  access: access.project.read,
  summary: "The graded checks of a journey run",
  description: "Reads how often each check of a run passed, with confidence intervals.",
  cli: "fettle cloud journeys scorecard",
  output: RunScorecard,
  built: true,
});

export const listSwarmFindings = operation({
  id: "listSwarmFindings",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journey-findings",
  access: access.project.read,
  summary: "List findings across waves",
  description: "Lists problems that were found over waves. A problem keeps its id from wave to wave.",
  cli: "fettle cloud journeys findings",
  query: pageQuery(swarmLimits.listed).extend({ dismissed: dismissedFilter }),
  output: page(SwarmFinding),
  built: true,
});

export const dismissSwarmFinding = operation({
  id: "dismissSwarmFinding",
  tag,
  method: "POST",
  path: "/projects/{projectId}/journey-findings/{findingId}/dismiss",
  access: access.project.read,
  summary: "Dismiss a finding",
  description: "Hides a finding as known or not a problem. It stays hidden when it is found again.",
  effect: "write",
  touches: "everyone",
  cli: "fettle cloud journeys dismiss-finding",
  output: FindingDismissed,
  built: true,
});

export const undismissSwarmFinding = operation({
  id: "undismissSwarmFinding",
  tag,
  method: "POST",
  path: "/projects/{projectId}/journey-findings/{findingId}/undismiss",
  access: access.project.read,
  summary: "Bring a dismissed finding back",
  description: "Shows a dismissed finding again.",
  effect: "write",
  touches: "everyone",
  cli: "fettle cloud journeys undismiss-finding",
  output: FindingDismissed,
  built: true,
});

export const getWaveInsights = operation({
  id: "getWaveInsights",
  tag,
  method: "GET",
  path: "/projects/{projectId}/waves/{waveId}/insights",
  access: access.project.workspaceMember,
  summary: "Read the insights of a wave",
  description: "Reads the findings over all runs of a wave.",
  cli: "fettle cloud journeys insights",
  output: WaveInsights,
  built: true,
});

export const requestWaveInsights = operation({
  id: "requestWaveInsights",
  tag,
  method: "POST",
  path: "/projects/{projectId}/waves/{waveId}/insights",
  access: access.project.workspaceMember,
  summary: "Ask for insights over a wave",
  description:
    "Has a wave looked at for problems. With `force` it is looked at again. Follow it with `getWaveInsights`.",
  cli: "fettle cloud journeys request-insights",
  status: 202,
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: WaveInsightsRequest,
  output: WaveInsightsRequested,
  built: true,
});

export const cancelWaveInsights = operation({
  id: "cancelWaveInsights",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/waves/{waveId}/insights",
  access: access.project.workspaceMember,
  summary: "Cancel insights that are being made; earlier findings stay",
  description:
    "Stops insights that are being made. They read `failed` with the error code `cancelled`; what was found before stays.",
  cli: "fettle cloud journeys cancel-insights",
  errors: ["CONFLICT"],
  output: WaveInsightsCanceled,
  built: true,
});
