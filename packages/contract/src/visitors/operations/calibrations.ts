/** @module Operations that measure simulated visitors against real ones. They belong to the Swarm insights tag. */

import { access, operation } from "../../core/operation.ts";
import { page, pageQuery } from "../../core/page.ts";
import {
  Calibration,
  CalibrationCreateRequest,
  CalibrationEstimate,
  CalibrationEstimateQuery,
} from "../swarms/calibration.ts";
import { swarmLimits } from "../swarms/limits.ts";

const tag = "Swarm insights";

export const estimateCalibration = operation({
  id: "estimateCalibration",
  tag,
  method: "GET",
  path: "/projects/{projectId}/calibrations/estimate",
  access: access.project.read,
  summary: "What a calibration would do, and cost at most",
  description:
    "Tells how many sessions a calibration would play and what they cost at most. Nothing is started.",
  cli: "fettle cloud journeys calibration-estimate",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  query: CalibrationEstimateQuery,
  output: CalibrationEstimate,
  built: true,
});

export const createCalibration = operation({
  id: "createCalibration",
  tag,
  method: "POST",
  path: "/projects/{projectId}/calibrations",
  access: access.project.read,
  summary: "Play recorded sessions with the persona driver in the visitor's place",
  description:
    "Measures how far simulated visitors are from real ones: it replays sessions of a scenario, or the built-in recordings, and compares.",
  cli: "fettle cloud journeys calibrate",
  status: 202,
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: CalibrationCreateRequest,
  output: Calibration,
  built: true,
});

export const listCalibrations = operation({
  id: "listCalibrations",
  tag,
  method: "GET",
  path: "/projects/{projectId}/calibrations",
  access: access.project.read,
  summary: "List a project's calibrations, newest first",
  description: "Lists the calibrations of a project, newest first.",
  cli: "fettle cloud journeys calibrations",
  query: pageQuery(swarmLimits.listed),
  output: page(Calibration),
  built: true,
});

export const getCalibration = operation({
  id: "getCalibration",
  tag,
  method: "GET",
  path: "/projects/{projectId}/calibrations/{calibrationId}",
  access: access.project.read,
  summary: "Read one calibration with its report",
  description: "Reads one calibration with its report once it has ended.",
  cli: "fettle cloud journeys calibration",
  output: Calibration,
  built: true,
});

export const cancelCalibration = operation({
  id: "cancelCalibration",
  tag,
  method: "POST",
  path: "/projects/{projectId}/calibrations/{calibrationId}/cancel",
  access: access.project.read,
  summary: "Cancel a calibration",
  description: "Stops a calibration. Sessions that were played are kept.",
  effect: "cancel",
  cli: "fettle cloud journeys cancel-calibration",
  errors: ["CONFLICT"],
  output: Calibration,
  built: true,
});
