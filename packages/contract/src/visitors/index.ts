export {
  type AttendedTurnRequest,
  type ChatMessage,
  type ChatSession,
  type ChatSessionDetail,
  type ChatSessionPromoted,
  type ChatSessionPromoteRequest,
  type ChatSessionTrace,
  type ChatSessionUpdateRequest,
  type ChatToolCall,
  type ChatTurn,
  type ChatTurnRecord,
  type ChatTurnRequest,
  type ChatTurnWire,
  type SessionSummary,
  settledTurnFields,
} from "./chat/chat.ts";
export {
  type SessionOrigin,
  type SessionSource,
  searchScopes,
  sessionOrigins,
  sessionSources,
  sessionStatuses,
  sessionVisibilities,
  type TurnRefusal,
  type TurnState,
  turnRefusals,
} from "./chat/words.ts";
export type {
  Calibration,
  CalibrationCreateRequest,
  CalibrationEstimate,
  CalibrationReport,
  CalibrationSource,
  RunCalibration,
} from "./swarms/calibration.ts";
export type { GenerationDrafts, JourneyGenerateRequest, PersonaGenerateRequest } from "./swarms/drafts.ts";
export type {
  Journey,
  JourneyCreateRequest,
  JourneyUpdateRequest,
  RubricCriterion,
} from "./swarms/journey.ts";
export type {
  GoalGrade,
  GoalRollup,
  JourneyRun,
  JourneyRunAttempt,
  JourneyRunCanceled,
  JourneyRunDetail,
  JourneyRunEstimate,
  JourneyRunLaunched,
  JourneyRunLaunchRequest,
  JourneyRunSession,
  JourneyRunSessionDetail,
  SessionGrading,
} from "./swarms/journey-run.ts";
export { type JourneyRunTold, journeyRunEvents } from "./swarms/journey-run-events.ts";
export { swarmLimits } from "./swarms/limits.ts";
export type { SwarmMatrix } from "./swarms/matrix.ts";
export type { SwarmOverview, SwarmOverviewRun } from "./swarms/overview.ts";
export type { Persona, PersonaCreateRequest, PersonaUpdateRequest } from "./swarms/persona.ts";
export type { FindingDismissed, RunScorecard } from "./swarms/scorecard.ts";
export type { Swarm, SwarmCreateRequest, SwarmUpdateRequest } from "./swarms/swarm.ts";
export type {
  WaveBaseline,
  WaveInsights,
  WaveInsightsCanceled,
  WaveInsightsRequested,
  WavePath,
} from "./swarms/wave-insights.ts";
export {
  type AttemptState,
  attemptStates,
  type CalibrationMeasure,
  type CalibrationSet,
  calibrationMeasures,
  calibrationSets,
  calibrationStates,
  gradingStates,
  type JourneyRunStatus,
  journeyEnds,
  journeyRunDisplays,
  journeyRunStatuses,
  type PersonaDriver,
  personaDrivers,
  personaSources,
} from "./swarms/words.ts";
export type {
  ScenarioFindingDismissed,
  ScenarioInsightsCanceled,
  ScenarioInsightsRequested,
  ScenarioSignals,
  ScenarioWindowInsights,
} from "./user-testing/insights.ts";
export {
  GuestExecution,
  type ProjectScenario,
  Scenario,
  type ScenarioDetail,
  type ScenarioMember,
  type ScenarioPublishRequest,
  type ScenarioUpdateRequest,
  type UserTestingScenario,
  UserTestingScenarioDetail,
} from "./user-testing/scenario.ts";
export type {
  ScenarioMetrics,
  ScenarioUsage,
  UserTestingSession,
  UserTestingSessionDetail,
  UserTestingSessionQuery,
} from "./user-testing/sessions.ts";
export type {
  Visit,
  VisitFeedbackRequest,
  VisitMessage,
  VisitSession,
  VisitTold,
  VisitTurnRequest,
  VisitWidget,
  VisitWidgetAsk,
} from "./user-testing/visit.ts";
export {
  type FeedbackStyle,
  feedbackStyles,
  isBadRating,
  linkInvalid,
  type Population,
  populations,
  ratingText,
  type ScenarioMode,
  type SessionEnd,
  scenarioModes,
  sessionEnds,
  type VisitRefusal,
  visitRefusals,
} from "./user-testing/words.ts";
