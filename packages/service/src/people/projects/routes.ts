/** @module Binds the catalog's operations on projects. */
import type { Bindings } from "../../core/routing/bind.ts";
import { readCapabilities } from "./capabilities.ts";
import { createProject, deleteProject, listProjects, readProject, updateProject } from "./projects.ts";

export const projectBindings = {
  listProjects: async ({ app, caller, query }) => ({
    items: await listProjects(app, caller, query.organizationId),
  }),
  createProject: ({ app, db, caller, body }) => createProject(app, db, caller, body),
  getProject: ({ db, project }) => readProject(db, project),
  updateProject: ({ app, db, project, body }) => updateProject(app, db, project, body),
  deleteProject: ({ app, db, project, query }) => deleteProject(app, db, project, query.expectedUpdatedAt),
  getProjectCapabilities: ({ db, project }) => readCapabilities(db, project),
} satisfies Partial<Bindings>;
