export { type AppsCategory, appsCategories } from "./apps/apps-check.ts";
export type { BootWidgets, SeenBoot, WidgetToBoot } from "./apps/observe-apps.ts";
export {
  type AppsOptions,
  type AppsReport,
  appsClientCapabilities,
  runApps,
} from "./apps/run-apps.ts";
export { toolUiOf } from "./apps/tool-ui.ts";
export {
  type CompatFinding,
  type CompatFindingCode,
  type CompatJudgement,
  type CompatVerdict,
  compatVerdicts,
  type HostVerdict,
  type UnknownDimension,
} from "./compat/compat-report.ts";
export { factsOf, type HostFacts } from "./compat/host-facts.ts";
export { judgeCompat } from "./compat/judge-compat.ts";
export { type CompatLook, type CompatObservations, observeCompat } from "./compat/observe-compat.ts";
export { refusedNames } from "./compat/server-rules.ts";
export { compatWithoutSecrets } from "./compat/without-secrets.ts";
export { doctor } from "./diagnostics/doctor.ts";
export type {
  DoctorObservations,
  ObservedConnection,
  ObservedList,
} from "./diagnostics/doctor-observations.ts";
export {
  type DoctorCheck,
  type DoctorCheckName,
  type DoctorFinding,
  type DoctorFindingCode,
  type DoctorReport,
  type DoctorStatus,
  doctorChecks,
} from "./diagnostics/doctor-report.ts";
export { judgeDoctor } from "./diagnostics/doctor-verdict.ts";
export { type DoctorOptions, examine } from "./diagnostics/examine.ts";
export {
  readServer,
  type ServerContents,
  type ServerExport,
  type ServerSnapshot,
  toExport,
  toSnapshot,
} from "./diagnostics/export-server.ts";
export { type InitInfo, initInfoOf } from "./diagnostics/init-info.ts";
export { type ProbeOptions, probe } from "./diagnostics/probe.ts";
export type { ProbeAttempt, ProbeOauth, ProbeReport, ProbeStatus } from "./diagnostics/probe-report.ts";
export {
  type DoctorTarget,
  type HeldCredentials,
  targetFacts,
} from "./diagnostics/target-facts.ts";
export { type ResultFault, resultReason, toolResultFaults } from "./diagnostics/tool-result.ts";
export { toolsMetadataOf } from "./diagnostics/tools-metadata.ts";
export { type ExplainedCheck, explainableIds, explainCheck } from "./explain/explain-check.ts";
export {
  judgeSignIn,
  type SignInStage,
  type SignInVerdict,
} from "./oauth/judge-sign-in.ts";
export {
  type LabelledReport,
  type OauthReport,
  type OauthStep,
  type OauthSuiteResult,
  oauthSuiteReportOf,
  oauthSuiteResultOf,
} from "./oauth/oauth-report.ts";
export { type OauthRun, type OauthRunOptions, unstartedOauth } from "./oauth/run-oauth.ts";
export { protocolAdvice } from "./protocol/advice/advice.ts";
export { madeArguments } from "./protocol/calls/made-arguments.ts";
export { readOnlyCalls } from "./protocol/calls/observe.ts";
export { type ContentVerdict, judgeContent } from "./protocol/calls/output-schema.ts";
export type { Fixtures } from "./protocol/fixtures.ts";
export { type ProtocolCategory, protocolCategories } from "./protocol/protocol-check.ts";
export type { ProtocolReport } from "./protocol/protocol-report.ts";
export {
  type ProtocolSuiteResult,
  type ProtocolSuiteRun,
  protocolSuiteReportOfAll,
  runProtocolSuite,
} from "./protocol/protocol-suite.ts";
export { type ProtocolOptions, runProtocol } from "./protocol/run-protocol.ts";
export type { LaneCoverage, LaneGrade } from "./readiness/algebra.ts";
export { authorizationRequestsOf } from "./readiness/authorization-requests.ts";
export type {
  AuthorizationRequest,
  ReadinessEvidence,
  ReadinessInput,
  ServerEvidence,
} from "./readiness/evidence.ts";
export type { ReadinessBadge, ReadinessFinding } from "./readiness/finding.ts";
export { gatherEvidence, wantedBy } from "./readiness/gather.ts";
export { directories, gradeReadiness, type ReadinessReport } from "./readiness/grade.ts";
export {
  type ModelObservation,
  observationTopics,
  withModelFindings,
} from "./readiness/model-findings.ts";
export { observeReadiness, type ReadinessLook, unreachedServer } from "./readiness/observe-readiness.ts";
export { modeParts } from "./readiness/openai/modes.ts";
export type { PackageReading } from "./readiness/package/package-reading.ts";
export { readPicture } from "./readiness/package/picture.ts";
export { readPackage } from "./readiness/package/read-package.ts";
export { type SubmissionProfile, submissionProfileSchema } from "./readiness/submission/profile.ts";
export { toJunitXml } from "./reports/junit-xml.ts";
export { type JsonSummary, type ReportCase, type ReportInput, toJsonSummary } from "./reports/report.ts";
export { toCombinedJunitXml, toSuiteJunitXml } from "./reports/suite-junit-xml.ts";
export { suiteReportOfRun, suites } from "./suites.ts";
export { type ChangeClass, changeClasses, diffSurfaces, type SurfaceChange } from "./surface/diff.ts";
export {
  type DiffClass,
  type DiffFailOn,
  type EntityChange,
  isDiffFailure,
  reportDiff,
  type SurfaceDiff,
} from "./surface/diff-report.ts";
export {
  type LockReading,
  readLock,
  type SurfaceLock,
  skippedSections,
  writeLock,
} from "./surface/lock-file.ts";
export { compareSchemas, type SchemaChange, type Shift } from "./surface/schema-change.ts";
export {
  readSurface,
  type Surface,
  type SurfaceSection,
  surfaceOf,
  surfaceSections,
} from "./surface/surface.ts";
export { comparable, type FiledSurface, readSurfaceFile } from "./surface/surface-file.ts";
export type { TasksOptions, TasksReport } from "./tasks/run-tasks.ts";
export { type TasksCategory, tasksCategories } from "./tasks/tasks-check.ts";
export { type HostCost, type ToolCost, toolCosts } from "./tool-cost/cost.ts";
export {
  type Advice,
  type CheckResult,
  type CheckStatus,
  couldNotRun,
  failed,
  notApplicable,
  passed,
  type SkipReason,
  type Verdict,
} from "./verdict/check-result.ts";
export { type CombinedReport, combinedReportOf } from "./verdict/combined-report.ts";
export { type Outage, type UnstartedRun, unstartedRunOf } from "./verdict/outage.ts";
export { isPending, type Profile, type ProfileStamp, type StampFacts, stampOf } from "./verdict/profile.ts";
export { requiring, unmetIn } from "./verdict/requirement.ts";
export type { Finding, Rule } from "./verdict/rule.ts";
export { type NamedRun, type RunReport, suiteReportOf } from "./verdict/run-report.ts";
export {
  type Counts,
  countOf,
  isNothingToTest,
  type Outcome,
  outcomeOf,
  pooledConformanceScore,
  type Score,
  scoreOf,
} from "./verdict/score.ts";
export {
  type SuiteCase,
  type SuiteGroup,
  type SuiteKind,
  type SuiteReport,
  summaryOf,
} from "./verdict/suite-report.ts";
export { turnedChecks } from "./verdict/turned-checks.ts";
export { judgeInputSchemas } from "./wire/schema-rules.ts";
export type { WireRule } from "./wire/wire-rule.ts";
export {
  judgeWire,
  type Purpose,
  type Severity,
  severityFor,
  type WireFacts,
  type WireFault,
  wireRules,
} from "./wire/wire-rules.ts";
