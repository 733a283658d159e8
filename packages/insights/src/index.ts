export { detectors, minerVersion } from "./detectors/registry.ts";
export {
  type Analysis,
  analysisOf,
  envelopeOf,
  type InsightErrorCode,
  type InsightsState,
  insightErrors,
  noAnalysis,
  type ReasonCode,
  reasons,
} from "./envelope/envelope.ts";
export {
  follow,
  type Sighting,
  type SignalRow,
  type SignalStatus,
  signalStatuses,
} from "./envelope/lifecycle.ts";
export { type TrendPoint, type TrendScope, trendOf } from "./envelope/trend.ts";
export { type ErrorClass, type ErrorSaid, errorClasses, errorClassOf } from "./errors/error-class.ts";
export { templateOf, type Vocabulary } from "./errors/template.ts";
export { factsReader, type ReadingOptions } from "./facts/read-unit.ts";
export {
  type CallFacts,
  type Excerpt,
  type ExpectationFacts,
  type Friction,
  factsVersion,
  type SchemaIssue,
  type TurnFacts,
  type UnitFacts,
} from "./facts/unit-facts.ts";
export { findingId, type Remedy } from "./findings/finding-id.ts";
export {
  confidenceOf,
  inOrder,
  type Scored,
  severityOf,
  severityScore,
  type Weighed,
} from "./findings/severity.ts";
export {
  type Mined,
  type MinedSignal,
  type Mining,
  type MiningInput,
  type MiningSetting,
  mine,
  startMining,
} from "./mine.ts";
export type { ServerSnapshot, SnapshotTool } from "./observed/snapshot.ts";
export { selectionThreshold } from "./observed/surface.ts";
export {
  type CallEnd,
  type Named,
  type Unit,
  type UnitCall,
  type UnitCohort,
  type UnitEnd,
  type UnitExpectation,
  type UnitKind,
  type UnitTurn,
  type UnitWidget,
  unitKinds,
} from "./observed/unit.ts";
export { signalFingerprint } from "./signals/fingerprint.ts";
