/** @module The text a skill is edited from. */
import { queryOptions } from "@tanstack/react-query";
import { reading } from "../../api/operation.ts";

/** Read anew for every edit, so that nobody starts from a text that has changed since; and then left alone. */
export const skillDraftQuery = (projectId: string, skillId: string) => {
  const files = reading("getSkillFiles", { projectId, skillId });
  return queryOptions({ ...files, queryKey: [...files.queryKey, "draft"], staleTime: "static", gcTime: 0 });
};
