/** @module Every kind of run there is, with the job that makes one. A family adds its own here. */

import type { JobDefinition } from "../core/jobs/define.ts";
import { evalRunKind } from "../evals/runs/kind.ts";
import { playRunJob as playEvalRunJob } from "../evals/runs/play-run.ts";
import type { RunKind } from "../runs/life/kind.ts";
import { buildImageJob } from "../sandboxes/images/build-job.ts";
import { imageBuildKind } from "../sandboxes/images/kind.ts";
import { runSuitesJob } from "../servers/conformance/hosted.ts";
import { conformanceRunKind } from "../servers/conformance/kind.ts";
import { gradeServerJob } from "../servers/readiness/grade-server.ts";
import { readinessRunKind } from "../servers/readiness/kind.ts";
import { calibrationKind } from "../visitors/journey-runs/calibrations/kind.ts";
import { playCalibrationJob } from "../visitors/journey-runs/calibrations/play.ts";
import { journeyRunKind } from "../visitors/journey-runs/kind.ts";
import { playRunJob as playJourneyRunJob } from "../visitors/journey-runs/play-run.ts";

export const runKinds: readonly { kind: RunKind; job: JobDefinition }[] = [
  { kind: evalRunKind, job: playEvalRunJob },
  { kind: conformanceRunKind, job: runSuitesJob },
  { kind: imageBuildKind, job: buildImageJob },
  { kind: journeyRunKind, job: playJourneyRunJob },
  { kind: calibrationKind, job: playCalibrationJob },
  { kind: readinessRunKind, job: gradeServerJob },
];
