/** @module Changing projects. Reads are shared with the shell and live in `api/queries.ts`. */
import type { Visibility } from "@fettle/contract";
import { api } from "../../api/client.ts";
import { projectQuery, queryClient } from "../../api/queries.ts";

async function projectsChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ["projects"] });
}

export async function createProject(
  organizationId: string,
  fields: { name: string; description: string; visibility: Visibility },
  idempotencyKey: string,
) {
  const { name, description, visibility } = fields;
  const body = { name, organizationId, visibility, ...(description && { description }) };
  const project = await api.createProject({ body }, { idempotencyKey });
  await projectsChanged();
  return project;
}

export async function updateProject(
  projectId: string,
  body: { name: string; description: string; visibility: Visibility },
) {
  const project = await api.updateProject({ projectId, body });
  queryClient.setQueryData(projectQuery(projectId).queryKey, project);
  await projectsChanged();
  return project;
}

export async function deleteProject(projectId: string) {
  await api.deleteProject({ projectId });
  // Not invalidated: a read of a deleted project would only answer "not found".
  queryClient.removeQueries({ queryKey: ["project", projectId] });
  await projectsChanged();
}
