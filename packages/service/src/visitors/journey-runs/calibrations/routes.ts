/** @module Binds the operations on calibrations. */
import type { CalibrationId } from "@fettle/contract/core";
import { type Bindings, bindResource, type InProject } from "../../../core/routing/bind.ts";
import { cancelRun } from "../../../runs/life/life.ts";
import { listCalibrations, toCalibration } from "./calibrations.ts";
import { calibrationKind } from "./kind.ts";
import { planCalibration } from "./plan.ts";
import { startCalibration } from "./start.ts";
import { findCalibration } from "./store.ts";

const theCalibration = ({ app, project, params }: InProject<{ calibrationId: CalibrationId }>) =>
  findCalibration(app.db, project.id, params.calibrationId);

export const calibrationBindings = {
  estimateCalibration: async ({ app, project, query }) =>
    (await planCalibration(app, { projectId: project.id, organizationId: project.organizationId }, query))
      .estimate,
  createCalibration: ({ app, db, project, caller, body }) =>
    startCalibration(
      app,
      db,
      { projectId: project.id, organizationId: project.organizationId, userId: caller.userId },
      body,
    ),
  listCalibrations: ({ app, project, query }) => listCalibrations(app, project.id, query),
  getCalibration: bindResource(theCalibration, (_, row) => toCalibration(row)),
  cancelCalibration: bindResource(theCalibration, async ({ app }, row) =>
    toCalibration((await cancelRun(app, calibrationKind, row)).run),
  ),
} satisfies Partial<Bindings>;
