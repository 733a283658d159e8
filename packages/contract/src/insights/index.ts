export { findingStatuses, ProjectFinding, ProjectFindingDetail } from "./finding.ts";
export {
  ActionableFinding,
  ActionableFindingEvidence,
  findingSeverities,
  InsightScope,
  InsightsEnvelope,
  insightScopeKinds,
} from "./insights.ts";
