export { minerVersion } from "./detectors/registry.ts";
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
export { type ModelItem, type ModelTexts, withModelTexts } from "./findings/model-texts.ts";
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
