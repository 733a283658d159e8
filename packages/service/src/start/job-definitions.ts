/** @module Every kind of job there is. A family adds its own here. */

import { forgetAgentJob } from "../agent/forget.ts";
import { pruneEventsJob } from "../core/events/prune.ts";
import type { JobDefinition } from "../core/jobs/define.ts";
import { pruneJobs } from "../core/jobs/prune.ts";
import { checkCommitJob, tellChecksJob } from "../evals/checks/check-commit.ts";
import { pruneArtifactsJob } from "../evals/ingest/artifacts.ts";
import { judgeRunJob } from "../evals/runs/judge/judge-run.ts";
import { launchScheduledJob } from "../evals/runs/scheduled.ts";
import { forgetJob } from "../http/forget.ts";
import { mineScopeJob } from "../insights/mine-scope.ts";
import { pruneInsightsJob } from "../insights/prune.ts";
import { pruneSpendJob } from "../models/prune.ts";
import { pruneAccountsJob } from "../people/accounts/prune.ts";
import { passwordLetterJob } from "../people/accounts/sign-in/forgotten-password.ts";
import { pruneAuditJob } from "../people/audit/audit.ts";
import { sendLetterJob } from "../people/mail/mail.ts";
import { endLostRunsJob } from "../runs/life/watchdog.ts";
import { deliverJob } from "../runs/notices/deliver.ts";
import { noticeDroppedJob } from "../runs/notices/dropped-tunnels.ts";
import { pruneNoticesJob, spreadJob } from "../runs/notices/tell.ts";
import { giveBackJob } from "../runs/retention/give-back.ts";
import { pruneRunsJob } from "../runs/retention/prune.ts";
import { sweepSandboxesJob } from "../sandboxes/computers/sweep.ts";
import { checkScheduledJob } from "../servers/conformance/schedule.ts";
import { discoverJob } from "../servers/connections/discovery.ts";
import { expireJob } from "../servers/connections/expiry.ts";
import { validateJob } from "../servers/connections/validation.ts";
import { pruneHistoryJob } from "../servers/history/prune.ts";
import { syncRegistriesJob } from "../servers/registry/sync.ts";
import { settleLostTurnsJob } from "../visitors/chat/settle-lost.ts";
import { mineWindowsJob } from "../visitors/user-testing/insights/windows.ts";
import { endIdleSessionsJob, forgetOldSessionsJob } from "../visitors/user-testing/upkeep.ts";
import { runKinds } from "./run-kinds.ts";
import { sampleEvalsJob } from "./sample/evals.ts";
import { sampleShelfJob } from "./sample/shelf.ts";
import { sampleSwarmJob } from "./sample/swarm.ts";
import { sampleVisitsJob } from "./sample/visits.ts";

// What goes into each kind is checked by its own schema when it runs.
export const jobDefinitions: readonly JobDefinition[] = [
  ...runKinds.flatMap(({ kind, job }) => [job, endLostRunsJob(kind)]),
  pruneJobs,
  pruneEventsJob,
  pruneAccountsJob,
  pruneSpendJob,
  giveBackJob,
  pruneRunsJob(runKinds.map(({ kind }) => kind)),
  discoverJob,
  validateJob,
  expireJob,
  forgetJob,
  forgetAgentJob,
  checkScheduledJob,
  judgeRunJob,
  launchScheduledJob,
  pruneArtifactsJob,
  checkCommitJob,
  tellChecksJob,
  sampleEvalsJob,
  sampleVisitsJob,
  sampleSwarmJob,
  sampleShelfJob,
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
  sweepSandboxesJob,
];
