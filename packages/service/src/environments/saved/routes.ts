/** @module Binds the operations on environments. */
import type { EnvironmentId } from "@fettle/contract/core";
import { type Bindings, bindResource, type InProject } from "../../core/routing/bind.ts";
import {
  archiveEnvironment,
  createEnvironment,
  ensureAdhoc,
  listEnvironments,
  nameEnvironment,
  restoreEnvironment,
  toEnvironment,
  updateEnvironment,
} from "./environments.ts";
import { resolveForRun } from "./resolve.ts";
import { findEnvironment } from "./store.ts";

const theEnvironment = ({ app, project, params }: InProject<{ environmentId: EnvironmentId }>) =>
  findEnvironment(app.db, project.id, params.environmentId);

export const environmentBindings = {
  listEnvironments: async ({ app, project, query }) => ({
    items: await listEnvironments(app.db, project.id, query.includeArchived),
  }),
  createEnvironment: ({ app, db, project, caller, body }) =>
    createEnvironment(app, db, project.id, caller.userId, body),
  getEnvironmentCapabilities: () => ({ modelOverrides: true, modelMatrix: true }),
  getEnvironment: bindResource(theEnvironment, (_, row) => toEnvironment(row)),
  updateEnvironment: bindResource(theEnvironment, ({ app, db, caller, body }, row) =>
    updateEnvironment(app, db, caller.userId, row, body),
  ),
  resolveEnvironment: bindResource(theEnvironment, async ({ app, project }, row) => {
    const { resolved } = await app.db.transaction((tx) => resolveForRun(tx, project.id, row.id));
    return resolved;
  }),
  ensureAdhocEnvironment: ({ app, db, project, caller, body }) =>
    ensureAdhoc(app, db, project, caller.userId, body),
  nameEnvironment: bindResource(theEnvironment, ({ app, db, caller, body }, row) =>
    nameEnvironment(app, db, caller.userId, row, body),
  ),
  archiveEnvironment: bindResource(theEnvironment, ({ app, db, caller, body }, row) =>
    archiveEnvironment(app, db, caller.userId, row, body.expectedRevision),
  ),
  restoreEnvironment: bindResource(theEnvironment, ({ app, db, caller, body }, row) =>
    restoreEnvironment(app, db, caller.userId, row, body.expectedRevision),
  ),
} satisfies Partial<Bindings>;
