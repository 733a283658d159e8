/** @module Every kind of job there is. A family adds its own here. */
import { pruneAccountsJob } from "./accounts/prune.ts";
import { passwordLetterJob } from "./accounts/sign-in/forgotten-password.ts";
import { forgetAgentJob } from "./agent/forget.ts";
import { pruneAuditJob } from "./audit/audit.ts";
import { settleLostTurnsJob } from "./chat/settle-lost.ts";
import { sweepSandboxesJob } from "./computers/sweep.ts";
import { endAbandonedJob } from "./conformance/abandoned.ts";
import { runSuitesJob } from "./conformance/hosted.ts";
import { checkScheduledJob } from "./conformance/schedule.ts";
import { checkCommitJob, tellChecksJob } from "./eval-checks/check-commit.ts";
import { pruneArtifactsJob } from "./eval-ingest/artifacts.ts";
import { endAbandonedRunsJob } from "./eval-runs/abandoned.ts";
import { judgeRunJob } from "./eval-runs/judge/judge-run.ts";
import { playRunJob } from "./eval-runs/play-run.ts";
import { launchScheduledJob } from "./eval-runs/scheduled.ts";
import { pruneEventsJob } from "./events/prune.ts";
import { forgetJob } from "./http/forget.ts";
import { mineScopeJob } from "./insights/mine-scope.ts";
import { pruneInsightsJob } from "./insights/prune.ts";
import type { JobDefinition } from "./jobs/define.ts";
import { pruneJobs } from "./jobs/prune.ts";
import { playCalibrationJob } from "./journey-runs/calibrations/play.ts";
import { endSilentJourneyRunsJob } from "./journey-runs/close.ts";
import { playRunJob as playJourneyRunJob } from "./journey-runs/play-run.ts";
import { sendLetterJob } from "./mail/mail.ts";
import { pruneSpendJob } from "./models/prune.ts";
import { deliverJob } from "./notices/deliver.ts";
import { noticeDroppedJob } from "./notices/dropped-tunnels.ts";
import { pruneNoticesJob, spreadJob } from "./notices/tell.ts";
import { endAbandonedReadinessJob } from "./readiness/end.ts";
import { gradeServerJob } from "./readiness/grade-server.ts";
import { syncRegistriesJob } from "./registry/sync.ts";
import { pruneRunsJob } from "./run-retention/prune.ts";
import { sampleEvalsJob } from "./sample/evals.ts";
import { sampleSwarmJob } from "./sample/swarm.ts";
import { sampleVisitsJob } from "./sample/visits.ts";
import { buildImageJob } from "./sandbox-images/build-job.ts";
import { discoverJob } from "./server-connections/discovery.ts";
import { expireJob } from "./server-connections/expiry.ts";
import { validateJob } from "./server-connections/validation.ts";
import { pruneHistoryJob } from "./server-history/prune.ts";
import { mineWindowsJob } from "./user-testing/insights/windows.ts";
import { endIdleSessionsJob, forgetOldSessionsJob } from "./user-testing/upkeep.ts";

// What goes into each kind is checked by its own schema when it runs.
export const jobDefinitions: readonly JobDefinition[] = [
  pruneJobs,
  pruneEventsJob,
  pruneAccountsJob,
  pruneSpendJob,
  pruneRunsJob,
  discoverJob,
  validateJob,
  expireJob,
  forgetJob,
  forgetAgentJob,
  runSuitesJob,
  endAbandonedJob,
  checkScheduledJob,
  gradeServerJob,
  endAbandonedReadinessJob,
  playRunJob,
  playCalibrationJob,
  judgeRunJob,
  endAbandonedRunsJob,
  launchScheduledJob,
  pruneArtifactsJob,
  checkCommitJob,
  tellChecksJob,
  playJourneyRunJob,
  endSilentJourneyRunsJob,
  sampleEvalsJob,
  sampleVisitsJob,
  sampleSwarmJob,
  mineScopeJob,
  pruneInsightsJob,
  pruneHistoryJob,
  endIdleSessionsJob,
  settleLostTurnsJob,
  forgetOldSessionsJob,
  mineWindowsJob,
  spreadJob,
  deliverJob,
  noticeDroppedJob,
  pruneNoticesJob,
  pruneAuditJob,
  sendLetterJob,
  passwordLetterJob,
  syncRegistriesJob,
  buildImageJob,
  sweepSandboxesJob,
];
