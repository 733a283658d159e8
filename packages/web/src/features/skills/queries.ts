/** @module Skills: reading them, and writing them, which only pages may do. */
import type { FileMap } from "@fettle/contract";
import { queryOptions } from "@tanstack/react-query";
import { api, app } from "../../api/client.ts";
import { queryClient } from "../../api/queries.ts";

export const skillsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["skills", projectId, "list"],
    queryFn: ({ signal }) => api.listProjectSkills({ projectId }, { signal }),
  });

export const skillQuery = (projectId: string, skillId: string) =>
  queryOptions({
    queryKey: ["skills", projectId, "one", skillId],
    queryFn: ({ signal }) => api.getProjectSkill({ projectId, skillId }, { signal }),
  });

export const skillFilesQuery = (projectId: string, skillId: string) =>
  queryOptions({
    queryKey: ["skills", projectId, "files", skillId],
    queryFn: ({ signal }) => app.getSkillFiles({ projectId, skillId }, { signal }),
  });

/** Read anew for every edit, so that nobody starts from a text that has changed since; and then left alone. */
export const skillDraftQuery = (projectId: string, skillId: string) =>
  queryOptions({
    queryKey: ["skill-draft", projectId, skillId],
    queryFn: ({ signal }) => app.getSkillFiles({ projectId, skillId }, { signal }),
    staleTime: "static",
    gcTime: 0,
  });

/** The service reads a skill the same way as when it is saved, so there is one set of rules. */
export const skillCheckQuery = (projectId: string, files: FileMap) =>
  queryOptions({
    queryKey: ["skill-check", projectId, files],
    queryFn: ({ signal }) => app.checkSkill({ projectId, body: { files } }, { signal }),
    staleTime: "static",
    gcTime: 0,
  });

const stale = (projectId: string) => queryClient.invalidateQueries({ queryKey: ["skills", projectId] });

export async function createSkill(projectId: string, files: FileMap) {
  const skill = await app.createSkill({ projectId, body: { files } });
  await stale(projectId);
  return skill;
}

export async function updateSkill(projectId: string, skillId: string, files: FileMap) {
  const skill = await app.updateSkill({ projectId, skillId, body: { files } });
  await stale(projectId);
  return skill;
}

export async function setShared(projectId: string, skillId: string, shared: boolean) {
  const skill = shared
    ? await app.shareSkill({ projectId, skillId })
    : await app.unshareSkill({ projectId, skillId });
  await stale(projectId);
  return skill;
}

export async function deleteSkill(projectId: string, skillId: string) {
  await app.deleteSkill({ projectId, skillId });
  await queryClient.invalidateQueries({ queryKey: ["skills", projectId, "list"] });
}
